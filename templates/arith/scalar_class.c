/* What is known of a scalar when the kernel is compiled: `name`_is is 0, 1, or BB_ANY where only run time tells. */
#define BB_ANY 2
#define BB_NONZERO(kind, s) ((kind) == 1 || ((kind) == BB_ANY && !BB_IS_ZERO(s)))
