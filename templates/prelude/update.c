/* X := alpha acc + beta X for one element, X's old value given: it is read only where beta is not zero. */
#define BB_UPDATE(p, im, old, acc)                                                                                     \
    do {                                                                                                               \
        if (alpha_is == BB_ANY)                                                                                        \
            BB_SCALE(acc, alpha);                                                                                      \
        if (beta_is == 1)                                                                                              \
            BB_ADD(acc, old);                                                                                          \
        else if (beta_is == BB_ANY)                                                                                    \
            BB_AXPY(acc, beta, old);                                                                                   \
        BB_PUT(p, im, acc);                                                                                            \
    } while (0)
