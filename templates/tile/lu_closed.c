{# LU in registers of which only the determinant is wanted, the product of the diagonal, with the signs of exchanges.
   The last two rows need no pivot and no inverse: a d - b c stands for theirs, one beside it. In lanes where that comes
   near the ends of the range, or is NaN, they are factored, too. #}
{% from "tile/lu_registers.c" import pivots, reduced with context %}
{% macro closed(n, p, q) %}
{{ pivots(n, false) }}
{% for i in range(n - 2) %}
{{ reduced(i, n, n, 0, false, false, true) }}
{% endfor %}
{% if n > 1 %}
    bb_elem determinant, other, one;
    bb_vec range;
    bb_mask rare;
    BB_ZERO(determinant);
    BB_ZERO(other);
    BB_ZERO(one);
    BB_SET_REAL(one, BB_ZEROS + 1);
    BB_FMA(determinant, c{{ p }}_{{ p }}, c{{ q }}_{{ q }}, 0, 0);
    BB_FMA(other, c{{ p }}_{{ q }}, c{{ q }}_{{ p }}, 0, 0);
    BB_SUB(determinant, other); /* both rounded, so that it is zero of rows that are alike */
    BB_CABS1(range, determinant);
    range = BB_SELECT(range <= {{ compute.largest }}, range, BB_ZEROS);
    BB_GREATER(rare, BB_ZEROS + (bb_real)0x1p{{ 2 * stored.fraction }} * (bb_real){{ compute.smallest }}, range);
    if (BB_SOME(rare)) {
{{ reduced(p, n, n, 0, false, false, true) }}
{{ reduced(q, n, n, 0, false, false) }}
        BB_TAKE_ELEM(determinant, rare, c{{ p }}_{{ p }});
        BB_TAKE_ELEM(one, rare, c{{ q }}_{{ q }});
    }
    c{{ p }}_{{ p }} = determinant;
    c{{ q }}_{{ q }} = one;
{% else %}
{{ reduced(0, 1, 1, 0, false, false) }}
{% endif %}
{% endmacro %}
