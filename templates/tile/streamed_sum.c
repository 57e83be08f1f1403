{# Sums of products over long vectors: of X and Y, or of squares of X, which may be scaled. Each block has as many sums
   as {{ stream.group }} vectors have reals; those of blocks are added pairwise, so threads change nothing. #}
{% macro sums(squares) %}
{% set pairs = complex and not squares %}
/* What is added to, by a vector or more: {{ stream.group | length }} vectors{{ ", twice for pairs" if pairs }}. */
static BB_INLINE void bb_products(bb_vec *const sum, const bb_real *x, {{ "const bb_real *y, " if not squares }}
                                  const int64_t reals)
{
{% for v in stream.group %}
    bb_vec s{{ v }} = sum[{{ v }}];
{% if pairs %}
    bb_vec t{{ v }} = sum[{{ v + stream.group | length }}];
{% endif %}
{% endfor %}
    int64_t i = 0;
    for (; i + {{ stream.group_reals }} <= reals; i += {{ stream.group_reals }}) {
{% for v in stream.group %}
        {{ product("a" ~ v, "b" ~ v, squares, pairs) }}
        a{{ v }} = *(const bb_mem *)(x + i + {{ v * width }});
{% if not squares %}
        b{{ v }} = *(const bb_mem *)(y + i + {{ v * width }});
{% endif %}
{{ added(v, squares, pairs) }}
{% endfor %}
    }
{% for v in stream.group %}
    if (i < reals) {
        {{ product("a" ~ v, "b" ~ v, squares, pairs) }}
        bb_get(&a{{ v }}, x + i, reals - i, 1);
{% if not squares %}
        bb_get(&b{{ v }}, y + i, reals - i, 1);
{% endif %}
{{ added(v, squares, pairs) }}
        i += {{ width }};
    }
{% endfor %}
{% for v in stream.group %}
    sum[{{ v }}] = s{{ v }};
{% if pairs %}
    sum[{{ v + stream.group | length }}] = t{{ v }};
{% endif %}
{% endfor %}
}

/* The sum of all of them, or both. */
static BB_INLINE void bb_ended(const bb_vec *const sum, bb_real *const result)
{
    bb_vec line[{{ stream.line_vectors | length }}]{{ ", other[" ~ stream.line_vectors | length ~ "]" if pairs }};
{% for u in stream.line_vectors %}
    line[{{ u }}] = {{ stream.sum_of_lines(u, 0) }};
{% if pairs %}
    other[{{ u }}] = {{ stream.sum_of_lines(u, 1) }};
{% endif %}
{% endfor %}
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
    bb_vec sum[{{ stream.sums(pairs) }}];
    for (int v = 0; v < {{ stream.sums(pairs) }}; v++)
        sum[v] = BB_ZEROS;
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
        for (int64_t r = filled; r < reals; r++)
            from_x[r] = {{ "from_y[r] = " if not squares }}0;
        bb_products(sum, from_x, {{ "from_y, " if not squares }}reals);
    }
    bb_ended(sum, result);
}

/* Of one block. What is short is done without an array, which a stack would have to be aligned for. */
static BB_NOINLINE void bb_block({{ stream.given(squares) }}const int64_t n, bb_real *const result)
{
    const int apart = incx != {{ parts }} || {{ "scale != 1" if squares else "incy != " ~ parts }};
    if (apart || n < {{ stream.rows | length }}) {
        bb_pieces(x, incx, {{ "scale" if squares else "y, incy" }}, n, result);
        return;
    }
    bb_vec sum[{{ stream.sums(pairs) }}];
    for (int v = 0; v < {{ stream.sums(pairs) }}; v++)
        sum[v] = BB_ZEROS;
    bb_products(sum, x, {{ "y, " if not squares }}n{{ " * 2" if complex }});
    bb_ended(sum, result);
}

{% endmacro %}
{% macro product(a, b, squares, pairs) %}bb_vec {{ a }}{{ ", " ~ b if not squares }};{% endmacro %}
{% macro added(v, squares, pairs) %}
        s{{ v }} += a{{ v }} * {{ "a" if squares else "b" }}{{ v }};
{% if pairs %}
        t{{ v }} += a{{ v }} * BB_SWAP{{ width }}(b{{ v }});
{% endif %}
{% endmacro %}
