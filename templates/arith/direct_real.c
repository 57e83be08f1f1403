/* Arithmetic on vectors along one matrix, real. BB_UPDATE: x := alpha acc + beta old; the zero leaves a compiler that
   fuses multiplications and additions one way only to do it. */
typedef bb_real bb_scalar;
#define BB_IS_ZERO(s) ((s) == 0)
#define BB_SCALAR(re, im) ((bb_real)(re))
#define BB_UPDATE(x, old, acc)                                                                                         \
    do {                                                                                                               \
        x = acc;                                                                                                       \
        if (alpha_is == BB_ANY)                                                                                        \
            x = (__typeof__(x)){0} + x * alpha;                                                                        \
        if (beta_is == 1)                                                                                              \
            x += old;                                                                                                  \
        else if (BB_NONZERO(beta_is, beta))                                                                            \
            x += old * beta;                                                                                           \
    } while (0)
{% for w in body_widths %}
#define BB_UPDATE{{ w }} BB_UPDATE
{% endfor %}
