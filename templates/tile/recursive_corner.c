{# Blocks on the diagonal of a triangle beside a few right-hand sides. #}
{% set V = width %}
{% if complex %}
/* (x, y) = (a, b) times (re, im). */
static BB_INLINE void bb_few_times(bb_real *x, bb_real *y, const bb_real a, const bb_real b, const bb_real re,
                                   const bb_real im)
{
    *x = a * re - b * im;
    *y = a * im + b * re;
}

{% endif %}
/* A block on the diagonal. */
static BB_INLINE void bb_few_corner(const int solves, const int back, const int64_t w, const int64_t many,
                                    const bb_real *A, const int64_t rs, const int64_t cs, const int conj,
                                    const int unit, bb_real *x, const int64_t im)
{
    bb_real diagonal[{{ V }}]{{ ", beside[" ~ V ~ "]" if complex }};
    for (int64_t q = 0; q < w; q++) {
{% if complex %}
        bb_real d[{{ schedule.cols + 1 }}] = { 1 };
        if (!unit)
            bb_inverse(d, A + q * (rs + cs) * 2, solves);
        diagonal[q] = d[0];
        beside[q] = unit ? 0 : conj ? -d[{{ schedule.cols }}] : d[{{ schedule.cols }}];
{% else %}
        const bb_real d = unit ? 1 : A[q * (rs + cs)];
        diagonal[q] = solves && !unit ? 1 / d : d;
{% endif %}
    }
    for (int64_t c = 0; c < many; c++, x += im * {{ parts }})
        BB_UNROLL({{ V }})
        for (int64_t s = 0; s < w; s++) {
            const int64_t at = solves ? s : w - 1 - s, q = back ? w - 1 - at : at;
{% if complex %}
            bb_real own, other;
            bb_few_times(&own, &other, x[q], x[q + im], diagonal[q], beside[q]);
{% else %}
            bb_real own = x[q] * diagonal[q];
{% endif %}
            BB_UNROLL({{ V }})
            for (int64_t t = s + 1; t < w; t++) {
                const int64_t next = solves ? t : w - 1 - t, p = back ? w - 1 - next : next;
{% if complex %}
                const bb_real *const a = A + (solves ? p * rs + q * cs : q * rs + p * cs) * 2;
                const bb_real b = conj ? -a[1] : a[1];
                bb_real re, part;
                if (solves) {
                    bb_few_times(&re, &part, own, other, a[0], b);
                    x[p] -= re;
                    x[p + im] -= part;
                } else {
                    bb_few_times(&re, &part, x[p], x[p + im], a[0], b);
                    own += re;
                    other += part;
                }
{% else %}
                if (solves)
                    x[p] -= A[p * rs + q * cs] * own;
                else
                    own += A[q * rs + p * cs] * x[p];
{% endif %}
            }
            x[q] = own;
{% if complex %}
            x[q + im] = other;
{% endif %}
        }
    (void)conj;
}
