{% from "simd/root_parts.c" import parts_of_root with context %}
{# Reciprocals and roots by estimates, refined: the divider would be a call. #}
{% set kind = "f64" if compute.bytes == 8 else "f32" %}
{% set mode = ".ftz" if compute.bytes == 8 else "" %}
{% set register = "d" if compute.bytes == 8 else "f" %}
{% macro estimate(instruction) %}
#ifndef CUDA_EMULATED
[[maybe_unused]] static BB_INLINE bb_real bb_{{ instruction }}_approx(const bb_real x)
{
    bb_real y;
    asm("{{ instruction }}.approx{{ mode }}.{{ kind }} %0, %1;" : "={{ register }}"(y) : "{{ register }}"(x));
    return y;
}
#else
#define bb_{{ instruction }}_approx(x) emulated_{{ instruction }}(x)
#endif
{% endmacro %}
{% if inverts %}
/* An estimate to {{ "20" if compute.bytes == 8 else "22" }} bits. */
{{ estimate("rcp") }}
{% endif %}
{% if roots %}
/* An estimate to {{ "20" if compute.bytes == 8 else "22" }} bits. */
{{ estimate("rsqrt") }}
{% endif %}
{% if inverts %}

/* Zeros and infinities are exact: the error of their estimates is no number. */
static BB_INLINE void bb_reciprocal(bb_vec *y, const bb_vec *x)
{
    const bb_vec first = bb_rcp_approx(*x), error = 1 - *x * first;
{% if compute.bytes == 8 %}
    const bb_vec better = first + first * (error + error * error);
{% else %}
    const bb_vec better = first + first * error;
{% endif %}
    *y = error == error ? better : first;
}
{% endif %}
{% if roots %}

/* The inverse by a few terms of the series of 1 / sqrt(1 - error), the root corrected by what its square lacks. Of
   infinity they are zero and infinity. Zero gives no number, as a pivot that is none should. 1 / x is rough^2
   excess. */
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse, bb_vec *rough, bb_vec *excess)
{
    const bb_vec largest = (bb_real){{ compute.largest }}, given = *x, finite = given > largest ? largest : given;
    const bb_vec first = bb_rsqrt_approx(given), error = 1 - finite * first * first, step = first * error;
    *rough = first;
    *excess = (1 + error) + (1 + error) * (error * error);
{% if compute.bytes == 8 %}
    *inverse = first + step * (((bb_real)0.3125 * error + (bb_real)0.375) * error + (bb_real)0.5);
{% else %}
    *inverse = first + step * ((bb_real)0.375 * error + (bb_real)0.5);
{% endif %}
    const bb_vec root = given * *inverse, lack = given - root * root;
    *x = given > largest ? given : root + *inverse * (bb_real)0.5 * lack;
}
{% endif %}
{% if rotations %}
{{ parts_of_root("*first = bb_rsqrt_approx(*x)") }}
{% endif %}
