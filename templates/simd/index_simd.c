/* Indices: in registers reals of the same value, in memory int32. */
typedef int32_t bb_index __attribute__((vector_size({{ width * 4 }}), aligned(4), may_alias));
#define BB_PUT_LOCAL(p, x) *(bb_index *)(p) = __builtin_convertvector(x, bb_index)
{% if bits == 512 and compute.bytes == 8 %}
#if defined(__AVX512F__) /* gcc takes four instructions */
#define BB_REALS(x, numbers) __asm__("vcvtdq2pd %1, %0" : "=v"(x) : "vm"(numbers))
#else
#define BB_REALS(x, numbers) (x) = __builtin_convertvector(numbers, bb_vec)
#endif
{% else %}
#define BB_REALS(x, numbers) (x) = __builtin_convertvector(numbers, bb_vec)
{% endif %}
#define BB_GET_LOCAL(x, p) BB_REALS(x, *(const bb_index *)(p))
{% if partial %}
static BB_NOINLINE void bb_put_part(int32_t *to, const bb_index *numbers, const int count)
{
    BB_OPAQUE(numbers);
    for (int lane = 0; lane < count; lane++)
        to[lane] = (*numbers)[lane];
}

static BB_NOINLINE void bb_get_part(bb_index *numbers, const int32_t *from, const int count)
{
    *numbers = (bb_index){0};
    for (int lane = 0; lane < count; lane++)
        (*numbers)[lane] = from[lane];
}

#define BB_PUT_INDEX(p, x)                                                                                             \
    do {                                                                                                               \
        const bb_index numbers = __builtin_convertvector(x, bb_index);                                                 \
        if (full)                                                                                                      \
            *(bb_index *)(p) = numbers;                                                                                \
        else                                                                                                           \
            bb_put_part(p, &numbers, count);                                                                           \
    } while (0)
#define BB_GET_INDEX(x, p)                                                                                             \
    do {                                                                                                               \
        bb_index numbers;                                                                                              \
        if (full)                                                                                                      \
            numbers = *(const bb_index *)(p);                                                                          \
        else                                                                                                           \
            bb_get_part(&numbers, p, count);                                                                           \
        BB_REALS(x, numbers);                                                                                          \
    } while (0)
{% else %}
#define BB_PUT_INDEX(p, x) BB_PUT_LOCAL(p, x)
#define BB_GET_INDEX(x, p) BB_GET_LOCAL(x, p)
{% endif %}
