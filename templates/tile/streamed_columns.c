{# Columns of op(A) that are contiguous, times elements of X, some of them at a time: products of a vector of rows are
   added pairwise in registers. #}
{% macro across() %}
{% for V in stream.tiles %}
/* Adds the products of a block of columns, `cs` reals apart, and of x to sums of {{ (V | length) * width }} reals. */
static BB_INLINE void bb_tile{{ V | length }}(const bb_real *a, const int64_t cs, const bb_real *x,
                                           bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products(V, false) }}
}

{% endfor %}
/* The same of so many columns. */
static BB_NOINLINE void bb_tile_part(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t columns,
                                     bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products(stream.tiles[-1], true) }}
}

/* The same of all rows; the last vector overlaps others, and its sums lie behind theirs. */
static BB_INLINE void bb_strip(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t reals,
                               bb_real *const found{{ ", bb_real *const other" if complex }})
{
    int64_t i = 0;
{% for V in stream.tiles %}
    for (; i + {{ (V | length) * width }} <= reals; i += {{ (V | length) * width }})
        bb_tile{{ V | length }}(a + i, cs, x, found + i{{ ", other + i" if complex }});
{% endfor %}
    if (i < reals)
        bb_tile1(a + reals - {{ width }}, cs, x, found + i{{ ", other + i" if complex }});
}

static BB_NOINLINE void bb_across(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx,
                                  const int64_t reals,
                                  const int64_t n, bb_real *found{{ ", bb_real *other" if complex }})
{
    const int64_t last = reals - {{ width }};
    int64_t i, j = 0;
    for (i = 0; i < reals; i += {{ width }})
        *(bb_vec *)(found + i) = {{ "*(bb_vec *)(other + i) = " if complex }}BB_ZEROS;
    for (; j < n; j += {{ stream.block_columns }}) {
        const int64_t left = n - j, columns = left < {{ stream.block_columns }} ? left : {{ stream.block_columns }};
        const bb_real *const beside = x + j * incx, *const at = a + j * cs;
        bb_real from_x[{{ stream.block_reals }}] BB_ALIGNED;
        if (incx != {{ parts }})
            bb_fetch(from_x, beside, incx, columns{{ " * 2" if complex }});
        const bb_real *const by = incx == {{ parts }} ? beside : from_x;
        if (columns == {{ stream.block_columns }})
            bb_strip(at, cs, by, reals, found{{ ", other" if complex }});
        else
            for (i = 0; i < reals; i += {{ width }})
                bb_tile_part(at + (i < last ? i : last), cs, by, columns, found + i{{ ", other + i" if complex }});
    }
    i -= {{ width }}; /* the last vector goes where its rows are */
    if (i > last) {
{% for name in ("found", "other")[:parts] %}
        *(bb_mem *)({{ name }} + last) = *(const bb_vec *)({{ name }} + i);
{% endfor %}
    }
}

{% endmacro %}
{% macro products(V, some) %}
    int64_t step = cs;
    BB_UNKNOWN(step); /* or a loop around it keeps the places of all columns, for which there are no registers */
{% for column, added in stream.column_tree %}
{% for v in V %}
    bb_vec s{{ column }}_{{ v }} = BB_ZEROS{{ ", t" ~ column ~ "_" ~ v ~ " = BB_ZEROS" if complex }};
{% endfor %}
{% for place, at in stream.of_sum(column) %}
{{ "    if (columns > " ~ place ~ ") {" if some }}
    const bb_real *const a{{ place }} = a + {{ place }} * step;
{% for v in V %}
    const bb_vec a{{ place }}_{{ v }} = *(const bb_mem *)(a{{ place }} + {{ v * width }});
    s{{ column }}_{{ v }} += a{{ place }}_{{ v }} * x[{{ at }}];
{% if complex %}
    t{{ column }}_{{ v }} += a{{ place }}_{{ v }} * x[{{ at + 1 }}];
{% endif %}
{% endfor %}
{{ "    }" if some }}
{% endfor %}
{% for low, high in added %}
{% for v in V %}
    s{{ low }}_{{ v }} += s{{ high }}_{{ v }};
{% if complex %}
    t{{ low }}_{{ v }} += t{{ high }}_{{ v }};
{% endif %}
{% endfor %}
{% endfor %}
{% endfor %}
{% for v in V %}
    *(bb_vec *)(found + {{ v * width }}) += s0_{{ v }};
{% if complex %}
    *(bb_vec *)(other + {{ v * width }}) += t0_{{ v }};
{% endif %}
{% endfor %}
{% endmacro %}
