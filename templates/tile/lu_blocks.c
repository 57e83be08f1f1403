{# LU of matrices by themselves whose rows are contiguous; of A no more than the diagonal is left. Blocks of columns are
   factored in lanes from the left, with right-hand sides beside them. What is right of a block is exchanged and reduced
   by vectors of a row, one matrix after another: elements of L are factors from lanes. So L is exchanged within its
   block alone, and only what is fetched by lanes is transposed, where its tiles lie. #}
{% from "tile/loop.c" import named with context %}
{% from "tile/lu_block_back.c" import transposed with context %}
{% from "tile/lu_block_pivot.c" import pivots with context %}
{% from "tile/lu_block_ahead.c" import none_prefetched with context %}
{% from "tile/lu_block_right.c" import right_of with context %}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{% set w = by.columns %}
{% macro fetch(cols, first) %}
            for (int64_t i = 0; i < rows; i++) {
{% if first %}
                const int64_t row = i * {{ source.rows }};
                bb_real *const tile = panel + {{ by.tiles(cols).at("i", 0) }};
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
{% macro block(IPIV, cols, first, more) %}
        const int64_t rows = {{ by.order }} - j;
        bb_real *const panel = A + {{ by.corner("j", cols) }};
        {{ "bb_real *const y = beside + " ~ by.right.at("j", 0) ~ ";" if by.beside }}
        int32_t with[{{ cols }}][{{ width }}];
{{ fetch(cols, first) }}
{{ pivots(IPIV, cols, more) }}
{% if more %}
        {{ "if (rows > " ~ cols ~ ")" if not first }} {
{{ right_of(cols, first) }}
        }
{% else %}
        (void)with;
{% endif %}
{% endmacro %}
{% macro factor_by_blocks(A, IPIV) %}
    {{ body.array("diagonal", "BB_ALIGNED") if by.diagonal }}
{{ none_prefetched() }}
{% call(across) named(by.segments, "j") %}
{{ block(IPIV, across.size, across.start == 0, by.more(across)) }}
{% endcall %}
{% if by.diagonal %}
    for (int64_t i = 0; i < {{ by.order }}; i++) {
        bb_vec x;
        BB_LOAD(x, diagonal + {{ by.column.at("i", 0) }});
        BB_STORE(A + {{ A.at("i", "i") }}, x);
    }
{% endif %}
{% endmacro %}
