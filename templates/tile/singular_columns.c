{# Singular values by rotations of columns, after Hestenes, until they are orthogonal: left vectors times values. #}
{% from "tile/singular.c" import apart, arrays, given, sides, sizes, vectors with context %}
{% from "tile/singular_order.c" import completion, ordered with context %}
{% set passed = "u, v, (bb_vec *)s" if vectors else "u, (bb_vec *)s" %}
{# Columns p and q become orthogonal by the rotation of Jacobi in lanes where they are not nearly, and neither is as
   good as zero: 1 for these lanes. The sums of their squares change with them. #}
{% macro rotation() %}
static BB_INLINE bb_vec {{ body.name }}_turned({{ sizes ~ arrays }}, const int64_t p, const int64_t q)
{
{{ sides() }}
    const bb_vec least = BB_ZEROS + (bb_real){{ compute.least_square }};
    bb_elem dot, *const x = u + p * rows, *const y = u + q * rows;
    bb_vec square = BB_ZEROS, limit = s[p] * s[q], turned = BB_ZEROS;
    BB_ZERO(dot);
    for (int64_t i = 0; i < rows; i++)
        BB_FMA(dot, x[i], y[i], 1, 0);
    BB_ADD_SQUARE(square, dot);
    limit *= (bb_real)rows * (bb_real){{ compute.eps * compute.eps * parts }};
    const bb_ints turns = (square > limit) & (s[p] >= least) & (s[q] >= least);
    if (!BB_HOLDS(turns))
        return turned;
    bb_vec cosine, sine, shift;
    const bb_vec apart = s[q] - s[p];
    bb_rotation(&cosine, &sine, &shift, &apart, &square, &turns);
    s[p] -= shift;
    s[q] += shift;
    BB_SCALED(dot, sine);
    for (int64_t i = 0; i < rows; i++)
        BB_TURN_BY(x[i], y[i], cosine, dot, 1, 0);
{% if vectors %}
    for (int64_t i = 0; i < cols; i++)
        BB_TURN_BY(v[p * cols + i], v[q * cols + i], cosine, dot, 0, 0);
{% endif %}
    return BB_SELECT(turns, BB_ZEROS + 1, turned);
}
{% endmacro %}
{# Rounds of a tournament: the pairs of a round have no column in common, so no rotation waits for another. #}
{% macro sweeps() %}
    const int64_t rounds = cols + cols % 2 - 1;
    bb_ints some = BB_ZEROS > 0;
{% if vectors %}
    for (int64_t e = 0; e < cols * cols; e++) {
        BB_ZERO(v[e]);
        if (e % (cols + 1) == 0)
            BB_SET_REAL(v[e], BB_ZEROS + 1);
    }
{% endif %}
    for (int sweep = 0; sweep < 30; sweep++) {
        bb_vec left = BB_ZEROS;
        for (int64_t j = 0; j < cols; j++) {
            s[j] = BB_ZEROS;
            for (int64_t i = 0; i < rows; i++)
                BB_ADD_SQUARE(s[j], u[j * rows + i]);
        }
        for (int64_t round = 0; round < rounds; round++)
            for (int64_t k = 0; k <= rounds / 2; k++) {
                const int64_t p = k ? (round + k) % rounds : rounds, q = (round + rounds - k) % rounds;
                if (p < cols && q < cols)
                    left += {{ body.name }}_turned({{ given }}u, {{ "v, " if vectors }}s, p, q);
            }
        some = left > 0;
        if (!BB_HOLDS(some))
            break;
    }
    BB_REPORT(*info, some, (bb_int)cols);
{% endmacro %}
{# Values and left vectors of orthogonal columns, which are in order, and of which `s` has the sums of squares. #}
{% macro lengths() %}
    for (int64_t j = 0; j < cols; j++) {
        const bb_ints none = s[j] < (bb_real){{ compute.smallest }};
        bb_vec value = BB_SELECT(none, BB_ZEROS + 1, s[j]), inverse, rough, excess;
        bb_root(&value, &inverse, &rough, &excess);
{% if vectors %}
        for (int64_t i = 0; i < rows; i++)
            BB_TIMES_REAL(u[j * rows + i], inverse);
        const bb_ints lost = s[j] < (bb_real){{ compute.least_square }};
        if (BB_HOLDS(lost))
            {{ body.name }}_complete({{ given }}u, s, j);
{% endif %}
        s[j] = BB_SELECT(none, BB_ZEROS, value);
    }
{% endmacro %}
{% macro functions() %}
{{ rotation() }}

{% if vectors %}
{{ completion() }}

{% endif %}
static {{ apart }} void {{ body.name }}_solve({{ sizes ~ arrays }}, bb_ints *const info)
{
{{ sides() }}
{{ sweeps() }}
{{ ordered() }}
{{ lengths() }}
}
{% endmacro %}
