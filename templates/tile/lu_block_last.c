{# The last block, where LU is in registers and in straight lines, with right-hand sides beside it. #}
{% from "tile/lu_registers.c" import factor, pivots with context %}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/lu_block_back.c" import turned with context %}
{% set by = body.blocks %}
{% macro last_block(IPIV, cols, j) %}
{% set numbered = "IPIV" not in body.unread %}
        {{ "bb_real *const y = beside + " ~ by.right.at(j, 0) ~ ";" if by.beside }}
{% for c in range(by.all(cols)) %}
        bb_vec {{ t.names("c" ~ c ~ "_", cols) }};
{% endfor %}
{% for i in range(cols) %}
        {
            bb_real row[{{ cols * width }}] BB_ALIGNED;
{{ turned(j, (j, i), cols, "row") }}
{% for c in range(cols) %}
            BB_LOAD(c{{ c }}_{{ i }}, row + {{ by.tiles(cols).at(0, c) }});
{% endfor %}
{% for c in range(by.beside) %}
            BB_LOAD(c{{ cols + c }}_{{ i }}, y + {{ by.right.at(i, c) }});
{% endfor %}
        }
{% endfor %}
{{ pivots(cols, numbered) }}
{{ factor(cols, cols, by.beside, false, numbered, j) }}
{% for i in range(cols) %}
{% if numbered %}
        BB_PUT_INDEX(IPIV + {{ IPIV.at(j + i, 0) }}, at{{ i }} + {{ j + 1 }});
{% endif %}
{% if by.diagonal %}
        BB_STORE(diagonal + {{ by.column.at(j + i, 0) }}, c{{ i }}_{{ i }});
{% endif %}
{% if by.beside %}
        BB_STORE(upper + {{ by.upper_at(j + i, i, cols) }}, inverse{{ i }});
{% for c in range(i + 1, by.all(cols)) %}
        BB_STORE(upper + {{ by.upper_at(j + i, c, cols) }}, c{{ c }}_{{ i }});
{% endfor %}
{% endif %}
{% endfor %}
{% endmacro %}
