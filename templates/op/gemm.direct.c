{# C := alpha op(A) op(B) + beta C with vectors along the columns of one C: a tile of C stays in registers while k runs.
   The next matrices are prefetched meanwhile, a little in each step. Row numbers count reals. op(A) is packed, a panel as high as the tile, where its columns are not contiguous. #}
{% set A, B, C = body.views %}
{% set packed = not A.unit_rows %}
{% set transposes = packed and A.cs == 1 and not complex and width > 1 %}
{% set panel = schedule.rows * width %}
{% set blocked = size.k > schedule.kc %}
{% set sums = ["re", "im"] if complex else ["re"] %}
{% macro tile(offsets, cols) %}
{% for c in range(cols) %}
            bb_vec {% for v in range(offsets | length) %}{% for s in sums %}{{ s }}{{ v }}_{{ c }} = BB_ZEROS{{ ", " if not loop.last }}{% endfor %}{{ ", " if not loop.last }}{% endfor %};
{% endfor %}
            BB_UNROLL({{ schedule.unroll }})
            for (int64_t l = 0; l < steps; l++) {
{% for x in ahead %}
{% for line in range(x.lines) %}
                BB_PREFETCH(ahead_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
                ahead_{{ x.name }} += {{ x.step }};
{% endfor %}
{% for off in offsets %}
{% set source = "P + l * %d + %d" % (panel, loop.index0 * width) if packed else "A + " ~ A.vector(("i", off), "l") %}
                const bb_vec a{{ loop.index0 }} = *(const bb_mem *)({{ source }});
{% endfor %}
{% for c in range(cols) %}
{% for s in sums %}
                const bb_real b{{ s }}{{ c }} = B[{{ B.at("l", ("j", c)) }}{{ " + 1" if s == "im" }}];
{% for off in offsets %}
                {{ s }}{{ loop.index0 }}_{{ c }} += a{{ loop.index0 }} * b{{ s }}{{ c }};
{% endfor %}
{% endfor %}
{% endfor %}
            }
{% for c in range(cols) %}
            { /* all of a column's vectors are loaded before one is stored: the last may overlap its predecessor */
                bb_vec {% for v in range(offsets | length) %}old{{ v }} = BB_ZEROS{{ ", " if not loop.last }}{% endfor %};
                if (BB_NONZERO(beta_is, beta)) {
{% for off in offsets %}
                    BB_COLUMN_LOAD(old{{ loop.index0 }}, C + {{ C.vector(("i", off), ("j", c)) }});
{% endfor %}
                }
{% for off in offsets %}
{% set v = loop.index0 %}
                bb_vec new{{ v }};
                BB_UPDATE{{ width }}(new{{ v }}, old{{ v }}, {% for s in sums %}{{ s }}{{ v }}_{{ c }}{{ ", " if not loop.last }}{% endfor %}{{ ", %d, %d" % (A.conj, B.conj) if complex }});
                BB_COLUMN_STORE(C + {{ C.vector(("i", off), ("j", c)) }}, new{{ v }});
{% endfor %}
            }
{% endfor %}
{% endmacro %}
{% if transposes %}
{% set w, v = width, width %}
{% include "frame/transpose.c" %}
/* {{ width }} steps of k of {{ width }} rows of op(A), whose rows are contiguous, to a packed panel. */
static BB_INLINE void bb_pack(const bb_real *rows, int64_t stride, bb_real *P)
{
    bb_vec x[{{ width }}];
    BB_UNROLL({{ width }})
    for (int r = 0; r < {{ width }}; r++)
        x[r] = *(const bb_mem *)(rows + r * stride);
    bb_transpose{{ width }}(x);
    BB_UNROLL({{ width }})
    for (int r = 0; r < {{ width }}; r++)
        *(bb_mem *)(P + r * {{ panel }}) = x[r];
}

{% endif %}
static BB_INLINE void bb_gemm{{ "_panel" if blocked }}({{ "const int64_t kc, " if blocked }}{{ body.parameters }})
{
{% if not blocked %}
    const int64_t kc = {{ size.k }};
{% endif %}
    const int64_t steps = alpha_is ? kc : 0;
{% for x in ahead %}
    const char *ahead_{{ x.name }} = (const char *)next_{{ x.name }};
{% endfor %}
{% for across in row_tiles %}
    {{ across.loop.open("i") }}
{% if packed %}
        bb_real P[{{ [panel * schedule.kc, 1] | max }}] BB_ALIGNED;
        int64_t l = 0;
{% if transposes %}
        while (l < (steps < {{ width }} ? 0 : steps)) {
            l = l < steps - {{ width }} ? l : steps - {{ width }}; /* the last block overlaps its predecessor */
{% for off in across.offsets %}
            bb_pack(A + {{ A.vector(("i", off), "l") }}, {{ A.rs }}, P + l * {{ panel }} + {{ loop.index0 * width }});
{% endfor %}
            l += {{ width }};
        }
{% endif %}
        for (; l < steps; l++) {
{% for off in across.offsets %}
            for (int64_t q = 0; q < {{ width }}; q++)
                P[l * {{ panel }} + {{ loop.index0 * width }} + q] = A[{{ A.vector(("i", off), "l") }} + q / {{ parts }} * {{ parts }} * {{ A.rs }} + q % {{ parts }}];
{% endfor %}
        }
{% endif %}
{% for down in segments(size.n, schedule.cols) %}
        {{ down.open("j") }}
{{ tile(across.offsets, down.size) }}
        }
{% endfor %}
    }
{% endfor %}
}
{% if blocked %}

static BB_INLINE void bb_gemm({{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    bb_gemm_panel({{ schedule.kc }}, {{ body.kinds }}{{ body.arguments }});
    for (int64_t l = {{ schedule.kc }}; l < (alpha_is ? {{ size.k }} : 0); l += {{ schedule.kc }}) {
        const int64_t kc = l + {{ schedule.kc }} < {{ size.k }} ? {{ schedule.kc }} : {{ size.k }} - l;
        bb_gemm_panel(kc, alpha_is, alpha_is == 1 ? 1 : BB_ANY, {{ body.replaced(A="A + " ~ A.at(0, "l"), B="B + " ~ B.at("l", 0), beta="one") }});
    }
}
{% endif %}
