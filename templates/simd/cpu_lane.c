/* A vector holds one real of {{ width }} matrices, one matrix per lane. */
{% if by_distance %}
/* How far the operands are: in a level-2 cache, beyond it, or so many that C is stored past all caches. */
enum { BB_NEAR, BB_FAR, BB_PAST };
{% endif %}
{% if not partial %}
#define BB_LOAD(x, p) (x) = *(const bb_mem *)(p)
#define BB_STORE(p, x) *(bb_mem *)(p) = (x)
{% else %}
{# The last vector of a batch may be partly filled. Its lanes beyond the batch are padding, which may be read (bi) or is
   not there (il) and is never written. #}
{% if padded %}
#define BB_LOAD(x, p) (x) = *(const bb_mem *)(p)
{% else %}
static BB_NOINLINE void bb_load_part(bb_vec *x, const bb_real *p, int count)
{
    bb_real lanes[{{ width }}] BB_ALIGNED = {0};
    for (int q = 0; q < count; q++)
        lanes[q] = p[q];
    *x = *(const bb_vec *)lanes;
}

#define BB_LOAD(x, p)                                                                                                  \
    do {                                                                                                               \
        if (full) {                                                                                                    \
            (x) = *(const bb_mem *)(p);                                                                                \
        } else {                                                                                                       \
            bb_vec part; /* not x itself, which so may live in a register */                                           \
            bb_load_part(&part, p, count);                                                                             \
            (x) = part;                                                                                                \
        }                                                                                                              \
    } while (0)
{% endif %}
static BB_NOINLINE void bb_store_part(bb_real *p, const bb_vec *x, int count)
{
    bb_real lanes[{{ width }}] BB_ALIGNED;
    BB_OPAQUE(x);
    *(bb_vec *)lanes = *x;
    for (int q = 0; q < count; q++)
        p[q] = lanes[q];
}

{% if streams %}
/* A whole cache line stored past the caches, and the wait until others can see it. */
#if defined(__AVX512F__)
#define BB_STREAM(p, x) __asm__ volatile("vmovntps %1, %0" : "=m"(*(bb_vec *)(p)) : "v"(x))
#define BB_STREAMED __asm__ volatile("sfence" ::: "memory")
#else
#define BB_STREAM(p, x) *(bb_vec *)(p) = (x)
#define BB_STREAMED
#endif
{% endif %}
#define BB_STORE(p, x)                                                                                                 \
    do {                                                                                                               \
{% if streams %}
        if (full && far == BB_PAST)                                                                                    \
            BB_STREAM(p, x);                                                                                           \
        else                                                                                                           \
{% endif %}
        if (full) {                                                                                                    \
            *(bb_mem *)(p) = (x);                                                                                      \
        } else {                                                                                                       \
            const bb_vec part = (x);                                                                                   \
            bb_store_part(p, &part, count);                                                                            \
        }                                                                                                              \
    } while (0)
{% endif %}
