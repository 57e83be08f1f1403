typedef struct {
{% for field in fields %}
    {{ field }};
{% endfor %}
{% if scratch.heap %}
    char **work;
{% endif %}
} bb_args;
