{# LU of matrices by themselves whose rows are contiguous; of A no more than the diagonal is left. Blocks of columns are
   factored in lanes from the left, with right-hand sides beside them. What is right of a block is reduced by vectors of
   a row, one matrix after another, and comes to its place then: elements of L are factors from lanes. So only what is
   fetched by lanes is transposed. The last block is in registers. #}
{% from "tile/loop.c" import named with context %}
{% from "tile/lu_block_back.c" import turned with context %}
{% from "tile/lu_block_pivot.c" import pivots with context %}
{% from "tile/lu_block_ahead.c" import none_prefetched with context %}
{% from "tile/lu_block_right.c" import right_of with context %}
{% from "tile/lu_block_last.c" import last_block with context %}
{% set by = body.blocks %}
{% set source = body.sources.A %}
{# Row i of a block to lanes. #}
{% macro fetched(cols, first) %}
{% if first %}
{% for chunk in source.chunks[cols] %}
{% for at in chunk.starts %}
                bb_pack{{ chunk.width }}({{ source.name }}, {{ at }} + i * {{ source.rows }},
                         panel + {{ by.tiles(cols).at("i", at) }});
{% endfor %}
{% endfor %}
{% else %}
{{ turned("j", "(j + i)", cols, "panel + " ~ by.tiles(cols).at("i", 0)) }}
{% endif %}
{% endmacro %}
{# Block j, which is as it was given or tiles. #}
{% macro block(IPIV, cols, first) %}
        const int64_t rows = {{ by.order }} - j;
        {{ "bb_real *const y = beside + " ~ by.right.at("j", 0) ~ ";" if by.beside }}
        int32_t order[{{ by.order }}][{{ width }}] BB_ALIGNED;
{% call pivots(IPIV, cols) %}{{ fetched(cols, first) }}{% endcall %}
{{ right_of(cols, first) }}
{% endmacro %}
{% macro factor_by_blocks(A, IPIV) %}
    {{ body.array("panel", "BB_ALIGNED") }}
    {{ body.array("diagonal", "BB_ALIGNED") if by.diagonal }}
{{ none_prefetched() }}
{% call(across) named(by.before_last, "j") %}
{{ block(IPIV, across.size, across.start == 0) }}
{% endcall %}
    {
{{ last_block(IPIV, by.last, by.order - by.last) }}
    }
{% if by.diagonal %}
    for (int64_t i = 0; i < {{ by.order }}; i++) {
        bb_vec x;
        BB_LOAD(x, diagonal + {{ by.column.at("i", 0) }});
        BB_STORE(A + {{ A.at("i", "i") }}, x);
    }
{% endif %}
{% endmacro %}
