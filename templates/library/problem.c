{# The problem of a call for a fixed batch, or the argument at fault. #}
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
