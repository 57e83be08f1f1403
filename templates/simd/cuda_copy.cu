/* A place in shared memory. Compilers forget how its address is made, or they would make it anew for each copy. */
#if !defined(CUDA_EMULATED) && __CUDA_ARCH__ >= 800
#define BB_PLACE(place, pointer)                                                                                       \
    unsigned place = (unsigned)__cvta_generic_to_shared(pointer);                                                      \
    asm volatile("" : "+r"(place))
#else
#define BB_PLACE(place, pointer) auto *const place = pointer
#endif
/* A number on its way there. Where copies are asynchronous they are waited for by BB_ARRIVED. */
{% for type in brought %}
#if !defined(CUDA_EMULATED) && __CUDA_ARCH__ >= 800
static BB_INLINE void bb_bring(const unsigned to, const int at, const {{ type }} *const from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], {{ storage.bytes if type == "bb_real" else 4 }};"
                 :
                 : "r"(to + at * (unsigned)sizeof *from), "l"(from));
}
#else
static BB_INLINE void bb_bring({{ type }} *const to, const int at, const {{ type }} *const from)
{
#if defined(CUDA_EMULATED)
    emulated_copy(to + at, from);
#else
    to[at] = *from;
#endif
}
#endif
{% endfor %}
#if defined(CUDA_EMULATED)
#define BB_ARRIVED() emulated_copies_arrived()
#elif __CUDA_ARCH__ >= 800
#define BB_ARRIVED() asm volatile("cp.async.wait_all;" : : : "memory")
#else
#define BB_ARRIVED()
#endif
