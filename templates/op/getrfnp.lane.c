{# A = L U without exchanges of rows: square tiles along the diagonal, then those below and beside each, every one first
   reduced by what is left of it and above it. Elements have the bits that they have where getrf exchanges nothing. #}
{% import "tile/register_tile.c" as t with context %}
{% from "tile/substitution.c" import solve with context %}
{% from "tile/triangle_loops.c" import columns with context %}
{% set A = body.views[0] %}
{% macro reduced(i, j, rows, cols, last) %}
{{ t.prefetch(ahead) }}
{{ t.load("A", A, rows, cols, i, j) }}
{{ t.products("FMS", "A", A, "A", A, rows, cols, i, j, 0, last) }}
{% endmacro %}
{# Pivots so small that their inverse is none are rare enough for a branch, in which the tile is done anew. #}
{% macro diagonal(j, size) %}
        int lifted = 0;
        bb_vec lift[{{ size }}]{{ " = {BB_ZEROS}" if target.simd }};
        bb_elem {{ t.names("inverse", size) }};
        {
            bb_vec {{ "absolute, " if size > 1 }}smallest;
            bb_mask small;
{{ reduced(j, j, size, size, j) }}
{% for p in range(size) %}
{% if p %}
            BB_CABS1(absolute, c{{ p }}_{{ p }});
            BB_MIN(smallest, absolute);
{% else %}
            BB_CABS1(smallest, c{{ p }}_{{ p }});
{% endif %}
            inverse{{ p }} = c{{ p }}_{{ p }};
            BB_INVERT(inverse{{ p }}, 0);
{% for r in range(p + 1, size) %}
            BB_TIMES(c{{ p }}_{{ r }}, inverse{{ p }});
{% endfor %}
{% for q in range(p + 1, size) %}
{% for r in range(p + 1, size) %}
            BB_FMS(c{{ q }}_{{ r }}, c{{ p }}_{{ r }}, c{{ q }}_{{ p }}, 0, 0);
{% endfor %}
{% endfor %}
{% endfor %}
            BB_SMALL(small, smallest);
            lifted = BB_SOME(small);
            if (lifted) {
{{ anew(j, size) }}
            } else {
{{ t.store("A", A, size, size, j, j) }}
            }
        }
{% endmacro %}
{# A tile of the diagonal with each column lifted as its pivot is. Arrays of a GPU are registers where all indices are
   numbers. #}
{% macro anew(j, size) %}
                bb_elem inverse[{{ size }}];
                {{ "BB_UNROLLED" if not target.simd }}
                for (int64_t c = {{ j | index }}; c < {{ (j, size) | index }}; c++)
                    for (int64_t r = {{ j | index }}; r < {{ (j, size) | index }}; r++) {
                        const int64_t at = c - {{ j | index }};
                        bb_elem x;
                        BB_GET(x, A + {{ A.at("r", "c") }}, {{ A.im }});
                        for (int64_t s = 0; s < r && s < c; s++) {
                            bb_elem l, u;
                            BB_GET(l, A + {{ A.at("r", "s") }}, {{ A.im }});
                            BB_GET(u, A + {{ A.at("s", "c") }}, {{ A.im }});
                            BB_FMS(x, l, u, 0, 0);
                        }
                        if (r == c) {
                            BB_CABS1(smallest, x);
                            BB_SMALL(small, smallest);
                            inverse[at] = x;
                            BB_INVERT_SMALL(inverse[at], small, lift[at], *info, (bb_int)(c + 1));
                        } else if (r > c) {
                            BB_TIMES_REAL(x, lift[at]);
                            BB_TIMES(x, inverse[at]);
                        }
                        BB_PUT(A + {{ A.at("r", "c") }}, {{ A.im }}, x);
                    }
{% for p in range(size) %}
                inverse{{ p }} = inverse[{{ p }}];
{% endfor %}
{% endmacro %}
{% macro below(i, j, rows, size) %}
{{ reduced(i, j, rows, size, j) }}
{% for p in range(size) %}
            if (lifted) {
{% for r in range(rows) %}
                BB_TIMES_REAL(c{{ p }}_{{ r }}, lift[{{ p }}]);
{% endfor %}
            }
{% for r in range(rows) %}
            BB_TIMES(c{{ p }}_{{ r }}, inverse{{ p }});
{% endfor %}
{% for q in range(p + 1, size) %}
            {
                bb_elem u;
                BB_GET(u, A + {{ A.at((j, p), (j, q)) }}, {{ A.im }});
{% for r in range(rows) %}
                BB_FMS(c{{ q }}_{{ r }}, c{{ p }}_{{ r }}, u, 0, 0);
{% endfor %}
            }
{% endfor %}
{% endfor %}
{{ t.store("A", A, rows, size, i, j) }}
{% endmacro %}
{% macro beside(j, i, size, cols) %}
{{ reduced(j, i, size, cols, j) }}
{{ solve(A, size, cols, j, true, none) }}
{{ t.store("A", A, size, cols, j, i) }}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
{{ t.prefetched(ahead) }}
{{ columns(body.size.m, body.size.n, body.tile.rows, diagonal, below, beside) }}
}
