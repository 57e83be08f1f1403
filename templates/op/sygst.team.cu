{# A := L^-1 A L^-*, or L* A L, of a lower triangle A by a team, with the sums of its lane body: a lane has rows where a
   sum goes along one, else columns. What lies on the diagonal is overwritten when all lanes have read it. #}
{% from "tile/shared_work.c" import meet, own with context %}
{% set A, B = body.views %}
{% set n = body.size.n %}
{% macro get(x, a, A, i, j) %}BB_GET({{ x }}, {{ a }} + {{ A.at(i, j) }}, {{ A.im }}){% endmacro %}
{% macro put(i, j, x) %}BB_PUT(A + {{ A.at(i, j) }}, {{ A.im }}, {{ x }}){% endmacro %}
{# The owner of line `at`, which has what belongs on the diagonal. #}
{% macro delayed(at, x) %}
        {{ meet() }}
        if (lane == {{ at }} % {{ schedule.lanes }})
            {{ put(at, at, x) }};
{% endmacro %}
{# Columns of Y with A = Y L* + L Y*, half of it on the diagonal, which all lanes find; then T with L T = Y. #}
{% macro inverse() %}
    {{ body.array("inverse") }}
    {{ own("i", 0, n) }} {
        bb_elem x;
        {{ get("x", "B", B, "i", "i") }};
        bb_reciprocal(&BB_RE(inverse[i]), &BB_RE(x));
    }
    {{ meet() }}
    for (int64_t j = 0; j < {{ n }}; j++) {
        bb_elem half, a, b, x, y;
        {{ get("half", "A", A, "j", "j") }};
        for (int64_t l = 0; l < j; l++) {
            {{ get("y", "A", A, "j", "l") }};
            {{ get("b", "B", B, "j", "l") }};
            BB_FMS(half, y, b, 0, 1);
            BB_FMS(half, b, y, 0, 1);
        }
        BB_REAL(half);
        BB_TIMES_REAL(half, BB_RE(inverse[j]) * (bb_real)0.5);
        {{ own("i", ("j", 1), n) }} {
            {{ get("x", "A", A, "i", "j") }};
            for (int64_t l = 0; l < j; l++) {
                {{ get("a", "A", A, "i", "l") }};
                {{ get("b", "B", B, "j", "l") }};
                BB_FMS(x, a, b, 0, 1);
                {{ get("a", "B", B, "i", "l") }};
                {{ get("y", "A", A, "j", "l") }};
                BB_FMS(x, a, y, 0, 1);
            }
            {{ get("a", "B", B, "i", "j") }};
            BB_FMS(x, a, half, 0, 1);
            BB_TIMES_REAL(x, BB_RE(inverse[j]));
            {{ put("i", "j", "x") }};
        }
{{ delayed("j", "half") }}
    }
    {{ own("j", 0, n) }}
        for (int64_t i = j; i < {{ n }}; i++) {
            bb_elem a, t, x;
            {{ get("x", "A", A, "i", "j") }};
            for (int64_t l = j; l < i; l++) {
                {{ get("a", "B", B, "i", "l") }};
                {{ get("t", "A", A, "l", "j") }};
                BB_FMS(x, a, t, 0, 0);
            }
            BB_TIMES_REAL(x, BB_RE(inverse[i]));
            {{ put("i", "j", "x") }};
        }
    {{ own("j", 0, n) }} {
        bb_elem x;
        {{ get("x", "A", A, "j", "j") }};
        BB_TIMES_REAL(x, BB_ZEROS + 2);
        {{ put("j", "j", "x") }};
    }
{% endmacro %}
{# Y = T L with A = T + T*, row by row; then L* Y + Y* L, whose rows need none above them. #}
{% macro product() %}
    {{ own("i", 0, n) }} {
        bb_elem b, x, y;
        {{ get("x", "A", A, "i", "i") }};
        BB_REAL(x);
        BB_TIMES_REAL(x, BB_ZEROS + (bb_real)0.5);
        {{ put("i", "i", "x") }};
        for (int64_t j = 0; j <= i; j++) {
            BB_ZERO(y);
            for (int64_t l = j; l <= i; l++) {
                {{ get("x", "A", A, "i", "l") }};
                {{ get("b", "B", B, "l", "j") }};
                BB_FMA(y, x, b, 0, 0);
            }
            {{ put("i", "j", "y") }};
        }
    }
    {{ meet() }}
    for (int64_t i = 0; i < {{ n }}; i++) {
        bb_elem a, b, x;
        BB_ZERO(x);
        {{ own("j", 0, "(i + 1)") }} {
            BB_ZERO(x);
            for (int64_t l = i; l < {{ n }}; l++) {
                {{ get("b", "B", B, "l", "i") }};
                {{ get("a", "A", A, "l", "j") }};
                BB_FMA(x, b, a, 1, 0);
                {{ get("a", "A", A, "l", "i") }};
                {{ get("b", "B", B, "l", "j") }};
                BB_FMA(x, a, b, 1, 0);
            }
            if (j < i)
                {{ put("i", "j", "x") }};
        }
        BB_REAL(x);
{{ delayed("i", "x") }}
    }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ inverse() if body.inverted else product() }}
}
