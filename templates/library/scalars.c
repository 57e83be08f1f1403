{# The scalars of a function go to the problem. #}
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
