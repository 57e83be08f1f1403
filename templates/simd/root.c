{# Roots as the divider gives them. #}
{% if roots %}
/* 1 / x is rough^2 excess. */
static BB_INLINE void bb_root(bb_vec *x, bb_vec *inverse, bb_vec *rough, bb_vec *excess)
{
    BB_SQRT(*x);
    *rough = *inverse = 1 / *x;
    *excess = 1 + BB_ZEROS;
{% if width > 1 and width * compute.bytes < 64 %}
    /* No constant, or a square times it would be fused in some tiles and rounded first in others. */
#if defined(__FMA__)
    __asm__("" : "+x"(*excess));
#elif defined(__aarch64__)
    __asm__("" : "+{{ "m" if bits > 128 else "w" }}"(*excess));
#endif
{% endif %}
}
{% endif %}
{% if rotations %}

/* 1 / sqrt(x), x positive, normal and finite. */
static BB_INLINE void bb_parts_of_root(bb_vec *first, bb_vec *error, bb_vec *series, const bb_vec *x)
{
    bb_vec root = *x;
    BB_SQRT(root);
    *first = 1 / root;
    *error = *series = BB_ZEROS;
}
#define BB_OVER_ROOT(y, a, first, error, series) (y) = (a) * (first)
{% endif %}
