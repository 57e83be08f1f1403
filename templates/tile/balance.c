{# Norms, and Osborne's balancing: each row is scaled by a power of two, its column by the inverse, until their sums are
   alike, or where they cannot be, as in triangles, about 1 at most. #}
{% from "tile/shared_work.c" import lead, meet, own with context %}
{% set n = body.size.n %}
{% set fraction = stored.fraction %}
{# The 1-norm of the matrix whose elements the caller makes. #}
{% macro norm_of(norm) %}
    for (int64_t j = 0; j < {{ n }}; j++) {
        bb_vec sum = BB_ZEROS;
        for (int64_t i = 0; i < {{ n }}; i++) {
            bb_elem x;
            bb_vec size;
{{ caller("x", "i", "j") }}
            BB_CABS1(size, x);
            sum += size;
        }
        BB_MAX({{ norm }}, sum);
    }
{% endmacro %}
{# The sums of row and column i. #}
{% macro sums(sizes, i) %}
            bb_vec row = BB_ZEROS, column = BB_ZEROS;
            for (int64_t j = 0; j < {{ n }}; j++) {
                row += BB_RE({{ sizes }}[j * {{ lead(n) }} + {{ i }}]);
                column += BB_RE({{ sizes }}[{{ i }} * {{ lead(n) }} + j]);
            }
{% endmacro %}
{# The power of two for column i, and its inverse for the row, by the exponents of the sums. #}
{% macro powers() %}
            const bb_vec zero = BB_ZEROS, limit = BB_ZEROS + {{ stored.bias - 2 }};
            bb_vec up, down;
            BB_BITS(of_row, row);
            BB_BITS(of_column, column);
            BB_OF_BITS(row, (of_row >> {{ fraction }}) | {{ stored.power(fraction) }});
            BB_OF_BITS(column, (of_column >> {{ fraction }}) | {{ stored.power(fraction) }});
            row -= (bb_real){{ stored.lift }};
            column -= (bb_real){{ stored.lift }};
            bb_vec power = (row - column) * (bb_real)0.499; /* one alone rounds to none */
            const bb_vec product = row + column;
            BB_MAX(row, zero);
            BB_MAX(column, zero);
            power = BB_SELECT(product > 0, power, row - column);
            BB_MIN(power, limit);
            BB_MAX(power, -limit);
            power = BB_SELECT(chosen > 0, power, zero);
            BB_MAX(most, BB_ABS(power));
            BB_BITS(sum, power + (bb_real){{ stored.lift }});
            const bb_bits bits = sum << {{ fraction }};
            BB_OF_BITS(up, bits);
            BB_OF_BITS(down, {{ stored.inverse }} - bits);
{% endmacro %}
{# `sizes` are those of elements, balanced where some row and column differ by a factor of 16 and `large` is not zero.
   The caller gets the power of two of each column. #}
{% macro balance(sizes, large) %}
    bb_vec uneven = BB_ZEROS;
    for (int64_t i = 0; i < {{ n }}; i++) {
{{ sums(sizes, "i") }}
            BB_MAX(uneven, row - 16 * column);
            BB_MAX(uneven, column - 16 * row);
    }
    const bb_vec chosen = BB_SELECT({{ large }} > 0, uneven, BB_ZEROS);
    bb_mask moving;
    BB_GREATER(moving, chosen, BB_ZEROS);
    for (int64_t sweep = 0; sweep < 24 && BB_SOME(moving); sweep++) {
        bb_vec most = BB_ZEROS;
        for (int64_t k = 0; k < {{ n }}; k++) {
            const int64_t i = sweep % 2 ? {{ n }} - 1 - k : k;
{{ sums(sizes, "i") }}
{{ powers() }}
            {{ meet() }}
            {{ own("j", 0, n) }} {
                BB_RE({{ sizes }}[j * {{ lead(n) }} + i]) *= down;
                BB_RE({{ sizes }}[i * {{ lead(n) }} + j]) *= up;
            }
{{ caller("i", "up") }}
            {{ meet() }}
        }
        BB_GREATER(moving, most, BB_ZEROS + (bb_real)0.5);
    }
{% endmacro %}
{# The sizes of elements that the caller makes. #}
{% macro sizes_of(sizes) %}
        {{ own("j", 0, n) }}
            for (int64_t i = 0; i < {{ n }}; i++) {
                bb_elem x;
                bb_vec size;
{{ caller("x", "i", "j") }}
                BB_CABS1(size, x);
                BB_ZERO(x);
                BB_SET_REAL(x, size);
                {{ sizes }}[j * {{ lead(n) }} + i] = x;
            }
        {{ meet() }}
{% endmacro %}
