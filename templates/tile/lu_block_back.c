{# The rows of X beside a block, and what those above lose to it. #}
{% from "tile/loop.c" import along with context %}
{% set by = body.blocks %}
{% set w, rhs = by.columns, by.right %}
{# Row i of a block that is tiles, to lanes. #}
{% macro turned(j, i, cols, to) %}
{% for v in range(0, cols, w) %}
            {
                const bb_real *from[{{ width }}];
                for (int lane = 0; lane < {{ width }}; lane++)
                    from[lane] = A + {{ by.begins((j, v), i, w) }} + lane * {{ w }};
                bb_pack{{ w }}(from, 0, {{ to }} + {{ v * width }});
            }
{% endfor %}
{% endmacro %}
{# X in the rows of block j, then what those above lose to it. #}
{% macro back(j, cols) %}
        bb_vec a;
{% for c in range(by.beside) %}
{% for q in numbers(cols, true) %}
        bb_vec x{{ c }}_{{ q }};
        BB_LOAD(x{{ c }}_{{ q }}, upper + {{ by.upper_at((j, q), cols + c, cols) }});
{% for k in numbers(cols, true) if k > q %}
        BB_LOAD(a, upper + {{ by.upper_at((j, q), k, cols) }});
        BB_FMS(x{{ c }}_{{ q }}, a, x{{ c }}_{{ k }}, 0, 0);
{% endfor %}
        BB_LOAD(a, upper + {{ by.upper_at((j, q), q, cols) }});
        BB_TIMES(x{{ c }}_{{ q }}, a);
        BB_STORE(upper + {{ by.upper_at((j, q), cols + c, cols) }}, x{{ c }}_{{ q }});
{% endfor %}
{% endfor %}
{% if 0 is before(j) %}
        for (int64_t i = 0; i < {{ j | index }}; i++) {
            bb_real row[{{ cols * width }}] BB_ALIGNED;
{{ turned(j, "i", cols, "row") }}
{% for c in range(by.beside) %}
            bb_vec z{{ c }};
            BB_LOAD(z{{ c }}, upper + {{ by.upper_at("i", cols + c, cols) }});
{% for k in numbers(cols, true) %}
            BB_LOAD(a, row + {{ by.tiles(cols).at(0, k) }});
            BB_FMS(z{{ c }}, a, x{{ c }}_{{ k }}, 0, 0);
{% endfor %}
            BB_STORE(upper + {{ by.upper_at("i", cols + c, cols) }}, z{{ c }});
{% endfor %}
        }
{% endif %}
{% endmacro %}
{# Right-hand sides to lanes beside the blocks, and X from there where matrices are `regular`. #}
{% macro beside_blocks(given) %}
    {{ body.array("beside", "BB_ALIGNED") }}
    {{ body.array("upper", "BB_ALIGNED") }}
    for (int64_t i = 0; i < {{ by.order }}; i++)
        for (int64_t c = 0; c < {{ by.beside }}; c++) {
            bb_vec x;
            BB_LOAD(x, {{ given.name }} + {{ given.view.at("i", "c") }});
            BB_STORE(beside + {{ rhs.at("i", "c") }}, x);
        }
{% endmacro %}
{% macro solve_by_blocks(B, given) %}
{% call(j, across) along(by.segments, "j", backwards=true) %}
{{ back(j, across.size) }}
{% endcall %}
    for (int64_t i = 0; i < {{ by.order }}; i++)
        for (int64_t c = 0; c < {{ by.beside }}; c++) {
            bb_vec x, solved;
            BB_LOAD(x, {{ given.name }} + {{ given.view.at("i", "c") }});
            BB_LOAD(solved, upper + {{ by.upper_at("i", 0, 0) }} + c * {{ width }});
            BB_TAKE(x, regular, solved);
            BB_STORE(B + {{ B.at("i", "c") }}, x);
        }
{% endmacro %}
