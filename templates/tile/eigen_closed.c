{# Symmetric matrices of order 3 without a loop. Newton's method gives the value that is farthest from the others, a
   root of the cubic of the matrix less its mean; its vector is a product of two rows. A rotation in the plane beside it
   gives the other two: values that are near one another cost no digits, as they are never roots of the cubic. #}
{% from "tile/eigen.c" import finite, value with context %}
{# x = a b + c d + e f, of as many pairs as there are. #}
{% macro sum(x, pairs) %}
{% for a, b in pairs %}
    {{ x }} {{ "= BB_ZEROS +" if loop.first else "+=" }} {{ a }} * {{ b }};
{% endfor %}
{% endmacro %}
{# z = x cross y. #}
{% macro cross(z, x, y) %}
{% for i, j, k in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] %}
    {{ z }}{{ i }} = BB_ZEROS + {{ x }}{{ j }} * {{ y }}{{ k }};
    {{ z }}{{ i }} -= {{ x }}{{ k }} * {{ y }}{{ j }};
{% endfor %}
{% endmacro %}
{% macro dot(x, y, z) %}{{ sum(x, [(y ~ "0", z ~ "0"), (y ~ "1", z ~ "1"), (y ~ "2", z ~ "2")]) }}{% endmacro %}
{% macro times(y, x) %}
{{ sum(y ~ "0", [("a0", x ~ "0"), ("b0", x ~ "1"), ("b1", x ~ "2")]) }}
{{ sum(y ~ "1", [("b0", x ~ "0"), ("a1", x ~ "1"), ("b2", x ~ "2")]) }}
{{ sum(y ~ "2", [("b1", x ~ "0"), ("b2", x ~ "1"), ("a2", x ~ "2")]) }}
{% endmacro %}
{% macro decompose(A, low, W) %}
{% set elements = [("a0", 0, 0), ("b0", 1, 0), ("b1", 2, 0), ("a1", 1, 1), ("b2", 2, 1), ("a2", 2, 2)] %}
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up, size, inverse, x, r, y, a0, a1, a2, b0, b1, b2;
    bb_vec u0, u1, u2, v0, v1, v2, w0, w1, w2, s0, s1, s2, t0, t1, t2, best, other;
{% for name, i, j in elements %}
    BB_GET({{ name }}, A + {{ low.at(i, j) }}, {{ low.im }});
    BB_SURVEY(largest, lack, {{ name }});
{% endfor %}
{{ finite() }}
{% for name, i, j in elements %}
    {{ name }} = BB_SELECT(bad, BB_ZEROS, {{ name }} * down);
{% endfor %}
    const bb_vec mean = BB_ZEROS + (a0 + a1 + a2) * (bb_real)0x1.5555555555555p-2;
    a0 -= mean, a1 -= mean, a2 -= mean;
{{ sum("size", [("b0", "b0"), ("b1", "b1"), ("b2", "b2")]) }}
    size *= 2;
    size += a0 * a0, size += a1 * a1, size += a2 * a2;
    size *= (bb_real)0x1.5555555555555p-3;
    const bb_ints on = size > BB_TINY;
    size = BB_SELECT(on, size, BB_ZEROS + 1);
    bb_inverse_root(&inverse, &size);
    const bb_vec scale = BB_SELECT(on, size * inverse, BB_ZEROS), unscale = BB_SELECT(on, inverse, BB_ZEROS);
{% for name, i, j in elements %}
    {{ name }} = BB_ZEROS + {{ name }} * unscale;
{% endfor %}
    u0 = a0, u1 = b0, u2 = b1, v0 = b0, v1 = a1, v2 = b2, w0 = b1, w1 = b2, w2 = a2;
{{ cross("t", "u", "v") }}
{{ dot("r", "t", "w") }}
    r *= (bb_real)0.5;
    const bb_ints negative = r < 0;
    r = BB_ABS(r);
    r = BB_SELECT(r < 1, r, BB_ZEROS + 1);
    x = (bb_real)0x1.126145e9ecd56p-3 * r + (bb_real)0x1.bb67ae8584caap-1;
{% for step in range(3) %}
    y = BB_ZEROS + 4 * x * x;
    size = 3 * y - 3;
    bb_reciprocal(&inverse, &size);
    size = (y - 3) * x - r;
    x -= size * inverse;
{% endfor %}
    const bb_vec far = BB_SELECT(negative, -2 * x, 2 * x);
    u0 -= far, v1 -= far, w2 -= far;
{# Of the products of two rows the largest. #}
{{ cross("s", "u", "v") }}
{{ dot("best", "s", "s") }}
{% for one, two in [("v", "w"), ("w", "u")] %}
{{ cross("t", one, two) }}
{{ dot("other", "t", "t") }}
    {
        const bb_ints larger = other > best;
        best = BB_SELECT(larger, other, best);
{% for i in range(3) %}
        s{{ i }} = BB_SELECT(larger, t{{ i }}, s{{ i }});
{% endfor %}
    }
{% endfor %}
    bb_inverse_root(&inverse, &best);
    u0 = s0 * inverse, u1 = s1 * inverse, u2 = s2 * inverse;
    {
        const bb_ints first = BB_ABS(u0) > BB_ABS(u1);
        s0 = BB_SELECT(first, -u2, BB_ZEROS);
        s1 = BB_SELECT(first, BB_ZEROS, u2);
        s2 = BB_SELECT(first, u0, -u1);
    }
{{ dot("size", "s", "s") }}
    bb_inverse_root(&inverse, &size);
    s0 *= inverse, s1 *= inverse, s2 *= inverse;
{{ cross("t", "u", "s") }}
{{ times("v", "s") }}
{{ times("w", "t") }}
    bb_vec low, off, high, c, sine, shift;
{{ dot("low", "s", "v") }}
{{ dot("off", "t", "v") }}
{{ dot("high", "t", "w") }}
    const bb_vec apart = high - low, square = BB_ZEROS + off * off;
    const bb_ints turns = square > BB_TINY;
    bb_rotation(&c, &sine, &shift, &apart, &square, &turns);
    off *= sine;
    low -= shift;
    high += shift;
    const bb_ints exchange = low > high;
    BB_SWAP_REAL(low, high, exchange);
{% for i, values in [(0, ("far", "low")), (1, ("low", "high")), (2, ("high", "far"))] %}
    x = BB_SELECT(negative, {{ values[0] }}, {{ values[1] }}) * scale + mean;
{{ value(W, i, "x") }}
{% endfor %}
{% if body.vectors %}
{% for i in range(3) %}
    BB_TURN_BY(s{{ i }}, t{{ i }}, c, off, 0, 0);
    BB_SWAP_REAL(s{{ i }}, t{{ i }}, exchange);
    BB_PUT(A + {{ A.at(i, 0) }}, {{ A.im }}, BB_ZEROS + BB_SELECT(negative, u{{ i }}, s{{ i }}) * whole);
    BB_PUT(A + {{ A.at(i, 1) }}, {{ A.im }}, BB_ZEROS + BB_SELECT(negative, s{{ i }}, t{{ i }}) * whole);
    BB_PUT(A + {{ A.at(i, 2) }}, {{ A.im }}, BB_ZEROS + BB_SELECT(negative, t{{ i }}, u{{ i }}) * whole);
{% endfor %}
{% endif %}
{% endmacro %}
