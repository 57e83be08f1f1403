{# The product of the reflections that made A tridiagonal, in the place of A: from the last, each is done to the rows
   and columns behind its own, which nobody needs any more. #}
{% from "tile/eigen.c" import get, put with context %}
{% set together = 4 %}
{# Columns j.. of the product of reflections behind number k, from row k + 1, times reflection k. #}
{% macro reflected(A, n, count) %}
                bb_elem v, x{% for q in range(count) %}, s{{ q }} = zero{% endfor %};
                for (int64_t i = k + 1; i < {{ n }}; i++) {
                    {{ get("v", "own", A, "i", "k") }}
{% for q in range(count) %}
                    {{ get("x", "own", A, "i", ("j", q)) }}
                    BB_FMA(s{{ q }}, v, x, 1, 0);
{% endfor %}
                }
{% for q in range(count) %}
                BB_TIMES(s{{ q }}, tau[{{ body.slot("k", "q") }}]);
{% endfor %}
                for (int64_t i = k + 1; i < {{ n }}; i++) {
                    {{ get("v", "own", A, "i", "k") }}
{% for q in range(count) %}
                    {{ get("x", "own", A, "i", ("j", q)) }}
                    BB_FMS(x, v, s{{ q }}, 0, 0);
                    {{ put("x", "own", A, "i", ("j", q)) }}
{% endfor %}
                }
{% endmacro %}
{# Row and column k of the unit matrix from the diagonal on. #}
{% macro unit(A, n, k) %}
            BB_PUT(own + {{ A.at(k, k) }}, {{ A.im }}, one);
            for (int64_t i = {{ (k, 1) | index }}; i < {{ n }}; i++) {
                BB_PUT(own + {{ A.at("i", k) }}, {{ A.im }}, zero);
                BB_PUT(own + {{ A.at(k, "i") }}, {{ A.im }}, zero);
            }
{% endmacro %}
{% macro accumulate(A, n) %}
    for (int64_t k = {{ (n, -2) | index }}; k >= 0; k--) {
{{ unit(A, n, ("k", 1)) }}
        int64_t j = k + 1;
        for (; j + {{ together }} <= {{ n }}; j += {{ together }}) {
{{ reflected(A, n, together) }}
        }
        for (; j < {{ n }}; j++) {
{{ reflected(A, n, 1) }}
        }
    }
{{ unit(A, n, 0) }}
{% endmacro %}
