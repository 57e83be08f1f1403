{# What comes behind the sweeps: values in their order, their left vectors, and such as have none. #}
{% from "tile/singular.c" import apart, const_elements, const_values, elements, side, vectors with context %}
{% macro x(i, j) %}x{{ i }}_{{ j }}{% endmacro %}
{# Of the right vectors elements of a GPU stay in their array: registers have no room for them beside all others. #}
{% macro v(i, j) -%}
{{ "v%d_%d" | format(i, j) if target.simd else "v[%d * %s + %d]" | format(j, side, i) }}
{%- endmacro %}
{# The largest first. #}
{% macro ordered(rows, cols) %}
{% for i, j in network(cols) %}
    {
        const bb_ints exchange = s{{ i }} < s{{ j }};
        BB_SWAP_REAL(s{{ i }}, s{{ j }}, exchange);
{% for k in range(rows if vectors else 0) %}
        BB_SWAP({{ x(k, i) }}, {{ x(k, j) }}, exchange);
{% endfor %}
{% for k in range(cols if vectors else 0) %}
        BB_SWAP({{ v(k, i) }}, {{ v(k, j) }}, exchange);
{% endfor %}
    }
{% endfor %}
{% endmacro %}
{# Values and left vectors of orthogonal columns, which are in order, and of which `s` has the sums of squares. #}
{% macro lengths(rows, cols) %}
{% for j in range(cols) %}
    {
        const bb_ints none = s{{ j }} < (bb_real){{ compute.smallest }};
        bb_vec value = BB_SELECT(none, BB_ZEROS + 1, s{{ j }}), inverse, rough, excess;
        bb_root(&value, &inverse, &rough, &excess);
{% if vectors %}
{% for i in range(rows) %}
        BB_TIMES_REAL({{ x(i, j) }}, inverse);
        u[{{ j }} * rows + {{ i }}] = {{ x(i, j) }};
{% endfor %}
        const bb_ints lost = s{{ j }} < (bb_real){{ compute.least_square }};
        s[{{ j }}] = s{{ j }};
        if (BB_HOLDS(lost))
            {{ body.name }}_complete(u, s, {{ j }});
{% endif %}
        s[{{ j }}] = BB_SELECT(none, BB_ZEROS, value);
    }
{% endfor %}
{% endmacro %}
{# The left vector of value j in lanes where its square is as good as zero: the unit vector that those before span
   least, made orthogonal to them, twice. Rare enough for a function of its own. #}
{% macro completion(rows, cols) %}
static {{ apart }} void {{ body.name }}_complete({{ elements }}const u, {{ const_values }}const s, const int64_t j)
{
    enum { rows = {{ rows }} };
    {{ elements }}const x = u + j * rows;
    const bb_ints lost = s[j] < (bb_real){{ compute.least_square }};
    bb_vec smallest = BB_ZEROS + 2, at = BB_ZEROS, sum = BB_ZEROS, inverse;
    bb_elem zero, one;
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
    for (int64_t i = 0; i < rows; i++) {
        bb_vec spanned = BB_ZEROS;
        for (int64_t k = 0; k < j; k++)
            BB_ADD_SQUARE(spanned, u[k * rows + i]);
        at = BB_SELECT(spanned < smallest, BB_ZEROS + (bb_real)i, at);
        smallest = BB_SELECT(spanned < smallest, spanned, smallest);
    }
    for (int64_t i = 0; i < rows; i++) {
        BB_REPLACE(x[i], lost, zero);
        BB_REPLACE(x[i], lost & (at == (bb_real)i), one);
    }
    for (int64_t k = 0; k < 2 * j; k++) {
        {{ const_elements }}const y = u + k % j * rows;
        bb_elem dot = zero;
        for (int64_t i = 0; i < rows; i++)
            BB_FMA(dot, y[i], x[i], 1, 0);
        BB_REPLACE(dot, lost == 0, zero);
        for (int64_t i = 0; i < rows; i++)
            BB_FMS(x[i], dot, y[i], 0, 0);
    }
    for (int64_t i = 0; i < rows; i++)
        BB_ADD_SQUARE(sum, x[i]);
    bb_inverse_root(&inverse, &sum);
    inverse = BB_SELECT(lost, inverse, BB_ZEROS + 1);
    for (int64_t i = 0; i < rows; i++)
        BB_SCALED(x[i], inverse);
}
{% endmacro %}
