{# Matrices of order 2: one rotation. #}
{% from "tile/eigen.c" import finite, value with context %}
{% macro decompose(A, low, W) %}
{% set elements = [("first", 0, 0), ("off", 1, 0), ("second", 1, 1)] %}
    bb_elem first, off, second, zero;
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up, c, sine, shift, square = BB_ZEROS;
    BB_ZERO(zero);
{% for name, i, j in elements %}
    BB_GET({{ name }}, A + {{ low.at(i, j) }}, {{ low.im }});
{% if i == j %}
    BB_REAL({{ name }});
{% elif low.conj %}
    BB_CONJ({{ name }});
{% endif %}
    BB_SURVEY(largest, lack, {{ name }});
{% endfor %}
{{ finite() }}
{% for name, i, j in elements %}
    BB_SCALED({{ name }}, down);
    BB_REPLACE({{ name }}, bad, zero);
{% endfor %}
    BB_ADD_SQUARE(square, off);
    bb_vec small = BB_RE(first), large = BB_RE(second);
    const bb_vec apart = large - small, beside = small * large;
    const bb_vec least = BB_ABS(beside) * (BB_UNIT * BB_UNIT);
    const bb_ints on = (square > least) & (square > BB_TINY);
    bb_rotation(&c, &sine, &shift, &apart, &square, &on);
    small -= shift;
    large += shift;
    const bb_ints exchange = small > large;
    BB_SWAP_REAL(small, large, exchange);
{{ value(W, 0, "small") }}
{{ value(W, 1, "large") }}
{% if body.vectors %}
    BB_SCALED(off, sine);
    bb_elem other = zero, v0 = zero, v1 = zero, w0, w1 = zero;
    BB_SUB(other, off);
    BB_SET_REAL(v0, c);
    BB_SET_REAL(w1, c);
    v1 = other;
    w0 = off;
    BB_CONJ(w0);
    BB_SWAP(v0, w0, exchange);
    BB_SWAP(v1, w1, exchange);
{% for name, i, j in [("v0", 0, 0), ("v1", 1, 0), ("w0", 0, 1), ("w1", 1, 1)] %}
    BB_SCALED({{ name }}, whole);
    BB_PUT(A + {{ A.at(i, j) }}, {{ A.im }}, {{ name }});
{% endfor %}
{% endif %}
{% endmacro %}
