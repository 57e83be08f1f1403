{# Reflections make A tridiagonal, with a real diagonal d and reals e beside it. #}
{% from "tile/eigen.c" import finite, get, put with context %}
{% from "tile/several.c" import several %}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own, team with context %}
{% from "tile/tridiagonal_columns.c" import multiply, together, update with context %}
{% from "tile/tridiagonal_rows.c" import multiplied, updated with context %}
{# An element of the lower triangle; of the diagonal its real part. #}
{% macro element(low) %}
            bb_elem x;
            {{ get("x", "A + q * " ~ body.apart.A if body.abreast > 1 else "A", low, "i", "j") }}
            if (i == j) {
                BB_REAL(x);
            }
{% endmacro %}
{# The elements of the lower triangle go to T, scaled. #}
{% macro scale(low, T, n) %}
    for (int64_t j = 0; j < {{ n }}; j++)
        for (int64_t i = j; i < {{ n }}; i++) {
{{ element(low) }}
            BB_SURVEY(largest, lack, x);
        }
{{ finite(report="info[q]") }}
    {{ meet() if body.vectors }}
    {{ each_own("j", 0, n) }}
        for (int64_t i = j; i < {{ n }}; i++) {
{{ element(low) }}
            BB_SCALED(x, down);
            BB_REPLACE(x, bad, zero);
            {{ put("x", "own", T, "i", "j") }}
        }
    {{ meet() }}
{% endmacro %}
{# H* A H, H = I - tau v v* the reflection that leaves of column k one element below the diagonal; v takes its place. #}
{% macro reduce(T, n) %}
        bb_elem head, shrink, times, dot = zero, v, x;
        bb_vec rest = BB_ZEROS, norm, inverse, rough, excess;
        {{ get("x", "own", T, "k", "k") }}
        {{ first_lane() }}
        BB_RE(d[{{ body.slot("k", "q") }}]) = BB_RE(x);
        {{ get("head", "own", T, ("k", 1), "k") }}
        BB_ADD_IM_SQUARE(rest, head);
        for (int64_t i = k + 2; i < {{ n }}; i++) {
            {{ get("x", "own", T, "i", "k") }}
            BB_ADD_SQUARE(rest, x);
        }
        const bb_ints on = rest > BB_TINY, off = on == 0, negative = BB_RE(head) > 0;
        norm = BB_ZEROS + BB_RE(head) * BB_RE(head);
        norm += rest;
        norm = BB_SELECT(on, norm, BB_ZEROS + 1);
        bb_root(&norm, &inverse, &rough, &excess);
        norm = BB_SELECT(negative, -norm, norm);
        norm = BB_SELECT(on, norm, BB_RE(head));
        {{ first_lane() }}
        BB_RE(e[{{ body.slot("k", "q") }}]) = norm;
        shrink = head;
        BB_SET_REAL(shrink, BB_RE(head) - norm);
        times = shrink;
        BB_TIMES_REAL(times, BB_SELECT(negative, inverse, -inverse));
        BB_REPLACE(times, off, zero);
{% if body.vectors %}
        {{ first_lane() }}
        tau[{{ body.slot("k", "q") }}] = times;
{% endif %}
        BB_REPLACE(shrink, off, one);
        BB_INVERT(shrink, 0);
        BB_REPLACE(shrink, off, zero);
        {{ meet() }}
        x = one;
        {{ first_lane() ~ " {" if team }}
        {{ put("x", "own", T, ("k", 1), "k") }}
        {{ "}" if team }}
        {{ "p[k + 1] = zero;" if not team }}
        {{ each_own("i", ("k", 2), n) }} {
            {{ get("x", "own", T, "i", "k") }}
            BB_TIMES(x, shrink);
            {{ put("x", "own", T, "i", "k") }}
            {{ "p[i] = zero;" if not team }}
        }
        {{ meet() }}
{% if team %}
{{ multiplied(T, n) }}
        {{ meet() }}
{% else %}
{% call(count) several("j", ("k", 1), n, together) %}
{{ multiply(T, n, count) }}
{% endcall %}
{% endif %}
        for (int64_t i = k + 1; i < {{ n }}; i++) {
            {{ get("v", "own", T, "i", "k") }}
            {{ "BB_TIMES(p[i], times);" if not team }}
            BB_FMA(dot, p[i], v, 1, 0);
        }
        BB_TIMES(dot, times);
        BB_TIMES_REAL(dot, BB_ZEROS + (bb_real)0.5);
        {{ meet() }}
        {{ each_own("i", ("k", 1), n) }} {
            {{ get("v", "own", T, "i", "k") }}
            BB_FMS(p[i], dot, v, 0, 0);
        }
        {{ meet() }}
{% if team %}
{{ updated(T, n) }}
        {{ meet() }}
{% else %}
{% call(count) several("j", ("k", 1), n, together) %}
{{ update(T, n, count) }}
{% endcall %}
{% endif %}
{% endmacro %}
