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

/* A vector of a line. */
static BB_INLINE void bb_ranked(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                                const bb_vec *x, const bb_real *s, bb_vec *line)
{
    const int beta_is = 1;
    const bb_scalar beta = {{ "{1, 0}" if complex else "1" }};
    const bb_vec old = *line;
{% if complex %}
    const bb_vec by_re = BB_ZEROS + *x * s[0], by_im = BB_ZEROS + *x * s[1];
    BB_UPDATE{{ width }}(*line, old, by_re, by_im, conj_v, conj_s);
{% else %}
    const bb_vec product = BB_ZEROS + *x * s[0];
    BB_UPDATE(*line, old, product);
    (void)conj_v, (void)conj_s, (void)beta;
{% endif %}
}

static BB_INLINE void bb_line(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                              const bb_real *v, const bb_real *s,
                              bb_real *line, int64_t reals)
{
    const int64_t before = bb_before(line, reals, {{ stream.aligned[0] }}), end = reals - before - {{ width }};
    bb_vec x, first = BB_ZEROS, last;
    if (before) {
        const bb_vec found = *(const bb_mem *)v;
        first = *(const bb_mem *)line;
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &found, s, &first);
    }
    v += before;
    line += before;
    reals -= before;
    bb_get_last(&x, v, reals);
    bb_get_last(&last, line, reals);
    bb_ranked(alpha_is, conj_v, conj_s, alpha, &x, s, &last);
    BB_UNROLL(4)
    for (int64_t i = 0; i < end; i += {{ width }}) {
        bb_vec own = *(const bb_mem *)(line + i);
        const bb_vec found = *(const bb_mem *)(v + i);
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &found, s, &own);
        *(bb_mem *)(line + i) = own;
    }
    if (before) /* overlaps what is done */
        *(bb_mem *)(line - before) = first;
    bb_put_last(line, &last, reals);
}

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
        for (int64_t j = 0; j < lines; j++) {
            bb_real *const line = a + i * step + j * next;
            if (whole) {
                bb_line(alpha_is, conj_v, conj_s, alpha, v + i * incv, s + j * incs, line, reals);
            } else {
                bb_fetch(from_a, line, step, reals);
                bb_line(alpha_is, conj_v, conj_s, alpha, from_v, s + j * incs, from_a, reals);
                bb_bring(line, from_a, step, reals);
            }
        }
    }
}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ A.at(1, 0) }}, cs = {{ A.at(0, 1) }};
    const int64_t longer = {{ m }} > {{ n }} ? {{ m }} : {{ n }}, begin = first * {{ stream.side }};
    const int64_t count = (last * {{ stream.side }} < longer ? last * {{ stream.side }} : longer) - begin;
    const int64_t i = {{ m }} > {{ n }} ? begin : 0, j = {{ m }} > {{ n }} ? 0 : begin;
    const int64_t rows = {{ m }} > {{ n }} ? count : {{ m }}, columns = {{ m }} > {{ n }} ? {{ n }} : count;
    if (!alpha_is)
        return;
    if (cs == {{ parts }} && rs != {{ parts }})
        bb_lines(alpha_is, {{ body.hermitian | int }}, 0, alpha, Y + j * incy, incy, X + i * incx, incx,
                 A + i * rs + j * cs, cs, rs, columns, rows);
    else
        bb_lines(alpha_is, 0, {{ body.hermitian | int }}, alpha, X + i * incx, incx, Y + j * incy, incy,
                 A + i * rs + j * cs, rs, cs, rows, columns);
}
