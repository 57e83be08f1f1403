{# The kernels of a library by their names, for programs that make names of shapes. #}
#include "{{ header }}"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN int {{ prefix }}level;
{% for _, entries in rows %}
{% for entry in entries %}
HIDDEN int {{ entry }}(void);
{% endfor %}
{% endfor %}

typedef struct {
    const char *name;
    {{ prefix }}entry entries[{{ levels | length }}];
} row;

static const row rows[] = {
{% for name, entries in rows %}
    { "{{ name }}", { {% for entry in entries %}({{ prefix }}entry){{ entry }}, {% endfor %} } },
{% endfor %}
};

static int compared(const void *name, const void *one)
{
    return strcmp(name, ((const row *)one)->name);
}

__attribute__((visibility("default"))) {{ prefix }}entry {{ prefix }}kernel(const char *name)
{
    const row *found = bsearch(name, rows, sizeof rows / sizeof *rows, sizeof *rows, compared);
    return found ? found->entries[{{ prefix }}level] : NULL;
}

static const char *const levels[] = { {% for level in levels %}"{{ level.march }}", {% endfor %} };

__attribute__((visibility("default"))) const char *{{ prefix }}isa(void)
{
    return levels[{{ prefix }}level];
}

__attribute__((visibility("default"))) const char *{{ prefix }}version(void)
{
    return "{{ version }}";
}
