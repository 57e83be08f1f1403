{# Singular values after Golub and Kahan: reflections make the matrix bidiagonal, its elements real, `s` on the diagonal
   and `e` above it; implicit QR makes it diagonal. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/singular.c" import apart, arrays, elements, given, sides, sizes, values, vectors with context %}
{% from "tile/singular_order.c" import ordered with context %}
{% from "tile/singular_reflections.c" import reflections with context %}
{% from "tile/singular_steps.c" import steps, turned with context %}
{% from "tile/singular_turns.c" import turning with context %}
{% set passed %}
u, {{ "v, " if vectors }}{{ body.reals("s") }}, {{ body.reals("e") }}, tau
{%- if vectors %}, {{ body.reals("turns") }}{% endif %}{{ ", vectors" if body.abreast > 1 }}
{%- endset %}
{% set more %}
{{ values ~ "const turns, " if vectors }}{{ "const int vectors, " if body.abreast > 1 }}
{%- endset %}
{# The arrays of vector q of matrices. #}
{% set own -%}
u + q * rows * cols, {{ "v + q * cols * cols, " if vectors }}s + q * cols
{%- endset %}
{% macro bidiagonal() %}
    for (int64_t k = 0; k < cols; k++) {
        {{ elements }}const x = u + k * rows + k;
        {{ elements }}const y = x + rows;
        e[k] = zeros;
        {{ body.name }}_make(x, tau + k, s + k, rows - k, 1);
        {{ body.name }}_reflect(x, y, tau[k], rows - k, 1, cols - k - 1, rows);
        if (k + 1 < cols) {
            {{ body.name }}_make(y, tau + cols + k, e + k, cols - k - 1, rows);
            {{ body.name }}_reflect(y, y + 1, tau[cols + k], cols - k - 1, rows, rows - k - 1, 1);
        }
    }
{% endmacro %}
{# The two unitary factors: rows of vectors become columns first. #}
{% macro factors() %}
    for (int64_t i = 0; i < cols * cols; i++)
        BB_ZERO(v[i]);
    BB_SET_REAL(v[0], zeros + 1);
    for (int64_t k = 0; k + 1 < cols; k++)
        for (int64_t i = k + 2; i < cols; i++)
            v[(k + 1) * cols + i] = u[i * rows + k];
    {{ body.name }}_form(v + cols + 1, tau + cols, cols - 1, cols - 1, cols);
    {{ body.name }}_form(u, tau, rows, cols, rows);
{% endmacro %}
{% macro functions() %}
{{ reflections() -}}
{% if vectors %}
{{ turning() }}

{% endif %}
static {{ apart }} void {{ body.name }}_bidiagonal({{ sizes ~ arrays }}, {{ values }}const e, {{ elements }}const tau)
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
{{ bidiagonal() }}
{% if vectors %}
{{ factors() }}
{% endif %}
}

static {{ apart }} void {{ body.name }}_ordered({{ sizes ~ (arrays if vectors else values ~ "const s") }})
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
    for (int64_t k = 0; k < cols; k++) {
        const bb_vec sign = BB_SELECT(s[k] < 0, zeros - 1, zeros + 1);
        s[k] *= sign;
{% if vectors %}
        for (int64_t i = 0; i < cols; i++)
            BB_SCALED(v[k * cols + i], sign);
{% endif %}
    }
{{ ordered() }}
}

static {{ apart }} void {{ body.name }}_solve({{ sizes ~ arrays }}, {{ values }}const e, {{ elements }}const tau,
                                              {{ more }}bb_ints *const info)
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
    int64_t top = cols - 1{{ ", last = 0" if vectors }};
{% call each() %}
        {{ body.name }}_bidiagonal({{ given ~ own }}, e + q * cols, tau);
{% endcall %}
{% for q in range(body.abreast) %}
    {{ values }}const s{{ q }} = s + {{ q }} * cols;
    {{ values }}const e{{ q }} = e + {{ q }} * cols;
    bb_vec small{{ q }} = zeros;
    bb_vec low{{ q }} = zeros, high{{ q }} = zeros, f{{ q }} = zeros, g{{ q }} = zeros;
{% if q %}
    for (int64_t k = 0; k < cols && vectors <= {{ q }}; k++)
        s{{ q }}[k] = e{{ q }}[k] = zeros;
{% endif %}
    for (int64_t k = 0; k < cols; k++) {
        BB_MAX(small{{ q }}, BB_ABS(s{{ q }}[k]));
        BB_MAX(small{{ q }}, BB_ABS(e{{ q }}[k]));
    }
    small{{ q }} = small{{ q }} * BB_UNIT + BB_TINY;
{% endfor %}
    for (int64_t step = 0; step <= 30 * cols; step++) {
{{ steps() }}
    }
{% if vectors %}
    if (last) {
{{ turned(0) }}
    }
{% endif %}
{% call each() %}
        for (int64_t k = 0; k + 1 < cols; k++)
            BB_COUNT(info[q], e[q * cols + k] != 0);
        {{ body.name }}_ordered({{ given ~ (own if vectors else "s + q * cols") }});
{% endcall %}
}
{% endmacro %}
