{# Columns of op(A) that are contiguous, times elements of X, some of them at a time: products of a vector of rows are
   added pairwise in registers. #}
{% from "tile/streamed_strip.c" import strip, products with context %}
{% macro across() %}
{{ strip("", stream.whole) }}
/* The same of so many columns. */
static BB_NOINLINE void bb_tile_part(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t columns,
                                     bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products(stream.tiles[-1], true, stream.whole) }}
}

{% for some in stream.passes %}
/* Of some of the columns: what {{ stream.passes | length }} of these add up is the same. */
{{ strip("_" ~ loop.index0, some, "bb_real *const kept, const int64_t apart, ", "kept + i, apart, ") }}
{% endfor %}
{% if stream.passes %}
static BB_NOINLINE void bb_passes(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t reals,
                                  bb_real *const kept, const int64_t apart,
                                  bb_real *const found{{ ", bb_real *const other" if complex }})
{
{% for some in stream.passes %}
    bb_strip_{{ loop.index0 }}(a, cs, x, reals, kept, apart, found{{ ", other" if complex }});
{% endfor %}
}

{% endif %}
static BB_NOINLINE void bb_across(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx,
                                  const int64_t reals, const int64_t n, bb_real *const kept, const int64_t apart,
                                  bb_real *const found{{ ", bb_real *const other" if complex }})
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
{% if stream.passes %}
        if (kept && columns == {{ stream.block_columns }})
            bb_passes(at, cs, by, reals, kept, apart, found{{ ", other" if complex }});
        else
{% endif %}
        if (columns == {{ stream.block_columns }})
            bb_strip(at, cs, by, reals, found{{ ", other" if complex }});
        else
            for (i = 0; i < reals; i += {{ width }})
                bb_tile_part(at + (i < last ? i : last), cs, by, columns, found + i{{ ", other + i" if complex }});
    }
{% if not stream.passes %}
    (void)kept, (void)apart;
{% endif %}
    i -= {{ width }}; /* the last vector goes where its rows are */
    if (i > last) {
{% for name in ("found", "other")[:parts] %}
        *(bb_mem *)({{ name }} + last) = *(const bb_vec *)({{ name }} + i);
{% endfor %}
    }
}

{% endmacro %}
