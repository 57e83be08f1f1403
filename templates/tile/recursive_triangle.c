{# A triangle of a few rows beside many right-hand sides: brought to panels, rows side by side. #}
{% set S, R, V, W = schedule.pitch, schedule.cols, width, schedule.span %}
/* 1 / x, or x. */
static BB_INLINE void bb_inverse(bb_real *y, const bb_real *x, const int inverts)
{
{% if complex %}
    const int real = __builtin_fabs{{ storage.function }}(x[0]) >= __builtin_fabs{{ storage.function }}(x[1]);
    const bb_real large = real ? x[0] : x[1], ratio = (real ? x[1] : x[0]) / large;
    const bb_real inverse = 1 / ((real ? x[1] : x[0]) * ratio + large);
    y[0] = !inverts ? x[0] : real ? inverse : ratio * inverse;
    y[{{ R }}] = !inverts ? x[1] : real ? -(ratio * inverse) : -inverse;
{% else %}
    *y = inverts ? 1 / *x : *x;
{% endif %}
}

/* A lower triangle, {{ R }} rows by {{ R }} rows, with zeros beyond the last one; where systems are solved with
   the reciprocals of its diagonal. */
static BB_NOINLINE void bb_take_triangle(const int solves, const int64_t n, const bb_real *A, const int64_t rs,
                                         const int64_t cs, const int conj, const int unit, bb_real *T)
{
    for (int64_t i = 0; i < n; i += {{ R }}, T += {{ R * S * parts }}) {
        const int64_t down = n - i < {{ R }} ? n - i : {{ R }};
        if (down < {{ R }})
            memset(T, 0, (size_t)(i + {{ R }}) * {{ R * parts }} * sizeof *T);
        else
            memset(T + i * {{ R * parts }}, 0, {{ R * R * parts }} * sizeof *T);
        int64_t taken = 0;
{% if not complex %}
        for (; rs == 1 && down == {{ R }} && taken < i; taken++)
            memcpy(T + taken * {{ R }}, A + i + taken * cs, {{ R }} * sizeof *T);
{% endif %}
        for (int64_t r = 0; r < down; r++) {
            const bb_real *from = A + ((i + r) * rs + taken * cs) * {{ parts }};
            bb_real *to = T + taken * {{ R * parts }} + r;
            for (int64_t l = taken; l < i + r; l++, from += cs * {{ parts }}, to += {{ R * parts }}) {
                *to = *from;
{% if complex %}
                to[{{ R }}] = conj ? -from[1] : from[1];
{% endif %}
            }
            if (unit) {
                *to = 1;
                continue;
            }
            bb_inverse(to, from, solves);
{% if complex %}
            to[{{ R }}] = conj ? -to[{{ R }}] : to[{{ R }}];
{% endif %}
        }
    }
    (void)conj;
}

/* B := alpha A^-1 B or alpha A B with A lower of order n <= {{ S }}, or upper and seen backwards. */
static BB_NOINLINE void bb_triangular(const int solves, const int64_t n, const int64_t others, const bb_scalar alpha,
                                      const bb_real *A, const int64_t rsa, const int64_t csa, const int backwards,
                                      const int conj, const int unit, bb_real *B, const int64_t rsb, const int64_t csb)
{
    BB_ALIGNED bb_real T[{{ S * S * parts }}], X[{{ S * W * parts }}];
    const int64_t step = backwards ? -{{ W * parts }} : {{ W * parts }}, last = backwards ? n - 1 : 0;
    if (n == 0)
        return;
    if (BB_IS(alpha, 0)) {
        for (int64_t j = 0; j < others; j++)
            for (int64_t i = 0; i < n; i++)
                B[(i * rsb + j * csb) * {{ parts }}] = {% if complex %}B[(i * rsb + j * csb) * 2 + 1] = {% endif %}0;
        return;
    }
    if (backwards)
        bb_take_triangle(solves, n, A + (n - 1) * (rsa + csa) * {{ parts }}, -rsa, -csa, conj, unit, T);
    else
        bb_take_triangle(solves, n, A, rsa, csa, conj, unit, T);
    for (int64_t j = 0, next; j < others; j = next) {
        const int wide = others - j > {{ V }};
        next = others - j < {{ W }} ? others : j + {{ W }};
        bb_real *from = B + j * csb * {{ parts }};
        bb_take_panel(n, next - j, wide ? {{ W }} : {{ V }}, alpha, from, rsb, csb, X + last * {{ W * parts }}, step);
        if (n % {{ R }})
            memset(X + n * {{ W * parts }}, 0, (size_t)({{ R }} - n % {{ R }}) * {{ W * parts }} * sizeof *X);
        if (wide)
            (solves ? bb_solve_{{ schedule.rows }} : bb_multiply_{{ schedule.rows }})(n, T, X);
        else
            (solves ? bb_solve_1 : bb_multiply_1)(n, T, X);
        bb_put_panel(n, next - j, from, rsb, csb, X + last * {{ W * parts }}, step);
    }
}
