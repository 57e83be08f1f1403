/* Pivots: masks that choose between elements, and the larger or smaller of two, where what is no number is neither. */
{% set kind = compute.packed %}
{% if bits == 512 %}
#if defined(__AVX512F__)
typedef unsigned {{ "char" if width == 8 else "short" }} bb_mask;
#define BB_COMPARE(predicate, mask, x, y)                                                                              \
    __asm__("vcmp{{ kind }} $" predicate ", %2, %1, %0" : "=Yk"(mask) : "v"(x), "v"(y))
#define BB_GREATER(mask, x, y) BB_COMPARE("30", mask, x, y)
#define BB_BEYOND(mask, x, y) BB_COMPARE("22", mask, x, y)
#define BB_EQUAL(mask, x, y) BB_COMPARE("0", mask, x, y)
#define BB_ALIKE(mask, x, y) BB_COMPARE("8", mask, x, y)
#define BB_TAKE(x, mask, y) __asm__("vblendm{{ kind }} %2, %0, %0{{ "%{%1%}" }}" : "+v"(x) : "Yk"(mask), "v"(y))
#define BB_MAX(largest, x) __asm__("vmax{{ kind }} %0, %1, %0" : "+v"(largest) : "v"(x))
#define BB_MIN(smallest, x) __asm__("vmin{{ kind }} %0, %1, %0" : "+v"(smallest) : "v"(x))
#define BB_SOME(mask) ((mask) != 0)
#define BB_OR(mask, other) __asm__("korw %1, %0, %0" : "+Yk"(mask) : "Yk"(other))
#define BB_EXCEPT(mask, other) __asm__("kandnw %0, %1, %0" : "+Yk"(mask) : "Yk"(other))
{% if width == 8 %}
#define BB_HAS(mask, x, bit) __asm__("vptestmq %2, %1, %0" : "=Yk"(mask) : "v"(x), "v"(bit))
#define BB_PERMUTE(x, from, low, high)                                                                                 \
    do {                                                                                                               \
        (x) = (from);                                                                                                  \
        __asm__("vpermi2pd %2, %1, %0" : "+v"(x) : "v"(low), "v"(high));                                               \
    } while (0)
{% endif %}
#else
{% elif bits == 256 %}
#if defined(__AVX__)
typedef bb_vec bb_mask;
#define BB_GREATER(mask, x, y) (mask) = (bb_vec)((x) > (y))
#define BB_EQUAL(mask, x, y) (mask) = (bb_vec)((x) == (y))
#define BB_TAKE(x, mask, y) __asm__("vblendv{{ kind }} %1, %2, %0, %0" : "+x"(x) : "x"(mask), "x"(y))
#define BB_MAX(largest, x) __asm__("vmax{{ kind }} %0, %1, %0" : "+x"(largest) : "x"(x))
#define BB_MIN(smallest, x) __asm__("vmin{{ kind }} %0, %1, %0" : "+x"(smallest) : "x"(x))
typedef long long bb_bits256 __attribute__((vector_size(32)));
#define BB_SOME(mask) (!__builtin_ia32_ptestz256((bb_bits256)(mask), (bb_bits256)(mask)))
#else
{% endif %}
typedef bb_ints bb_mask;
{% if bits == 128 %}
#if defined(__SSE2__) /* without SSE4.2 gcc 12 fails where it knows what a mask is made of */
#define BB_GREATER(mask, x, y) (mask) = (x) > (y); __asm__("" : "+x"(mask))
#define BB_EQUAL(mask, x, y) (mask) = (x) == (y); __asm__("" : "+x"(mask))
#else
{% endif %}
#define BB_GREATER(mask, x, y) (mask) = (x) > (y)
#define BB_EQUAL(mask, x, y) (mask) = (x) == (y)
{% if bits == 128 %}
#endif
{% endif %}
#define BB_TAKE(x, mask, y) (x) = BB_SELECT(mask, y, x)
#define BB_MAX(largest, x) (largest) = BB_SELECT((x) > (largest), x, largest)
#define BB_MIN(smallest, x) (smallest) = BB_SELECT((x) < (smallest), x, smallest)
{% if bits in (256, 512) %}
#endif
{% endif %}
#ifndef BB_BEYOND
#define BB_BEYOND(mask, x, y) (mask) = (bb_mask)~((x) <= (y))
#endif
#ifndef BB_ALIKE
#define BB_ALIKE(mask, x, y) (mask) = (bb_mask)~(((x) < (y)) | ((x) > (y)))
#endif
#ifndef BB_OR
#define BB_OR(mask, other) (mask) = (bb_mask)((bb_ints)(mask) | (bb_ints)(other))
#endif
#ifndef BB_EXCEPT
#define BB_EXCEPT(mask, other) (mask) = (bb_mask)((bb_ints)(mask) & ~(bb_ints)(other))
#endif
#ifndef BB_SOME
#define BB_SOME(mask) bb_some(&(mask))
static BB_INLINE int bb_some(const bb_mask *mask)
{
    const bb_ints *const lanes = (const bb_ints *)mask;
    bb_int any = 0;
    for (int lane = 0; lane < {{ width }}; lane++)
        any |= (*lanes)[lane];
    return any != 0;
}
#endif
#define BB_REGULAR(mask, info) BB_EQUAL(mask, __builtin_convertvector(info, bb_vec), BB_ZEROS)
#define BB_ABS(x) ((bb_vec)((bb_ints)(x) & (bb_int)(((u{{ compute.integer }})1 << {{ compute.bytes * 8 - 1 }}) - 1)))

{% include "simd/index_simd.c" %}
