{# Into compact storage and out of it. No arithmetic, so no kernels. #}
#include "{{ header }}"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))
{% if named %}

{% include "library/refused.c" %}
{% endif %}

/* The position of the first argument of a copy that is at fault, or 0. */
static int fault_of(int layout, int64_t rows, int64_t columns, const void *a, int64_t lda, const void *ap, int64_t ldap,
                    int format, int64_t nm)
{
    const int64_t length = layout == 101 ? columns : rows;
    const int some = rows > 0 && columns > 0 && nm > 0;
    return layout != 101 && layout != 102 ? 1
           : rows < 0                     ? 2
           : columns < 0                  ? 3
           : some && !a                   ? 4
           : lda < 1 || lda < length      ? 5
           : some && !ap                  ? 6
           : ldap < 1 || ldap < length    ? 7
           : format != {{ block_format }}                ? 8
           : nm < 0                       ? 9
                                          : 0;
}

EXPORT int {{ prefix }}get_format_compact(void)
{
    return {{ block_format }};
}
{% if named %}

EXPORT int mkl_get_format_compact(void)
{
    return {{ block_format }};
}
{% endif %}
{% for f in packings %}
{% set block, parts, element = f.precision.default_nb, f.precision.parts, f.element %}

EXPORT {{ f.declarations[0][:-1] }}
{
    const int fault = ld < 0 ? 1 : sd < 0 ? 2 : format != {{ block_format }} ? 3 : nm < 0 ? 4 : 0;
    const int64_t elements = (nm / {{ block }} + !!(nm % {{ block }})) * ld * sd;
    return fault ? -fault : elements * {{ element }} * (int64_t)sizeof({{ f.real }});
}

EXPORT {{ f.declarations[1][:-1] }}
{
    const int fault = fault_of(layout, rows, columns, a, lda, ap, ldap, format, nm);
    if (fault)
        return -fault;
    const int64_t length = layout == 101 ? columns : rows, lines = layout == 101 ? rows : columns;
    for (int64_t b = 0; b < nm; b += {{ block }}, ap += ldap * lines * {{ element }}) {
        const int count = nm - b < {{ block }} ? (int)(nm - b) : {{ block }};
        const {{ f.real }} *x[{{ block }}];
        for (int lane = 0; lane < {{ block }}; lane++)
            x[lane] = a[lane < count ? b + lane : b];
        for (int64_t j = 0; j < lines; j++)
            for (int64_t i = 0; i < length; i++) {
                {{ f.real }} *const to = ap + (j * ldap + i) * {{ element }};
                const int64_t at = (j * lda + i) * {{ parts }};
{% for part, start, missing in f.numbers %}
                for (int lane = 0; lane < {{ block }}; lane++)
                    to[{{ start }} + lane] = x[lane][at + {{ part }}];
                for (int lane = count; lane < {{ block }}; lane++)
                    to[{{ start }} + lane] = {{ missing }};
{% endfor %}
            }
    }
    return 0;
}

EXPORT {{ f.declarations[2][:-1] }}
{
    const int fault = fault_of(layout, rows, columns, a, lda, ap, ldap, format, nm);
    if (fault)
        return -fault;
    const int64_t length = layout == 101 ? columns : rows, lines = layout == 101 ? rows : columns;
    for (int64_t b = 0; b < nm; b += {{ block }}, ap += ldap * lines * {{ element }})
        for (int64_t lane = 0; lane < {{ block }} && b + lane < nm; lane++) {
            {{ f.real }} *const x = a[b + lane];
            for (int64_t j = 0; j < lines; j++)
                for (int64_t i = 0; i < length; i++) {
                    const {{ f.real }} *const from = ap + (j * ldap + i) * {{ element }} + lane;
{% for part, start, missing in f.numbers %}
                    x[(j * lda + i) * {{ parts }} + {{ part }}] = from[{{ start }}];
{% endfor %}
                }
        }
    return 0;
}
{% for end, number, declarations in f.of_vendor if named %}
{% set given = "(layout, rows, columns, a, lda, ap, ldap, format, nm)" %}

EXPORT {{ declarations[0][:-1] }}
{
    const int64_t bytes = {{ f.symbol("get_size") }}(ld, sd, format, nm);
    if (bytes < 0)
        refused("{{ f.named("get_size", end) }}", (int)-bytes);
    return bytes < 0 ? 0 : ({{ number }})bytes;
}
{% for what, declaration in (("gepack", declarations[1]), ("geunpack", declarations[2])) %}

EXPORT {{ declaration[:-1] }}
{
    const int status = {{ f.symbol(what) }}{{ given }};
    if (status)
        refused("{{ f.named(what, end) }}", -status);
}
{% endfor %}
{% endfor %}
{% endfor %}
