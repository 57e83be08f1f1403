{# Singular values of matrices with many rows and few columns: those of their triangle, which reflections make. #}
{% from "tile/singular.c" import apart, arrays, elements, sides, vectors with context %}
{% from "tile/singular_columns.c" import lines with context %}
{% from "tile/singular_reflections.c" import reflections with context %}
{% set passed %}u, {{ "v, " if vectors }}{{ body.reals("s") }}, r, tau{% endset %}
{% macro triangle() %}
    for (int64_t k = 0; k < cols; k++) {
        {{ elements }}const x = u + k * rows + k;
        {{ body.name }}_make(x, tau + k, s + k, rows - k, 1);
        {{ body.name }}_reflect(x, x + rows, tau[k], rows - k, 1, cols - k - 1, rows);
        for (int64_t i = 0; i < cols; i++) {
            BB_ZERO(r[k * cols + i]);
            if (i < k)
                r[k * cols + i] = u[k * rows + i];
        }
        BB_SET_REAL(r[k * cols + k], s[k]);
    }
{% endmacro %}
{# The unitary factor times the left vectors of the triangle. #}
{% macro product() %}
    {{ body.name }}_form(u, tau, rows, cols, rows);
    for (int64_t i = 0; i < rows; i++) {
        bb_elem x[cols];
        for (int64_t k = 0; k < cols; k++)
            x[k] = u[k * rows + i];
        for (int64_t j = 0; j < cols; j++) {
            bb_elem sum;
            BB_ZERO(sum);
            for (int64_t k = 0; k < cols; k++)
                BB_FMA(sum, x[k], r[j * cols + k], 0, 0);
            u[j * rows + i] = sum;
        }
    }
{% endmacro %}
{% macro functions() %}
{{ reflections() -}}
{{ lines("square", [body.size.m, body.size.n] | min, [body.size.m, body.size.n] | min) }}

static {{ apart }} void {{ body.name }}_solve({{ arrays }}, {{ elements }}const r, {{ elements }}const tau,
                                              bb_ints *const info)
{
{{ sides() }}
{{ triangle() }}
    {{ body.name }}_square(r, {{ "v, " if vectors }}s, info);
{% if vectors %}
{{ product() }}
{% endif %}
}
{% endmacro %}
