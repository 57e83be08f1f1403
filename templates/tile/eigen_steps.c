{# Implicit QL until all is diagonal, of vectors of matrices or by a team. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/implicit_ql.c" import find, step, turned with context %}
{% from "tile/rotations.c" import idle, turn with context %}
{% from "tile/shared_work.c" import meet with context %}
{% set most_steps = 30 %}
{% macro stepping(V, n) %}
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
{# One lane makes the rotations of two steps, and each does them to its rows of V. #}
{% macro stepping_together(V, n) %}
    enum { q = 0 };
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
        int left = 0, upper, lower;
{% if body.vectors %}
        const int64_t kept = steps % 2 * {{ n }};
{% endif %}
{{ found(n) }}
        BB_TEAM_FIRST(left);
        BB_TEAM_FIRST(upper);
        BB_TEAM_FIRST(lower);
        *info += left;
{% if body.vectors %}
        {{ meet() }}
        if (steps % 2 == 0) {
            top = upper;
            bottom = lower;
        } else {
{{ turn(V, n) }}
            {{ meet() }}
        }
{% endif %}
        if (upper < 0)
            break;
    }
{% endmacro %}
{# What it finds; what is left after too many steps is counted. #}
{% macro found(n) %}
        if (lane == 0) {
{{ find(n) }}
            if (steps == {{ most_steps }} * {{ n }}) {
                for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                    BB_COUNT(left, BB_RE(e[i]) != 0);
                begin = -1;
            }
            if (begin >= 0) {
                from = begin;
{{ step() }}
            }
{% if body.vectors %}
            if (steps % 2) {
{{ idle("begin < 0") }}
            }
{% endif %}
            upper = (int)begin;
            lower = (int)finish;
        }
{% endmacro %}
