{# Rows of op(A) that are contiguous, times X: products are lanes, which are added pairwise for all rows at once, so
   that each row has a lane of the sum. #}
{% from "tile/streamed_row_block.c" import block with context %}
{% macro along() %}
{% set R = stream.rows %}
{{ block() }}
/* Of so many columns, a section after the other. */
static BB_INLINE void bb_rows(bb_vec *const sum, const bb_real *const *a, const bb_real *x, const int64_t n,
                              const int bits)
{
    const bb_real *const own[{{ R | length }}] = { {% for r in R %}a[{{ r }}], {% endfor %}};
    bb_vec all[{{ parts }}] = { BB_ZEROS{{ ", BB_ZEROS" if complex }} };
    if (!bits)
        bb_some(all, own, x, 0, n{{ " * 2" if complex }});
    for (int64_t i = 0, end, section = 1; section <= 1 << bits && bits; i = end, section++) {
        bb_vec part[{{ parts }}] = { BB_ZEROS{{ ", BB_ZEROS" if complex }} };
        end = bb_section(n, section, bits){{ " * 2" if complex }};
        bb_some(part, own, x, i, end);
{% for part in range(parts) %}
        all[{{ part }}] += part[{{ part }}];
{% endfor %}
    }
{% for part in range(parts) %}
    sum[{{ part }}] = all[{{ part }}];
{% endfor %}
}

/* Where sums of rows go. */
static BB_INLINE void bb_put_rows(const bb_vec *sum, bb_real *found{{ ", bb_real *other" if complex }})
{
{% if complex %}
    *(bb_vec *)found = BB_SHUFFLE(bb_mask{{ width }}, sum[0], sum[1], {{ stream.crossed }});
    *(bb_vec *)other = BB_SHUFFLE(bb_mask{{ width }}, sum[1], sum[0], {{ stream.crossed }});
{% else %}
    *(bb_vec *)found = sum[0];
{% endif %}
}

/* Rows that are contiguous, as X is, as far as there are {{ R | length }} at a time; how many these are. */
static BB_NOINLINE int64_t bb_along_whole(const bb_real *a, const int64_t rs, const bb_real *x, const int64_t rows,
                                          const int64_t n, const int bits,
                                 bb_real *found{{ ", bb_real *other" if complex }})
{
    int64_t i = 0;
    for (; i + {{ R | length }} <= rows; i += {{ R | length }}, a += {{ R | length }} * rs) {
        const bb_real *const at[{{ R | length }}] = { {% for r in R %}a + {{ r }} * rs, {% endfor %}};
        bb_vec sum[{{ parts }}];
        bb_rows(sum, at, x, n, bits);
        bb_put_rows(sum, found + i{{ " * 2, other + i * 2" if complex }});
    }
    return i;
}

static BB_NOINLINE void bb_along(const bb_real *a, const int64_t rs, const int64_t cs, const bb_real *x,
                                 const int64_t incx, const int64_t rows, const int64_t n, const int bits,
                                 bb_real *found{{ ", bb_real *other" if complex }})
{
    const int beside = cs == {{ parts }} && incx == {{ parts }};
    int64_t i = 0;
    if (beside)
        i = bb_along_whole(a, rs, x, rows, n, bits, found{{ ", other" if complex }});
    for (; i < rows; i += {{ R | length }}) {
        const int64_t filled = rows - i < {{ R | length }} ? rows - i : {{ R | length }};
        bb_vec sum[{{ parts }}] = { BB_ZEROS{{ ", BB_ZEROS" if complex }} }, own[{{ parts }}];
        const bb_real *at[{{ R | length }}];
        for (int64_t r = 0; r < {{ R | length }}; r++) /* the last one again beyond it */
            at[r] = a + (i + (r < filled ? r : filled - 1)) * rs;
        if (beside)
            bb_rows(sum, at, x, n, bits);
        for (int64_t j = 0, section = 0, end, count; section < 1 << bits && !beside; section++) {
            end = bb_section(n, section + 1, bits);
            own[0] = {{ "own[1] = " if complex }}BB_ZEROS;
            for (; j < end; j += count) {
                bb_real piece[{{ R | length }}][{{ stream.row_piece }}] BB_ALIGNED,
                        from_x[{{ stream.row_piece }}] BB_ALIGNED;
                const bb_real *part[{{ R | length }}];
                count = end - j < {{ stream.row_piece // parts }} ? end - j : {{ stream.row_piece // parts }};
                bb_fetch(from_x, x + j * incx, incx, count{{ " * 2" if complex }});
                for (int64_t r = 0; r < {{ R | length }}; r++) {
                    if (r < filled)
                        bb_fetch(piece[r], at[r] + j * cs, cs, count{{ " * 2" if complex }});
                    part[r] = piece[r < filled ? r : filled - 1];
                }
                bb_some(own, part, from_x, 0, count{{ " * 2" if complex }});
            }
{% for part in range(parts) %}
            sum[{{ part }}] += own[{{ part }}];
{% endfor %}
        }
        bb_put_rows(sum, found + i{{ " * 2, other + i * 2" if complex }});
    }
}

{% endmacro %}
