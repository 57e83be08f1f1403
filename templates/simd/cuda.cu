/* Verbs: a lane is a thread, a vector is one real of its matrix. */
#define BB_INLINE __device__ __forceinline__
#define BB_RESTRICT __restrict__
#define BB_PRAGMA(text) _Pragma(#text)
#define BB_UNROLL(times) BB_PRAGMA(unroll times)
#define BB_UNROLLED BB_PRAGMA(unroll)
#ifndef CUDA_EMULATED
#define BB_ANEW(x) asm volatile("" : "+l"(x) :: "memory")
#else
#define BB_ANEW(x) asm volatile("" : "+r"(x) :: "memory")
#endif

typedef {{ storage.name }} bb_real;
typedef bb_real bb_vec;
#define BB_ZEROS ((bb_real)0)
#define BB_LOAD(x, p) (x) = *(p)
#define BB_STORE(p, x) *(p) = (x)
