{# Vectors from two halves and back, from memory and to it: on x86 by instructions that leave the one port of shuffles
   alone, where compilers load first and shuffle then. #}
{% set wide = width * compute.bytes == 64 %}
{% set whole, half, lane = ("0", "t0", "f64x4") if wide else ("t0", "x0", "f128") %}
{% set h = width // 2 %}
static BB_INLINE void bb_join(bb_vec *x, const bb_real *low, const bb_real *high)
{
#if defined({{ "__AVX512F__" if wide else "__AVX__" }})
    __asm__("vmovups %1, %{{ half }}\n\tvinsert{{ lane }} $1, %2, %{{ whole }}, %{{ whole }}"
            : "={{ "v" if wide else "x" }}"(*x) : "m"(*(const bb_mem{{ h }} *)low), "m"(*(const bb_mem{{ h }} *)high));
#else
    ((bb_mem{{ h }} *)x)[0] = *(const bb_mem{{ h }} *)low;
    ((bb_mem{{ h }} *)x)[1] = *(const bb_mem{{ h }} *)high;
#endif
}

static BB_INLINE void bb_low(bb_real *p, const bb_vec *x)
{
#if defined({{ "__AVX512F__" if wide else "__AVX__" }})
    __asm__("vmovups %{{ half | replace("0", "1") }}, %0" : "=m"(*(bb_mem{{ h }} *)p) : "{{ "v" if wide else "x" }}"(*x));
#else
    *(bb_mem{{ h }} *)p = ((const bb_mem{{ h }} *)x)[0];
#endif
}

static BB_INLINE void bb_high(bb_real *p, const bb_vec *x)
{
#if defined({{ "__AVX512F__" if wide else "__AVX__" }})
    __asm__("vextract{{ lane }} $1, %{{ whole | replace("0", "1") }}, %0" : "=m"(*(bb_mem{{ h }} *)p) : "{{ "v" if wide else "x" }}"(*x));
#else
    *(bb_mem{{ h }} *)p = ((const bb_mem{{ h }} *)x)[1];
#endif
}

