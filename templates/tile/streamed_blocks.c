{# Sums over blocks, and over the parts of a vector that threads share, pairwise. #}
{% macro blocks(squares) %}
{% set pairs = complex and not squares %}
{% set own = "x, incx, scale" if squares else "x, incx, y, incy" %}
/* Of blocks first .. last - 1. */
static void bb_blocks({{ stream.given(squares) }}const int64_t n, const int64_t first,
                      const int64_t last, bb_real *const result)
{
    if (last - first == 1) {
        const int64_t at = first * {{ schedule.block }}, left = n - at;
        bb_block(x + at * incx, incx, {{ "scale" if squares else "y + at * incy, incy" }},
                 left < {{ schedule.block }} ? left : {{ schedule.block }}, result);
        return;
    }
    const int64_t middle = first + (last - first) / 2;
    bb_real low[{{ 2 if pairs else 1 }}], high[{{ 2 if pairs else 1 }}];
    bb_blocks({{ own }}, n, first, middle, low);
    bb_blocks({{ own }}, n, middle, last, high);
    result[0] = low[0] + high[0];
{% if pairs %}
    result[1] = low[1] + high[1];
{% endif %}
}

static BB_INLINE int64_t bb_block_count(const int64_t n)
{
    return n > {{ schedule.block }} ? (n + {{ schedule.block - 1 }}) / {{ schedule.block }} : 1;
}

/* The parts of a vector that threads share: whole blocks. */
#define BB_UNITS bb_units({{ body.size.n }})
static BB_INLINE int64_t bb_units(const int64_t n)
{
    const int64_t blocks = bb_block_count(n);
    return blocks < {{ sections }} ? blocks : {{ sections }};
}

/* The sum of so many parts. */
static void bb_total(const bb_real *part, const int64_t count, bb_real *const result)
{
    if (count == 1) {
        result[0] = part[0];
{% if pairs %}
        result[1] = part[1];
{% endif %}
        return;
    }
    bb_real low[{{ 2 if pairs else 1 }}], high[{{ 2 if pairs else 1 }}];
    bb_total(part, count / 2, low);
    bb_total(part + count / 2{{ " * 2" if pairs }}, count - count / 2, high);
    result[0] = low[0] + high[0];
{% if pairs %}
    result[1] = low[1] + high[1];
{% endif %}
}

/* Where a part begins, in blocks; the division is by a number that compilers know. */
static BB_INLINE int64_t bb_first(const int64_t blocks, const int64_t part)
{
    return blocks <= {{ sections }} ? part : blocks * part / {{ sections }};
}

/* The sums of some parts. */
static BB_INLINE void bb_some_parts({{ stream.given(squares) }}const int64_t n, const int64_t first,
                                    const int64_t last, bb_real *const part)
{
    const int64_t blocks = bb_block_count(n);
    for (int64_t u = first; u < last; u++)
        bb_blocks({{ own }}, n, bb_first(blocks, u), bb_first(blocks, u + 1), part + u{{ " * 2" if pairs }});
}

/* All, by one thread; apart, as what is short needs none of its stack. */
static BB_NOINLINE void bb_all_parts({{ stream.given(squares) }}const int64_t n, bb_real *const result)
{
    bb_real part[{{ sections * (2 if pairs else 1) }}];
    bb_some_parts({{ own }}, n, 0, bb_units(n), part);
    bb_total(part, bb_units(n), result);
}

{% endmacro %}
{# The sum over `n` elements of what is `given`: who is done last of those that share it adds the sums of all parts, and
   goes on. #}
{% macro total(given, n, result) %}
    const int64_t units = bb_units({{ n }});
    if (units == 1) {
        bb_block({{ given }}, {{ n }}, {{ result }});
    } else if (!all) {
        bb_all_parts({{ given }}, {{ n }}, {{ result }});
    } else {
        bb_some_parts({{ given }}, {{ n }}, first, last, all->part);
        if (__atomic_sub_fetch(&all->left, last - first, __ATOMIC_ACQ_REL) != 0)
            return;
        bb_total(all->part, units, {{ result }});
    }
{% endmacro %}
