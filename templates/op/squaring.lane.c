{# A := A A, S times. Lanes that have been squared as often as they want stay. #}
{% from "tile/named_products.c" import at, get, product, put with context %}
{% set A, S = body.views %}
{% set n = body.size.n %}
{# From A to an array, or back. #}
{% macro copy(left, right) %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
{{ get("x", right, "i", "j") }}
{{ put("x", left, "i", "j") }}
        }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% for name in ["powers", "squares"] %}
    {{ body.array(name) }}
{% endfor %}
    bb_elem times, *from = powers, *to = squares;
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
    BB_GREATER(more, left, BB_ZEROS);
    if (!BB_SOME(more))
        return;
{{ copy("from", "A") }}
    do {
{% call(x, i, j) product("from", "from") %}
                {
                    bb_elem kept = from{{ at(i, j) }};
                    BB_TAKE_ELEM(kept, more, {{ x }});
                    to{{ at(i, j) }} = kept;
                }
{% endcall %}
        bb_elem *const last = from;
        from = to;
        to = last;
        left -= 1;
        BB_GREATER(more, left, BB_ZEROS);
    } while (BB_SOME(more));
{{ copy("A", "from") }}
}
