{# Singular values of matrices with many rows and few columns: those of their triangle, which reflections make. #}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own, team with context %}
{% from "tile/singular.c" import apart, arrays, by, elements, pitch, sides, to_lane, vectors with context %}
{% from "tile/singular_columns.c" import lines with context %}
{% from "tile/singular_reflections.c" import reflections with context %}
{% set passed %}u, {{ "v, " if vectors }}{{ body.reals("s") }}, r, tau{% endset %}
{% macro triangle() %}
    for (int64_t k = 0; k < cols; k++) {
        {{ elements }}const x = u + k * {{ pitch }} + k;
        {{ body.name }}_make({{ to_lane }}x, tau + k, s + k, rows - k, 1);
        {{ body.name }}_reflect({{ to_lane }}x, x + {{ pitch }}, tau[k], rows - k, 1, cols - k - 1, {{ pitch }});
        {{ each_own("i", 0, "cols") }} {
            BB_ZERO(r[k * cols + i]);
            if (i < k)
                r[k * cols + i] = u[k * {{ pitch }} + i];
            if (i == k)
                BB_SET_REAL(r[k * cols + k], s[k]);
        }
    }
    {{ meet() }}
{% endmacro %}
{# The unitary factor times the left vectors of the triangle. #}
{% macro product() %}
    {{ body.name }}_form({{ to_lane }}u, tau, rows, cols, {{ pitch }});
    {{ each_own("i", 0, "rows") }} {
        bb_elem x[cols];
        for (int64_t k = 0; k < cols; k++)
            x[k] = u[k * {{ pitch }} + i];
        for (int64_t j = 0; j < cols; j++) {
            bb_elem sum;
            BB_ZERO(sum);
            for (int64_t k = 0; k < cols; k++)
                BB_FMA(sum, x[k], r[j * cols + k], 0, 0);
            u[j * {{ pitch }} + i] = sum;
        }
    }
{% endmacro %}
{% macro functions() %}
{{ reflections() -}}
{{ lines("square", [body.size.m, body.size.n] | min, [body.size.m, body.size.n] | min) }}

static {{ apart }} void {{ body.name }}_solve({{ by ~ arrays }}, {{ elements }}const r, {{ elements }}const tau,
                                              bb_ints *const info)
{
{{ sides() }}
{{ triangle() }}
    {{ first_lane() }}
    {{ body.name }}_square(r, {{ "v, " if vectors }}s, info);
    {{ "BB_TEAM_FIRST(*info);" if team }}
    {{ meet() if not vectors }}
{% if vectors %}
{{ product() }}
{% endif %}
}
{% endmacro %}
