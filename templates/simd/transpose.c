{# Exchanges rows and columns of the `w` x `w` elements of `unit` reals in every `w` of `w` vectors of `v` reals, in
   registers. #}
{% if w > 1 %}
static BB_INLINE void bb_transpose{{ w }}(bb_vec{{ v }} *x)
{
    bb_vec{{ v }} low;
{% for distance, low, high in butterflies(v // unit, unit) if distance < w %}
{% for r in range(w) if not r // distance % 2 %}
    low = BB_SHUFFLE(bb_mask{{ v }}, x[{{ r }}], x[{{ r + distance }}], {{ low | join(", ") }});
    x[{{ r + distance }}] = BB_SHUFFLE(bb_mask{{ v }}, x[{{ r }}], x[{{ r + distance }}], {{ high | join(", ") }});
    x[{{ r }}] = low;
{% endfor %}
{% endfor %}
}

{% endif %}
