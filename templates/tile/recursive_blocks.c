{# Blocks of a triangle, where they lie, beside a few right-hand sides. #}
{% set V = width %}
/* From a row of the triangle to the next it is one element; from a column to the next; neither. */
enum { BB_DOWN, BB_ACROSS, BB_APART };

/* The columns of {{ V }} x {{ V }} elements. */
static BB_INLINE void bb_take_block(const int lies, const bb_real *A, const int64_t rs, const int64_t cs, bb_vec *x)
{
    BB_UNROLL({{ V }})
    for (int q = 0; q < {{ V }}; q++)
        if (lies == BB_APART)
            for (int p = 0; p < {{ V }}; p++)
                x[q][p] = A[p * rs + q * cs];
        else
            x[q] = *(const bb_mem *)(A + q * (lies == BB_DOWN ? cs : rs));
    if (lies == BB_ACROSS)
        bb_transpose{{ V }}(x);
}

/* What they add to {{ V }} rows, or take away; added up by itself first, so blocks in a row need not wait. */
static BB_INLINE void bb_add_block(const int solves, const int64_t many, const bb_vec *a,
                                   const bb_real *x, bb_real *y, const int64_t pitch)
{
    for (int64_t c = 0; c < many; c++, x += pitch, y += pitch) {
        bb_vec sum = a[0] * x[0];
        BB_UNROLL({{ V - 1 }})
        for (int q = 1; q < {{ V }}; q++)
            sum += a[q] * x[q];
        *(bb_mem *)y = solves ? *(const bb_mem *)y - sum : *(const bb_mem *)y + sum;
    }
}

/* The same of the first `w` columns. */
static BB_INLINE void bb_add_columns(const int solves, const int64_t w, const int64_t many,
                                     const bb_real *A, const int64_t rs, const int64_t cs, const bb_real *x,
                                     bb_real *y, const int64_t pitch)
{
    for (int64_t q = 0; q < w; q++) {
        bb_vec a = BB_ZEROS;
        BB_UNROLL({{ V }})
        for (int p = 0; p < {{ V }}; p++)
            a[p] = A[p * rs + q * cs];
        for (int64_t c = 0; c < many; c++) {
            bb_mem *sum = (bb_mem *)(y + c * pitch);
            if (solves)
                *sum -= a * x[c * pitch + q];
            else
                *sum += a * x[c * pitch + q];
        }
    }
}

/* A block on the diagonal. */
static BB_INLINE void bb_few_corner(const int solves, const int back, const int64_t w, const int64_t many,
                                    const bb_real *A, const int64_t rs, const int64_t cs, const int unit, bb_real *x,
                                    const int64_t pitch)
{
    bb_real diagonal[{{ V }}];
    for (int64_t q = 0; q < w; q++) {
        const bb_real d = unit ? 1 : A[q * (rs + cs)];
        diagonal[q] = solves && !unit ? 1 / d : d;
    }
    for (int64_t c = 0; c < many; c++, x += pitch)
        BB_UNROLL({{ V }})
        for (int64_t s = 0; s < w; s++) {
            const int64_t at = solves ? s : w - 1 - s, q = back ? w - 1 - at : at;
            bb_real own = x[q] * diagonal[q];
            BB_UNROLL({{ V }})
            for (int64_t t = s + 1; t < w; t++) {
                const int64_t next = solves ? t : w - 1 - t, p = back ? w - 1 - next : next;
                if (solves)
                    x[p] -= A[p * rs + q * cs] * own;
                else
                    own += A[q * rs + p * cs] * x[p];
            }
            x[q] = own;
        }
}
