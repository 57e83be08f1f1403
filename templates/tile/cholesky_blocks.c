{# A = L L' of a vector of matrices that lie by themselves, by blocks of rows. In one matrix after another the columns
   left of the block are solved, by vectors of its rows, and the block on the diagonal is reduced; where rows are
   contiguous what is left of the block is transposed to a panel and back. Then the block goes to lanes, where the
   pivots of all matrices are found at once. Where A is not lower vectors keep what they have. Right-hand sides that go
   along are reduced with the block: rows of them leave their lanes, by matrices, for as long. #}
{% import "tile/solve.c" as s with context %}
{% import "tile/vector_tile.c" as d with context %}
{% from "tile/loop.c" import over with context %}
{% from "tile/cholesky.c" import factor with context %}
{% set found = blocks[body.name] %}
{# Lines of a block to `lanes`, or back. #}
{% macro moved(lines, verb, pointers, lanes, tail) %}
        BB_UNROLL(1)
        for (int64_t c = {{ lines.loop.first }}; c < {{ lines.loop.last }}; c++) {
{% for wide, there, here in lines.vectors %}
            bb_{{ verb }}{{ wide }}({{ pointers }}, {{ there }}, {{ lanes }} + {{ here }}{{ tail }});
{% endfor %}
        }
{% endmacro %}
{# What is left of the block to the panel, or back. #}
{% macro transposed(k, verb, pointers, tail) %}
{% set w = found.remainder %}
{% for beyond, offset in found.vectors %}
{% if (width - 1) is before(k) %}
            for (int64_t c = 0; c + {{ width }} <= {{ k | index }}; c += {{ width }})
                bb_{{ verb }}{{ width }}({{ pointers }}{{ beyond }}, c, P + {{ offset }} + c * {{ width }}{{ tail }});
{% endif %}
{% if w %}
            bb_{{ verb }}{{ w }}({{ pointers }}{{ beyond }}, last, P + {{ offset }} + last * {{ width }}{{ tail }});
{% endif %}
{% endfor %}
{% endmacro %}
{% macro started(sums, steps) %}
            BB_FORGET;
{% for sum in sums %}
            bb_vec {{ sum[0] }} = *(const bb_mem *)({{ sum[1] }});
{% endfor %}
{{ d.steps(steps) }}
{% endmacro %}
{% macro solved(tile) %}
{{ started(tile.starts, tile.steps) }}
{{ s.solved(tile.columns[:-1]) }}
            if ({{ tile.touches }})
                Y[m] = {{ tile.beside }}[0];
{{ s.solved(tile.columns[-1:]) }}
{% endmacro %}
{% macro reduced(sums, steps, last=none) %}
{{ started(sums, steps) }}
{% if last %}
            {
{{ d.step(last) }}
            }
{% endif %}
{% for name, address, lanes in sums %}
{% if lanes %}
            const bb_vec other{{ name }} = *(const bb_mem *)({{ address }});
            {{ name }} = BB_SHUFFLE(bb_mask{{ width }}, {{ name }}, other{{ name }}, {{ lanes }});
{% endif %}
            *(bb_mem *)({{ address }}) = {{ name }};
{% endfor %}
{% endmacro %}
{% macro taken(tiles) %}
{% for tile in tiles %}
{% call over(tile.loop) %}
{{ reduced(tile.sums, tile.steps) }}
{% endcall %}
{% endfor %}
{% endmacro %}
{% macro left(block) %}
        for (int m = 0; m < count; m++) {
            bb_real *const a = A[m]{{ ", *const b = z[m]" if found.beside }};
{% if found.packed %}
            bb_real *rows[{{ block.size }}];
            for (int r = 0; r < {{ block.size }}; r++)
                rows[r] = a + ({{ block.loop.index | index }} + r) * {{ found.line }};
{% if found.remainder %}
            const int64_t last = {{ found.last(block.loop.index) }};
{% endif %}
{{ transposed(block.loop.index, "pack", "(const bb_real *const *)rows", "") }}
{% endif %}
{% for tile in block.solved %}
{% call over(tile.loop) %}
{{ solved(tile) }}
{% endcall %}
{% endfor %}
{{ transposed(block.loop.index, "unpack", "rows", ", " ~ width) if found.packed }}
            {
{{ reduced(block.reduced.sums, block.reduced.steps, block.reduced.last) }}
            }
{{ taken(block.taken) }}
        }
{# Lanes beyond the batch repeat its last matrix. #}
        for (int m = count; m < {{ width }}; m++)
            Y[m] = Y[count - 1];
        const bb_vec y = *(const bb_mem *)Y;
        BB_SQUARE(square, y, rough);
{% endmacro %}
{# All blocks, each at `lanes` while it is factored, `before` and `after` that what goes along. #}
{% macro factored(lanes, before=none, after=none) %}
    bb_ints good = {0};
    bb_vec square = BB_ZEROS, rough, excess = BB_ZEROS;
{% for block in found.blocks %}
{% call over(block.loop) %}
{{ before(block) if before }}
{{ left(block) if block.reduced }}
        bb_real *const D = inverse + {{ found.inverses.at(block.loop.index, 0) }};
{% for lines in block.lines %}
{{ moved(lines, "pack", "(const bb_real *const *)A", lanes, "") }}
{% endfor %}
{% set carried = block.reduced is not none %}
{{ factor(lanes, found.lanes, block.size, body.tile.rows, [], carried=carried, inverses=found.inverses) }}
{% for lines in block.lines %}
{{ moved(lines, "unpack", "A", lanes, ", " ~ width) }}
{% endfor %}
{{ after(block) if after }}
{% endcall %}
{% endfor %}
    BB_REPORT(*info, good < {{ body.size.n }}, good + 1);
{% endmacro %}
