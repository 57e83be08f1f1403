{# The arguments of a call, checked, as the kernels of column-major matrices have them. #}
/* The problem in column-major terms. Returns 0, or which argument is at fault: 1 the layout, then flags, sizes and
 * leading dimensions, in their order. */
static int understood({{ text.given | join(", ") }})
{
{% for flag in text.flags %}
    static const signed char {{ flag.name }}_digits[] = { {{ flag.digits | join(", ") }} };
    const int {{ flag.name }}_digit =
        digit_of({{ flag.name }}, {{ flag.first }}, {{ flag.name }}_digits, {{ flag.digits | length }});
{% endfor %}
    const int row_major = layout == 101;
    if (!row_major && layout != 102)
        return 1;
{% for flag in text.flags %}
    if ({{ flag.name }}_digit < 0)
        return {{ loop.index + 1 }};
{% endfor %}
{% for size in row.sizes %}
    if ({{ size }} < 0)
        return {{ loop.index + 1 + text.flags | length }};
{% endfor %}
{% if text.sized_by %}
{% set flag, rows, cols = text.sized_by %}
    if ({{ flag }}_digit > 0) { /* sizes are those of op() from here on */
        const int64_t cols_of_op = {{ rows }};
        {{ rows }} = {{ cols }};
        {{ cols }} = cols_of_op;
    }
{% endif %}
{% for x in text.spaced %}
    if ({{ text.illegal(x) }})
        return {{ loop.index + 1 + text.flags | length + row.sizes | length }};
{% endfor %}
    memset(p, 0, sizeof *p); /* problems are compared byte by byte */
{% for size in row.sizes %}
    p->{{ size }} = {{ text.turned(size) }};
{% endfor %}
{% for name in text.lds %}
    p->{{ name }} = {{ text.turned_ld(text.spaced[loop.index0]) }};
{% endfor %}
    p->code = {{ text.code }};
    return 0;
}
