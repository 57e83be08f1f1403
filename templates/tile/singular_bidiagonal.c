{# Singular values after Golub and Kahan: reflections make the matrix bidiagonal, its elements real, `s` on the diagonal
   and `e` above it; implicit QR makes it diagonal. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/shared_work.c" import first_lane, meet, team with context %}
{% from "tile/singular.c" import apart, arrays, by, elements, given, sides, sizes with context %}
{% from "tile/singular.c" import to_lane, values, vectors with context %}
{% from "tile/singular_order.c" import ordering with context %}
{% from "tile/singular_reduction.c" import reduction with context %}
{% from "tile/singular_reflections.c" import reflections with context %}
{% from "tile/singular_steps.c" import steps, steps_together, turned with context %}
{% from "tile/singular_turns.c" import idle, turning with context %}
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
{% macro functions() %}
{{ reflections() -}}
{% if vectors %}
{{ turning() }}

{% endif %}
{{ reduction() }}

{{ ordering() }}

static {{ apart }} void {{ body.name }}_solve({{ by ~ sizes ~ arrays }},
                                              {{ values }}const e, {{ elements }}const tau,
                                              {{ more }}bb_ints *const info)
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
    int64_t top = cols - 1{{ ", last = 0" if vectors }};
{% call each() %}
        {{ body.name }}_bidiagonal({{ to_lane ~ given ~ own }}, e + q * cols, tau);
{% endcall %}
    {{ first_lane() ~ " {" if not vectors and team }}
{% for q in range(body.abreast) %}
    {{ values }}const s{{ q }} = s + {{ q }} * cols;
    {{ values }}const e{{ q }} = e + {{ q }} * cols;
    bb_vec small{{ q }} = zeros;
    bb_vec low{{ q }} = zeros, high{{ q }} = zeros, f{{ q }} = zeros, g{{ q }} = zeros;
{% if q %}
    for (int64_t k = 0; k < cols && vectors <= {{ q }}; k++)
        s{{ q }}[k] = e{{ q }}[k] = zeros;
{% endif %}
    for (int64_t k = 0; k < cols{{ " && lane == 0" if vectors and team }}; k++) {
        BB_MAX(small{{ q }}, BB_ABS(s{{ q }}[k]));
        BB_MAX(small{{ q }}, BB_ABS(e{{ q }}[k]));
    }
    small{{ q }} = small{{ q }} * BB_UNIT + BB_TINY;
{% endfor %}
    for (int64_t step = 0; step <= 30 * cols; step++) {
{{ steps_together() if vectors and team else steps() }}
    }
{% if vectors %}
    if (last) {
{% if team %}
        if (lane == 0) {
{{ idle(0) }}
        }
        {{ meet() }}
{% endif %}
{{ turned(0) }}
    }
    {{ meet() }}
{% endif %}
{% call each() %}
        for (int64_t k = 0; k + 1 < cols; k++)
            BB_COUNT(info[q], e[q * cols + k] != 0);
        {{ body.name }}_ordered({{ given ~ (to_lane ~ own if vectors else "s + q * cols") }});
{% endcall %}
    {{ "} BB_TEAM_FIRST(*info); BB_TEAM_SYNC();" if team and not vectors }}
}
{% endmacro %}
