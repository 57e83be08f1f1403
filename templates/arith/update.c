/* acc := acc + beta X for one element. The product and its sum stand together, and acc is no product that a compiler could
   fuse instead: so full and partly filled vectors round alike. */
#define BB_ADD_OLD(acc, p, im)                                                                                         \
    do {                                                                                                               \
        bb_elem old;                                                                                                   \
        BB_GET(old, p, im);                                                                                            \
        if (beta_is == 1)                                                                                              \
            BB_ADD(acc, old);                                                                                          \
        else                                                                                                           \
            BB_AXPY(acc, beta, old);                                                                                   \
    } while (0)
{% if complex %}
/* The same for an element of a real diagonal, where beta is real: what X holds as imaginary part is not even read. */
#define BB_ADD_OLD_REAL(acc, p, im)                                                                                    \
    do {                                                                                                               \
        bb_vec old;                                                                                                    \
        BB_LOAD(old, p);                                                                                               \
        if (beta_is == 1)                                                                                              \
            (acc).re += old;                                                                                           \
        else                                                                                                           \
            (acc).re += beta.re * old;                                                                                 \
    } while (0)
{% endif %}
