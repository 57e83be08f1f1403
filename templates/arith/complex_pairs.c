/* Arithmetic on vectors along one matrix, complex: pairs of real and imaginary part, as in memory. The product of
   vectors of pairs and complex scalars is kept in two sums, by the scalars' real and imaginary parts; an exchange of
   neighbours at the end makes the complex product of them. BB_UPDATE: x := alpha (that product) + beta old; the zero
   leaves a compiler that fuses multiplications and additions one way only to do it. */
typedef struct {
    bb_real re, im;
} bb_scalar;
#define BB_IS_ZERO(s) ((s).re == 0 && (s).im == 0)
{% for w in body_widths %}
{% macro pairs(even, odd) %}{% for q in range(0, w, 2) %}{{ even }}, {{ odd }}{{ ", " if not loop.last }}{% endfor %}{% endmacro %}
#define BB_SWAP{{ w }}(x) BB_SHUFFLE(bb_mask{{ w }}, x, x, {% for q in range(w) %}{{ q + 1 - q % 2 * 2 }}{{ ", " if not loop.last }}{% endfor %})
#define BB_PAIRS{{ w }}(even, odd) ((bb_vec{{ w }}){ {{ pairs("even", "odd") }} })
#define BB_ADD_TIMES{{ w }}(x, y, s) x += (y) * (s).re; x += BB_SWAP{{ w }}(y) * BB_PAIRS{{ w }}(-(s).im, (s).im)
#define BB_UPDATE{{ w }}(x, old, sum_re, sum_im, conj_a, conj_b)                                                              \
    do {                                                                                                               \
        x = (conj_a) ? sum_re * BB_PAIRS{{ w }}(1, -1) : sum_re;                                                              \
        x += BB_SWAP{{ w }}(sum_im) * BB_PAIRS{{ w }}((conj_a) == (conj_b) ? -1 : 1, (conj_b) ? -1 : 1);                             \
        if (alpha_is == BB_ANY) {                                                                                      \
            const bb_vec{{ w }} product = x;                                                                                  \
            x = (bb_vec{{ w }}){0};                                                                                           \
            BB_ADD_TIMES{{ w }}(x, product, alpha);                                                                           \
        }                                                                                                              \
        if (beta_is == 1)                                                                                              \
            x += old;                                                                                                  \
        else if (BB_NONZERO(beta_is, beta)) {                                                                          \
            BB_ADD_TIMES{{ w }}(x, old, beta);                                                                                \
        }                                                                                                              \
    } while (0)
{% endfor %}
