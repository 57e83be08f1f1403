{# Sums of products over long vectors: of X and Y, or of squares of X, which may be scaled. Each block has as many sums
   as {{ stream.group }} vectors have reals; those of blocks are added pairwise, so threads change nothing. #}
{% macro sums(squares) %}
{% set pairs = complex and not squares %}
/* What is added to: {{ stream.group | length }} vectors{{ ", once more by exchanged pairs" if pairs }}. */
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
        bb_get(&a{{ v }}, x + i, reals - i, i > 0);
{% if not squares %}
        bb_get(&b{{ v }}, y + i, reals - i, i > 0);
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

/* Of one block: elements that lie apart go through a piece of memory. */
static BB_NOINLINE void bb_block({{ stream.given(squares) }}const int64_t n, bb_real *const result)
{
    bb_vec sum[{{ stream.sums(pairs) }}];
    bb_vec line[{{ stream.line_vectors | length }}]{{ ", other[" ~ stream.line_vectors | length ~ "]" if pairs }};
    for (int v = 0; v < {{ stream.sums(pairs) }}; v++)
        sum[v] = BB_ZEROS;
    if (incx == {{ parts }} && {{ "scale == 1" if squares else "incy == " ~ parts }})
        bb_products(sum, x, {{ "y, " if not squares }}n{{ " * 2" if complex }});
    else
        for (int64_t i = 0, count; i < n; i += count) {
            bb_real from_x[{{ stream.piece }}] BB_ALIGNED;
{% if not squares %}
            bb_real from_y[{{ stream.piece }}] BB_ALIGNED;
{% endif %}
            count = n - i < {{ stream.piece // parts }} ? n - i : {{ stream.piece // parts }};
            bb_fetch(from_x, x + i * incx, incx, count{{ " * 2" if complex }});
{% if squares %}
            for (int64_t r = 0; r < count{{ " * 2" if complex }}; r++)
                from_x[r] *= scale;
{% else %}
            bb_fetch(from_y, y + i * incy, incy, count{{ " * 2" if complex }});
{% endif %}
            bb_products(sum, from_x, {{ "from_y, " if not squares }}count{{ " * 2" if complex }});
        }
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

{% endmacro %}
{% macro product(a, b, squares, pairs) %}bb_vec {{ a }}{{ ", " ~ b if not squares }};{% endmacro %}
{% macro added(v, squares, pairs) %}
        s{{ v }} += a{{ v }} * {{ "a" if squares else "b" }}{{ v }};
{% if pairs %}
        t{{ v }} += a{{ v }} * BB_SWAP{{ width }}(b{{ v }});
{% endif %}
{% endmacro %}
