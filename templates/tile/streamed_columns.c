{# Columns of op(A) that are contiguous, times elements of X: sums are vectors of rows, which stay in the level-1 cache
   while columns pass by, some for each of two sums at a time. #}
{% macro across() %}
{% for pass in stream.passes %}
/* Adds {{ pass.columns }} columns, `cs` reals apart or {{ stream.apart }} times as many,
        times reals of x to two sums, which are `fresh` or not. */
static BB_INLINE void bb_columns{{ pass.deep | length }}(const int fresh, bb_real *const sum, const bb_real *at,
                                                         const int64_t cs, const bb_real *x, const int64_t reals)
{
{% for name, text in pass.starts %}
    const bb_real *const a{{ name }} = {{ text }};
{% endfor %}
{% for name, text in pass.factors %}
    const bb_real x{{ name }} = {{ text }};
{% endfor %}
    int64_t i = 0;
    for (; i + {{ width }} <= reals; i += {{ width }}) {
{{ step("i", pass) }}
    }
    if (i < reals) {
        const int64_t last = reals - {{ width }}; /* which overlaps */
{{ step("last", pass) }}
    }
}

{% endfor %}
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

static BB_NOINLINE void bb_across(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx,
                                  const int64_t reals,
                                  const int64_t n, bb_real *const sums,
                                          bb_real *found{{ ", bb_real *other" if complex }})
{
    int64_t j = 0;
    for (int s = 0; s < {{ stream.line }} && n < {{ stream.apart }}; s++)
        for (int64_t i = 0; i < reals; i += {{ width }})
            *(bb_vec *)(sums + s * {{ stream.chunk_reals }} + i) = BB_ZEROS;
{% for pass in stream.passes %}
    for (; j + {{ pass.together }} <= n; j += {{ pass.together }}) {
        bb_real from_x[{{ pass.reals }}] BB_ALIGNED;
        bb_fetch(from_x, x + j * incx, incx, {{ pass.reals }});
        BB_UNROLL(1)
        for (int s = 0; s < {{ stream.line }}; s += 2)
            if (j)
                bb_columns{{ pass.deep | length }}(0, sums + s * {{ stream.chunk_reals }},
                                                   a + (j + s{{ " / 2" if complex }}) * cs, cs, from_x + s, reals);
            else
                bb_columns{{ pass.deep | length }}(1, sums + s * {{ stream.chunk_reals }},
                                                   a + s{{ " / 2" if complex }} * cs, cs, from_x + s, reals);
    }
{% endfor %}
    for (int s = 0; j < n; s += {{ parts }}, j++)
        bb_column(sums + s * {{ stream.chunk_reals }}, a + j * cs, x + j * incx, reals);
    for (int64_t i = 0; i < reals; i += {{ width }}) {
        const int64_t at = i + {{ width }} <= reals ? i : reals - {{ width }};
{% for s in stream.slots %}
        bb_vec s{{ s }} = *(const bb_vec *)(sums + {{ s }} * {{ stream.chunk_reals }} + i);
{% endfor %}
{% for low, high in stream.added_slots %}
        s{{ low }} += s{{ high }};
{% endfor %}
        *(bb_mem *)(found + at) = s0;
{% if complex %}
        *(bb_mem *)(other + at) = s1;
{% endif %}
    }
}

{% endmacro %}
{% macro step(at, pass) %}
        bb_vec low = BB_ZEROS, high = BB_ZEROS;
        if (!fresh) {
            low = *(const bb_vec *)(sum + i);
            high = *(const bb_vec *)(sum + {{ stream.chunk_reals }} + i);
        }
{% for first, second, low, high in pass.terms %}
        low += *(const bb_mem *)(a{{ first }} + {{ at }}) * x{{ low }};
        high += *(const bb_mem *)(a{{ second }} + {{ at }}) * x{{ high }};
{% endfor %}
        *(bb_vec *)(sum + i) = low;
        *(bb_vec *)(sum + {{ stream.chunk_reals }} + i) = high;
{% endmacro %}
