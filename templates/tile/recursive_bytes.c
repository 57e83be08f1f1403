{# What an operation works in, where memory is given to it. #}
{% if node.works %}
#ifdef BB_WORK
static int64_t {{ node.name }}_bytes(const int64_t {{ node.op.sizes | join(", const int64_t ") }})
{
{% if node.rule %}
    if ({{ node.order }} <= {{ schedule[node.most] }}
{%- if node.beside %} ||
        ({{ node.beside }} <= {{ schedule.few }} && {{ node.order }} * {{ node.beside }} <= {{ few.reals }})
{%- endif %}) {
{% endif %}
{% if node.own %}
{% include node.own %}
{% elif node.rule %}
        return 0;
{% endif %}
{% if node.rule %}
    }
    const int64_t at = bb_cut({{ node.order }});
{% endif %}
{% if node.rule or not node.template %}
    int64_t bytes = 0;
{% for call in node.calls if call.works %}
    bytes = bb_most(bytes, {{ call.name }}_bytes({{ call.sizes }}));
{% endfor %}
    return bytes;
{% endif %}
}
#endif

{% endif %}
