{# Sums of products over long vectors: of X and Y, or of squares of X, which may be scaled. Each block has as many sums
   as {{ stream.group }} vectors have reals; those of blocks are added pairwise, so threads change nothing. #}
{% macro sums(squares) %}
{% set pairs = complex and not squares %}
/* The sum of all sums, or both. */
static BB_INLINE void bb_ended(bb_vec *const line, {{ "bb_vec *const other, " if pairs }}bb_real *const result)
{
    bb_fold(line);
{% if pairs %}
    bb_fold(other);
    result[0] = line[0][0] {{ "+" if body.hermitian else "-" }} line[0][1];
    result[1] = other[0][0] {{ "-" if body.hermitian else "+" }} other[0][1];
{% else %}
    result[0] = line[0]{{ "[0]" if width > 1 }}{{ " + line[0][1]" if complex }};
{% endif %}
}

/* Of elements that lie apart, are scaled, or are less than a vector: by way of a piece of memory, with zeros beyond. */
static BB_NOINLINE void bb_pieces({{ stream.given(squares) }}const int64_t n, bb_real *const result)
{
{{ zeros(pairs) }}
    for (int64_t i = 0, count; i < n; i += count) {
        bb_real from_x[{{ stream.piece }}] BB_ALIGNED;
{% if not squares %}
        bb_real from_y[{{ stream.piece }}] BB_ALIGNED;
{% endif %}
        count = n - i < {{ stream.piece // parts }} ? n - i : {{ stream.piece // parts }};
        const int64_t filled = count{{ " * 2" if complex }};
        const int64_t reals = (filled + {{ width - 1 }}) / {{ width }} * {{ width }};
        bb_fetch(from_x, x + i * incx, incx, filled);
{% if squares %}
        for (int64_t r = 0; r < filled; r++)
            from_x[r] *= scale;
{% else %}
        bb_fetch(from_y, y + i * incy, incy, filled);
{% endif %}
        for (int64_t q = filled; q < reals; q++)
            from_x[q] = {{ "from_y[q] = " if not squares }}0;
        int64_t r = 0;
{{ products("from_x", "from_y", squares, pairs) | indent(4) }}
    }
{{ ended(pairs) }}
}

/* Of one block; 0, so that a caller may end with it. Sums are no array, for which a stack would have to be aligned. */
static BB_NOINLINE int bb_block({{ stream.given(squares) }}const int64_t n, bb_real *const result)
{
    const int apart = incx != {{ parts }} || {{ "scale != 1" if squares else "incy != " ~ parts }};
    if (apart || n < {{ stream.rows | length }}) {
        bb_pieces(x, incx, {{ "scale" if squares else "y, incy" }}, n, result);
        return 0;
    }
{{ zeros(pairs) }}
    const int64_t reals = n{{ " * 2" if complex }};
    int64_t r = 0;
{% if schedule.wide %}
{% include "tile/streamed_short.c" %}
{% endif %}
{{ products("x", "y", squares, pairs) }}
{{ ended(pairs) }}
    return 0;
}

{% endmacro %}
{% macro zeros(pairs) %}
{% for v in stream.group %}
    bb_vec s{{ v }} = BB_ZEROS{{ ", t" ~ v ~ " = BB_ZEROS" if pairs }};
{% endfor %}
{%- endmacro %}
{% macro products(x, y, squares, pairs) %}
    for (; r + {{ stream.group_reals }} <= reals; r += {{ stream.group_reals }}) {
{% for v in stream.group %}
        {{ product("a" ~ v, "b" ~ v, squares, pairs) }}
        a{{ v }} = *(const bb_mem *)({{ x }} + r + {{ v * width }});
{% if not squares %}
        b{{ v }} = *(const bb_mem *)({{ y }} + r + {{ v * width }});
{% endif %}
{{ added(v, squares, pairs) }}
{% endfor %}
    }
{% for v in stream.group %}
    if (r < reals) {
        {{ product("a" ~ v, "b" ~ v, squares, pairs) }}
        bb_get(&a{{ v }}, {{ x }} + r, reals - r, 1);
{% if not squares %}
        bb_get(&b{{ v }}, {{ y }} + r, reals - r, 1);
{% endif %}
{{ added(v, squares, pairs) }}
        r += {{ width }};
    }
{% endfor %}
{%- endmacro %}
{% macro ended(pairs) %}
    bb_vec line[{{ stream.line_vectors | length }}]{{ ", other[" ~ stream.line_vectors | length ~ "]" if pairs }};
{% for u in stream.line_vectors %}
    line[{{ u }}] = {{ stream.sum_of_lines("s", u) }};
{% if pairs %}
    other[{{ u }}] = {{ stream.sum_of_lines("t", u) }};
{% endif %}
{% endfor %}
    bb_ended(line, {{ "other, " if pairs }}result);
{%- endmacro %}
{% macro product(a, b, squares, pairs) %}bb_vec {{ a }}{{ ", " ~ b if not squares }};{% endmacro %}
{% macro added(v, squares, pairs) %}
        s{{ v }} += a{{ v }} * {{ "a" if squares else "b" }}{{ v }};
{% if pairs %}
        t{{ v }} += a{{ v }} * BB_SWAP{{ width }}(b{{ v }});
{% endif %}
{% endmacro %}
