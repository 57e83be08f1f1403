{# A triangle of any order beside a few right-hand sides: it is read once, where it lies. #}
{% set V, line = width, few.line %}
/* All blocks, the first of which may be smaller: right of it, or below, are whole ones. */
static BB_INLINE void bb_few_blocks(const int solves, const int lies, const int back, const int64_t n,
                                    const int64_t many, const bb_real *A, const int64_t rs, const int64_t cs,
                                    const int unit, bb_real *X, const int64_t pitch)
{
    const int64_t blocks = (n - 1) / {{ V }}, head = n - blocks * {{ V }};
    for (int64_t b = 0; b <= blocks; b++) {
        const int64_t own = solves ? b : blocks - b, w = own ? {{ V }} : head;
        const int64_t i = own ? head + (own - 1) * {{ V }} : 0, at = back ? n - i - w : i;
        const int64_t others = lies == BB_DOWN ? blocks - own : own;
        const int first = (lies == BB_DOWN) == solves;
{% macro corner() %}
            if (own)
                bb_few_corner(solves, back, {{ V }}, many, A + at * (rs + cs), rs, cs, unit, X + at, pitch);
            else
                bb_few_corner(solves, back, head, many, A + at * (rs + cs), rs, cs, unit, X + at, pitch);
{% endmacro %}
        if (first) {
{{ corner() -}}
        }
        for (int64_t o = 0; o < others; o++) {
            const int64_t other = lies == BB_DOWN ? own + 1 + o : solves ? o : own - 1 - o;
            const int64_t j = other ? head + (other - 1) * {{ V }} : 0, size = other ? {{ V }} : head;
            const int64_t beside = back ? n - j - size : j;
            const int64_t row = lies == BB_DOWN ? beside : at, col = lies == BB_DOWN ? at : beside;
            const bb_real *block = A + row * rs + col * cs;
            const int64_t cols = lies == BB_DOWN ? w : size;
            if (cols == {{ V }}) {
                bb_vec a[{{ V }}];
                bb_take_block(lies, block, rs, cs, a);
                bb_add_block(solves, many, a, X + col, X + row, pitch);
            } else
                bb_add_columns(solves, cols, many, block, rs, cs, X + col, X + row, pitch);
        }
        if (!first) {
{{ corner() -}}
        }
    }
}

/* B := alpha A^-1 B or alpha A B with A lower, or upper where `back`. */
static BB_INLINE int64_t bb_few(const int solves, const int lies, const int back, const int64_t n, const int64_t many,
                                const bb_scalar alpha, const bb_real *A, const int64_t rs, const int64_t cs,
                                const int unit, bb_real *B, const int64_t rsb, const int64_t csb)
{
    BB_ALIGNED bb_real own[{{ few.here }}];
    const int64_t pitch = (n + {{ 2 * line - 1 }}) / {{ line }} * {{ line }}; /* no power of two */
    const int zero = BB_IS(alpha, 0);
    bb_real *X = own;
    if (n == 0)
        return 0;
    if (!zero && pitch * many > {{ few.here }})
        X = (bb_real *)aligned_alloc(64, (size_t)(pitch * many) * sizeof *X);
    if (!X)
        return -1;
    bb_real *const first = X + (back ? 0 : ({{ V }} - n % {{ V }}) % {{ V }});
    for (int64_t c = 0; c < many && !zero; c++)
        for (int64_t i = 0; i < n; i++)
            first[c * pitch + i] = alpha * B[i * rsb + c * csb];
    if (!zero)
        bb_few_blocks(solves, lies, back, n, many, A, rs, cs, unit, first, pitch);
    for (int64_t c = 0; c < many; c++)
        for (int64_t i = 0; i < n; i++)
            B[i * rsb + c * csb] = zero ? 0 : first[c * pitch + i];
    if (X != own)
        free(X);
    return 0;
}
