{# A triangle of any order beside a few right-hand sides: it is read once, where it lies. #}
{% set V, line = width, few.line %}
{% include "tile/recursive_few_blocks.c" %}

/* From a right-hand side to the next: no power of two. */
static BB_INLINE int64_t bb_few_pitch(const int64_t n)
{
    return (n + {{ 2 * line - 1 }}) / {{ line }} * {{ line }};
}

/* The bytes of right-hand sides, if these are more than an array has. */
static BB_INLINE int64_t bb_few_bytes(const int64_t n, const int64_t many)
{
    const int64_t reals = bb_few_pitch(n) * many * {{ parts }};
    return reals > {{ few.here }} ? reals * (int64_t)sizeof(bb_real) : 0;
}

/* B := alpha A^-1 B or alpha A B with A lower, or upper where `back`. */
static BB_INLINE int64_t bb_few(const bb_means means, const int solves, const int lies, const int back, const int64_t n,
                                const int64_t many, const bb_scalar alpha, const bb_real *A, const int64_t rs,
                                const int64_t cs, const int conj, const int unit, bb_real *B, const int64_t rsb,
                                const int64_t csb)
{
    BB_ALIGNED bb_real own[{{ few.here }}];
    const int64_t pitch = bb_few_pitch(n), bytes = bb_few_bytes(n, many);
    const int zero = BB_IS(alpha, 0);
    bb_real *X = own;
    if (n == 0)
        return 0;
    if (!zero && bytes)
        X = (bb_real *)(means.work ? means.work : aligned_alloc(64, (size_t)bytes));
    if (!X)
        return -1;
    bb_real *const first = X + (back ? 0 : ({{ V }} - n % {{ V }}) % {{ V }});
    for (int64_t c = 0; c < many && !zero; c++)
        for (int64_t i = 0; i < n; i++) {
{% if complex %}
            const bb_real *const from = B + (i * rsb + c * csb) * 2;
            bb_real *const to = first + c * pitch * 2 + i;
            bb_few_times(to, to + pitch, from[0], from[1], alpha.re, alpha.im);
{% else %}
            first[c * pitch + i] = alpha * B[i * rsb + c * csb];
{% endif %}
        }
    const int64_t blocks = (n - 1) / {{ V }} + 1, head = n - (blocks - 1) * {{ V }};
    if (!zero && many == 1) /* a text of its own: loops over several take registers */
        bb_few_blocks(solves, lies, back, n, head, 0, blocks, 1, A, rs, cs, conj, unit, first, pitch);
    else if (!zero)
        bb_few_blocks(solves, lies, back, n, head, 0, blocks, many, A, rs, cs, conj, unit, first, pitch);
    for (int64_t c = 0; c < many; c++)
        for (int64_t i = 0; i < n; i++) {
            bb_real *const to = B + (i * rsb + c * csb) * {{ parts }};
            to[0] = zero ? 0 : first[c * pitch{{ " * 2" if complex }} + i];
{% if complex %}
            to[1] = zero ? 0 : first[c * pitch * 2 + pitch + i];
{% endif %}
        }
    if (X != own && !means.work)
        free(X);
    return 0;
}
