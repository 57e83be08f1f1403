{# What comes behind the iterations: values in their order, and vectors that have none. #}
{% from "tile/singular.c" import apart, given, sides, sizes, vectors with context %}
{# The largest first, by Batcher's network of comparisons. #}
{% macro ordered() %}
    for (int64_t block = 1; block < cols; block *= 2)
        for (int64_t step = block; step > 0; step /= 2)
            for (int64_t first = step % block; first < cols - step; first += 2 * step)
                for (int64_t p = first; p < first + step && p < cols - step; p++) {
                    const int64_t q = p + step;
                    const bb_ints exchange = s[p] < s[q];
                    if ((p ^ q) >= 2 * block || !BB_HOLDS(exchange))
                        continue;
                    BB_SWAP_REAL(s[p], s[q], exchange);
{% if vectors %}
                    for (int64_t i = 0; i < rows; i++)
                        BB_SWAP(u[p * rows + i], u[q * rows + i], exchange);
                    for (int64_t i = 0; i < cols; i++)
                        BB_SWAP(v[p * cols + i], v[q * cols + i], exchange);
{% endif %}
                }
{% endmacro %}
{# The left vector of value j in lanes where its square is as good as zero: the unit vector that those before span
   least, made orthogonal to them, twice. Rare enough for a function of its own. #}
{% macro completion() %}
static {{ apart }} void {{ body.name }}_complete({{ sizes }}bb_elem *const u, const bb_vec *const s, const int64_t j)
{
{{ sides() }}
    bb_elem *const x = u + j * rows;
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
        const bb_elem *const y = u + k % j * rows;
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
