{# Reflections make A tridiagonal, implicit QL makes it diagonal. Vectors are made of the reflections in the place of A;
   without them all is done to a copy of its triangle. #}
{% from "tile/eigen.c" import get, put, value with context %}
{% from "tile/implicit_ql.c" import find, step with context %}
{% from "tile/reflections_product.c" import accumulate with context %}
{% from "tile/sort.c" import sort with context %}
{% from "tile/tridiagonal.c" import reduce, scale with context %}
{% set most_steps = 30 %}
{% macro decompose(A, low, W) %}
{% set n = body.size.n %}
{# Where vectors are made: contiguous ones, which are transposed at the end where A has them in rows. #}
{% set turned = not A.unit_rows and A.transposed().unit_rows %}
{% set V = A.transposed() if turned else A %}
{% set t, T = ("A", V) if body.vectors else ("copy", local(n)) %}
{% for name in scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED") }}
{% endfor %}
    bb_elem zero, one;
    bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
{{ scale(low, t, T, n) }}
    for (int64_t k = 0; k < {{ (n, -1) | index }}; k++) {
{{ reduce(t, T, n) }}
    }
    {
        bb_elem x;
        {{ get("x", t, T, (n, -1), (n, -1)) }}
        BB_RE(d[{{ (n, -1) | index }}]) = BB_RE(x);
        BB_RE(e[{{ (n, -1) | index }}]) = BB_ZEROS;
    }
{% if body.vectors %}
{{ accumulate(V, n) }}
{% endif %}
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
{{ find(n) }}
        if (steps == {{ most_steps }} * {{ n }}) { /* what is left is counted */
            for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                BB_COUNT(*info, BB_RE(e[i]) != 0);
            break;
        }
{{ step(V, n) }}
    }
{{ sort(V, n) }}
    for (int64_t i = 0; i < {{ n }}; i++) {
{{ value(W, "i", "BB_RE(d[i])") }}
    }
{% if body.vectors %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = 0; i <= j; i++) {
            bb_elem x, y;
            {{ get("x", "A", V, "i", "j") }}
            {{ get("y", "A", V, "j", "i") }}
            BB_SCALED(x, whole);
            BB_SCALED(y, whole);
            {{ put("x", "A", A, "i", "j") }}
            {{ put("y", "A", A, "j", "i") }}
        }
{% endif %}
{% endmacro %}
