{# Lines of a matrix, each with a multiple of a vector added: one by one, or strips of all, of which the vector stays in
   registers. #}
{% if not complex %}
/* x := a product, rounded, so that no compiler fuses it with a sum. A barrier costs nothing; a sum with zero that is
   fused takes ports from other sums. */
#if defined({{ stream.barrier[0] }})
#define BB_ROUNDED(x, product) x = (product); __asm__("" : "+{{ stream.barrier[1] }}"(x))
#else
#define BB_ROUNDED(x, product) x = BB_ZEROS + (product)
#endif
{% endif %}
/* A vector of a line. */
static BB_INLINE void bb_ranked(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                                const bb_vec *x, const bb_real *s, bb_vec *line)
{
{% if complex %}
    const int beta_is = 1;
    const bb_scalar beta = {1, 0};
    const bb_vec old = *line, by_re = BB_ZEROS + *x * s[0], by_im = BB_ZEROS + *x * s[1];
    BB_UPDATE{{ width }}(*line, old, by_re, by_im, conj_v, conj_s);
{% else %}
    bb_vec product;
    BB_ROUNDED(product, *x * s[0]);
    if (alpha_is == BB_ANY) {
        BB_ROUNDED(product, product * alpha);
    }
    *line += product;
    (void)conj_v, (void)conj_s;
{% endif %}
}

/* A line goes by upwards, as hardware expects it. The first vector and the last one overlap others: each is read before
   its neighbour is written. */
static BB_INLINE void bb_line(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                              const bb_real *v, const bb_real *s,
                              bb_real *line, const int64_t reals)
{
    const int64_t before = bb_before(line, reals, {{ stream.aligned[0] }});
    const bb_real of_s[{{ parts }}] = { s[0]{{ ", s[1]" if complex }} }; /* or stores might change it */
    bb_vec x, y, own, other;
    int64_t i = 0;
    if (before) {
        x = *(const bb_mem *)v;
        y = *(const bb_mem *)(v + before);
        own = *(const bb_mem *)line;
        other = *(const bb_mem *)(line + before);
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &x, of_s, &own);
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &y, of_s, &other);
        *(bb_mem *)line = own;
        *(bb_mem *)(line + before) = other;
        i = before + {{ width }};
    }
    BB_UNROLL(4)
    for (; i <= reals - {{ stream.twice }}; i += {{ width }}) {
        own = *(const bb_mem *)(line + i);
        x = *(const bb_mem *)(v + i);
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &x, of_s, &own);
        *(bb_mem *)(line + i) = own;
    }
    bb_get_last(&y, v, reals);
    bb_get_last(&other, line, reals);
    bb_ranked(alpha_is, conj_v, conj_s, alpha, &y, of_s, &other);
    if (reals >= {{ width }}) {
        own = *(const bb_mem *)(line + i);
        x = *(const bb_mem *)(v + i);
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &x, of_s, &own);
        *(bb_mem *)(line + i) = own;
    }
    bb_put_last(line, &other, reals);
}

{% for V in stream.strips %}
/* {{ (V | length) * width }} reals of some lines: those of the vector stay in registers. */
static BB_INLINE void bb_strip{{ V | length }}(const int alpha_is, const int conj_v, const int conj_s,
                                            const bb_scalar alpha, const bb_real *v,
                                            const bb_real *s, const int64_t incs, bb_real *a, const int64_t next,
                                            const int64_t lines)
{
{% for x in V %}
    const bb_vec x{{ x }} = *(const bb_mem *)(v + {{ x * width }});
{% endfor %}
    for (int64_t j = 0; j < lines; j++, a += next, s += incs) {
        const bb_real of_s[{{ parts }}] = { s[0]{{ ", s[1]" if complex }} }; /* or stores might change it */
{% for x in V %}
        bb_vec line{{ x }} = *(const bb_mem *)(a + {{ x * width }});
        bb_ranked(alpha_is, conj_v, conj_s, alpha, &x{{ x }}, of_s, &line{{ x }});
        *(bb_mem *)(a + {{ x * width }}) = line{{ x }};
{% endfor %}
    }
}

{% endfor %}
/* Whole vectors of lines that all begin where a cache line does, of a matrix that a cache holds; how many reals these
   are. */
static BB_INLINE int64_t bb_strips(const int alpha_is, const int conj_v, const int conj_s, const bb_scalar alpha,
                                   const bb_real *v, const bb_real *s, const int64_t incs, bb_real *a,
                                   const int64_t next, const int64_t reals, const int64_t lines)
{
    int64_t i = 0;
    if (((uintptr_t)a | (uintptr_t)(next * (int64_t)sizeof(bb_real))) % 64 || reals * lines > {{ stream.near }})
        return 0;
{% for V in stream.strips %}
    for (; i + {{ (V | length) * width }} <= reals; i += {{ (V | length) * width }})
        bb_strip{{ V | length }}(alpha_is, conj_v, conj_s, alpha, v + i, s, incs, a + i, next, lines);
{% endfor %}
    return i;
}
