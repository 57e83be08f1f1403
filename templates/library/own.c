{# Fixed batches, one function for each layout. #}
{% for call in own %}
EXPORT int {{ call.symbol }}({{ call.parameters }})
{
{% include "library/problem.c" %}
{% if call.exchanged %}
    const int row_major = layout == 101;
{% endif %}
    const int status = run_{{ call.layout }}(&p, {{ call.passed | join(", ") }});
{% include "library/status.c" %}
}

{% endfor %}
