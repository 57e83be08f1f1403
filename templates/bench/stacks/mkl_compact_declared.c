{# MKL's compact functions and the values of its letters. #}
#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
{% include "bench/peer/mkl.c" %}
typedef {{ real }} bb_real;
int mkl_get_format_compact(void);
int mkl_{{ letter }}get_size_compact(int, int, int, int);
void mkl_{{ letter }}gepack_compact(int, int, int, const bb_real *const *, int, bb_real *, int, int, int);
void mkl_{{ letter }}geunpack_compact(int, int, int, bb_real *const *, int, const bb_real *, int, int, int);
void mkl_{{ letter }}gemm_compact(int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, const bb_real *, int, {{ scalar }}, bb_real *, int, int, int);
void mkl_{{ letter }}trsm_compact(int, int, int, int, int, int, int, {{ scalar }}, const bb_real *, int, bb_real *, int, int, int);
void mkl_{{ letter }}getrfnp_compact(int, int, int, bb_real *, int, int *, int, int);
void mkl_{{ letter }}getrinp_compact(int, int, bb_real *, int, bb_real *, int, int *, int, int);
void mkl_{{ letter }}potrf_compact(int, int, int, bb_real *, int, int *, int, int);
void mkl_{{ letter }}geqrf_compact(int, int, int, bb_real *, int, bb_real *, bb_real *, int, int *, int, int);
enum { N = {{ n }}, COLUMN_MAJOR = 102, LEFT = 141, UPPER = 121, LOWER = 122, PLAIN = 111, GENERAL = 131, UNIT = 132 };
enum { MULTIPLE = 64 }; /* of as many matrices as any of its forms has together */
