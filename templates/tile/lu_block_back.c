{# The rows of X beside a block, and what those above lose to it. #}
{% from "tile/loop.c" import along with context %}
{% set by = body.blocks %}
{% set w, rhs = by.columns, by.right %}
{# A tile to lanes. #}
{% macro transposed(tile, to) %}
                const bb_real *from[{{ width }}];
                for (int lane = 0; lane < {{ width }}; lane++)
                    from[lane] = {{ tile }} + lane * {{ w }};
                bb_pack{{ w }}(from, 0, {{ to }});
{% endmacro %}
{# X in the rows of block j, then what those above lose to it. #}
{% macro back(j, cols) %}
{% set above = 0 is before(j) %}
        const bb_real *const u = A + {{ by.corner(j, cols) }};
{% if above %}
        for (int64_t i = 0; i < {{ j | index }}; i++) {
            bb_real *const tile = A + {{ by.begins(j, "i", w) }};
{{ transposed("tile", "tile") }}
        }
{% endif %}
        for (int64_t c = 0; c < {{ by.beside }}; c++) {
            bb_real *const y = beside + {{ rhs.at(j, "c") }};
            bb_vec a;
{% for q in numbers(cols, true) %}
            bb_vec x{{ q }};
            BB_LOAD(x{{ q }}, y + {{ rhs.at(q, 0) }});
{% for k in numbers(cols, true) if k > q %}
            BB_LOAD(a, u + {{ by.tiles(cols).at(q, k) }});
            BB_FMS(x{{ q }}, a, x{{ k }}, 0, 0);
{% endfor %}
            BB_LOAD(a, u + {{ by.tiles(cols).at(q, q) }});
            BB_TIMES(x{{ q }}, a);
            BB_STORE(y + {{ rhs.at(q, 0) }}, x{{ q }});
{% endfor %}
{% if above %}
            for (int64_t i = 0; i < {{ j | index }}; i++) {
                const bb_real *const tile = A + {{ by.begins(j, "i", w) }};
                bb_vec z;
                BB_LOAD(z, beside + {{ rhs.at("i", "c") }});
{% for k in numbers(cols, true) %}
                BB_LOAD(a, tile + {{ by.tiles(w).at(0, k) }});
                BB_FMS(z, a, x{{ k }}, 0, 0);
{% endfor %}
                BB_STORE(beside + {{ rhs.at("i", "c") }}, z);
            }
{% endif %}
        }
{% endmacro %}
{# Right-hand sides to lanes beside the blocks, and X from there where matrices are `regular`. #}
{% macro beside_blocks(given) %}
    {{ body.array("beside", "BB_ALIGNED") }}
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
            BB_LOAD(solved, beside + {{ rhs.at("i", "c") }});
            BB_TAKE(x, regular, solved);
            BB_STORE(B + {{ B.at("i", "c") }}, x);
        }
{% endmacro %}
