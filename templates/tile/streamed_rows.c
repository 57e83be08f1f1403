{# Rows of op(A) that are contiguous, times X: sums are lanes. #}
{% macro along() %}
{% set R, U = stream.rows, stream.line_vectors %}
/* Adds the products of {{ R | length }} rows and x, so many reals. */
static BB_NOINLINE void bb_rows(bb_vec *const sum, const bb_real *const *a, const bb_real *x, const int64_t reals)
{
{% for r in R %}
    const bb_real *const a{{ r }} = a[{{ r }}];
{% for u in U %}
    bb_vec s{{ r }}_{{ u }} = sum[{{ stream.of_row(r, u, 0) }}];
{% if complex %}
    bb_vec t{{ r }}_{{ u }} = sum[{{ stream.of_row(r, u, 1) }}];
{% endif %}
{% endfor %}
{% endfor %}
    int64_t i = 0;
    for (; i + {{ stream.line }} <= reals; i += {{ stream.line }}) {
{% for u in U %}
        const bb_vec x{{ u }} = *(const bb_mem *)(x + i + {{ u * width }});
{% if complex %}
        const bb_vec y{{ u }} = BB_SWAP{{ width }}(x{{ u }});
{% endif %}
{% endfor %}
{% for r in R %}
{% for u in U %}
        const bb_vec a{{ r }}_{{ u }} = *(const bb_mem *)(a{{ r }} + i + {{ u * width }});
        s{{ r }}_{{ u }} += a{{ r }}_{{ u }} * x{{ u }};
{% if complex %}
        t{{ r }}_{{ u }} += a{{ r }}_{{ u }} * y{{ u }};
{% endif %}
{% endfor %}
{% endfor %}
    }
{% for u in U %}
    if (i < reals) {
        bb_vec part;
        bb_get(&part, x + i, reals - i, i > 0);
        const bb_vec x{{ u }} = part{{ ", y" ~ u ~ " = BB_SWAP" ~ width ~ "(x" ~ u ~ ")" if complex }};
{% for r in R %}
        bb_get(&part, a{{ r }} + i, reals - i, i > 0);
        s{{ r }}_{{ u }} += part * x{{ u }};
{% if complex %}
        t{{ r }}_{{ u }} += part * y{{ u }};
{% endif %}
{% endfor %}
        i += {{ width }};
    }
{% endfor %}
{% for r in R %}
{% for u in U %}
    sum[{{ stream.of_row(r, u, 0) }}] = s{{ r }}_{{ u }};
{% if complex %}
    sum[{{ stream.of_row(r, u, 1) }}] = t{{ r }}_{{ u }};
{% endif %}
{% endfor %}
{% endfor %}
}

static BB_NOINLINE void bb_along(const bb_real *a, const int64_t rs, const int64_t cs, const bb_real *x,
                                 const int64_t incx,
                                 const int64_t rows, const int64_t n, bb_real *found{{ ", bb_real *other" if complex }})
{
    for (int64_t i = 0; i < rows; i += {{ R | length }}) {
        const int64_t filled = rows - i < {{ R | length }} ? rows - i : {{ R | length }};
        bb_vec sum[{{ stream.row_sums }}];
        const bb_real *at[{{ R | length }}];
        for (int v = 0; v < {{ stream.row_sums }}; v++)
            sum[v] = BB_ZEROS;
        for (int64_t r = 0; r < {{ R | length }}; r++) /* the last one again beyond it */
            at[r] = a + (i + (r < filled ? r : filled - 1)) * rs;
        if (cs == {{ parts }} && incx == {{ parts }})
            bb_rows(sum, at, x, n{{ " * 2" if complex }});
        else
            for (int64_t j = 0, count; j < n; j += count) {
                bb_real piece[{{ R | length }}][{{ stream.row_piece }}] BB_ALIGNED,
                        from_x[{{ stream.row_piece }}] BB_ALIGNED;
                const bb_real *part[{{ R | length }}];
                count = n - j < {{ stream.row_piece // parts }} ? n - j : {{ stream.row_piece // parts }};
                bb_fetch(from_x, x + j * incx, incx, count{{ " * 2" if complex }});
                for (int64_t r = 0; r < {{ R | length }}; r++) {
                    if (r < filled)
                        bb_fetch(piece[r], at[r] + j * cs, cs, count{{ " * 2" if complex }});
                    part[r] = piece[r < filled ? r : filled - 1];
                }
                bb_rows(sum, part, from_x, count{{ " * 2" if complex }});
            }
        for (int64_t r = 0; r < filled; r++) {
            bb_vec line[{{ U | length }}]{{ ", other_line[" ~ U | length ~ "]" if complex }};
{% for u in U %}
            line[{{ u }}] = sum[r * {{ stream.of_row(1, 0, 0) }} + {{ stream.of_row(0, u, 0) }}];
{% if complex %}
            other_line[{{ u }}] = sum[r * {{ stream.of_row(1, 0, 0) }} + {{ stream.of_row(0, u, 1) }}];
{% endif %}
{% endfor %}
            bb_fold(line);
{% if complex %}
            bb_fold(other_line);
            found[2 * (i + r)] = line[0][0];
            found[2 * (i + r) + 1] = other_line[0][1];
            other[2 * (i + r)] = other_line[0][0];
            other[2 * (i + r) + 1] = line[0][1];
{% else %}
            found[i + r] = line[0]{{ "[0]" if width > 1 }};
{% endif %}
        }
    }
}

{% endmacro %}
