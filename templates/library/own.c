{# Fixed batches, one function for each layout. #}
{% for call in own %}
EXPORT int {{ call.symbol }}({{ call.parameters }})
{
    problem p;
    static const unsigned char at[] = { {{ call.positions | join(", ") }} };
    const int fault = understood(&p, {{ call.understood | join(", ") }});
    if (fault)
        return -at[fault];
{% for scalar, parts in text.scalars %}
{% if parts == 2 %}
    if (!{{ scalar }})
        return -{{ call.names.index(scalar) + 1 }};
    p.{{ scalar }}[0] = {{ scalar }}[0];
    p.{{ scalar }}[1] = {{ scalar }}[1];
{% else %}
    p.{{ scalar }} = {{ scalar }};
{% endif %}
{% endfor %}
{% if call.exchanged %}
    const int row_major = layout == 101;
{% endif %}
    const int status = run_{{ call.layout }}(&p, {{ call.passed | join(", ") }});
    if (status >= 0)
        return status;
    static const unsigned char argument[2][{{ call.arguments[0] | length }}] = {
        { {{ call.arguments[0] | join(", ") }} },
        { {{ call.arguments[1] | join(", ") }} },
    };
    return -argument[{{ "row_major" if call.exchanged else "0" }}][-status];
}

{% endfor %}
