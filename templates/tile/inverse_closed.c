{# X := A^-1 of order 2 and 3 by minors over the determinant. Minors have all digits, so each element of X has, but for
   the error of the determinant, which all share: A X - I is as small as with pivots. Lanes with large elements, and
   such as are nearly singular or not finite, take pivots, and report. #}
{% import "tile/register_tile.c" as t with context %}
{% import "tile/inverse_straight.c" as straight with context %}
{% set others = [(1, 2), (2, 0), (0, 1)] %}
{# Element (i, j) of A. #}
{% macro a(i, j) %}c{{ j }}_{{ i }}{% endmacro %}
{# What is beside row i and column j, with its sign: of order 3 rows p, q and columns r, s. #}
{% macro minor(x, i, j, n, p, q, r, s) %}
{% if n == 2 %}
    {{ x }} = {{ "-" if i != j }}{{ a(1 - i, 1 - j) }};
{% else %}
    bb_minor(&{{ x }}, &{{ a(p, r) }}, &{{ a(q, s) }}, &{{ a(p, s) }}, &{{ a(q, r) }});
{% endif %}
{% endmacro %}
{% macro taken(lanes, n) %}
{% for i in range(n) %}
{% for j in range(n) %}
        BB_TAKE_ELEM(x{{ i }}_{{ j }}, {{ lanes }}, c{{ i }}_{{ j }});
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro invert(A, X, n) %}
{{ t.load("A", A, n, n, 0, 0) }}
    bb_vec determinant, squares = BB_ZEROS, size, inverse;
    bb_mask rare;
    bb_elem {% for i in range(n) %}{{ t.names("x" ~ i ~ "_", n) }}{{ ", " if not loop.last }}{% endfor %};
{% for i in range(n) %}
{% for j in range(n) %}
{{ minor("x" ~ i ~ "_" ~ j, i, j, n, others[i][0], others[i][1], others[j][0], others[j][1]) }}
    squares += {{ a(i, j) }} * {{ a(i, j) }};
{% endfor %}
{% endfor %}
{% if n == 2 %}
    bb_minor(&determinant, &c0_0, &c1_1, &c1_0, &c0_1);
{% else %}
    determinant = BB_ZEROS + c0_0 * x0_0;
    determinant += c1_0 * x0_1;
    determinant += c2_0 * x0_2;
{% endif %}
    bb_reciprocal(&inverse, &determinant);
    size = BB_SELECT(squares <= (bb_real){{ compute.minors[0] }}, BB_ABS(determinant), BB_ZEROS);
    BB_GREATER(rare, BB_ZEROS + (bb_real){{ compute.minors[1] }}, size);
{% for i in range(n) %}
{% for j in range(n) %}
    BB_TIMES(x{{ i }}_{{ j }}, inverse);
{% endfor %}
{% endfor %}
    if (__builtin_expect(BB_SOME(rare), 0)) {
{{ straight.inverted(n) }}
{{ taken("rare", n) }}
{% call straight.failed() %}
{{ straight.factored(A, n) }}
{{ taken("singular", n) }}
{% endcall %}
    }
{{ t.store("X", X, n, n, 0, 0, tile="x") }}
{% endmacro %}
