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
/* An address, with all that is loaded from there. What is hidden is an offset: of a hidden address compilers do not
   know which memory it is of, and accesses that may be to any are slower, and need more registers. */
#define BB_ANEW_FROM(p)     \
    do {                    \
        int64_t none = 0;   \
        BB_ANEW(none);      \
        (p) += none;        \
    } while (0)

/* What is in memory is loaded anew, as registers have no room for it. */
#define BB_FORGET() asm volatile("" : : : "memory")

typedef {{ storage.name }} bb_real;
typedef bb_real bb_vec;
#define BB_ZEROS ((bb_real)0)
#define BB_LOAD(x, p) (x) = *(p)
#define BB_STORE(p, x) *(p) = (x)
{% if operands | selectattr("storage", "equalto", "pp") | list %}

/* An address that is read from memory: compilers do not know by themselves of which memory it is, see BB_ANEW_FROM. */
template <class T> static BB_INLINE T *bb_global(T *const p)
{
    __builtin_assume(__isGlobal(p));
    return p;
}
{% endif %}
{% if schedule.work and not schedule.team %}

/* An array of a thread in shared memory: its numbers lie between those of the others, so all find theirs at once. */
template <class T> struct bb_array {
    T *first;
    BB_INLINE T &operator[](const int64_t i) const { return first[i * {{ schedule.matrices }}]; }
    BB_INLINE T &operator*() const { return *first; }
    BB_INLINE bb_array operator+(const int64_t i) const { return {first + i * {{ schedule.matrices }}}; }
};
{% endif %}
