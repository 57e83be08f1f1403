{# A X = B by LU of matrices by themselves whose rows are contiguous; of A nothing is left. Blocks of columns are factored
   in lanes from the left, with B beside them. What is right of a block is exchanged and reduced by vectors of a row, one
   matrix after another: elements of L are factors from lanes. So L is exchanged within its block alone, and only what is
   fetched by lanes is transposed, where its tiles lie. #}
{% from "tile/loop.c" import named %}
{% from "tile/lu_block_back.c" import back, transposed with context %}
{% from "tile/lu_block_pivot.c" import pivots with context %}
{% from "tile/lu_block_right.c" import right_of with context %}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{% set w, rhs = by.columns, by.right %}
{% macro fetch(cols, given) %}
            for (int64_t i = 0; i < rows; i++) {
{% if given %}
{% if source.ahead %}
                if ({{ source.ahead }})
                    bb_coming({{ source.name }}, {{ source.ahead }} + i * {{ source.rows }});
{% endif %}
{% for chunk in source.chunks[cols] %}
{% for start in chunk.starts %}
                bb_pack{{ chunk.width }}({{ source.name }}, i * {{ source.rows }} + {{ start }}, panel + {{ by.tiles(cols).at("i", start) }});
{% endfor %}
{% endfor %}
{% else %}
{{ transposed("panel + " ~ by.tiles(w).at("i", 0), "panel + " ~ by.tiles(w).at("i", 0)) }}
{% endif %}
            }
{% endmacro %}
{# Block j, which is as it was given or tiles. #}
{% macro block(IPIV, cols, given, more) %}
        const int64_t rows = {{ by.order }} - j;
        bb_real *const panel = A + {{ by.corner("j", cols) }};
        bb_real *const u = upper + {{ by.upper.at("j", 0) }}, *const y = beside + {{ rhs.at("j", 0) }};
        int32_t with[{{ cols }}][{{ width }}];
{{ fetch(cols, given) }}
{{ pivots(IPIV, cols) }}
{% if more %}
        {{ "if (rows > " ~ cols ~ ")" if not given }} {
{{ right_of(cols, given) }}
        }
{% else %}
        (void)with;
{% endif %}
{% endmacro %}
{% macro solve_by_blocks(IPIV, B, from) %}
    {{ body.array("upper", "BB_ALIGNED") }}
    {{ body.array("beside", "BB_ALIGNED") }}
    for (int64_t i = 0; i < {{ by.order }}; i++)
        for (int64_t c = 0; c < {{ by.beside }}; c++)
            *(bb_mem *)(beside + {{ rhs.at("i", "c") }}) = *(const bb_mem *)({{ from.name }} + {{ from.view.at("i", "c") }});
{% call(across) named(by.segments, "j") %}
{{ block(IPIV, across.size, across.start == 0, by.more(across)) }}
{% endcall %}
    BB_REGULAR(regular, *info);
{% for across in by.segments | reverse %}
{% if across.repeats == 1 %}
    {
        const int64_t j = {{ across.start }};
{% else %}
    for (int64_t j = {{ across.last }}; j >= {{ across.start }}; j -= {{ w }}) {
{% endif %}
{{ back(across.size, across.start > 0) }}
    }
{% endfor %}
    for (int64_t i = 0; i < {{ by.order }}; i++)
        for (int64_t c = 0; c < {{ by.beside }}; c++) {
            bb_vec x, solved;
            BB_LOAD(x, {{ from.name }} + {{ from.view.at("i", "c") }});
            BB_LOAD(solved, beside + {{ rhs.at("i", "c") }});
            BB_TAKE(x, regular, solved);
            BB_STORE(B + {{ B.at("i", "c") }}, x);
        }
{% endmacro %}
