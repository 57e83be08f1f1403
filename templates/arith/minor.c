{# Minors of two rows. #}
{% set kind, function = compute.packed, compute.function %}
{% macro lanes(x) %}%{{ x }}.{{ width }}{{ kind[1] }}{% endmacro %}
/* acc -= x y with one rounding, where there is an instruction for it. */
{% if not target.simd %}
#define BB_FUSED(acc, x, y) (acc) = fma{{ function }}(-(x), y, acc)
{% elif width == 1 %}
#if defined(__FMA__) || defined(__aarch64__)
#define BB_FUSED(acc, x, y) (acc) = __builtin_fma{{ function }}(-(x), y, acc)
#endif
{% elif bits in (128, 256, 512) %}
#if defined({{ "__AVX512F__" if bits == 512 else "__FMA__" }})
#define BB_FUSED(acc, x, y) __asm__("vfnmadd231{{ kind }} %2, %1, %0" : "+v"(acc) : "v"(x), "v"(y))
{% if bits == 128 %}
#elif defined(__aarch64__)
#define BB_FUSED(acc, x, y) __asm__("fmls {{ lanes(0) }}, {{ lanes(1) }}, {{ lanes(2) }}" : "+w"(acc) : "w"(x), "w"(y))
{% endif %}
#endif
{% endif %}
/* x = a d - b c, two roundings beside what it is: what the rounded product lacks is added (Kahan). */
#if defined(BB_FUSED)
static BB_INLINE void bb_minor(bb_vec *x, const bb_vec *a, const bb_vec *d, const bb_vec *b, const bb_vec *c)
{
    const bb_vec product = BB_ZEROS + *b * *c;
    bb_vec lack = product, less = product;
    BB_FUSED(lack, *b, *c);
    BB_FUSED(less, *a, *d);
    *x = lack - less;
}
#else
static BB_INLINE void bb_minor(bb_vec *x, const bb_vec *a, const bb_vec *d, const bb_vec *b, const bb_vec *c)
{
    bb_vec first, second, lack, more;
    bb_exact(&first, &lack, a, d);
    bb_exact(&second, &more, b, c);
    *x = (first - second) + (lack - more);
}
#endif
