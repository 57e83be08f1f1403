{# A triangle of any order beside a few right-hand sides: it is read once, where it lies. #}
{% set V, line = width, few.line %}
/* Where block b begins, of {{ V }} elements but for the first, which has `head`; in a triangle seen backwards. */
static BB_INLINE int64_t bb_few_at(const int back, const int64_t n, const int64_t head, const int64_t b)
{
    const int64_t i = b ? head + (b - 1) * {{ V }} : 0, size = b ? {{ V }} : head;
    return back ? n - i - size : i;
}

/* What one block beside the diagonal adds. */
static BB_INLINE void bb_few_block(const int solves, const int lies, const int64_t cols, const int64_t many,
                                   const bb_real *A, const int64_t rs, const int64_t cs, const int64_t row,
                                   const int64_t col, bb_real *X, const int64_t pitch)
{
    const bb_real *block = A + row * rs + col * cs;
    if (cols == {{ V }}) {
        bb_vec a[{{ V }}];
        bb_take_block(lies, block, rs, cs, a);
        bb_add_block(solves, many, a, X + col, X + row, pitch);
    } else
        bb_add_columns(solves, cols, many, block, rs, cs, X + col, X + row, pitch);
}

/* The triangle of blocks begin to end - 1. */
static BB_INLINE void bb_few_blocks(const int solves, const int lies, const int back, const int64_t n,
                                    const int64_t head, const int64_t begin, const int64_t end, const int64_t many,
                                    const bb_real *A, const int64_t rs, const int64_t cs, const int unit, bb_real *X,
                                    const int64_t pitch)
{
    for (int64_t b = begin; b < end; b++) {
        const int64_t own = solves ? b : end - 1 - (b - begin), at = bb_few_at(back, n, head, own);
        const int64_t others = lies == BB_DOWN ? end - 1 - own : own - begin;
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
            const int64_t other = lies == BB_DOWN ? own + 1 + o : solves ? begin + o : own - 1 - o;
            const int64_t beside = bb_few_at(back, n, head, other);
            if (lies == BB_DOWN)
                bb_few_block(solves, lies, own ? {{ V }} : head, many, A, rs, cs, beside, at, X, pitch);
            else
                bb_few_block(solves, lies, other ? {{ V }} : head, many, A, rs, cs, at, beside, X, pitch);
        }
        if (!first) {
{{ corner() -}}
        }
    }
}

{% include "tile/recursive_few_rows.c" %}

/* B := alpha A^-1 B or alpha A B with A lower, or upper where `back`. */
static BB_INLINE int64_t bb_few(const int threads, const int solves, const int lies, const int back, const int64_t n,
                                const int64_t many, const bb_scalar alpha, const bb_real *A, const int64_t rs,
                                const int64_t cs, const int unit, bb_real *B, const int64_t rsb, const int64_t csb)
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
    const int64_t blocks = (n - 1) / {{ V }} + 1, head = n - (blocks - 1) * {{ V }};
    const double elements = (double)n * (double)n;
    const int64_t step = threads != 1 && elements * (double)(many + 4) >= {{ few.shared }} ? {{ few.panel }} : blocks;
    for (int64_t done = 0; done < blocks && !zero; done += step) {
        const int64_t begin = solves || step == blocks ? done : (blocks - 1 - done) / step * step;
        const int64_t end = begin + step < blocks ? begin + step : blocks;
        const bb_few_args g = { solves, lies, back, n, head, begin, end, many, A, rs, cs, first, pitch };
        if (solves)
            bb_few_blocks(solves, lies, back, n, head, begin, end, many, A, rs, cs, unit, first, pitch);
        if (end < blocks)
            bb_share(bb_few_part, &g, blocks - end, {{ few.grain }}, threads, elements * {{ few.pace }});
        if (!solves)
            bb_few_blocks(solves, lies, back, n, head, begin, end, many, A, rs, cs, unit, first, pitch);
    }
    for (int64_t c = 0; c < many; c++)
        for (int64_t i = 0; i < n; i++)
            B[i * rsb + c * csb] = zero ? 0 : first[c * pitch + i];
    if (X != own)
        free(X);
    return 0;
}
