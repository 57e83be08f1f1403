{# The rotations of a step of QL are done to the columns of A. #}
{% from "tile/eigen.c" import each, get, own, put with context %}
{% from "tile/shared_work.c" import own as each_own, team with context %}
{% set together = 4 %}
{# To some rows, of which what one rotation leaves for the next stays in registers. #}
{% macro rows(A, count) %}
                bb_elem {% for r in range(count) %}w{{ r }}{{ ", " if not loop.last }}{% endfor %};
{% for r in range(count) %}
                {{ get("w" ~ r, "own", A, ("k", r), "finish") }}
{% endfor %}
                for (int64_t i = finish - 1; i >= begin; i--) {
                    const bb_vec c = cosine[{{ body.slot("i", "q") }}], s = sine[{{ body.slot("i", "q") }}];
{% for r in range(count) %}
                    {
                        bb_elem u;
                        {{ get("u", "own", A, ("k", r), "i") }}
                        BB_TURN(u, w{{ r }}, c, s);
                        {{ put("w" ~ r, "own", A, ("k", r), ("i", 1)) }}
                        w{{ r }} = u;
                    }
{% endfor %}
                }
{% for r in range(count) %}
                {{ put("w" ~ r, "own", A, ("k", r), "begin") }}
{% endfor %}
{% endmacro %}
{% macro turn(A, n) %}
{% call each() %}
{{ own("A", body.apart.A) }}
{% if team %}
            {{ each_own("k", 0, n) }} {
{{ rows(A, 1) }}
            }
{% else %}
            int64_t k = 0;
            for (; k + {{ together }} <= {{ n }}; k += {{ together }}) {
{{ rows(A, together) }}
            }
            for (; k < {{ n }}; k++) {
{{ rows(A, 1) }}
            }
{% endif %}
{% endcall %}
{% endmacro %}
