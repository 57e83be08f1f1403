/* Elements from another row in each lane, and to there; an index counts reals. */
#define BB_INDEX(index, numbers, step)                                                                                 \
    do {                                                                                                               \
        const bb_index lanes = { {{ lane_numbers | join(", ") }} };                                                    \
        (index) = *(const bb_index *)(numbers) * (step) + lanes;                                                       \
    } while (0)
/* The same of numbers that may be those of no row: these count as `at`. */
#define BB_ROW_INDEX(index, numbers, first, step, rows, at)                                                            \
    do {                                                                                                               \
        bb_index number = *(const bb_index *)(numbers) - (first);                                                      \
        const bb_index inside = (number >= 0) & (number < (int32_t)(rows));                                            \
        number = (number & inside) | (~inside & (int32_t)(at));                                                        \
        BB_INDEX(index, &number, step);                                                                                \
    } while (0)
{% set kind = compute.packed %}
static BB_INLINE void bb_gather(bb_vec *x, const bb_real *p, const bb_index *index)
{
{% if bits in (256, 512) %}
#if defined({{ "__AVX512F__" if bits == 512 else "__AVX2__" }})
    bb_vec found = BB_ZEROS;
{% if bits == 512 %}
    bb_mask all;
    __asm__ volatile("kxnorw %1, %1, %1\n\tvgatherd{{ kind }} (%2,%3,{{ compute.bytes }}), %0{{ "%{%1%}" }}"
                     : "+&v"(found), "=&Yk"(all) : "r"(p), "v"(*index) : "memory");
{% else %}
    bb_vec all;
    __asm__ volatile("vpcmpeqd %1, %1, %1\n\tvgatherd{{ kind }} %1, (%2,%3,{{ compute.bytes }}), %0"
                     : "+&x"(found), "=&x"(all) : "r"(p), "x"(*index) : "memory");
{% endif %}
    *x = found;
    return;
#endif
{% endif %}
    bb_real lanes[{{ width }}] BB_ALIGNED;
    for (int lane = 0; lane < {{ width }}; lane++)
        lanes[lane] = p[(*index)[lane]];
    *x = *(const bb_vec *)lanes;
}

static BB_INLINE void bb_scatter(bb_real *p, const bb_index *index, const bb_vec *x)
{
{% if bits == 512 %}
#if defined(__AVX512F__)
    bb_mask all;
    __asm__ volatile("kxnorw %0, %0, %0\n\tvscatterd{{ kind }} %3, (%1,%2,{{ compute.bytes }}){{ "%{%0%}" }}"
                     : "=&Yk"(all) : "r"(p), "v"(*index), "v"(*x) : "memory");
    return;
#endif
{% endif %}
    for (int lane = 0; lane < {{ width }}; lane++)
        p[(*index)[lane]] = (*x)[lane];
}
{% if complex %}
#define BB_GATHER_ELEM(x, p, imag, index)                                                                              \
    do {                                                                                                               \
        bb_gather(&(x).re, p, &(index));                                                                               \
        bb_gather(&(x).im, (p) + (imag), &(index));                                                                    \
    } while (0)
#define BB_SCATTER_ELEM(p, imag, index, x)                                                                             \
    do {                                                                                                               \
        bb_scatter(p, &(index), &(x).re);                                                                              \
        bb_scatter((p) + (imag), &(index), &(x).im);                                                                   \
    } while (0)
{% else %}
#define BB_GATHER_ELEM(x, p, imag, index) bb_gather(&(x), p, &(index))
#define BB_SCATTER_ELEM(p, imag, index, x) bb_scatter(p, &(index), &(x))
{% endif %}
