{# Columns of op(A) that are contiguous, times elements of X, some of them at a time: products of a vector of rows are
   added pairwise in registers. #}
{% from "tile/streamed_strip.c" import strip, products with context %}
{% macro across() %}
{% for together in stream.together %}
{% for some in stream.passing(together) %}
{{ strip(together ~ "_" ~ loop.index0, stream.tiles(together), some) }}
{% endfor %}
/* A block of columns, by {{ together }} passes at a time. */
static BB_NOINLINE void bb_block_{{ together }}(const bb_real *a, const int64_t cs, const bb_real *x,
                                 const int64_t reals, bb_real *const found{{ ", bb_real *const other" if complex }})
{
{% for some in stream.passing(together) %}
    bb_strip_{{ together }}_{{ loop.index0 }}(a, cs, x, reals, found{{ ", other" if complex }});
{% endfor %}
}

{% endfor %}
/* The same of so many columns, and of a vector of rows. */
static BB_NOINLINE void bb_tile_part(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t columns,
                                     bb_real *const found{{ ", bb_real *const other" if complex }})
{
{{ products([0], true, stream.passing(stream.passes)[0]) }}
}

static BB_NOINLINE void bb_across(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t incx,
                                  const int64_t reals, const int64_t n, const int together,
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
        if (columns < {{ stream.block_columns }})
            for (i = 0; i < reals; i += {{ width }})
                bb_tile_part(at + (i < last ? i : last), cs, by, columns, found + i{{ ", other + i" if complex }});
{% for some in stream.together %}
        else{{ " if (together == " ~ some ~ ")" if not loop.last }}
            bb_block_{{ some }}(at, cs, by, reals, found{{ ", other" if complex }});
{% endfor %}
    }
    i -= {{ width }}; /* the last vector goes where its rows are */
    if (i > last) {
{% for name in ("found", "other")[:parts] %}
        *(bb_mem *)({{ name }} + last) = *(const bb_vec *)({{ name }} + i);
{% endfor %}
    }
}

{% endmacro %}
