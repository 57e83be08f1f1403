{# Values d in ascending order, and the columns of A with them, by Batcher's odd-even merge sort. #}
{% from "tile/eigen.c" import get, put with context %}
{% from "tile/shared_work.c" import first_lane, meet, own as each_own with context %}
{% set few = 16 %}
{% macro d(i) %}BB_RE(d[{{ body.slot(i, "q") }}]){% endmacro %}
{# Of a few columns a row is in registers while all that change places do so. #}
{% macro sort_rows(A, n) %}
{% for i, with in network(n) %}
    const bb_ints exchange{{ loop.index }} = {{ d(i) }} > {{ d(with) }};
    BB_SWAP_REAL({{ d(i) }}, {{ d(with) }}, exchange{{ loop.index }});
{% endfor %}
{% if body.vectors %}
    for (int64_t k = 0; k < {{ n }}; k++) {
        bb_elem {% for i in range(n) %}x{{ i }}{{ ", " if not loop.last }}{% endfor %};
{% for i in range(n) %}
        {{ get("x" ~ i, "own", A, "k", i) }}
{% endfor %}
{% for i, with in network(n) %}
        BB_SWAP(x{{ i }}, x{{ with }}, exchange{{ loop.index }});
{% endfor %}
{% for i in range(n) %}
        {{ put("x" ~ i, "own", A, "k", i) }}
{% endfor %}
    }
{% endif %}
{% endmacro %}
{% macro sort_columns(A, n) %}
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
                    {{ meet() if body.vectors }}
                    {{ first_lane() if body.vectors }}
                    BB_SWAP_REAL({{ d("i") }}, {{ d("with") }}, exchange);
{% if body.vectors %}
                    {{ each_own("k", 0, n) }} {
                        bb_elem u, w;
                        {{ get("u", "own", A, "k", "i") }}
                        {{ get("w", "own", A, "k", "with") }}
                        BB_SWAP(u, w, exchange);
                        {{ put("u", "own", A, "k", "i") }}
                        {{ put("w", "own", A, "k", "with") }}
                    }
                    {{ meet() }}
{% endif %}
                }
{% endmacro %}
{% macro sort(A, n) %}
{{ sort_rows(A, n) if n is number and n <= few and target.simd else sort_columns(A, n) }}
{% endmacro %}
