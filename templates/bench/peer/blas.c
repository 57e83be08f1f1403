{# The Fortran interface of BLAS and LAPACK: all by reference, the lengths of letters behind everything else. #}
{% include "bench/peer/head.c" %}
{% include "bench/peer/" ~ library ~ ".c" %}
static const bb_real ONE[2] = {1, 0}, BETA[2] = { {{ beta }}, 0};
typedef const int *bb_size;
typedef const char *bb_letter;
