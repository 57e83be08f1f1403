/* Masks of lanes, roots and reciprocals of vectors. */
typedef {{ "int64_t" if real_bytes == 8 else "int32_t" }} bb_int;
typedef bb_int bb_ints __attribute__((vector_size({{ width * real_bytes }})));
#define BB_NOT(mask) (~(mask))
#define BB_SELECT(mask, x, y) ((bb_vec)(((bb_ints)(x) & (mask)) | ((bb_ints)(y) & ~(mask))))
#define BB_COUNT(count, mask) (count) -= (mask)
#define BB_REPORT(info, bad, i) (info) |= (bad) & ((info) == 0) & (i)
{% set bits = width * real_bytes * 8 %}
{% set kind = "pd" if real_bytes == 8 else "ps" %}
{% set x86 = {128: "_mm", 256: "_mm256", 512: "_mm512"}[bits] if bits in (128, 256, 512) else "" %}
{% if bits == 512 %}

#if defined(__AVX512F__)
#include <immintrin.h>
/* An estimate refined, several times faster than the divider. Where it is exact, as for zero and infinity, the error is
   no number, or -infinity, and the estimate stays. */
static BB_INLINE bb_vec bb_reciprocal(const bb_vec x)
{
    const bb_vec y = _mm512_rcp14_{{ kind }}(x), error = 1 - x * y, z = y + y * error;
    const __mmask{{ width }} exact = _mm512_cmp_{{ kind }}_mask(error, _mm512_set1_{{ kind }}(-1), _CMP_NGT_UQ);
    return _mm512_mask_mov_{{ kind }}({{ "z + z * (error * error)" if real_bytes == 8 else "z" }}, exact, y);
}

/* The inverse by {{ "four" if real_bytes == 8 else "two" }} terms of the series of 1 / sqrt(1 - error), the root corrected by what its square lacks. Zero gives
   no number, as a pivot that is none should. */
static BB_INLINE bb_vec bb_root(const bb_vec x, bb_vec *inverse)
{
    const bb_vec y = _mm512_rsqrt14_{{ kind }}(x), product = x * y, error = 1 - product * y, step = y * error;
{% if real_bytes == 8 %}
    const bb_vec z = y + step * (((bb_real)0.3125 * error + (bb_real)0.375) * error + (bb_real)0.5);
{% else %}
    const bb_vec z = y + step * ((bb_real)0.375 * error + (bb_real)0.5);
{% endif %}
    *inverse = z;
    const bb_vec root = x * z, lack = x - root * root;
    return root + z * (bb_real)0.5 * lack;
}
#define BB_SQRT(x) (bb_vec)_mm512_sqrt_{{ kind }}(x)
#else
{% endif %}
{% if x86 %}
#if {{ {128: "defined(__SSE2__)", 256: "defined(__AVX__)", 512: "0"}[bits] }}
#include <immintrin.h>
#define BB_SQRT(x) (bb_vec){{ x86 }}_sqrt_{{ kind }}(x)
{% if bits == 128 %}
#elif defined(__aarch64__)
#include <arm_neon.h>
#define BB_SQRT(x) (bb_vec)vsqrtq_f{{ real_bytes * 8 }}(x)
{% endif %}
#else
{% endif %}
static BB_INLINE bb_vec bb_sqrt(bb_vec x)
{
    for (int lane = 0; lane < {{ width }}; lane++)
        x[lane] = __builtin_sqrt{{ "f" if real_bytes == 4 }}(x[lane]);
    return x;
}
#define BB_SQRT(x) bb_sqrt(x)
{% if x86 %}
#endif
{% endif %}
static BB_INLINE bb_vec bb_reciprocal(const bb_vec x)
{
    return 1 / x;
}

static BB_INLINE bb_vec bb_root(const bb_vec x, bb_vec *inverse)
{
    const bb_vec root = BB_SQRT(x);
    *inverse = 1 / root;
    return root;
}
{% if bits == 512 %}
#endif
{% endif %}
