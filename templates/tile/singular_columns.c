{# Singular values by rotations of columns, after Hestenes, until they are orthogonal: left vectors times values. #}
{% from "tile/singular.c" import apart, arrays, given, sides, sizes, vectors with context %}
{# Columns p and q become orthogonal by the rotation of Jacobi in lanes where they are not nearly, and neither is as
   good as zero: 1 for these lanes. The sums of their squares change with them. #}
{% macro rotation() %}
static BB_INLINE bb_vec {{ body.name }}_turned({{ sizes ~ arrays }}, const int64_t p, const int64_t q)
{
{{ sides() }}
    const bb_vec most = BB_ZEROS + (bb_real){{ compute.largest }};
    const bb_vec least = BB_ZEROS + (bb_real){{ compute.least_square }};
    bb_elem dot, *const x = u + p * rows, *const y = u + q * rows;
    bb_vec square = BB_ZEROS, turned = BB_ZEROS, limit = s[p] * s[q], apart, whole, half, first, second, rough, excess;
    bb_mask small, turns, negative;
    BB_ZERO(dot);
    for (int64_t i = 0; i < rows; i++)
        BB_FMA(dot, x[i], y[i], 1, 0);
    BB_ADD_SQUARE(square, dot);
    limit *= (bb_real)rows * (bb_real){{ compute.eps * compute.eps * parts }};
    BB_GREATER(small, least, s[p]);
    BB_TAKE(limit, small, most);
    BB_GREATER(small, least, s[q]);
    BB_TAKE(limit, small, most);
    BB_GREATER(turns, square, limit);
    if (!BB_SOME(turns))
        return turned;
    BB_TAKE(turned, turns, BB_ZEROS + 1);
    apart = s[q] - s[p];
    whole = 4 * square;
    whole += apart * apart;
    bb_root(&whole, &first, &rough, &excess);
    half = BB_ABS(apart) * first;
    half = half * (bb_real)0.5 + (bb_real)0.5;
    bb_root(&half, &second, &rough, &excess);
    bb_vec cosine = BB_ZEROS + 1, factor = BB_ZEROS;
    first *= second;
    BB_GREATER(negative, BB_ZEROS, apart);
    BB_TAKE(first, negative, -first);
    BB_TAKE(factor, turns, first);
    BB_TAKE(cosine, turns, half);
    square *= factor * second;
    s[p] -= square;
    s[q] += square;
    BB_TIMES_REAL(dot, factor);
{{ turn("rows", "u", 1, 0) }}
{% if vectors %}
{{ turn("cols", "v", 0, 1) }}
{% endif %}
    return turned;
}
{% endmacro %}
{# The rotation by a cosine and a sine, `dot`, done to two columns of an array. #}
{% macro turn(rows, x, conj, other) %}
    for (int64_t i = 0; i < {{ rows }}; i++) {
        bb_elem before = {{ x }}[p * {{ rows }} + i], behind = {{ x }}[q * {{ rows }} + i], one = before, two = behind;
        BB_TIMES_REAL(one, cosine);
        BB_FMS(one, dot, behind, {{ conj }}, 0);
        BB_TIMES_REAL(two, cosine);
        BB_FMA(two, dot, before, {{ other }}, 0);
        {{ x }}[p * {{ rows }} + i] = one;
        {{ x }}[q * {{ rows }} + i] = two;
    }
{% endmacro %}
{# Rounds of a tournament: the pairs of a round have no column in common, so no rotation waits for another. #}
{% macro sweeps() %}
    const int64_t rounds = cols + cols % 2 - 1;
    bb_mask some;
{% if vectors %}
    for (int64_t e = 0; e < cols * cols; e++) {
        BB_ZERO(v[e]);
        if (e % (cols + 1) == 0)
            BB_SET_REAL(v[e], BB_ZEROS + 1);
    }
{% endif %}
    for (int sweep = 0; sweep < 30; sweep++) {
        *left = BB_ZEROS;
        for (int64_t j = 0; j < cols; j++) {
            s[j] = BB_ZEROS;
            for (int64_t i = 0; i < rows; i++)
                BB_ADD_SQUARE(s[j], u[j * rows + i]);
        }
        for (int64_t round = 0; round < rounds; round++)
            for (int64_t k = 0; k <= rounds / 2; k++) {
                const int64_t p = k ? (round + k) % rounds : rounds, q = (round + rounds - k) % rounds;
                if (p < cols && q < cols)
                    *left += {{ body.name }}_turned({{ given }}u, {{ "v, " if vectors }}s, p, q);
            }
        BB_GREATER(some, *left, BB_ZEROS);
        if (!BB_SOME(some))
            break;
    }
{% endmacro %}
{# Values and left vectors of orthogonal columns, which are in order, and of which `s` has the sums of squares. #}
{% macro lengths() %}
    for (int64_t j = 0; j < cols; j++) {
        bb_vec value = s[j], inverse, rough, excess;
        bb_root(&value, &inverse, &rough, &excess);
        BB_GREATER(some, BB_ZEROS + (bb_real){{ compute.smallest }}, s[j]);
        BB_TAKE(value, some, BB_ZEROS);
{% if vectors %}
        for (int64_t i = 0; i < rows; i++)
            BB_TIMES_REAL(u[j * rows + i], inverse);
        BB_GREATER(some, BB_ZEROS + (bb_real){{ compute.least_square }}, s[j]);
        if (BB_SOME(some))
            {{ body.name }}_complete({{ given }}u, s, j);
{% endif %}
        s[j] = value;
    }
{% endmacro %}
