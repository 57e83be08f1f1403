{# Values in their order, and their vectors with them. #}
{% from "tile/singular.c" import vectors with context %}
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
