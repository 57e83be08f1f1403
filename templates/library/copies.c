{# Copies of vectors, as vendors' libraries have them: no arithmetic, so no kernels. #}
#include "{{ header }}"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static void refused(const char *routine, int argument)
{
    fprintf(stderr, " ** On entry to %s parameter number %2d had an illegal value\n", routine, argument);
}
{% for f in copies %}
{% if not f.end %}

typedef {{ f.structure }} {{ f.type }};

/* y := x; a vector that runs backwards begins at its last element. */
static void {{ f.one }}(int64_t n, const {{ f.type }} *x, int64_t incx, {{ f.type }} *y, int64_t incy)
{
    if (incx == 1 && incy == 1) {
        for (int64_t i = 0; i < n; i++)
            y[i] = x[i];
        return;
    }
    x += incx < 0 ? (1 - n) * incx : 0;
    y += incy < 0 ? (1 - n) * incy : 0;
    for (int64_t i = 0; i < n; i++)
        y[i * incy] = x[i * incx];
}
{% endif %}

EXPORT {{ f.declarations[0][:-1] }}
{
    int fault = group_count < 0 ? 6 : 0;
    for ({{ f.number }} i = 0; !fault && i < group_count; i++)
        fault = n[i] < 0 ? 1 : group_sizes[i] < 0 ? 7 : 0;
    if (fault)
        refused("{{ f.symbol }}{{ f.end }}", fault);
    for ({{ f.number }} i = 0; !fault && i < group_count; i++)
        for ({{ f.number }} j = 0; j < group_sizes[i]; j++)
            {{ f.one }}(n[i], (const {{ f.type }} *)*X++, incx[i], ({{ f.type }} *)*Y++, incy[i]);
}

EXPORT {{ f.declarations[1][:-1] }}
{
    const int fault = n < 0 ? 1 : batch_count < 0 ? 8 : 0;
    if (fault)
        refused("{{ f.symbol }}_strided{{ f.end }}", fault);
    for (int64_t i = 0; !fault && i < batch_count; i++)
        {{ f.one }}(n, (const {{ f.type }} *)X + i * stride_x, incx, ({{ f.type }} *)Y + i * stride_y, incy);
}
{% for declaration, call in f.fortran %}

EXPORT {{ declaration[:-1] }}
{
    {{ call }}
}
{% endfor %}
{% endfor %}
