{# Transposes vectors of `w` reals, elements of `unit` reals, in registers but for the last step, which loads and stores
   do. #}
{% if w >= 8 %}
{% set h = w // 2 %}
/* The same but for its last step, which loads and stores of half vectors do: x[r] holds the first halves of rows r and
   r + {{ h // unit }}, x[r + {{ h // unit }}] the second. */
static BB_INLINE void bb_transpose_halves{{ w }}(bb_vec{{ w }} *x)
{
    bb_vec{{ w }} low;
{% for distance, low, high in butterflies(w // unit, unit) if distance < h // unit %}
{% for r in range(w // unit) if not r // distance % 2 %}
    low = BB_SHUFFLE(bb_mask{{ w }}, x[{{ r }}], x[{{ r + distance }}], {{ low | join(", ") }});
    x[{{ r + distance }}] = BB_SHUFFLE(bb_mask{{ w }}, x[{{ r }}], x[{{ r + distance }}], {{ high | join(", ") }});
    x[{{ r }}] = low;
{% endfor %}
{% endfor %}
}

static BB_INLINE void bb_join{{ w }}(bb_vec{{ w }} *x, const bb_real *low, const bb_real *high)
{
#if defined(__clang__) || __GNUC__ >= 12
    *x = __builtin_shufflevector(*(const bb_mem{{ h }} *)low, *(const bb_mem{{ h }} *)high, {{ range(w) | join(", ") }});
#else
    union { bb_vec{{ w }} whole; bb_vec{{ h }} half[2]; } all = { .half = { *(const bb_mem{{ h }} *)low, *(const bb_mem{{ h }} *)high } };
    *x = all.whole;
#endif
}
{% for name, first in (("low", 0), ("high", h)) %}

static BB_INLINE void bb_{{ name }}{{ w }}(bb_real *p, const bb_vec{{ w }} *x)
{
#if defined(__clang__) || __GNUC__ >= 12
    *(bb_mem{{ h }} *)p = __builtin_shufflevector(*x, *x, {{ range(first, first + h) | join(", ") }});
#else
    union { bb_vec{{ w }} whole; bb_vec{{ h }} half[2]; } all = { .whole = *x };
    *(bb_mem{{ h }} *)p = all.half[{{ first // h }}];
#endif
}
{% endfor %}

{% endif %}
