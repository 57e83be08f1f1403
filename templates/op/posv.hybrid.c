{# A X = B of a vector of matrices that lie by themselves. Blocks on the diagonal of A = L L' go to lanes and stay, and
   L Y = B is solved beside them. Then L' X = Y from the last block on, which loses what is below it: blocks go to lanes
   for that where columns are contiguous, else Y leaves its lanes. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import solve with context %}
{% import "tile/cholesky_blocks.c" as c with context %}
{% from "tile/loop.c" import along, over with context %}
{% set found = blocks[body.name] %}
{% set L, X = found.lanes, found.beside.view %}
{% set nrhs, rows, cols = found.beside.count, body.tile.rows, found.beside.cols %}
{# Rows of right-hand sides from k on from their lanes, or back. #}
{% macro beside(k, rows, verb, pointers, tail) %}
        for (int64_t j = 0; j < {{ found.beside.count }}; j++) {
{% for there, here in found.beside.parts(rows) %}
            bb_{{ verb }}{{ width }}({{ pointers }}, {{ there }}, X + {{ X.at(k, 0) }} + {{ here }}{{ tail }});
{% endfor %}
        }
{% endmacro %}
{# The tiles of a block of X, and what is done `inside` each. #}
{% macro tiles(X, size, inside) %}
{% call(j, across) along(segments(nrhs, cols), "j") %}
{% call(i, down) along(segments(size, rows), "i") %}
{{ t.load("R", X, down.size, across.size, i, j) }}
{{ inside(i, j, down.size, across.size) }}
{{ t.store("R", X, down.size, across.size, i, j) }}
{% endcall %}
{% endcall %}
{% endmacro %}
{% macro solved(T, X, size, of_row) %}
{% macro tile(i, j, down, across) %}
{{ t.products("FMS", "L", T, "R", X, down, across, i, j, 0, i) }}
{{ solve(T, down, across, i, false, of_row, "L") }}
{% endmacro %}
{{ tiles(X, size, tile) }}
{% endmacro %}
{# Where the block at k of X is, that of A in lanes, and the inverses of its diagonal. #}
{% macro places(k, triangle=true) %}
        bb_real *const R = X + {{ X.at(k, 0) }}{{ ", *const L = T + " ~ found.at(k) if triangle }};
        bb_vec *const F = reciprocals + {{ k | index }};
{% endmacro %}
{% macro before(block) %}
{{ places(block.loop.index) }}
{{ beside(block.loop.index, block.size, "unpack", "z", ", " ~ width) if block.reduced }}
{% endmacro %}
{# The bits of solvers: reciprocals of what is stored, not the inverses of the pivots. #}
{% macro after(block) %}
{% macro of_row(i, p) %}F[{{ (i, p) | index }}]{% endmacro %}
{{ beside(block.loop.index, block.size, "pack", "(const bb_real *const *)z", "") if block.reduced }}
        for (int64_t i = 0; i < {{ block.size }}; i++) {
            BB_LOAD(F[i], L + {{ L.at("i", "i") }});
            BB_INVERT(F[i], 0);
        }
{{ solved(L, X, block.size, of_row) }}
{% endmacro %}
{% macro below(found, size) %}
{% macro lost(i, j, down, across) %}
{{ t.products("FMS", "W", L.transposed(), "S", X, down, across, i, j, 0, found.loop.step, backwards=true) }}
{% endmacro %}
{% call over(found.loop) %}
{{ c.moved(found.lines, "pack", "(const bb_real *const *)A", "W", "") }}
        const bb_real *const S = X + {{ X.at(found.loop.index, 0) }};
{{ tiles(X, size, lost) }}
{% endcall %}
{% endmacro %}
{% macro back(block) %}
{% set k, size = block.loop.index, block.size %}
{% macro of_row(i, p) %}F[{{ size - 1 }} - ({{ (i, p) | index }})]{% endmacro %}
{{ places(k, size > 1) }}
{{ below(block.below, size) if block.below }}
{% if block.returned %}
        {{ "if (k < " ~ (body.size.n - size) ~ ") {" if block.loop.repeats }}
{{ beside(k, size, "unpack", "z", ", " ~ width) }}
        for (int m = 0; m < count; m++) {
            const bb_real *const a = A[m];
            bb_real *const b = z[m];
{{ c.taken(block.returned) }}
        }
{{ beside(k, size, "pack", "(const bb_real *const *)z", "") }}
        {{ "}" if block.loop.repeats }}
{% endif %}
{{ solved(L.transposed().reversed(size, size), X.reversed(size, none), size, of_row) }}
{% endmacro %}
{% macro copied(to, V, from, W) %}
    for (int64_t j = 0; j < {{ nrhs }}; j++)
        for (int64_t i = 0; i < {{ body.size.n }}; i++)
            *(bb_vec *)({{ to }} + {{ V.at("i", "j") }}) = *(const bb_vec *)({{ from }} + {{ W.at("i", "j") }});
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{% for name in body.scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED") }}
{% endfor %}
{% if found.copied %}
{{ copied("X", X, "B", body.views[1]) }}
{% else %}
    bb_real *const X = B;
{% endif %}
{# Lanes beyond the batch share rows with its last matrix. #}
    bb_real *z[{{ width }}];
    for (int m = 0; m < {{ width }}; m++)
        z[m] = Z + (m < count ? m : count - 1) * {{ found.size * nrhs }};
{{ c.factored("L", before, after) }}
{% for block in found.blocks | reverse %}
{% call over(block.back) %}
{{ back(block) }}
{% endcall %}
{% endfor %}
{{ copied("B", body.views[1], "X", X) if found.copied }}
}
