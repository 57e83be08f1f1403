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
    for (int64_t c = 0; c < many; c++, x += im * {{ parts }}) {
{% if not complex %}
        bb_real own[{{ V }}] = {0};
        BB_UNROLL({{ V }})
        for (int64_t q = 0; q < w; q++)
            own[q] = x[q];
{% endif %}
        BB_UNROLL({{ V }})
        for (int64_t s = 0; s < w; s++) {
            const int64_t at = solves ? s : w - 1 - s, q = back ? w - 1 - at : at;
{% if complex %}
            bb_real own, other;
            bb_few_times(&own, &other, x[q], x[q + im], diagonal[q], beside[q]);
{% else %}
            own[q] *= diagonal[q];
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
                    own[p] -= A[p * rs + q * cs] * own[q];
                else
                    own[q] += A[q * rs + p * cs] * own[p];
{% endif %}
            }
{% if complex %}
            x[q] = own;
            x[q + im] = other;
{% endif %}
        }
{% if not complex %}
        BB_UNROLL({{ V }})
        for (int64_t q = 0; q < w; q++)
            x[q] = own[q];
{% endif %}
    }
    (void)conj;
}
{% if not complex %}

/* A whole block on the diagonal times right-hand sides, each of which becomes a vector: a column goes to the rows that
   have it. */
static BB_INLINE void bb_few_product(const int lies, const int back, const int64_t many, const bb_real *A,
                                     const int64_t rs, const int64_t cs, const int unit, const bb_real *x,
                                     const int64_t pitch, bb_vec *y)
{
    bb_vec a[{{ V }}], diagonal = BB_ZEROS + 1;
    bb_take_block(lies, A, rs, cs, 0, a);
    BB_UNROLL({{ V }})
    for (int q = 0; q < {{ V }} && !unit; q++)
        diagonal[q] = a[q][q];
    for (int64_t c = 0; c < many; c++, x += pitch) {
        bb_vec sum = *(const bb_mem *)x * diagonal;
        if (back) {
{% for q, lanes in few.columns(V, True) %}
            sum = BB_SHUFFLE(bb_mask{{ V }}, sum, sum + a[{{ q }}] * x[{{ q }}], {{ lanes | join(", ") }});
{% endfor %}
        } else {
{% for q, lanes in few.columns(V, False) %}
            sum = BB_SHUFFLE(bb_mask{{ V }}, sum, sum + a[{{ q }}] * x[{{ q }}], {{ lanes | join(", ") }});
{% endfor %}
        }
        y[c] = sum;
    }
}

/* What became of them. */
static BB_INLINE void bb_few_place(const int64_t many, const bb_vec *y, bb_real *x, const int64_t pitch)
{
    for (int64_t c = 0; c < many; c++)
        *(bb_mem *)(x + c * pitch) = y[c];
}
{% endif %}
