/* Masks of lanes, roots and reciprocals of vectors. */
typedef {{ "int64_t" if real_bytes == 8 else "int32_t" }} bb_int;
typedef bb_int bb_ints __attribute__((vector_size({{ width * real_bytes }})));
#define BB_SELECT(mask, x, y) ((bb_vec)(((bb_ints)(x) & (mask)) | ((bb_ints)(y) & ~(mask))))
#define BB_COUNT(count, mask) (count) -= (mask)
#define BB_REPORT(info, bad, i) (info) |= (bad) & ((info) == 0) & (i)
{% set bits = width * real_bytes * 8 %}
{% set kind = "pd" if real_bytes == 8 else "ps" %}
{% set x86 = {128: "_mm", 256: "_mm256", 512: "_mm512"}[bits] if bits in (128, 256, 512) else "" %}
{% if bits == 512 and (squares or inverts) %}

#if defined(__AVX512F__)
#include <immintrin.h>
/* An estimate refined, several times faster than the divider. Where it is exact, as for zero and infinity, the error is
   no number, or -infinity, and the estimate stays. */
{% if inverts %}
static BB_INLINE void bb_reciprocal(bb_vec *y, const bb_vec *x)
{
    const bb_vec first = _mm512_rcp14_{{ kind }}(*x), error = 1 - *x * first, second = first + first * error;
    const __mmask{{ width }} exact = _mm512_cmp_{{ kind }}_mask(error, _mm512_set1_{{ kind }}(-1), _CMP_NGT_UQ);
    *y = _mm512_mask_mov_{{ kind }}({{ "second + second * (error * error)" if real_bytes == 8 else "second" }}, exact, first);
}
{% endif %}
{% if roots %}
/* The inverse by {{ "four" if real_bytes == 8 else "three" }} terms of the series of 1 / sqrt(1 - error), the root corrected by what its square lacks. Of infinity
   they are zero and infinity. Zero gives no number, as a pivot that is none should. */
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse)
{
    const bb_vec first = _mm512_rsqrt14_{{ kind }}(*x), product = *x * first, error = 1 - product * first, step = first * error;
{% if real_bytes == 8 %}
    const bb_vec second = first + step * (((bb_real)0.3125 * error + (bb_real)0.375) * error + (bb_real)0.5);
{% else %}
    const bb_vec second = first + step * ((bb_real)0.375 * error + (bb_real)0.5);
{% endif %}
    const bb_vec root = *x * second, lack = *x - root * root, better = root + second * (bb_real)0.5 * lack;
    const __m512i zero_of_infinity = _mm512_set1_epi{{ real_bytes * 8 }}(0x800000), infinity = _mm512_set1_epi{{ real_bytes * 8 }}(0x500000);
    *inverse = _mm512_fixupimm_{{ kind }}(second, *x, zero_of_infinity, 0);
    *x = _mm512_fixupimm_{{ kind }}(better, *x, infinity, 0);
}
{% endif %}
#define BB_SQRT(x) (x) = _mm512_sqrt_{{ kind }}(x)
#else
{% endif %}
{% if squares %}
{% if x86 %}
#if {{ {128: "defined(__SSE2__)", 256: "defined(__AVX__)", 512: "0"}[bits] }}
#include <immintrin.h>
#define BB_SQRT(x) (x) = (bb_vec){{ x86 }}_sqrt_{{ kind }}(x)
{% if bits == 128 %}
#elif defined(__aarch64__)
#include <arm_neon.h>
#define BB_SQRT(x) (x) = (bb_vec)vsqrtq_f{{ real_bytes * 8 }}(x)
{% endif %}
#else
{% endif %}
static BB_INLINE void bb_sqrt(bb_vec *x)
{
    for (int lane = 0; lane < {{ width }}; lane++)
        (*x)[lane] = __builtin_sqrt{{ "f" if real_bytes == 4 }}((*x)[lane]);
}
#define BB_SQRT(x) bb_sqrt(&(x))
{% if x86 %}
#endif
{% endif %}
{% endif %}
{% if inverts %}
static BB_INLINE void bb_reciprocal(bb_vec *y, const bb_vec *x)
{
    *y = 1 / *x;
}
{% endif %}
{% if roots %}
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse)
{
    BB_SQRT(*x);
    *inverse = 1 / *x;
}
{% endif %}
{% if bits == 512 and (squares or inverts) %}
#endif
{% endif %}
