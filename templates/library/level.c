{# Which instruction set is used: chosen once, when the library is loaded. #}
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("hidden"))) int {{ prefix }}level;

/* The best one that the processor has; {{ variable }} may name an older one. */
__attribute__((constructor)) static void choose(void)
{
{% if levels | length > 1 %}
    static const char *const names[] = { {% for level in levels %}"{{ level.march }}", {% endfor %} };
    int has[] = { {% for _ in levels %}1, {% endfor %} };
    const char *wanted = getenv("{{ variable }}");
    __builtin_cpu_init();
{% for level in levels %}
{% set number = loop.index0 %}
{% for feature in level.features %}
    has[{{ number }}] &= !!__builtin_cpu_supports("{{ feature }}");
{% endfor %}
{% endfor %}
    for (int i = 1; i < {{ levels | length }} && has[i]; i++) {
        if (wanted && !strcmp(wanted, names[i - 1]))
            break;
        {{ prefix }}level = i;
    }
{% endif %}
}
{% if task %}

{% include "library/parallel.c" %}
{% endif %}
