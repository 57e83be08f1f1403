{# A := A A, S times. Lanes that have been squared as often as they want stay. #}
{% from "tile/named_products.c" import get, product, put, step with context %}
{% from "tile/shared_work.c" import meet, own, team with context %}
{% set A, S = body.views %}
{% set n = body.size.n %}
{% set whole = n is not string and n <= step and not team %}
{# One squaring; the tile holds all of a small A before any is put. #}
{% macro square(to, from) %}
{% call(x, i, j) product(from, from) %}
                {
                    bb_elem kept;
{{ get("kept", from, i, j) }}
                    BB_TAKE_ELEM(kept, more, {{ x }});
{{ put("kept", to, i, j) }}
                }
{% endcall %}
        {{ meet() }}
        left -= 1;
        BB_GREATER(more, left, BB_ZEROS);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% if not whole %}
    {{ body.array("squares") }}
{% endif %}
    bb_elem times;
    bb_mask more;
    BB_GET(times, S + {{ S.at(0, 0) }}, {{ S.im }});
    bb_vec left = times{{ ".re" if complex }};
    const bb_vec once = BB_SELECT(left == left, BB_ZEROS + 1, left);
    {{ own("i", 0, n) }} { /* NaN squarings make NaN */
        bb_elem x;
        BB_GET(x, A + {{ A.at("i", "i") }}, {{ A.im }});
        BB_TIMES_REAL(x, once);
        BB_PUT(A + {{ A.at("i", "i") }}, {{ A.im }}, x);
    }
    {{ meet() }}
    BB_MIN(left, BB_ZEROS + 4096); /* no exponent is larger */
    BB_GREATER(more, left, BB_ZEROS);
    while (BB_SOME(more)) {
{% if whole %}
{{ square("A", "A") }}
{% else %}
{{ square("squares", "A") }}
        if (BB_SOME(more)) {
{{ square("A", "squares") }}
            continue;
        }
        {{ own("j", 0, n) }}
            for (int64_t i = 0; i < {{ n }}; i++) {
                bb_elem x;
{{ get("x", "squares", "i", "j") }}
{{ put("x", "A", "i", "j") }}
            }
{% endif %}
    }
}
