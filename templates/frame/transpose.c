{# Exchanges rows and columns of as many vectors of `w` reals as they hold elements of `unit` reals, in registers. #}
{% if w > unit %}
static BB_INLINE void bb_transpose{{ w }}(bb_vec{{ w }} *x)
{
    bb_vec{{ w }} low;
{% for distance, low, high in butterflies(w // unit, unit) %}
{% for r in range(w // unit) if not r // distance % 2 %}
    low = BB_SHUFFLE(bb_mask{{ w }}, x[{{ r }}], x[{{ r + distance }}], {{ low | join(", ") }});
    x[{{ r + distance }}] = BB_SHUFFLE(bb_mask{{ w }}, x[{{ r }}], x[{{ r + distance }}], {{ high | join(", ") }});
    x[{{ r }}] = low;
{% endfor %}
{% endfor %}
}

{% endif %}
