{# Singular values after Golub and Kahan: reflections make the matrix bidiagonal, its elements real, `s` on the diagonal
   and `e` above it; implicit QR makes it diagonal. #}
{% from "tile/singular.c" import apart, arrays, sides, sizes, vectors with context %}
{% from "tile/singular_order.c" import ordered with context %}
{% from "tile/singular_reflections.c" import forming, making, reflection with context %}
{% from "tile/singular_steps.c" import chase, ends, look, shift with context %}
{% set passed = "u, v, (bb_vec *)s, (bb_vec *)e, tau" if vectors else "u, (bb_vec *)s, (bb_vec *)e, tau" %}
{% macro bidiagonal() %}
    for (int64_t k = 0; k < cols; k++) {
        bb_elem *const x = u + k * rows + k, *const y = x + rows;
        e[k] = zeros;
        {{ body.name }}_make(x, tau + k, s + k, rows - k, 1);
        {{ body.name }}_reflect(x, y, tau + k, rows - k, 1, cols - k - 1, rows);
        if (k + 1 < cols) {
            {{ body.name }}_make(y, tau + cols + k, e + k, cols - k - 1, rows);
            {{ body.name }}_reflect(y, y + 1, tau + cols + k, cols - k - 1, rows, rows - k - 1, 1);
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
{{ reflection() }}

{{ making() }}

{% if vectors %}
{{ forming() }}

{% endif %}
static {{ apart }} void {{ body.name }}_solve({{ sizes ~ arrays }}, bb_vec *const e, bb_elem *const tau,
                                              bb_ints *const info)
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
    bb_vec small = zeros;
    int64_t top = cols - 1;
{{ bidiagonal() }}
{% if vectors %}
{{ factors() }}
{% endif %}
    for (int64_t k = 0; k < cols; k++) {
        BB_MAX(small, BB_ABS(s[k]));
        BB_MAX(small, BB_ABS(e[k]));
    }
    small = small * BB_UNIT + BB_TINY;
    bb_vec low = zeros, high = zeros, f = zeros, g = zeros;
    for (int64_t step = 0; step <= 30 * cols; step++) {
        bb_vec start = zeros, first = zeros, last = zeros;
        bb_ints poor = zeros > 0, lacks = poor;
        for (int64_t k = 0; k <= top; k++) {
{{ chase() }}
            if (k) {
{{ look("(k - 1)") }}
            }
        }
        low = first;
        high = last;
{{ ends() }}
{{ shift() }}
    }
    for (int64_t k = 0; k + 1 < cols; k++)
        BB_COUNT(*info, e[k] != 0);
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
{% endmacro %}
