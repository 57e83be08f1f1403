{# Reciprocals as the divider gives them, which is exact and no slower than an estimate that is refined. #}
{% if inverts %}
static BB_INLINE void bb_reciprocal(bb_vec *y, const bb_vec *x)
{
    *y = 1 / *x;
}
{% endif %}
