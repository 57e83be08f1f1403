{% if apart_sums %}
/* The sums of parts of a vector{{ ", or of a matrix" if divided }}, and how many parts are not done. */
typedef struct {
    int64_t left;
    bb_real {{ "*part" if divided else "part[" ~ sections * parts ~ "]" }};
} bb_sums;

{% endif %}
typedef struct {
{% for field in fields %}
    {{ field }};
{% endfor %}
{% if scratch.heap %}
    char **work;
{% endif %}
{% if sliced or pieces %}
    int64_t slices; /* of a matrix */
{% endif %}
{% if shared %}
    int team; /* threads that share a matrix */
{% endif %}
{% if apart_sums %}
    bb_sums *sums;
{% endif %}
} bb_args;
