{# Values in their order, and their vectors with them. #}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own with context %}
{% from "tile/singular.c" import apart, arrays, by, pitch, side, sides, sizes, values, vectors with context %}
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
                    {{ meet() if vectors }}
                    {{ first_lane() if vectors }}
                    BB_SWAP_REAL(s[p], s[q], exchange);
{% if vectors %}
                    {{ each_own("i", 0, "rows") }}
                        BB_SWAP(u[p * {{ pitch }} + i], u[q * {{ pitch }} + i], exchange);
                    {{ each_own("i", 0, "cols") }}
                        BB_SWAP(v[p * {{ side }} + i], v[q * {{ side }} + i], exchange);
                    {{ meet() }}
{% endif %}
                }
{% endmacro %}
{# Values of either sign become positive, and are brought into their order. #}
{% macro ordering() %}
static {{ apart }} void {{ body.name }}_ordered({{ sizes ~ (by ~ arrays if vectors else values ~ "const s") }})
{
{{ sides() }}
    const bb_vec zeros = BB_ZEROS;
    {{ each_own("k", 0, "cols") if vectors else "for (int64_t k = 0; k < cols; k++)" }} {
        const bb_vec sign = BB_SELECT(s[k] < 0, zeros - 1, zeros + 1);
        s[k] *= sign;
{% if vectors %}
        for (int64_t i = 0; i < cols; i++)
            BB_SCALED(v[k * {{ side }} + i], sign);
{% endif %}
    }
    {{ meet() if vectors }}
{{ ordered() }}
}
{% endmacro %}
