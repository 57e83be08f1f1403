{# Reflections make a matrix bidiagonal; where there are vectors, the unitary factors of both sides. #}
{% from "tile/shared_work.c" import first_lane, own as each_own, team with context %}
{% from "tile/singular.c" import apart, arrays, by, elements, pitch, side, sides, sizes, to_lane with context %}
{% from "tile/singular.c" import values, vectors with context %}
{% macro bidiagonal() %}
    for (int64_t k = 0; k < cols; k++) {
        {{ elements }}const x = u + k * {{ pitch }} + k;
        {{ elements }}const y = x + {{ pitch }};
        {{ first_lane() }}
        e[k] = zeros;
        {{ body.name }}_make({{ to_lane }}x, tau + k, s + k, rows - k, 1);
        {{ body.name }}_reflect({{ to_lane }}x, y, tau[k], rows - k, 1, cols - k - 1, {{ pitch }});
        if (k + 1 < cols) {
            {{ body.name }}_make({{ to_lane }}y, tau + cols + k, e + k, cols - k - 1, {{ pitch }});
            {{ body.name }}_reflect({{ to_lane }}y, y + 1, tau[cols + k], cols - k - 1, {{ pitch }}, rows - k - 1, 1);
        }
    }
{% endmacro %}
{# The two unitary factors: rows of vectors become columns first. #}
{% macro factors() %}
{% if team %}
    {{ each_own("i", 0, "cols") }}
        for (int64_t k = 0; k < cols; k++) {
            BB_ZERO(v[k * side + i]);
            if (k && i > k)
                v[k * side + i] = u[i * pitch + k - 1];
        }
    {{ first_lane() }}
    BB_SET_REAL(v[0], zeros + 1);
{% else %}
    for (int64_t i = 0; i < cols * cols; i++)
        BB_ZERO(v[i]);
    BB_SET_REAL(v[0], zeros + 1);
    for (int64_t k = 0; k + 1 < cols; k++)
        for (int64_t i = k + 2; i < cols; i++)
            v[(k + 1) * cols + i] = u[i * rows + k];
{% endif %}
    {{ body.name }}_form({{ to_lane }}v + {{ side }} + 1, tau + cols, cols - 1, cols - 1, {{ side }});
    {{ body.name }}_form({{ to_lane }}u, tau, rows, cols, {{ pitch }});
{% endmacro %}
{% macro reduction() %}
static {{ apart }} void {{ body.name }}_bidiagonal({{ by ~ sizes ~ arrays }},
                                                   {{ values }}const e, {{ elements }}const tau)
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
{{ bidiagonal() }}
{% if vectors %}
{{ factors() }}
{% endif %}
}
{% endmacro %}
