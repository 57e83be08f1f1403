{# A := A A, S times. Lanes that have been squared as often as they want stay. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/loop.c" import along %}
{% set S, A = body.views %}
{% set n, step = body.size.n, body.tile.rows %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    {{ body.array("squared") }}
    bb_elem times;
    bb_mask more;
    BB_GET(times, S + {{ S.at(0, 0) }}, {{ S.im }});
    bb_vec left = times{{ ".re" if complex }};
    const bb_vec once = BB_SELECT(left == left, BB_ZEROS + 1, left);
    for (int64_t i = 0; i < {{ n }}; i++) { /* NaN squarings make NaN */
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_TIMES_REAL(x, once);
        BB_PUT(A + {{ A.at("i", "i") }}, {{ A.im }}, x);
    }
    BB_MIN(left, BB_ZEROS + 4096); /* no exponent is larger */
    for (;; left -= 1) {
        BB_GREATER(more, left, BB_ZEROS);
        if (!BB_SOME(more))
            break;
{% call(j, across) along(segments(n, step), "j", even=false) %}
{% call(i, down) along(segments(n, step), "i", even=false) %}
{{ t.zero(down.size, across.size) }}
{{ t.products("FMA", "A", A, "A", A, down.size, across.size, i, j, 0, n) }}
{% call(r, c) t.each(down.size, across.size) %}
                squared[({{ (j, c) | index }}) * {{ n }} + {{ (i, r) | index }}] = c{{ c }}_{{ r }};
{% endcall %}
{% endcall %}
{% endcall %}
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i < {{ n }}; i++) {
                bb_elem x;
                BB_GET(x, A + {{ A.at("i", "j") }}, {{ A.im }});
                BB_TAKE_ELEM(x, more, squared[j * {{ n }} + i]);
                BB_PUT(A + {{ A.at("i", "j") }}, {{ A.im }}, x);
            }
    }
}
