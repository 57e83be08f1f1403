{# C := alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian, one triangle stored. On the left the rows of a
   tile are packed from both sides of the diagonal to a panel; on the right elements are read where they lie. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set A, B, C = body.views %}
{% set U = A.transposed().conjugated() if body.hermitian else A.transposed() %}
{% set m, n, k = body.size.m, body.size.n, body.size.k %}
{% set row = d.row %}
{% if body.left %}
{{ p.transposer(body.hermitian) }}
/* The columns of a panel that hold the diagonal: one triangle as it is stored, the other from its transpose. */
static BB_INLINE void bb_mirror(const bb_real *block, int64_t stride, bb_real *P)
{
    bb_pack(block, stride, P);
{% for r in range(p.across) %}
{% set stored, real = triangle.vector(0, r), triangle.imaginary(r)(0, 0) %}
    {
        bb_vec x = *(const bb_mem *)(block + {{ r }} * stride);
{% if not stored.every %}
        x = BB_SHUFFLE(bb_mask{{ width }}, x, *(const bb_mem *)(P + {{ r * p.height }}), {{ stored.blend }});
{% endif %}
{% if body.hermitian %}
        x = BB_SHUFFLE(bb_mask{{ width }}, x, BB_ZEROS, {{ real.blend }});
{% endif %}
        *(bb_mem *)(P + {{ r * p.height }}) = x;
    }
{% endfor %}
}

{% endif %}
{# The rows of a tile, by vectors: what is stored of its columns, the columns that its rows hold, then the diagonal. #}
{% macro pack(offsets) %}
{{ p.declared() }}
        if (alpha_is) {
{% for off in offsets %}
{% set v, first = loop.index0 * width, (row, off // parts) %}
            const int64_t d{{ loop.index0 }} = {{ row }} + {{ off // parts }};
            for (int64_t l = {{ 0 if body.lower else "d%d + %d" % (loop.index0, p.across) }}; l < {{ "d%d" % loop.index0 if body.lower else m }}; l++)
                *(bb_mem *)(P + l * {{ p.height }} + {{ v }}) = *(const bb_mem *)(A + {{ A.vector(("i", off), "l") }});
            for (int64_t l = {{ m - p.across if body.lower else 0 }}; l {{ ">" if body.lower else "<" }} d{{ loop.index0 }}; l {{ "-" if body.lower else "+" }}= {{ p.across }})
                bb_pack(A + {{ A.at("l", first) }}, {{ p.stride(A.cs) }}, P + l * {{ p.height }} + {{ v }});
            bb_mirror(A + {{ A.at(first, first) }}, {{ p.stride(A.cs) }}, P + d{{ loop.index0 }} * {{ p.height }} + {{ v }});
{% endfor %}
        }
{% endmacro %}
{% macro products(offsets, cols) %}
{% if body.left %}
{{ d.steps(offsets, cols, {"name": "P", "view": panel, "packed": true}, "B", B, "0", "steps") }}
{% else %}
{% set left = {"name": "B", "view": B, "packed": false} %}
            const int64_t before = alpha_is ? j : 0;
{{ d.steps(offsets, cols, left, "A", U if body.lower else A, "0", "before") }}
            if (alpha_is) {
{% for s in range(cols) %}
                { {{ d.apart }}
{{ d.step(offsets, left, "A", triangle.of_both(s, cols, A, U), ("j", s), triangle.every(), real_at=s if body.hermitian) }}
                }
{% endfor %}
            }
{{ d.steps(offsets, cols, left, "A", A if body.lower else U, "j + %d" % cols, "steps") }}
{% endif %}
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int64_t steps = alpha_is ? {{ k }} : 0;
{% for across in row_tiles %}
    {{ across.loop.open("i") }}
{{ pack(across.offsets) if body.left }}
{% for down in segments(n, schedule.cols) %}
        {{ down.open("j") }}
            {{ d.apart }}
{{ d.zero(across.offsets, down.size) }}
{{ products(across.offsets, down.size) }}
{{ d.update(across.offsets, down.size, "C", C, false, false, triangle.every()) }}
        }
{% endfor %}
    }
{% endfor %}
}
