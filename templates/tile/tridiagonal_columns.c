{# What a reflection does to a triangle of A, v below the diagonal of its column k, by so many columns `together`. #}
{% from "tile/eigen.c" import get, put with context %}
{% set together = 4 %}
{# p += A v, of some columns of the triangle, and of their rows. #}
{% macro multiply(T, n, count) %}
{% for r in range(count) %}
            bb_elem v{{ r }}, sum{{ r }};
            {{ get("v" ~ r, "own", T, ("j", r), "k") }}
            {{ get("x", "own", T, ("j", r), ("j", r)) }}
            sum{{ r }} = v{{ r }};
            BB_SCALED(sum{{ r }}, BB_RE(x));
{% endfor %}
{% for s in range(count) %}
{% for r in range(s) %}
            {{ get("x", "own", T, ("j", s), ("j", r)) }}
            BB_FMA(sum{{ r }}, x, v{{ s }}, 1, 0);
            BB_FMA(sum{{ s }}, x, v{{ r }}, 0, 0);
{% endfor %}
{% endfor %}
            for (int64_t i = j + {{ count }}; i < {{ n }}; i++) {
                bb_elem other, more = p[i];
                {{ get("other", "own", T, "i", "k") }}
{% for r in range(count) %}
                {{ get("x", "own", T, "i", ("j", r)) }}
                BB_FMA(sum{{ r }}, x, other, 1, 0);
                BB_FMA(more, x, v{{ r }}, 0, 0);
{% endfor %}
                p[i] = more;
            }
{% for r in range(count) %}
            BB_ADD(p[j + {{ r }}], sum{{ r }});
{% endfor %}
{% endmacro %}
{# Element (i, j + r) of A - v p* - p v*. #}
{% macro less(T, i, r) %}
                {{ get("x", "own", T, i, ("j", r)) }}
                BB_FMS(x, other, with{{ r }}, 0, 1);
                BB_FMS(x, beside, v{{ r }}, 0, 1);
                {{ put("x", "own", T, i, ("j", r)) }}
{% endmacro %}
{# Some columns of it. #}
{% macro update(T, n, count) %}
            bb_elem other, beside;
{% for r in range(count) %}
            bb_elem v{{ r }};
            const bb_elem with{{ r }} = p[j + {{ r }}];
            {{ get("v" ~ r, "own", T, ("j", r), "k") }}
{% endfor %}
{% for s in range(count) %}
            other = v{{ s }}, beside = with{{ s }};
{% for r in range(s) %}
{{ less(T, ("j", s), r) }}
{% endfor %}
{{ less(T, ("j", s), s) }}
{% endfor %}
            for (int64_t i = j + {{ count }}; i < {{ n }}; i++) {
                {{ get("other", "own", T, "i", "k") }}
                beside = p[i];
{% for r in range(count) %}
{{ less(T, "i", r) }}
{% endfor %}
            }
{% endmacro %}
