{# Fixed batches, one function for each layout, and one that works in memory of the caller. #}
{% for call in own %}
EXPORT {{ call.declaration[:-1] }}
{
{% include "library/problem.c" %}
{% if call.exchanged %}
    const int row_major = layout == 101;
{% endif %}
{% if call.work %}
    const int64_t needed = unaligned(needed_{{ call.layout }}(&p));
{% set place = call.names | length %}
{% include "library/given.c" %}
    char none, *const scratch = needed ? aligned(work) : &none; /* not NULL: nothing takes other memory */
{% endif %}
    const int status =
        run_{{ call.layout }}(&p, {{ call.passed | join(", ") }}, {{ "scratch" if call.work else "NULL" }});
{% include "library/status.c" %}
}

{% endfor %}
