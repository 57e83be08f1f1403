/* Calls, again and again, so that what the caller's language costs is no part of what is timed. */
#include <stddef.h>
#include <stdint.h>

{% if parameters %}
{% set types = parameters | join(", ") %}
/* A kernel, `times` times. */
void bb_again(int64_t times, uintptr_t function{% for type in parameters %}, {{ type }} a{{ loop.index0 }}{% endfor %})
{
    for (int64_t i = 0; i < times; i++)
        (({{ result }} (*)({{ types }}))function)({% for type in parameters %}{{ ", " if not loop.first }}a{{ loop.index0 }}{% endfor %});
}
{% else %}
/* What has the Fortran interface: all by reference, the lengths of letters behind everything else. */
#define LENGTHS (size_t)1, (size_t)1, (size_t)1, (size_t)1

{% for real in ("double", "float") %}
/* The result of the last call; of no use where the function has none. */
double bb_again_{{ real }}(int64_t times, void *function, int count, void **a)
{
    {{ real }} result = 0;
    switch (count) {
{% for count in counts %}
    case {{ count }}:
        for (int64_t i = 0; i < times; i++)
            result = (({{ real }} (*)({% for _ in range(count) %}void *, {% endfor %}size_t, size_t, size_t, size_t))function)({% for i in range(count) %}a[{{ i }}], {% endfor %}LENGTHS);
        break;
{% endfor %}
    }
    return result;
}
{% endfor %}
{% endif %}
