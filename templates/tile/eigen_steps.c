{# Implicit QL until all is diagonal, of vectors of matrices or by a team. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/implicit_ql.c" import chain, find, search, step with context %}
{% from "tile/rotations.c" import turn with context %}
{% from "tile/shared_work.c" import meet with context %}
{% set most_steps = 30 %}
{% macro stepping(V, n) %}
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
{{ find(n) }}
        if (steps == {{ most_steps }} * {{ n }}) { /* what is left is counted */
{% call each() %}
            for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                BB_COUNT(info[q], BB_RE(e[{{ body.slot("i", "q") }}]) != 0);
{% endcall %}
            break;
        }
{{ step(V, n) }}
    }
{% endmacro %}
{# One lane makes the rotations, and each does them to its rows of V. #}
{% macro stepping_together(V, n) %}
    enum { q = 0 };
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
        int64_t begin = -1, finish = -1;
        int left = 0, first, last;
        if (lane == 0) {
{{ search(n) }}
            if (steps == {{ most_steps }} * {{ n }}) { /* what is left is counted */
                for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                    BB_COUNT(left, BB_RE(e[i]) != 0);
                begin = -1;
            }
            if (begin >= 0) {
                from = begin;
{{ chain() }}
            }
        }
        first = (int)begin;
        last = (int)finish;
        BB_TEAM_FIRST(left);
        BB_TEAM_FIRST(first);
        BB_TEAM_FIRST(last);
        *info += left;
        {{ meet() if body.vectors }}
        if (first < 0)
            break;
        begin = first;
        finish = last;
{% if body.vectors %}
{{ turn(V, n) }}
        {{ meet() }}
{% endif %}
    }
{% endmacro %}
