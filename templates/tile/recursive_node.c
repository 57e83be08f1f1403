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
{% include "tile/recursive_parts.c" %}

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
{% elif node.twins %}
{{ steps(node.calls[:-2]) }}
    const double work = (double)n * (double)n * (double)n / 12;
    if (means.threads != 1 && {{ even }} * (n - at) >= {{ even - 1 }} * at && work >= {{ schedule.least }}) {
        int failed = 0;
        const {{ node.name }}_args g = { {% for _, name in node.parameters %}{{ name }}, {% endfor %}&failed };
        bb_share({{ node.name }}_half, &g, 2, 1, means.threads, work / {{ speed }});
        return -failed;
    }
{{ steps(node.calls[-2:]) }}
    return 0;
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
