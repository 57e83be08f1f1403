{# Sums of products over long vectors: of X and Y, or of squares of X, which may be scaled. Each block has as many sums
   as {{ stream.group }} vectors have reals; those of blocks are added pairwise, so threads change nothing. #}
{% macro sums(squares) %}
{% set pairs = complex and not squares %}
{% set given = "const bb_real *x, const int64_t incx, " ~ ("const bb_real scale, " if squares else "const bb_real *y, const int64_t incy, ") %}
/* What is added to: {{ stream.group | length }} vectors{{ ", of products by pairs and by pairs exchanged" if pairs }}. */
static BB_INLINE void bb_products(bb_vec *const sum, const bb_real *x, {{ "const bb_real *y, " if not squares }}const int64_t reals)
{
{% for v in stream.group %}
    bb_vec s{{ v }} = sum[{{ v }}]{{ ", t" ~ v ~ " = sum[" ~ (v + stream.group | length) ~ "]" if pairs }};
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
static BB_NOINLINE void bb_block({{ given }}const int64_t n, bb_real *const result)
{
    bb_vec sum[{{ stream.sums(pairs) }}];
    bb_vec line[{{ stream.line_vectors | length }}]{{ ", other[" ~ stream.line_vectors | length ~ "]" if pairs }};
    for (int v = 0; v < {{ stream.sums(pairs) }}; v++)
        sum[v] = BB_ZEROS;
    if (incx == {{ parts }} && {{ "scale == 1" if squares else "incy == " ~ parts }})
        bb_products(sum, x, {{ "y, " if not squares }}n{{ " * 2" if complex }});
    else
        for (int64_t i = 0, count; i < n; i += count) {
            bb_real from_x[{{ stream.piece }}] BB_ALIGNED{{ ", from_y[" ~ stream.piece ~ "] BB_ALIGNED" if not squares }};
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

/* Of blocks first .. last - 1. */
static void bb_blocks({{ given }}const int64_t n, const int64_t first, const int64_t last, bb_real *const result)
{
    if (last - first == 1) {
        const int64_t at = first * {{ schedule.block }}, left = n - at;
        bb_block(x + at * incx, incx, {{ "scale" if squares else "y + at * incy, incy" }}, left < {{ schedule.block }} ? left : {{ schedule.block }}, result);
        return;
    }
    const int64_t middle = first + (last - first) / 2;
    bb_real low[{{ 2 if pairs else 1 }}], high[{{ 2 if pairs else 1 }}];
    bb_blocks(x, incx, {{ "scale" if squares else "y, incy" }}, n, first, middle, low);
    bb_blocks(x, incx, {{ "scale" if squares else "y, incy" }}, n, middle, last, high);
    result[0] = low[0] + high[0];
{% if pairs %}
    result[1] = low[1] + high[1];
{% endif %}
}

static BB_INLINE int64_t bb_block_count(const int64_t n)
{
    return n > {{ schedule.block }} ? (n + {{ schedule.block - 1 }}) / {{ schedule.block }} : 1;
}

/* The parts of a vector that threads share: whole blocks. */
#define BB_UNITS bb_units({{ body.size.n }})
static BB_INLINE int64_t bb_units(const int64_t n)
{
    const int64_t blocks = bb_block_count(n);
    return blocks < {{ stream.sections }} ? blocks : {{ stream.sections }};
}

/* The sum of so many parts. */
static void bb_total(const bb_real *part, const int64_t count, bb_real *const result)
{
    if (count == 1) {
        result[0] = part[0];
{% if pairs %}
        result[1] = part[1];
{% endif %}
        return;
    }
    bb_real low[{{ parts }}], high[{{ parts }}];
    bb_total(part, count / 2, low);
    bb_total(part + count / 2{{ " * 2" if complex }}, count - count / 2, high);
    result[0] = low[0] + high[0];
{% if pairs %}
    result[1] = low[1] + high[1];
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
