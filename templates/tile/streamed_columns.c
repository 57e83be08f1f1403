{# Columns of op(A) that are contiguous, times elements of X: sums are vectors of rows, which stay in the level-1 cache
   while columns pass by. Two sums at a time take {{ stream.deep }} columns each. #}
{% macro across() %}
{% set D = stream.deep %}
/* Adds {{ D | length }} columns times reals of x to each of two sums. */
static BB_NOINLINE void bb_columns(bb_real *const sum, const bb_real *const *a, const bb_real *x, const int64_t reals)
{
{% for c in stream.columns %}
    const bb_real *const a{{ c }} = a[{{ c }}];
{% endfor %}
{% for c in stream.factors %}
    const bb_real x{{ c }} = x[{{ c }}];
{% endfor %}
    int64_t i = 0;
    for (; i + {{ width }} <= reals; i += {{ width }}) {
{{ step("i") }}
    }
    if (i < reals) {
        const int64_t last = reals - {{ width }}; /* which overlaps */
{{ step("last") }}
    }
}

/* One column, added to the sums that are its own. */
static BB_NOINLINE void bb_column(bb_real *const sum, const bb_real *a, const bb_real *x, const int64_t reals)
{
    for (int64_t i = 0; i < reals; i += {{ width }}) {
        const bb_vec column = *(const bb_mem *)(a + (i + {{ width }} <= reals ? i : reals - {{ width }}));
        *(bb_vec *)(sum + i) += column * x[0];
{% if complex %}
        *(bb_vec *)(sum + i + {{ stream.chunk_reals }}) += column * x[1];
{% endif %}
    }
}

static BB_NOINLINE void bb_across(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx, const int64_t reals,
                                  const int64_t n, bb_real *const sums, bb_real *found{{ ", bb_real *other" if complex }})
{
    for (int s = 0; s < {{ stream.line }}; s++)
        for (int64_t i = 0; i < reals; i += {{ width }})
            *(bb_vec *)(sums + s * {{ stream.chunk_reals }} + i) = BB_ZEROS;
    for (int64_t j = 0; j < n; j += {{ stream.pass_columns }}) {
        bb_real from_x[{{ stream.pass_columns * parts }}] BB_ALIGNED;
        const int64_t count = n - j < {{ stream.pass_columns }} ? n - j : {{ stream.pass_columns }};
        bb_fetch(from_x, x + j * incx, incx, count{{ " * 2" if complex }});
        for (int s = 0; s < {{ stream.line }} && count == {{ stream.pass_columns }}; s += 2) {
            const bb_real *const at = a + (j + s{{ " / 2" if complex }}) * cs;
            const bb_real *const column[] = { {{ stream.column_texts | join(", ") }} };
            const bb_real factor[] = { {{ stream.factor_texts | join(", ") }} };
            bb_columns(sums + s * {{ stream.chunk_reals }}, column, factor, reals);
        }
        for (int64_t q = 0; q < count && count < {{ stream.pass_columns }}; q++)
            bb_column(sums + q{{ " * 2" if complex }} % {{ stream.line }} * {{ stream.chunk_reals }}, a + (j + q) * cs, from_x + q{{ " * 2" if complex }}, reals);
    }
    for (int half = {{ stream.line // 2 }}; half >= {{ parts }}; half /= 2)
        for (int s = 0; s < half; s++)
            for (int64_t i = 0; i < reals; i += {{ width }})
                *(bb_vec *)(sums + s * {{ stream.chunk_reals }} + i) += *(bb_vec *)(sums + (s + half) * {{ stream.chunk_reals }} + i);
    for (int64_t i = 0; i < reals; i += {{ width }}) {
        const int64_t at = i + {{ width }} <= reals ? i : reals - {{ width }};
        *(bb_mem *)(found + at) = *(const bb_vec *)(sums + i);
{% if complex %}
        *(bb_mem *)(other + at) = *(const bb_vec *)(sums + {{ stream.chunk_reals }} + i);
{% endif %}
    }
}

{% endmacro %}
{% macro step(at) %}
        bb_vec low = *(const bb_vec *)(sum + i), high = *(const bb_vec *)(sum + {{ stream.chunk_reals }} + i);
{% for d in stream.deep %}
{% if complex %}
        const bb_vec c{{ d }} = *(const bb_mem *)(a{{ d }} + {{ at }});
        low += c{{ d }} * x{{ 2 * d }};
        high += c{{ d }} * x{{ 2 * d + 1 }};
{% else %}
        low += *(const bb_mem *)(a{{ 2 * d }} + {{ at }}) * x{{ 2 * d }};
        high += *(const bb_mem *)(a{{ 2 * d + 1 }} + {{ at }}) * x{{ 2 * d + 1 }};
{% endif %}
{% endfor %}
        *(bb_vec *)(sum + i) = low;
        *(bb_vec *)(sum + {{ stream.chunk_reals }} + i) = high;
{% endmacro %}
