{# The rotations of two steps of QL are done to the columns of A at once: what the first has turned goes to the second
   in registers, so each element is read and written once. #}
{% from "tile/eigen.c" import each, get, own, put with context %}
{% from "tile/several.c" import several %}
{% from "tile/shared_work.c" import own as each_own, team with context %}
{# Rotation i of a step. #}
{% macro rotation(t, s, i, of="") %}
const bb_vec {{ t }} = tangent{{ of }}[{{ body.slot(i, "q") }}], {{ s }} = sine{{ of }}[{{ body.slot(i, "q") }}];
{%- endmacro %}
{# To some rows: of each, x waits for the next rotation of the first step, y for that of the second. #}
{% macro rows(A, count) %}
                {{ rotation("t", "s", ("bottom", -1)) }}
                bb_elem {% for r in range(count) %}x{{ r }}, y{{ r }}{{ ", " if not loop.last }}{% endfor %};
{% for r in range(count) %}
                {{ get("y" ~ r, "own", A, ("k", r), "bottom") }}
                {{ get("x" ~ r, "own", A, ("k", r), ("bottom", -1)) }}
                BB_TURN(x{{ r }}, y{{ r }}, t, s);
{% endfor %}
                for (int64_t i = bottom - 2; i >= top; i--) {
                    {{ rotation("t", "s", "i") }}
                    {{ rotation("tt", "ss", ("i", 1), "_then") }}
{% for r in range(count) %}
                    {
                        bb_elem u, w = x{{ r }};
                        {{ get("u", "own", A, ("k", r), "i") }}
                        BB_TURN(u, w, t, s);
                        x{{ r }} = u;
                        BB_TURN(w, y{{ r }}, tt, ss);
                        {{ put("y" ~ r, "own", A, ("k", r), ("i", 2)) }}
                        y{{ r }} = w;
                    }
{% endfor %}
                }
                {{ rotation("tt", "ss", "top", "_then") }}
{% for r in range(count) %}
                BB_TURN(x{{ r }}, y{{ r }}, tt, ss);
                {{ put("y" ~ r, "own", A, ("k", r), ("top", 1)) }}
                {{ put("x" ~ r, "own", A, ("k", r), "top") }}
{% endfor %}
{% endmacro %}
{# To all rows, columns `top` to `bottom`. #}
{% macro turn(A, n) %}
            {{ body.pointer("bb_vec") }}const tangent_then = tangent + {{ body.slot(n, 0) }};
            {{ body.pointer("bb_vec") }}const sine_then = sine + {{ body.slot(n, 0) }};
{% call each() %}
{{ own("A", body.apart.A) }}
{% if team %}
            {{ each_own("k", 0, n) }} {
{{ rows(A, 1) }}
            }
{% else %}
{% call(count) several("k", 0, n, column_rows) %}
{{ rows(A, count) }}
{% endcall %}
{% endif %}
{% endcall %}
{% endmacro %}
{# Rotations that the second of two steps lacks, or all of it where the first was the last one, turn by nothing. #}
{% macro idle(done) %}
            for (int64_t i = {{ body.slot("top", 0) }}; i < {{ body.slot("bottom", 0) }}; i++)
                if ({{ done }} || i < {{ body.slot("begin", 0) }} || i >= {{ body.slot("finish", 0) }})
                    tangent[kept + i] = sine[kept + i] = BB_ZEROS;
{% endmacro %}
