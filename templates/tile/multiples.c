{# Powers of two for lanes whose squares are too small or too large to be added, and what undoes them. #}
{% macro multiples() %}
            bb_vec scale = unscale;
            BB_TAKE(scale, small, BB_ZEROS + (bb_real){{ compute.rescale[0] }});
            BB_TAKE(unscale, small, BB_ZEROS + (bb_real){{ compute.rescale[1] }});
            BB_TAKE(scale, large, BB_ZEROS + (bb_real){{ compute.rescale[1] }});
            BB_TAKE(unscale, large, BB_ZEROS + (bb_real){{ compute.rescale[0] }});
{% endmacro %}
