{# A = L L*. A pivot that is not positive is reported, and what follows from it stays in its lane. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/cholesky.c" import factor with context %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
    bb_ints good = {{ "{0}" if width > 1 else "0" }};
{% if body.tile.rows is before(body.size.n) %}
    bb_vec square = BB_ZEROS, excess = BB_ZEROS;
{% endif %}
{{ factor("A", body.views[0], body.size.n, body.tile.rows, ahead) }}
    BB_REPORT(*info, good < {{ "(bb_int)" if unknown }}{{ body.size.n }}, good + 1);
}
