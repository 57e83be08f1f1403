{# B := alpha op(A) B or alpha B op(A), A triangular: tiles of B in the order in which none needs what another has
   overwritten. What is zero, or one, is not multiplied with: vectors across the diagonal keep their other lanes. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set A, B = body.views %}
{% set m, n = body.size.m, body.size.n %}
{% set row = d.row %}
{% set packed = body.left and not A.unit_rows %}
{% set left = {"name": "P" if packed else "A" if body.left else "B", "view": panel if packed else body.views[0 if body.left else 1], "packed": packed} %}
{% set right, view = ("B", B) if body.left else ("A", A) %}
{# Whether the steps of k that a tile needs besides those of the diagonal come before them; then tiles go backwards. #}
{% set before = body.left == body.lower %}
{# With a diagonal of ones a tile begins with what B has in its place, as the factor's conjugate is taken later. #}
{% macro own(offsets, cols) %}
{% for c in range(cols) %}
{% for off in offsets %}
            re{{ loop.index0 }}_{{ c }} = *(const bb_mem *)(B + {{ B.vector(("i", off), ("j", c)) }}){{ " * BB_PAIRS%d(1, -1)" % width if complex and body.left and A.conj }};
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro products(offsets, cols, at, size, end) %}
{% if before %}
{{ d.steps(offsets, cols, left, right, view, "0", at) }}
{% endif %}
{% for s in range(size) %}
            { {{ d.apart }}
{{ d.step(offsets, left, right, [view] * cols, (at, s), triangle.left(s) if body.left else triangle.right(s)) }}
            }
{% endfor %}
{% if not before %}
{{ d.steps(offsets, cols, left, right, view, "%s + %d" % (at, size), end) }}
{% endif %}
{% endmacro %}
{{ p.functions(A) if packed }}
static BB_INLINE void bb_trmm({{ body.parameters }})
{
    enum { beta_is = 0 };
    const bb_scalar beta = alpha;
    if (alpha_is == 0) {
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i < {{ m * parts }}; i++)
                B[{{ B.vector("i", "j") }}] = 0;
        return;
    }
{% for across in (row_tiles | reverse if before else row_tiles) %}
{% set height = (across.offsets[-1] + width) // parts %}
    {{ across.loop.open("i", backwards=before) }}
{% if packed %}
{{ p.declared() }}
{% for off in across.offsets %}
{{ p.pack("A", A, loop.index0, off, 0 if before else "%s + %d" % (row, off // parts), "(%s + %d)" % (row, (off + width) // parts) if before else m) }}
{% endfor %}
{% endif %}
{% for down in (segments(n, schedule.cols) | reverse if before else segments(n, schedule.cols)) %}
        {{ down.open("j", backwards=before) }}
            {{ d.apart }}
{{ d.zero(across.offsets, down.size) }}
{{ own(across.offsets, down.size) if body.unit }}
{{ products(across.offsets, down.size, row, height, m) if body.left else products(across.offsets, down.size, "j", down.size, n) }}
{{ d.update(across.offsets, down.size, "B", B, body.left and A.conj, false, triangle.every()) }}
        }
{% endfor %}
    }
{% endfor %}
}
