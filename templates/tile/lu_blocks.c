{# A X = B by LU of matrices by themselves whose rows are contiguous; of A nothing is left. Blocks of columns are
   factored in lanes from the left, with B beside them. What is right of a block is exchanged and reduced by vectors
   of a row, one matrix after another: elements of L are factors from lanes. So L is exchanged within its block alone,
   and only what is fetched by lanes is transposed, where its tiles lie. #}
{% from "tile/loop.c" import along, named with context %}
{% from "tile/lu_block_back.c" import back, transposed with context %}
{% from "tile/lu_block_pivot.c" import pivots with context %}
{% from "tile/lu_block_right.c" import right_of with context %}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{% set IPIV, B = body.views[1:] %}
{% set w, rhs, given = by.columns, by.right, body.sources.B %}
{% macro fetch(cols, first) %}
            for (int64_t i = 0; i < rows; i++) {
{% if first %}
                const int64_t row = i * {{ source.rows }};
                bb_real *const tile = panel + {{ by.tiles(cols).at("i", 0) }};
{% if source.ahead %}
                if ({{ source.ahead }})
                    bb_coming({{ source.name }}, {{ source.ahead }} + row);
{% endif %}
{% for chunk in source.chunks[cols] %}
{% for at in chunk.starts %}
                bb_pack{{ chunk.width }}({{ source.name }}, row + {{ at }}, tile + {{ by.tiles(cols).at(0, at) }});
{% endfor %}
{% endfor %}
{% else %}
{{ transposed("panel + " ~ by.tiles(w).at("i", 0), "panel + " ~ by.tiles(w).at("i", 0)) }}
{% endif %}
            }
{% endmacro %}
{# Block j, which is as it was given or tiles. #}
{% macro block(cols, first, more) %}
        const int64_t rows = {{ by.order }} - j;
        bb_real *const panel = A + {{ by.corner("j", cols) }};
        bb_real *const u = upper + {{ by.upper.at("j", 0) }}, *const y = beside + {{ rhs.at("j", 0) }};
        int32_t with[{{ cols }}][{{ width }}];
{{ fetch(cols, first) }}
{{ pivots(IPIV, cols) }}
{% if more %}
        {{ "if (rows > " ~ cols ~ ")" if not first }} {
{{ right_of(cols, first) }}
        }
{% else %}
        (void)with;
{% endif %}
{% endmacro %}
    {{ body.array("upper", "BB_ALIGNED") }}
    {{ body.array("beside", "BB_ALIGNED") }}
    for (int64_t i = 0; i < {{ by.order }}; i++)
        for (int64_t c = 0; c < {{ by.beside }}; c++) {
            bb_vec x;
            BB_LOAD(x, {{ given.name }} + {{ given.view.at("i", "c") }});
            BB_STORE(beside + {{ rhs.at("i", "c") }}, x);
        }
{% call(across) named(by.segments, "j") %}
{{ block(across.size, across.start == 0, by.more(across)) }}
{% endcall %}
    BB_REGULAR(regular, *info);
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
