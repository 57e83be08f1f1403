{# Y := alpha op(A) X + beta Y. Of each element of Y there are as many sums as a cache line has {{ "" }}elements,
        over every
   so-many-th column, which are added pairwise: in lanes where rows of op(A) are contiguous, else in vectors of rows. #}
{% from "tile/streamed_rows.c" import along with context %}
{% from "tile/streamed_columns.c" import across with context %}
{% from "tile/streamed_held.c" import held with context %}
{% set A, X, Y = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% include "tile/streamed.c" %}

/* Rows that a thread takes as a unit, where these are `step` reals apart. */
static BB_INLINE int64_t bb_side(const int64_t step)
{
    return step == {{ parts }} ? {{ stream.side }} : {{ stream.rows | length }};
}

/* Threads share rows of op(A). */
#define BB_UNITS bb_units({{ m }}, {{ A.at(1, 0) }})
static BB_INLINE int64_t bb_units(const int64_t m, const int64_t step)
{
    const int64_t side = bb_side(step);
    return (m + side - 1) / side;
}

{{ along() }}
{{ across() }}
{% if stream.held %}
{{ held() }}
{% endif %}
/* Sums of products by real{{ " and by imaginary" if complex }} parts are where Y takes them from. */
static BB_NOINLINE void bb_update(const int alpha_is, const int beta_is, const bb_scalar alpha,
                                  const bb_real *sum{{ ", const bb_real *other" if complex }},
                                  const bb_scalar beta, bb_real *y, const int64_t step, const int64_t reals)
{
    for (int64_t i = 0; i < reals; i += {{ width }}) {
        const int64_t left = reals - i, count = left < {{ width }} ? left : {{ width }};
        const int beside = step == {{ parts }};
        bb_real piece[{{ width }}] BB_ALIGNED = { 0 }, *const at = y + i{{ " / 2" if complex }} * step;
        bb_vec old = BB_ZEROS, new;
        if (BB_NONZERO(beta_is, beta)) {
            if (!beside)
                bb_fetch(piece, at, step, count);
            bb_get(&old, beside ? at : piece, count, 0);
        }
        const bb_vec found = *(const bb_vec *)(sum + i);
{% if complex %}
        const bb_vec exchanged = *(const bb_vec *)(other + i);
        BB_UPDATE{{ width }}(new, old, found, exchanged, {{ A.conj | int }}, 0);
{% else %}
        BB_UPDATE(new, old, found);
{% endif %}
        if (beside && count == {{ width }}) {
            *(bb_mem *)at = new;
        } else if (beside) {
            bb_put_part(at, &new, count);
        } else {
            *(bb_vec *)piece = new;
            bb_bring(at, piece, step, count);
        }
    }
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    {{ body.array("sums", "BB_ALIGNED") }}
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ A.at(1, 0) }}, cs = {{ A.at(0, 1) }};
    const int64_t side = bb_side(rs), end = last * side < {{ m }} ? last * side : {{ m }};
    {{ body.array("found", "BB_ALIGNED") }}
{% if complex %}
    {{ body.array("other", "BB_ALIGNED") }}
{% endif %}
    for (int64_t i = first * side, rows; i < end; i += rows) {
        const int64_t most = {{ n }} < {{ stream.few_columns }} ? {{ stream.less }} : {{ schedule.chunk }};
        rows = end - i < most ? end - i : most;
        const int64_t reals = rows{{ " * 2" if complex }};
{% if stream.held %}
        const int near = incx == {{ parts }} && {{ n }} * rows <= {{ schedule.near }};
{% endif %}
        if (!alpha_is)
            for (int64_t r = 0; r < reals; r++)
                found[r] = {{ "other[r] = " if complex }}0;
{% if stream.held %}
        else if (rs == {{ parts }} && near && reals >= {{ width }})
            bb_all_held(A + i * rs, cs, X, reals, {{ n }}, found{{ ", other" if complex }});
{% endif %}
        else if (rs == {{ parts }} && reals >= {{ width }})
            bb_across(A + i * rs, cs, X, incx, reals, {{ n }}, sums, found{{ ", other" if complex }});
        else
            bb_along(A + i * rs, rs, cs, X, incx, rows, {{ n }}, found{{ ", other" if complex }});
        bb_update(alpha_is, beta_is, alpha, found{{ ", other" if complex }}, beta, Y + i * incy, incy, reals);
    }
}
