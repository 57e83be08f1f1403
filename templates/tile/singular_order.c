{# What comes behind the iterations: values in their order, and vectors that have none. #}
{% from "tile/singular.c" import apart, given, sides, sizes, vectors with context %}
{# The largest first, by Batcher's network of comparisons. #}
{% macro ordered() %}
    for (int64_t block = 1; block < cols; block *= 2)
        for (int64_t step = block; step > 0; step /= 2)
            for (int64_t first = step % block; first < cols - step; first += 2 * step)
                for (int64_t p = first; p < first + step && p < cols - step; p++) {
                    const int64_t q = p + step;
                    const bb_vec before = s[p];
                    BB_GREATER(some, s[q], s[p]);
                    if ((p ^ q) >= 2 * block || !BB_SOME(some))
                        continue;
                    BB_TAKE(s[p], some, s[q]);
                    BB_TAKE(s[q], some, before);
{% if vectors %}
{{ exchanged("rows", "u") }}
{{ exchanged("cols", "v") }}
{% endif %}
                }
{% endmacro %}
{% macro exchanged(rows, x) %}
                    for (int64_t i = 0; i < {{ rows }}; i++) {
                        const bb_elem one = {{ x }}[p * {{ rows }} + i];
                        BB_TAKE_ELEM({{ x }}[p * {{ rows }} + i], some, {{ x }}[q * {{ rows }} + i]);
                        BB_TAKE_ELEM({{ x }}[q * {{ rows }} + i], some, one);
                    }
{% endmacro %}
{# The left vector of value j in lanes where its square is as good as zero: the unit vector that those before span
   least, made orthogonal to them, twice. Rare enough for a function of its own. #}
{% macro completion() %}
static {{ apart }} void {{ body.name }}_complete({{ sizes }}bb_elem *const u, const bb_vec *const s, const int64_t j)
{
{{ sides() }}
    bb_elem *const x = u + j * rows;
    bb_vec smallest = BB_ZEROS + 2, at = BB_ZEROS, sum = BB_ZEROS, inverse, rough, excess;
    bb_mask takes, counts;
    for (int64_t i = 0; i < rows; i++) {
        bb_vec spanned = BB_ZEROS;
        for (int64_t k = 0; k < j; k++)
            BB_ADD_SQUARE(spanned, u[k * rows + i]);
        BB_GREATER(takes, smallest, spanned);
        BB_TAKE(smallest, takes, spanned);
        BB_TAKE(at, takes, BB_ZEROS + (bb_real)i);
    }
    BB_GREATER(takes, BB_ZEROS + (bb_real){{ compute.least_square }}, s[j]);
    for (int64_t i = 0; i < rows; i++) {
        bb_elem unit;
        bb_vec one = BB_ZEROS;
        BB_EQUAL(counts, at, BB_ZEROS + (bb_real)i);
        BB_TAKE(one, counts, BB_ZEROS + 1);
        BB_ZERO(unit);
        BB_SET_REAL(unit, one);
        BB_TAKE_ELEM(x[i], takes, unit);
    }
    for (int64_t k = 0; k < 2 * j; k++) {
        const bb_elem *const y = u + k % j * rows;
        bb_elem dot, none;
        BB_ZERO(dot);
        BB_ZERO(none);
        for (int64_t i = 0; i < rows; i++)
            BB_FMA(dot, y[i], x[i], 1, 0);
        BB_TAKE_ELEM(none, takes, dot);
        for (int64_t i = 0; i < rows; i++)
            BB_FMS(x[i], none, y[i], 0, 0);
    }
    for (int64_t i = 0; i < rows; i++)
        BB_ADD_SQUARE(sum, x[i]);
    bb_root(&sum, &inverse, &rough, &excess);
    sum = BB_ZEROS + 1;
    BB_TAKE(sum, takes, inverse);
    for (int64_t i = 0; i < rows; i++)
        BB_TIMES_REAL(x[i], sum);
}
{% endmacro %}
