{# The product of the reflections that made A tridiagonal, in the place of A: from the last, two at a time are done
   to the rows and columns behind their own, which nobody needs any more. #}
{% from "tile/eigen.c" import get, put with context %}
{% from "tile/several.c" import several %}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own, team with context %}
{% set together = 4 %}
{# Columns j.. of the product of reflections behind number k + 1, from row k + 1, times k and k + 1, of which `both` is
   the product. #}
{% macro reflected(A, n, count) %}
                bb_elem v, w, x{% for r in range(count) %}, s{{ r }} = zero, t{{ r }} = zero{% endfor %};
                for (int64_t i = k + 2; i < {{ n }}; i++) {
                    {{ get("v", "own", A, "i", "k") }}
                    {{ get("w", "own", A, "i", ("k", 1)) }}
{% for r in range(count) %}
                    {{ get("x", "own", A, "i", ("j", r)) }}
                    BB_FMA(s{{ r }}, v, x, 1, 0);
                    BB_FMA(t{{ r }}, w, x, 1, 0);
{% endfor %}
                }
{% for r in range(count) %}
                BB_TIMES(t{{ r }}, later);
                BB_FMS(s{{ r }}, both, t{{ r }}, 0, 0);
                BB_TIMES(s{{ r }}, first);
                x = zero;
                BB_SUB(x, s{{ r }});
                {{ put("x", "own", A, ("k", 1), ("j", r)) }}
{% endfor %}
                for (int64_t i = k + 2; i < {{ n }}; i++) {
                    {{ get("v", "own", A, "i", "k") }}
                    {{ get("w", "own", A, "i", ("k", 1)) }}
{% for r in range(count) %}
                    {{ get("x", "own", A, "i", ("j", r)) }}
                    BB_FMS(x, w, t{{ r }}, 0, 0);
                    BB_FMS(x, v, s{{ r }}, 0, 0);
                    {{ put("x", "own", A, "i", ("j", r)) }}
{% endfor %}
                }
{% endmacro %}
{# Row and column k of the unit matrix from the diagonal on. #}
{% macro unit(A, n, k) %}
            {{ first_lane() }}
            BB_PUT(own + {{ A.at(k, k) }}, {{ A.im }}, one);
            {{ each_own("i", (k, 1), n) }} {
                BB_PUT(own + {{ A.at("i", k) }}, {{ A.im }}, zero);
                BB_PUT(own + {{ A.at(k, "i") }}, {{ A.im }}, zero);
            }
{% endmacro %}
{% macro accumulate(A, n) %}
    for (int64_t k = {{ (n, -2) | index }} / 2 * 2; k >= 0; k -= 2) {
        bb_elem both = zero, later = zero;
        const bb_elem first = tau[{{ body.slot("k", "q") }}];
        if (k + 2 < {{ n }}) {
            later = tau[{{ body.slot(("k", 1), "q") }}];
{{ unit(A, n, ("k", 2)) }}
            {{ meet() }}
        }
        for (int64_t i = k + 2; i < {{ n }}; i++) {
            bb_elem v, w;
            {{ get("v", "own", A, "i", "k") }}
            {{ get("w", "own", A, "i", ("k", 1)) }}
            BB_FMA(both, v, w, 1, 0);
        }
{% if team %}
        {{ each_own("j", ("k", 2), n) }} {
{{ reflected(A, n, 1) }}
        }
        {{ meet() }}
{% else %}
{% call(count) several("j", ("k", 2), n, together) %}
{{ reflected(A, n, count) }}
{% endcall %}
{% endif %}
        {{ each_own("i", ("k", 1), n) }} { /* column k + 1 of the first of them */
            bb_elem v, x = zero;
            {{ get("v", "own", A, "i", "k") }}
            if (i == k + 1)
                x = one;
            BB_FMS(x, v, first, 0, 0);
            {{ put("x", "own", A, "i", ("k", 1)) }}
        }
    }
{{ unit(A, n, 0) }}
{% endmacro %}
