/* Arithmetic on vectors along one matrix, complex: pairs of real and imaginary part, as in memory. The product of
   vectors of pairs and complex scalars is kept in two sums, by the scalars' real and imaginary parts; an exchange of
   neighbours at the end makes the complex product of them. */
typedef struct {
    bb_real re, im;
} bb_scalar;
#define BB_IS_ZERO(s) ((s).re == 0 && (s).im == 0)
{% macro pairs(even, odd) %}{% for q in range(0, width, 2) %}{{ even }}, {{ odd }}{{ ", " if not loop.last }}{% endfor %}{% endmacro %}
#define BB_SWAP(x) BB_SHUFFLE(bb_mask{{ width }}, x, x, {% for q in range(width) %}{{ q + 1 - q % 2 * 2 }}{{ ", " if not loop.last }}{% endfor %})
#define BB_PAIRS(even, odd) ((bb_vec){ {{- pairs("even", "odd") -}} })
#define BB_TIMES(x, s) ((x) * (s).re + BB_SWAP(x) * BB_PAIRS(-(s).im, (s).im))
#define BB_UPDATE(p, old, sum_re, sum_im, conj_a, conj_b)                                                              \
    do {                                                                                                               \
        bb_vec x = (conj_a) ? sum_re * BB_PAIRS(1, -1) : sum_re;                                                       \
        x += BB_SWAP(sum_im) * BB_PAIRS((conj_a) == (conj_b) ? -1 : 1, (conj_b) ? -1 : 1);                             \
        if (alpha_is == BB_ANY)                                                                                        \
            x = BB_TIMES(x, alpha);                                                                                    \
        if (beta_is == 1)                                                                                              \
            x += old;                                                                                                  \
        else if (beta_is == BB_ANY)                                                                                    \
            x += BB_TIMES(old, beta);                                                                                  \
        BB_COLUMN_STORE(p, x);                                                                                         \
    } while (0)
