typedef struct {
{% for field in fields %}
    {{ field }};
{% endfor %}
} bb_args;
