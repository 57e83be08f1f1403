{# Y := alpha op(A) X + beta Y. Of each element of Y the products of a block of columns, as many as two cache lines have
   elements, are added pairwise, and blocks one after another: in lanes where rows of op(A) are contiguous, else in
   vectors of rows. #}
{% from "tile/streamed_rows.c" import along with context %}
{% from "tile/streamed_columns.c" import across with context %}
{% set A, X, Y = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% include "tile/streamed.c" %}

/* Rows that a thread takes as a unit, where these are `step` reals apart: few where they are long. */
static BB_INLINE int64_t bb_side(const int64_t n, const int64_t step)
{
    return step == {{ parts }} || n <= {{ stream.long_row }} ? {{ stream.side }} : {{ stream.rows | length }};
}

/* Threads share rows of op(A). */
#define BB_UNITS bb_units({{ m }}, {{ n }}, {{ A.at(1, 0) }})
static BB_INLINE int64_t bb_units(const int64_t m, const int64_t n, const int64_t step)
{
    if (bb_side(n, step) == {{ stream.side }})
        return (m + {{ stream.side - 1 }}) / {{ stream.side }};
    return (m + {{ (stream.rows | length) - 1 }}) / {{ stream.rows | length }};
}

/* So many reals, of two cache lines, and zeros beyond; `within`: there are others before them. */
static BB_INLINE void bb_get_block(bb_real *const to, const bb_real *p, const int64_t left, const int within)
{
{% for v, u, at in stream.block_vectors %}
    bb_vec v{{ v }} = BB_ZEROS;
    if (left > {{ at }})
        bb_get(&v{{ v }}, p + {{ at }}, left - {{ at }}, within);
    *(bb_vec *)(to + {{ at }}) = v{{ v }};
{% endfor %}
}

{{ along() }}
{{ across() }}
/* Whether fewer columns go by at a time: of a matrix that comes from memory, or of one beyond a level-2 cache whose
   columns share few sets of a level-1 cache. */
static BB_INLINE int bb_few(const int64_t m, const int64_t n, const int64_t rs, const int64_t cs)
{
{% if stream.passes %}
    if (m < {{ stream.high }} || rs != {{ parts }})
        return 0;
    const double elements = (double)m * (double)n;
    const int shared = (cs * (int64_t)sizeof(bb_real) + 64) % 4096 <= 128;
    return elements > {{ schedule.far }} || (shared && elements > {{ schedule.far // 16 }});
{% else %}
    (void)m, (void)n, (void)rs, (void)cs;
    return 0;
{% endif %}
}

/* A vector of Y, from sums of products by real{{ " and by imaginary" if complex }} parts. */
static BB_INLINE void bb_updated(const int alpha_is, const int beta_is, const bb_scalar alpha, const bb_real *sum,
                                 {{ "const bb_real *other, " if complex }}const bb_scalar beta, bb_vec *y)
{
    const bb_vec old = *y, found = *(const bb_vec *)sum;
    bb_vec sums;
{% if complex %}
    const bb_vec exchanged = *(const bb_vec *)other;
    BB_UPDATE{{ width }}(sums, old, found, exchanged, {{ A.conj | int }}, 0);
{% else %}
    BB_UPDATE(sums, old, found);
{% endif %}
    *y = sums;
}

static BB_NOINLINE void bb_update(const int alpha_is, const int beta_is, const bb_scalar alpha,
                                  const bb_real *sum{{ ", const bb_real *other" if complex }},
                                  const bb_scalar beta, bb_real *y, const int64_t step, const int64_t reals)
{
    const int beside = step == {{ parts }}, read = BB_NONZERO(beta_is, beta);
    int64_t i = 0;
    for (; beside && i + {{ width }} <= reals; i += {{ width }}) {
        bb_vec line = BB_ZEROS;
        if (read)
            line = *(const bb_mem *)(y + i);
        bb_updated(alpha_is, beta_is, alpha, sum + i, {{ "other + i, " if complex }}beta, &line);
        *(bb_mem *)(y + i) = line;
    }
    for (; i < reals; i += {{ width }}) {
        const int64_t left = reals - i, count = left < {{ width }} ? left : {{ width }};
        bb_real piece[{{ width }}] BB_ALIGNED = { 0 }, *const at = y + i{{ " / 2" if complex }} * step;
        if (read)
            bb_fetch(piece, at, step, count);
        bb_updated(alpha_is, beta_is, alpha, sum + i, {{ "other + i, " if complex }}beta, (bb_vec *)piece);
        bb_bring(at, piece, step, count);
    }
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ A.at(1, 0) }}, cs = {{ A.at(0, 1) }};
    const int64_t side = bb_side({{ n }}, rs), end = last * side < {{ m }} ? last * side : {{ m }};
    {{ body.array("found", "BB_ALIGNED") }}
{% if complex %}
    {{ body.array("other", "BB_ALIGNED") }}
{% endif %}
    const int few = bb_few({{ m }}, {{ n }}, rs, cs);
    const int64_t most = few ? {{ stream.kept_reals // parts }} : {{ schedule.chunk }};
    for (int64_t i = first * side, rows; i < end; i += rows) {
        rows = end - i < most ? end - i : most;
        const int64_t reals = rows{{ " * 2" if complex }};
        if (!alpha_is)
            for (int64_t r = 0; r < reals; r++)
                found[r] = {{ "other[r] = " if complex }}0;
        else if (rs == {{ parts }} && reals >= {{ width }})
            bb_across(A + i * rs, cs, X, incx, reals, {{ n }}, found{{ ", other" if complex }}, few);
        else
            bb_along(A + i * rs, rs, cs, X, incx, rows, {{ n }}, found{{ ", other" if complex }});
        bb_update(alpha_is, beta_is, alpha, found{{ ", other" if complex }}, beta, Y + i * incy, incy, reals);
    }
}
