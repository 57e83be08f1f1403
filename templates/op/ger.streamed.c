{# A := alpha X Y' + A or alpha X Y* + A: lines of A, columns or rows, each a vector times a scalar. #}
{% set X, Y, A = body.views %}
{% set m, n, rs, cs = body.size.m, body.size.n, A.at(1, 0), A.at(0, 1) %}
{% include "tile/streamed.c" %}
{% if origin %}

{% include "tile/streamed_copied.c" %}
{% endif %}

/* Lines of A that a thread takes as a unit; 0 where these are few, and threads take parts of them. */
static BB_INLINE int64_t bb_lines_unit(const int64_t lines, const int64_t length)
{
    if ((double)lines * (double)length < {{ stream.small }})
        return lines > 0 ? lines : 1;
    if (lines < {{ stream.few_lines }} && lines < length)
        return 0;
    return length < {{ stream.part }} ? {{ stream.part }} / length : 1;
}

/* Threads share lines, which hardware sees come, or parts of a few. */
#define BB_UNITS bb_units({{ m }}, {{ n }}, {{ rs }}, {{ cs }})
static BB_INLINE int64_t bb_units(const int64_t m, const int64_t n, const int64_t rs, const int64_t cs)
{
    const int by_rows = cs == {{ parts }} && rs != {{ parts }};
    const int64_t lines = by_rows ? m : n, length = by_rows ? n : m, unit = bb_lines_unit(lines, length);
    if (!unit)
        return (length + {{ stream.side - 1 }}) / {{ stream.side }};
    return unit < lines ? (lines + unit - 1) / unit : 1;
}

{% include "tile/streamed_lines.c" %}

/* `lines` lines of A of `length` elements, `next` reals apart, whose elements are `step` reals apart; so many elements
   of the vector beside them are `near`. */
static BB_INLINE void bb_lines(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                               const bb_real *v, const int64_t incv,
                               const bb_real *s, const int64_t incs, bb_real *a, const int64_t step, const int64_t next,
                               const int64_t length, const int64_t lines, const int64_t near)
{
    for (int64_t i = 0, count; i < length; i += count) {
        bb_real from_v[{{ stream.piece }}] BB_ALIGNED, from_a[{{ stream.piece }}] BB_ALIGNED;
        const int whole = incv == {{ parts }} && step == {{ parts }};
        const int64_t most = whole ? near : {{ stream.piece // parts }};
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
                               const int64_t rows, const int64_t columns, const int64_t near)
{
    if (cs == {{ parts }} && rs != {{ parts }})
        bb_lines(alpha_is, {{ body.hermitian | int }}, 0, alpha, y, incy, x, incx, a, cs, rs, columns, rows, near);
    else
        bb_lines(alpha_is, 0, {{ body.hermitian | int }}, alpha, x, incx, y, incy, a, rs, cs, rows, columns, near);
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}{{ stream.declared(origin) }}, const int64_t first,
                               const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ rs }}, cs = {{ cs }};
    const int by_rows = cs == {{ parts }} && rs != {{ parts }};
    const int64_t lines = by_rows ? {{ m }} : {{ n }}, length = by_rows ? {{ n }} : {{ m }};
    const int64_t of_lines = bb_lines_unit(lines, length), unit = of_lines ? of_lines : {{ stream.side }};
    const int of_rows = by_rows == (of_lines > 0); /* threads share rows of A */
    const int64_t begin = first * unit, side = of_rows ? {{ m }} : {{ n }};
    const int64_t count = (last * unit < side ? last * unit : side) - begin;
    const int64_t i = of_rows ? begin : 0, j = of_rows ? 0 : begin;
    const int64_t rows = of_rows ? count : {{ m }}, columns = of_rows ? {{ n }} : count;
    /* of a matrix in caches parts of long lines come, beside which the vector is in the first one; else whole lines */
    const double elements = (double)lines * (double)length;
    const int64_t near = length > {{ stream.at_hand * 2 }} && elements <= {{ schedule.far }} ? {{ stream.at_hand }}
                                                                                       : {{ schedule.chunk }};
    const bb_real *const x = X + i * incx, *const y = Y + j * incy;
    bb_real *const a = A + i * rs + j * cs;
{% if origin %}
    bb_copied(a, rs, cs, from + i * from_rs + j * from_cs, from_rs, from_cs, rows, columns);
{% endif %}
    if (alpha_is == 1)
        bb_whole(1, alpha, x, incx, y, incy, a, rs, cs, rows, columns, near);
    else if (alpha_is)
        bb_whole(BB_ANY, alpha, x, incx, y, incy, a, rs, cs, rows, columns, near);
}
