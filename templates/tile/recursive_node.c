{# An operation: done at once where it is small, else by its steps. #}
{% if node.free %}
static int64_t {{ node.name }}({{ node.declared }});

typedef struct {
{% for type, name in node.parameters %}
    {{ type }}{{ name }};
{% endfor %}
    int *failed;
} {{ node.name }}_args;

static void {{ node.name }}_part(const void *arguments, int64_t lo, int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const int64_t units = g->{{ node.free }} / {{ grain }};
    (void)share;
    if (lo == hi)
        return;
    lo *= {{ grain }};
    hi = hi == units ? g->{{ node.free }} : hi * {{ grain }}; /* the last unit is larger: none has few */
    if ({{ node.name }}((bb_means){ 1, NULL }{% for _, name in node.parameters %}, {{ node.part()[name] }}{% endfor %}))
        __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
}
{% endif %}

{% include "tile/recursive_bytes.c" %}
/* {{ node.op.formula }} */
static int64_t {{ node.name }}({{ node.declared }})
{
{% if node.rule %}
    if ({{ node.order }} <= {{ schedule[node.most] }}{{ " || BB_IS(alpha, 0)" if node.op.scalars | length == 1 }}
{%- if node.beside %} ||
        ({{ node.beside }} <= {{ schedule.few }} && {{ node.order }} * {{ node.beside }} <= {{ few.reals }})
{%- endif %}) {
{% endif %}
{% if node.template %}
{% include "op/" ~ node.template ~ ".recursive.c" %}
{% endif %}
{% if node.rule %}
    }
{% if node.free %}
    if (means.threads != 1 && {{ node.free }} >= {{ 4 * grain }} && {{ node.order }} >= {{ grain }}) {
        int failed = 0;
        const {{ node.name }}_args g = { {% for _, name in node.parameters %}{{ name }}, {% endfor %}&failed };
        bb_share({{ node.name }}_part, &g, {{ node.free }} / {{ grain }}, 1, means.threads,
                 (double){{ node.order }} * (double){{ node.order }} * (double){{ node.free }} / {{ speed }});
        return -failed;
    }
{% endif %}
    const int64_t at = bb_cut({{ node.order }});
{% endif %}
{% if node.calls and (node.rule or not node.template) %}
    int64_t found{{ ", first = 0" if node.rule and node.rule.goes_on }};
{% for call in node.calls %}
{% if call.reports and node.rule and node.rule.goes_on %}
    if ((found = {{ call.name }}(means, {{ call.arguments }})) < 0)
        return found;
    if (found && !first)
        first = found + {{ call.first }};
{% else %}
    if ((found = {{ call.name }}(means, {{ call.arguments }})))
        return {{ "found" if call.first == "0" else "found < 0 ? found : found + " ~ call.first }};
{% endif %}
{% endfor %}
{% if node.pivots %}
    for (int64_t i = at; i < {{ node.order }}; i++)
        {{ node.pivots }}[i] += (int32_t)at;
{% endif %}
    return {{ "first" if node.rule and node.rule.goes_on else 0 }};
{% endif %}
}
