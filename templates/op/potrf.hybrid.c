{# A = L L' of a vector of matrices that lie by themselves, by blocks of rows. In one matrix after another the columns
   left of the block are solved, by vectors of its rows, and the block on the diagonal is reduced; where rows are
   contiguous what is left of the block is transposed to a panel and back. Then the block goes to lanes, where the
   pivots of all matrices are found at once. Where A is not lower vectors keep what they have. #}
{% import "tile/solve.c" as s with context %}
{% import "tile/vector_tile.c" as d with context %}
{% from "tile/loop.c" import over with context %}
{% from "tile/cholesky.c" import factor with context %}
{% set found = blocks[body.name] %}
{% macro moved(lines, verb, pointers, tail) %}
{% for some in lines %}
        BB_UNROLL(1)
        for (int64_t c = {{ some.loop.first }}; c < {{ some.loop.last }}; c++) {
{% for wide, there, here in some.vectors %}
            bb_{{ verb }}{{ wide }}({{ pointers }}, {{ there }}, T + {{ here }}{{ tail }});
{% endfor %}
        }
{% endfor %}
{% endmacro %}
{# What is left of the block to the panel, or back. #}
{% macro transposed(k, verb, pointers, tail) %}
{% for beyond, offset in found.vectors %}
            for (int64_t c = 0; c < {{ k | index }}; c += {{ width }})
                bb_{{ verb }}{{ width }}({{ pointers }}{{ beyond }}, c, P + {{ offset }} + c * {{ width }}{{ tail }});
{% endfor %}
{% endmacro %}
{% macro started(tile) %}
            BB_FORGET;
{% for name, address in tile.starts %}
            bb_vec {{ name }} = *(const bb_mem *)({{ address }});
{% endfor %}
{{ d.steps(tile.steps) }}
{% endmacro %}
{% macro solved(tile) %}
{{ started(tile) }}
{{ s.solved(tile.columns[:-1]) }}
            if ({{ tile.touches }})
                Y[m] = {{ tile.beside }}[0];
{{ s.solved(tile.columns[-1:]) }}
{% endmacro %}
{% macro reduced(tile) %}
{{ started(tile) }}
            {
{{ d.step(tile.last) }}
            }
{% for name, address, lanes in tile.stores %}
{% if lanes %}
            const bb_vec other{{ name }} = *(const bb_mem *)({{ address }});
            {{ name }} = BB_SHUFFLE(bb_mask{{ width }}, {{ name }}, other{{ name }}, {{ lanes }});
{% endif %}
            *(bb_mem *)({{ address }}) = {{ name }};
{% endfor %}
{% endmacro %}
{% macro left(block) %}
        for (int m = 0; m < count; m++) {
            bb_real *const a = A[m];
{% if found.packed %}
            bb_real *rows[{{ block.size }}];
            for (int r = 0; r < {{ block.size }}; r++)
                rows[r] = a + ({{ block.loop.index | index }} + r) * {{ found.line }};
{{ transposed(block.loop.index, "pack", "(const bb_real *const *)rows", "") }}
{% endif %}
{% for tile in block.solved %}
{% call over(tile.loop) %}
{{ solved(tile) }}
{% endcall %}
{% endfor %}
{{ transposed(block.loop.index, "unpack", "rows", ", " ~ width) if found.packed }}
            {
{{ reduced(block.reduced) }}
            }
        }
{# Lanes beyond the batch repeat its last matrix. #}
        for (int m = count; m < {{ width }}; m++)
            Y[m] = Y[count - 1];
        const bb_vec y = *(const bb_mem *)Y;
        BB_SQUARE(square, y, rough);
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% for name in ("T", "inverse", "Y") + (("P",) if found.packed else ()) %}
    {{ body.array(name, "BB_ALIGNED") }}
{% endfor %}
    bb_ints good = {0};
    bb_vec square = BB_ZEROS, rough, excess = BB_ZEROS;
{% for block in found.blocks %}
{% call over(block.loop) %}
{{ left(block) if block.reduced }}
        bb_real *const D = inverse + {{ found.inverses.at(block.loop.index, 0) }};
{{ moved(block.lines, "pack", "(const bb_real *const *)A", "") }}
{% set carried = block.reduced is not none %}
{{ factor("T", found.lanes, block.size, body.tile.rows, [], carried=carried, inverses=found.inverses) }}
{{ moved(block.lines, "unpack", "A", ", " ~ width) }}
{% endcall %}
{% endfor %}
    BB_REPORT(*info, good < {{ body.size.n }}, good + 1);
}
