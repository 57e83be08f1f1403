/* A number on its way to shared memory. Where copies are asynchronous they are waited for by BB_ARRIVED. */
{% for type in operands | selectattr("moved") | selectattr("reads") | map(attribute="ctype") | unique %}
static BB_INLINE void bb_bring({{ type }} *const to, const {{ type }} *const from)
{
#if defined(CUDA_EMULATED)
    emulated_copy(to, from);
#elif __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], {{ storage.bytes if type == "bb_real" else 4 }};"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from));
#else
    *to = *from;
#endif
}
{% endfor %}
#if defined(CUDA_EMULATED)
#define BB_ARRIVED() emulated_copies_arrived()
#elif __CUDA_ARCH__ >= 800
#define BB_ARRIVED() asm volatile("cp.async.wait_all;" : : : "memory")
#else
#define BB_ARRIVED()
#endif
