{# What a reflection does to a triangle of A by a team, each lane its own rows; sums are those of
   tridiagonal_columns. #}
{% from "tile/eigen.c" import get, put with context %}
{% from "tile/shared_work.c" import own as each_own with context %}
{% from "tile/tridiagonal_columns.c" import together with context %}
{# p = A v. What columns before those that are done `together` with column i give is added up by itself. #}
{% macro multiplied(T, n) %}
        {{ each_own("i", ("k", 1), n) }} {
            const int64_t whole = i - (i - k - 1) % {{ together }};
            const int64_t start = whole + {{ together }} <= {{ n }} ? whole : i;
            bb_elem more = zero, sum;
            {{ get("sum", "own", T, "i", "k") }}
            {{ get("x", "own", T, "i", "i") }}
            BB_SCALED(sum, BB_RE(x));
            for (int64_t j = k + 1; j < i; j++) {
                {{ get("v", "own", T, "j", "k") }}
                {{ get("x", "own", T, "i", "j") }}
                if (j < start) {
                    BB_FMA(more, x, v, 0, 0);
                } else {
                    BB_FMA(sum, x, v, 0, 0);
                }
            }
            for (int64_t j = i + 1; j < {{ n }}; j++) {
                {{ get("v", "own", T, "j", "k") }}
                {{ get("x", "own", T, "j", "i") }}
                BB_FMA(sum, x, v, 1, 0);
            }
            BB_ADD(more, sum);
            BB_TIMES(more, times);
            p[i] = more;
        }
{% endmacro %}
{# A - v p* - p v*. #}
{% macro updated(T, n) %}
        {{ each_own("i", ("k", 1), n) }} {
            bb_elem other;
            const bb_elem beside = p[i];
            {{ get("other", "own", T, "i", "k") }}
            for (int64_t j = k + 1; j <= i; j++) {
                {{ get("v", "own", T, "j", "k") }}
                {{ get("x", "own", T, "i", "j") }}
                BB_FMS(x, other, p[j], 0, 1);
                BB_FMS(x, beside, v, 0, 1);
                {{ put("x", "own", T, "i", "j") }}
            }
        }
{% endmacro %}
