{# The bodies of a kernel in their order, for the team of a matrix: all lanes together, each with slices of it, or one
   alone. What is reported is the same in all of them, and a matrix that failed is left by the next bodies as it is. #}
{% for body in bodies %}
{% if body.guarded %}
        if (!info)
    {% endif %}
{% if body.share.slices and not body.share.together %}
        for (int piece = lane; piece < {{ body.share.pieces }}; piece += {{ schedule.lanes }})
    {% elif body.share.alone %}
        if (lane == 0)
    {% endif %}
        {{ body.name }}({{ body.prefix }}{{ body.call }});
{% if "info" in body.names and not body.share.together %}
        BB_TEAM_FIRST(info);
{% endif %}
{% if not loop.last %}
        BB_TEAM_SYNC();
{% endif %}
{% endfor %}
