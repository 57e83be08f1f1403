{# Fixed batches, one function for each layout. #}
{% for call in own %}
EXPORT int {{ call.symbol }}({{ call.parameters }})
{
    problem p;
    static const unsigned char at[] = { {{ call.positions | join(", ") }} };
    const int fault = understood(&p, {{ call.understood | join(", ") }});
    if (fault)
        return -at[fault];
{% include "library/scalars.c" %}
{% if call.exchanged %}
    const int row_major = layout == 101;
{% endif %}
    const int status = run_{{ call.layout }}(&p, {{ call.passed | join(", ") }});
{% include "library/status.c" %}
}

{% endfor %}
