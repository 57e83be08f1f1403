{# Where only run time knows sizes: square matrices whose order is one of a few, in straight lines. #}
{% macro each(order) %}
{% set lines = caller %}
{% if body.orders %}
static BB_NOINLINE void {{ body.name }}_straight({{ body.parameters }})
{
    {{ "(void)work;" if scratch.heap }}
    switch ({{ order }}) {
{% for n in body.orders %}
    case {{ n }}: {
{{ lines(n) }}
        break;
    }
{% endfor %}
    }
}

{% endif %}
{% endmacro %}
{% macro tried(m, n) %}
{% if body.orders %}
    int64_t order = {{ n if m == n else m ~ " == " ~ n ~ " ? " ~ n ~ " : 0" }};
    BB_UNKNOWN(order);
    if ({{ "full && " if partial }}order >= {{ body.orders[0] }} && order <= {{ body.orders[-1] }}) {
        {{ body.name }}_straight({{ flags_arguments }}{{ body.arguments }});
        return;
    }
{% endif %}
{% endmacro %}
