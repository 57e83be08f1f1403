{# The functions of all families. #}
{% for section in sections %}

/* {{ section.formula }} */
{% for f in section.functions %}
{{ f.declaration }}
{% endfor %}
{% endfor %}
