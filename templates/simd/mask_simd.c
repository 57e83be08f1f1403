/* Masks of lanes, roots and reciprocals of vectors. */
typedef {{ compute.integer }} bb_int;
typedef bb_int bb_ints __attribute__((vector_size({{ width * compute.bytes }})));
#define BB_SELECT(mask, x, y) ((bb_vec)(((bb_ints)(x) & (mask)) | ((bb_ints)(y) & ~(mask))))
#define BB_COUNT(count, mask) (count) -= (mask)
#define BB_REPORT(info, bad, i) (info) |= (bad) & ((info) == 0) & (i)
#define BB_OFFSET(info, more) (info) += ((info) != 0) & (more)
{% set kind = compute.packed %}
{% from "simd/root_parts.c" import parts_of_root with context %}
{# Instructions by name: the headers that declare them take longer to compile than a kernel. #}
{% if squares and bits in (128, 256, 512) %}
#if defined({{ "__AVX512F__" if bits == 512 else "__AVX__" }})
#define BB_SQRT(x) __asm__("vsqrt{{ kind }} %1, %0" : "=v"(x) : "v"(x))
{% if bits == 128 %}
#elif defined(__SSE2__)
#define BB_SQRT(x) __asm__("sqrt{{ kind }} %1, %0" : "=x"(x) : "x"(x))
#elif defined(__aarch64__)
#define BB_SQRT(x) __asm__("fsqrt %0.{{ width }}{{ kind[1] }}, %1.{{ width }}{{ kind[1] }}" : "=w"(x) : "w"(x))
{% endif %}
#endif
{% endif %}
{% if squares %}
#ifndef BB_SQRT
#define BB_SQRT(x) bb_sqrt(&(x))
static BB_INLINE void bb_sqrt(bb_vec *x)
{
    for (int lane = 0; lane < {{ width }}; lane++)
        (*x)[lane] = __builtin_sqrt{{ compute.function }}((*x)[lane]);
}
#endif
{% endif %}
{% include "simd/reciprocal.c" %}
{% if bits == 512 and roots %}
#if defined(__AVX512F__)
/* Estimates of roots refined, several times faster than the divider. Where `from` is zero or infinite BB_FIX puts in its
   place what `table` says. */
#define BB_ESTIMATE(instruction, y, x) __asm__(instruction "14{{ kind }} %1, %0" : "=v"(y) : "v"(x))
#define BB_FIX(x, from, table)                                                                                         \
    do {                                                                                                               \
        const bb_ints tokens = (table) + (bb_ints){0};                                                                 \
        __asm__("vfixupimm{{ kind }} $0, %2, %1, %0" : "+v"(x) : "v"(from), "v"(tokens));                                       \
    } while (0)

/* The inverse by {{ "four" if compute.bytes == 8 else "three" }} terms of the series of 1 / sqrt(1 - error), the root corrected by what its square lacks. Of infinity
   they are zero and infinity. Zero gives no number, as a pivot that is none should. 1 / x is rough^2 excess, known sooner. */
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse, bb_vec *rough, bb_vec *excess)
{
    const bb_vec largest = (bb_real){{ compute.largest }} + BB_ZEROS;
    bb_vec first, finite, better;
    BB_ESTIMATE("vrsqrt", first, *x);
    __asm__("vmin{{ kind }} %1, %2, %0" : "=v"(finite) : "v"(*x), "v"(largest)); /* but no number if x is none */
    const bb_vec error = 1 - finite * first * first, step = first * error;
    *rough = first;
    *excess = (1 + error) + (1 + error) * (error * error);
{% if compute.bytes == 8 %}
    *inverse = first + step * (((bb_real)0.3125 * error + (bb_real)0.375) * error + (bb_real)0.5);
{% else %}
    *inverse = first + step * ((bb_real)0.375 * error + (bb_real)0.5);
{% endif %}
    const bb_vec root = *x * *inverse, lack = *x - root * root;
    better = root + *inverse * (bb_real)0.5 * lack;
    BB_FIX(better, *x, 0x500000);
    *x = better;
}
{% if rotations %}
{{ parts_of_root('BB_ESTIMATE("vrsqrt", *first, *x)') }}
{% endif %}
#else
{% endif %}
{% include "simd/root.c" %}
{% if bits == 512 and roots %}
#endif
{% endif %}
