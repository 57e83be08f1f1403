{# Implicit QR of bidiagonal matrices, each lane with its own shifts and its own rows; each vector of matrices that is
   done abreast has variables of its own. #}
{% from "tile/eigen.c" import each with context %}
{% from "tile/shared_work.c" import meet, team with context %}
{% from "tile/singular.c" import pitch, side, values, vectors with context %}
{% from "tile/singular_blocks.c" import blocks, look, shifts with context %}
{% from "tile/singular_chase.c" import chase with context %}
{% from "tile/singular_turns.c" import idle with context %}
{# The rotations of two steps are done to the vectors. Of the second one the last row is `then`. #}
{% macro turned(then) %}
{% call each() %}
            {{ values }}const own = turns + q * 8 * cols;
{% if team %}
            {{ body.name }}_turn(lane, v, own, cols, side, cols, last);
            {{ body.name }}_turn(lane, u, own + 4 * cols, rows, pitch, cols, last);
{% else %}
            {{ body.name }}_turn(v + q * cols * cols, own, cols, cols, last, {{ then }});
            {{ body.name }}_turn(u + q * rows * cols, own + 4 * cols, rows, cols, last, {{ then }});
{% endif %}
{% endcall %}
            last = 0;
{% endmacro %}
{# From top to bottom. #}
{% macro down() %}
{% for q in range(body.abreast) %}
        bb_vec start{{ q }} = zeros, first{{ q }} = zeros, last{{ q }} = zeros;
        bb_ints poor{{ q }} = zeros > 0, lacks{{ q }} = poor{{ q }};
{% endfor %}
{% if vectors %}
        {{ values }}const kept = turns + (last ? 2 * cols : 0);
{% endif %}
        for (int64_t k = 0; k <= top; k++) {
            if (step && k < top) {
{% for q in range(body.abreast) %}
{{ chase(q) }}
{% endfor %}
            }
            if (k) {
{% for q in range(body.abreast) %}
{{ look(q) }}
{% endfor %}
            }
        }
{% endmacro %}
{% macro steps() %}
{{ down() }}
{% if vectors %}
        if (last) {
{{ turned("top") }}
        } else if (step) {
            last = top;
        }
{% endif %}
{{ blocks() }}
        if (!top)
            break;
{{ shifts() }}
{% endmacro %}
{# One lane makes the rotations, and each does them to its rows of vectors. #}
{% macro steps_together() %}
        const int64_t before = top;
        int then = 0;
        if (lane == 0) {
{{ down() }}
            if (last) {
{{ idle("top") }}
            }
{{ blocks() }}
            if (top) {
{{ shifts() }}
            }
            then = (int)top;
        }
        BB_TEAM_FIRST(then);
        if (last) {
            {{ meet() }}
{{ turned("") }}
            {{ meet() }}
        } else if (step) {
            last = before;
        }
        top = then;
        if (!top)
            break;
{% endmacro %}
