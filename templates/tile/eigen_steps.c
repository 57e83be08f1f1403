{# Implicit QL until all is diagonal, of vectors of matrices or by a team. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/implicit_ql.c" import find, search, step, turned with context %}
{% from "tile/rotations.c" import turn_together with context %}
{% from "tile/shared_work.c" import meet with context %}
{% set most_steps = 30 %}
{% macro stepping(V, n) %}
{% if body.vectors %}
    int64_t top = 0, bottom = 0; /* the columns that the first of two steps turns */
{% endif %}
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
{{ find(n) }}
        const int last = steps == {{ most_steps }} * {{ n }}, done = begin < 0 || last;
        if (last) { /* what is left is counted */
{% call each() %}
            for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                BB_COUNT(info[q], BB_RE(e[{{ body.slot("i", "q") }}]) != 0);
{% endcall %}
        }
        if (done{{ " && steps % 2 == 0" if body.vectors }})
            break;
{% if body.vectors %}
        const int64_t kept = steps % 2 * {{ body.slot(n, 0) }};
        if (!done) {
            from = begin;
{{ step() }}
        }
{{ turned(V, n) }}
        if (done)
            break;
{% else %}
        from = begin;
{{ step() }}
{% endif %}
    }
{% endmacro %}
{# One lane makes the rotations, and each does them to its rows of V. #}
{% macro stepping_together(V, n) %}
    enum { q = 0 };
{% if body.vectors %}
    const int64_t kept = 0;
{% endif %}
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
{{ step() }}
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
{{ turn_together(V, n) }}
        {{ meet() }}
{% endif %}
    }
{% endmacro %}
