{# Sums of rows times X, a section of columns after the other, or each in a place of its own. #}
{% set both = "found, other" if complex else "found" %}
/* Adds so many sums to others. */
static BB_INLINE void bb_add_sums(bb_real *to, const bb_real *sum, const int64_t reals)
{
    for (int64_t r = 0; r < reals; r += {{ width }})
        *(bb_vec *)(to + r) += *(const bb_vec *)(sum + r);
}

/* Whether columns go by, else rows. */
static BB_INLINE int bb_by_columns(const int64_t rs, const int64_t rows)
{
    return rs == {{ parts }} && rows >= {{ stream.rows | length }};
}

/* All columns: `apart` behind the sums of all are those of a section. */
static BB_NOINLINE void bb_columns(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx,
                                   const int64_t reals, const int64_t n, const int together, const int64_t apart,
                                   bb_real *const found{{ ", bb_real *const other" if complex }})
{
    const int bits = bb_sections(n);
    for (int64_t section = 0; section < 1 << bits; section++) {
        const int64_t j = bb_section(n, section, bits), next = bb_section(n, section + 1, bits);
        const int64_t at = section ? apart : 0;
        bb_across(a + j * cs, cs, x + j * incx, incx, reals, next - j, together,
                  found + at{{ ", other + at" if complex }});
        if (section) {
            bb_add_sums(found, found + at, reals);
{% if complex %}
            bb_add_sums(other, other + at, reals);
{% endif %}
        }
    }
}

/* A unit of what is shared: some rows of a section, whose sums go to places of their own. */
static BB_NOINLINE void bb_unit(const bb_real *a, const int64_t rs, const int64_t cs, const bb_real *x,
                                const int64_t incx, const int64_t m, const int64_t n, const int64_t unit,
                                const int together, bb_real *const part)
{
    const int64_t units = bb_row_units(m, n, rs), section = unit / units, side = bb_side(m, n, rs);
    const int64_t i = unit % units * side, rows = m - i < side ? m - i : side, apart = bb_apart(m);
    const int bits = bb_sections(n);
    const int64_t j = bb_section(n, section, bits), columns = bb_section(n, section + 1, bits) - j;
    bb_real *const found = part + section * apart + i{{ " * 2, *const other = found + (apart << bits)" if complex }};
    a += i * rs + j * cs, x += j * incx;
    if (bb_by_columns(rs, rows))
        bb_across(a, cs, x, incx, rows{{ " * 2" if complex }}, columns, together, {{ both }});
    else
        bb_along(a, rs, cs, x, incx, rows, columns, 0, {{ both }});
}

/* The sums of so many sections, in the place of the first; of none, zeros. */
static BB_NOINLINE void bb_total(bb_real *const part, const int64_t apart, const int64_t sections)
{
    for (int64_t i = 0; i < apart && !sections; i++)
        part[i] = 0;
    for (int64_t i = 0, count; i < apart; i += count) {
        count = apart - i < {{ stream.piece }} ? apart - i : {{ stream.piece }};
        for (int64_t section = 1; section < sections; section++)
            bb_add_sums(part + i, part + section * apart + i, count);
    }
}
