/* Arithmetic on vectors along one matrix, real. */
typedef bb_real bb_scalar;
#define BB_IS_ZERO(s) ((s) == 0)
#define BB_UPDATE(p, old, acc)                                                                                         \
    do {                                                                                                               \
        bb_vec x = acc;                                                                                                \
        if (alpha_is == BB_ANY)                                                                                        \
            x *= alpha;                                                                                                \
        if (beta_is == 1)                                                                                              \
            x += old;                                                                                                  \
        else if (beta_is == BB_ANY)                                                                                    \
            x += old * beta;                                                                                           \
        BB_COLUMN_STORE(p, x);                                                                                         \
    } while (0)
