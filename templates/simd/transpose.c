{# Exchanges rows and columns of the `columns` x `columns` elements of `parts` reals in every so many of that number of
   vectors of `wide` reals, in registers. #}
{% macro transpose(columns, wide, parts=1, suffix="", crossed=false) %}
{% if columns > 1 %}
static BB_INLINE void bb_transpose{{ columns }}{{ suffix }}(bb_vec{{ wide }} *x)
{
    bb_vec{{ wide }} low;
{% for one, other, low, high in exchanges(columns, wide, parts, crossed=crossed) %}
    low = BB_SHUFFLE(bb_mask{{ wide }}, x[{{ one }}], x[{{ other }}], {{ low | join(", ") }});
    x[{{ other }}] = BB_SHUFFLE(bb_mask{{ wide }}, x[{{ one }}], x[{{ other }}], {{ high | join(", ") }});
    x[{{ one }}] = low;
{% endfor %}
}

{% endif %}
{% endmacro %}
