typedef struct {
{% for field in fields %}
    {{ field }};
{% endfor %}
{% if scratch.heap %}
    char **work;
{% endif %}
{% if sliced %}
    int64_t slices; /* of a matrix */
{% endif %}
{% if shared %}
    int team; /* threads that share a matrix */
{% endif %}
} bb_args;
