{# Blocks of a triangle, where they lie, beside a few right-hand sides; of complex ones real and imaginary parts are
   apart: in blocks, and in right-hand sides `im` further on. #}
{% set V = width %}
/* From a row of the triangle to the next it is one element; from a column to the next; neither. */
enum { BB_DOWN, BB_ACROSS, BB_APART };

{% set apart = "; imaginary parts, perhaps of conjugates, behind all real ones" if complex %}
/* The columns of {{ V }} x {{ V }} elements{{ apart }}. */
static BB_INLINE void bb_take_block(const int lies, const bb_real *A, const int64_t rs, const int64_t cs,
                                    const int conj, bb_vec *x)
{
    BB_UNROLL({{ V }})
    for (int q = 0; q < {{ V }}; q++)
        if (lies == BB_APART) {
            for (int p = 0; p < {{ V }}; p++) {
                x[q][p] = A[(p * rs + q * cs) * {{ parts }}];
{% if complex %}
                x[q + {{ V }}][p] = A[(p * rs + q * cs) * 2 + 1];
{% endif %}
            }
        } else {
            const bb_real *const line = A + q * (lies == BB_DOWN ? cs : rs) * {{ parts }};
{% if complex %}
            const bb_vec low = *(const bb_mem *)line, high = *(const bb_mem *)(line + {{ V }});
            x[q] = BB_SHUFFLE(bb_mask{{ V }}, low, high, {{ vector_pairs.parted[0] | join(", ") }});
            x[q + {{ V }}] = BB_SHUFFLE(bb_mask{{ V }}, low, high, {{ vector_pairs.parted[1] | join(", ") }});
{% else %}
            x[q] = *(const bb_mem *)line;
{% endif %}
        }
    if (lies == BB_ACROSS) {
        bb_transpose{{ V }}(x);
{% if complex %}
        bb_transpose{{ V }}(x + {{ V }});
{% endif %}
    }
{% if complex %}
    BB_UNROLL({{ V }})
    for (int q = {{ V }}; conj && q < {{ 2 * V }}; q++)
        x[q] = -x[q];
{% endif %}
    (void)conj;
}

/* y += sum, or -= sum. */
static BB_INLINE void bb_few_put(const int solves, bb_real *y, const bb_vec *sum)
{
    *(bb_mem *)y = solves ? *(const bb_mem *)y - *sum : *(const bb_mem *)y + *sum;
}

/* What they add to {{ V }} rows, or take away; added up by itself first, so blocks in a row need not wait. */
static BB_INLINE void bb_add_block(const int solves, const int64_t many, const bb_vec *a,
                                   const bb_real *x, bb_real *y, const int64_t im)
{
    for (int64_t c = 0; c < many; c++, x += im * {{ parts }}, y += im * {{ parts }}) {
        bb_vec sum = a[0] * x[0];
{% if complex %}
        bb_vec other = a[0] * x[im];
        sum -= a[{{ V }}] * x[im];
        other += a[{{ V }}] * x[0];
{% endif %}
        BB_UNROLL({{ V - 1 }})
        for (int q = 1; q < {{ V }}; q++) {
            sum += a[q] * x[q];
{% if complex %}
            other += a[q] * x[q + im];
            sum -= a[q + {{ V }}] * x[q + im];
            other += a[q + {{ V }}] * x[q];
{% endif %}
        }
        bb_few_put(solves, y, &sum);
{% if complex %}
        bb_few_put(solves, y + im, &other);
{% endif %}
    }
}

/* The same of the first `w` columns. */
static BB_INLINE void bb_add_columns(const int solves, const int64_t w, const int64_t many,
                                     const bb_real *A, const int64_t rs, const int64_t cs, const int conj,
                                     const bb_real *x, bb_real *y, const int64_t im)
{
    for (int64_t q = 0; q < w; q++) {
        bb_vec a = BB_ZEROS;
{% if complex %}
        bb_vec b = BB_ZEROS;
{% endif %}
        BB_UNROLL({{ V }})
        for (int p = 0; p < {{ V }}; p++) {
            a[p] = A[(p * rs + q * cs) * {{ parts }}];
{% if complex %}
            b[p] = conj ? -A[(p * rs + q * cs) * 2 + 1] : A[(p * rs + q * cs) * 2 + 1];
{% endif %}
        }
        for (int64_t c = 0; c < many; c++) {
            const bb_real *const from = x + c * im * {{ parts }} + q;
            bb_real *const to = y + c * im * {{ parts }};
{% if complex %}
            bb_vec sum = a * from[0], other = a * from[im];
            sum -= b * from[im];
            other += b * from[0];
            bb_few_put(solves, to, &sum);
            bb_few_put(solves, to + im, &other);
{% else %}
            if (solves)
                *(bb_mem *)to -= a * from[0];
            else
                *(bb_mem *)to += a * from[0];
{% endif %}
        }
    }
    (void)conj;
}
