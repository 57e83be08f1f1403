{% for k in kernels %}
static int call_{{ loop.index0 }}({{ parameters }})
{
{% for name in k.unused %}
    (void){{ name }};
{% endfor %}
    return {{ k.call }};
}

static const struct operand operands_{{ loop.index0 }}[] = {
{% for o in k.operands %}
    {{ o }},
{% endfor %}
};
static const struct step steps_{{ loop.index0 }}[] = {
{% for s in k.steps %}
    {{ s }},
{% endfor %}
};
static const double scalars_{{ loop.index0 }}[][2] = { {{- k.scalars -}} };

{% endfor %}
static const struct kernel kernels[] = {
{% for k in kernels %}
{% set n = loop.index0 %}
    {"{{ k.symbol }}", call_{{ n }}, operands_{{ n }}, steps_{{ n }}, scalars_{{ n }}, {{ k.numbers }}},
{% endfor %}
};
