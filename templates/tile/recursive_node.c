{# An operation: done at once where it is small, else by its steps. #}
{% macro steps(calls) %}
{% for call in calls %}
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
{% endmacro %}
{% if node.parts %}
static int64_t {{ node.name }}({{ node.declared }});

typedef struct {
{% for type, name in node.parameters %}
    {{ type }}{{ name }};
{% endfor %}
    int *failed;
} {{ node.name }}_args;

{% endif %}
{% if node.parts and node.parts.rank %}
/* The second part, and what is between both. */
static int64_t {{ node.name }}_second(const int64_t at, {{ node.declared }})
{
    int64_t found;
{{ steps(node.calls[1:]) }}
    return 0;
}

/* Rows of the lower triangle, or columns of the upper one, by bands: short ones between long ones. */
static void {{ node.name }}_part(const void *arguments, const int64_t lo, const int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const int64_t bands = bb_bands(g->n);
    (void)share;
    for (int64_t i = lo; i < hi; i++) {
        const int64_t at = (i % 2 ? i / 2 : bands - 1 - i / 2) * {{ band }};
        const int64_t n = at + {{ band }} < g->n ? at + {{ band }} : g->n;
        const bb_means alone = { 1, NULL };
        if ({{ node.name }}_second(at, alone, n{% for _, name in node.parameters[1:] %}, g->{{ name }}{% endfor %}))
            __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
    }
}
{% elif node.free %}
static void {{ node.name }}_part(const void *arguments, int64_t lo, int64_t hi, const int64_t share)
{
    const {{ node.name }}_args *g = (const {{ node.name }}_args *)arguments;
    const int64_t units = bb_units(g->{{ node.free }});
    (void)share;
    if (lo == hi)
        return;
    lo = g->{{ node.free }} * lo / units / {{ width }} * {{ width }};
    hi = hi == units ? g->{{ node.free }} : g->{{ node.free }} * hi / units / {{ width }} * {{ width }};
    if ({{ node.name }}((bb_means){ 1, NULL }{% for _, name in node.parameters %}, {{ node.part()[name] }}{% endfor %}))
        __atomic_store_n(g->failed, 1, __ATOMIC_RELAXED);
}
{% endif %}

{% include "tile/recursive_bytes.c" %}
/* {{ node.op.formula }} */
static int64_t {{ node.name }}({{ node.declared }})
{
{% if node.rule %}
    const int small = {{ node.order }} <= {{ schedule[node.most] }}
{%- if node.op.scalars | length == 1 %} || BB_IS(alpha, 0){% endif %};
{% if node.beside %}
    const int few = {{ node.beside }} <= {{ schedule.few }} && {{ node.order }} * {{ node.beside }} <= {{ few.reals }};
{% endif %}
{% if node.parts %}
    const double work = {{ node.parts.work }};
    const int apart = {{ node.order }} <= {{ alone }} && {{ node.parts.enough }};
    const int enough = {{ "few ? " ~ node.parts.count ~ " > 1 : " if node.beside }}apart;
    if (means.threads != 1 && !small && enough && work >= {{ schedule.least }}) {
        int failed = 0;
        const {{ node.name }}_args g = { {% for _, name in node.parameters %}{{ name }}, {% endfor %}&failed };
        bb_share({{ node.name }}_part, &g, {{ node.parts.count }}, 1, means.threads, work / {{ speed }});
        return -failed;
    }
{% endif %}
    if (small{{ " || few" if node.beside }}) {
{% endif %}
{% if node.template %}
{% include "op/" ~ node.template ~ ".recursive.c" %}
{% endif %}
{% if node.rule %}
    }
    const int64_t at = bb_cut({{ node.order }});
{% endif %}
{% if node.calls and (node.rule or not node.template) %}
    int64_t found{{ ", first = 0" if node.rule and node.rule.goes_on }};
{% if node.parts and node.parts.rank %}
{{ steps(node.calls[:1]) }}
    return {{ node.name }}_second(at, means{% for _, name in node.parameters %}, {{ name }}{% endfor %});
{% else %}
{{ steps(node.calls) }}
{% if node.pivots %}
    for (int64_t i = at; i < {{ node.order }}; i++)
        {{ node.pivots }}[i] += (int32_t)at;
{% endif %}
    return {{ "first" if node.rule and node.rule.goes_on else 0 }};
{% endif %}
{% endif %}
}
