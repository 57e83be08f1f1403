{# The search for the pivot of a column of a block, whose rows stay where they are: so rows from the diagonal down are
   in LAPACK's order, but those above it that are not used yet have taken the places of pivots. These come last. Where
   one is as large as the largest, or something is NaN, or all are small, a function decides in that order. #}
{% import "tile/register_tile.c" as t with context %}
{% set by = body.blocks %}
{# Nothing is found yet: sizes below `smallest` are small. #}
{% macro none_found(q, all) %}
                largest = BB_ZEROS + (bb_real){{ compute.smallest }};
                at = BB_ZEROS;
                unsure = BB_ZEROS;
{% for c in range(q, all) %}
                best{{ c }} = BB_ZEROS;
{% endfor %}
{% endmacro %}
{# Element x of column c of a row, as one of the next pivot's row, which column q decides. #}
{% macro found(x, c, q, last) %}
{% if c == q %}
                        BB_CABS1(size, {{ x }});
                        BB_GREATER(larger, size, largest);
{% if last %}
                        {
                            bb_mask alike;
                            BB_ALIKE(alike, size, largest);
                            BB_TAKE(unsure, alike, BB_ZEROS + 1);
                        }
{% endif %}
                        BB_MAX(largest, size);
                        BB_TAKE(at, larger, number);
{% endif %}
                        BB_TAKE(best{{ c }}, larger, {{ x }});
{% endmacro %}
{# `diagonal`: the element there, which LAPACK takes if it is NaN. #}
{% macro decided(q, cols, all, diagonal) %}
                bb_mask doubtful;
                BB_LOAD(size, {{ diagonal }});
                BB_CABS1(size, size);
                BB_BEYOND(doubtful, size, largest);
                BB_TAKE(unsure, doubtful, BB_ZEROS + 1);
                BB_SMALL(doubtful, largest);
                BB_TAKE(unsure, doubtful, BB_ZEROS + 1);
                BB_GREATER(doubtful, unsure, BB_ZEROS);
                if (BB_SOME(doubtful)) {
                    bb_vec chosen[{{ all + 2 }}], moved[{{ 2 * cols }}];
{% for m in range(q) %}
                    moved[{{ 2 * m }}] = place{{ m }};
                    moved[{{ 2 * m + 1 }}] = slot{{ m }};
{% endfor %}
                    {{ body.name }}_in_order(chosen, moved, panel, {{ "y" if by.beside else "panel" }}, rows,
                                             {{ cols }}, {{ by.padded(cols) }}, {{ q }});
                    at = chosen[0];
                    largest = chosen[1];
{% for c in range(q, all) %}
                    best{{ c }} = chosen[{{ c + 2 }}];
{% endfor %}
                }
{% endmacro %}
{# That function: of equal sizes the first, and NaN only if that is on top. `moved` are places and slots of the
   pivots before; `chosen` is the number of a row, its size, and its elements. #}
{% macro in_order() %}
{% set by = body.blocks %}
static BB_NOINLINE void {{ body.name }}_in_order(bb_vec *chosen, const bb_vec *moved, const bb_real *panel,
                                                 const bb_real *y, int64_t rows, int64_t cols, int64_t stride,
                                                 int64_t q)
{
    for (int lane = 0; lane < {{ width }}; lane++) {
        bb_real largest = 0;
        int64_t at = 0;
        for (int64_t p = q; p < rows; p++) {
            int64_t row = p;
            for (int64_t m = 0; m < q; m++)
                if (moved[2 * m][lane] == (bb_real)p)
                    row = (int64_t)moved[2 * m + 1][lane];
            const bb_real x = panel[(row * stride + q) * {{ width }} + lane], size = x < 0 ? -x : x;
            if (p == q || size > largest) {
                largest = size;
                at = row;
            }
        }
        chosen[0][lane] = (bb_real)at;
        chosen[1][lane] = largest;
        for (int64_t c = q; c < cols; c++)
            chosen[c + 2][lane] = panel[(at * stride + c) * {{ width }} + lane];
        for (int64_t c = 0; c < {{ by.beside }}; c++)
            chosen[cols + c + 2][lane] = y[(at * {{ by.beside }} + c) * {{ width }} + lane];
    }
}

{% endmacro %}
