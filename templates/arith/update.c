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
