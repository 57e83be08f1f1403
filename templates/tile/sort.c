{# Values d in ascending order, and the columns of A with them. #}
{% from "tile/eigen.c" import get, put with context %}
{% macro d(i) %}BB_RE(d[{{ body.slot(i, "q") }}]){% endmacro %}
{# Batcher's odd-even merge sort. #}
{% macro sort(A, n) %}
    for (int64_t part = 1; part < {{ n }}; part *= 2)
        for (int64_t apart = part; apart > 0; apart /= 2)
            for (int64_t start = apart % part; start < {{ n }} - apart; start += 2 * apart)
                for (int64_t i = start; i < start + apart && i < {{ n }} - apart; i++) {
                    const int64_t with = i + apart;
                    if (i / (2 * part) != with / (2 * part))
                        continue;
                    const bb_ints exchange = {{ d("i") }} > {{ d("with") }};
                    if (!BB_HOLDS(exchange))
                        continue;
                    BB_SWAP_REAL({{ d("i") }}, {{ d("with") }}, exchange);
{% if body.vectors %}
                    for (int64_t k = 0; k < {{ n }}; k++) {
                        bb_elem u, w;
                        {{ get("u", "own", A, "k", "i") }}
                        {{ get("w", "own", A, "k", "with") }}
                        BB_SWAP(u, w, exchange);
                        {{ put("u", "own", A, "k", "i") }}
                        {{ put("w", "own", A, "k", "with") }}
                    }
{% endif %}
                }
{% endmacro %}
