{# A := alpha X Y' + A or alpha X Y* + A: lines of A, columns or rows, each a vector times a scalar. #}
{% set X, Y, A = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% include "tile/streamed.c" %}

/* Threads share the longer side of A. */
#define BB_UNITS bb_units({{ m }}, {{ n }})
static BB_INLINE int64_t bb_units(const int64_t m, const int64_t n)
{
    return ((m > n ? m : n) + {{ stream.side - 1 }}) / {{ stream.side }};
}

{% include "tile/streamed_lines.c" %}

/* `lines` lines of A of `length` elements, `next` reals apart, whose elements are `step` reals apart. */
static BB_INLINE void bb_lines(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                               const bb_real *v, const int64_t incv,
                               const bb_real *s, const int64_t incs, bb_real *a, const int64_t step, const int64_t next,
                               const int64_t length, const int64_t lines)
{
    for (int64_t i = 0, count; i < length; i += count) {
        bb_real from_v[{{ stream.piece }}] BB_ALIGNED, from_a[{{ stream.piece }}] BB_ALIGNED;
        const int whole = incv == {{ parts }} && step == {{ parts }};
        const int64_t most = whole ? {{ schedule.chunk }} : {{ stream.piece // parts }};
        count = length - i < most ? length - i : most;
        const int64_t reals = count{{ " * 2" if complex }};
        if (!whole)
            bb_fetch(from_v, v + i * incv, incv, reals);
        const int64_t done =
            whole ? bb_strips(alpha_is, conj_v, conj_s, alpha, v + i * incv, s, incs, a + i * step, next, reals, lines)
                  : 0;
        for (int64_t j = 0; j < lines && done < reals; j++) {
            bb_real *const line = a + i * step + j * next;
            if (whole) {
                bb_line(alpha_is, conj_v, conj_s, alpha, v + i * incv + done, s + j * incs, line + done, reals - done);
            } else {
                bb_fetch(from_a, line, step, reals);
                bb_line(alpha_is, conj_v, conj_s, alpha, from_v, s + j * incs, from_a, reals);
                bb_bring(line, from_a, step, reals);
            }
        }
    }
}

/* Which side of A is its lines. */
static BB_INLINE void bb_whole(const int alpha_is, const bb_scalar alpha, const bb_real *x, const int64_t incx,
                               const bb_real *y, const int64_t incy, bb_real *a, const int64_t rs, const int64_t cs,
                               const int64_t rows, const int64_t columns)
{
    if (cs == {{ parts }} && rs != {{ parts }})
        bb_lines(alpha_is, {{ body.hermitian | int }}, 0, alpha, y, incy, x, incx, a, cs, rs, columns, rows);
    else
        bb_lines(alpha_is, 0, {{ body.hermitian | int }}, alpha, x, incx, y, incy, a, rs, cs, rows, columns);
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ A.at(1, 0) }}, cs = {{ A.at(0, 1) }};
    const int64_t longer = {{ m }} > {{ n }} ? {{ m }} : {{ n }}, begin = first * {{ stream.side }};
    const int64_t count = (last * {{ stream.side }} < longer ? last * {{ stream.side }} : longer) - begin;
    const int64_t i = {{ m }} > {{ n }} ? begin : 0, j = {{ m }} > {{ n }} ? 0 : begin;
    const int64_t rows = {{ m }} > {{ n }} ? count : {{ m }}, columns = {{ m }} > {{ n }} ? {{ n }} : count;
    if (alpha_is == 1)
        bb_whole(1, alpha, X + i * incx, incx, Y + j * incy, incy, A + i * rs + j * cs, rs, cs, rows, columns);
    else if (alpha_is)
        bb_whole(BB_ANY, alpha, X + i * incx, incx, Y + j * incy, incy, A + i * rs + j * cs, rs, cs, rows, columns);
}
