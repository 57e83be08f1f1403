{# C := alpha op(A) op(B) + beta C with vectors along the columns of one C: a tile of C stays in registers while k runs.
   The next matrices are prefetched meanwhile, a little in each step. op(A) is packed, a panel as high as the tile, where
   its columns are not contiguous. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set A, B, C = body.views %}
{% set packed = not A.unit_rows %}
{% set left = {"name": "P" if packed else "A", "view": panel if packed else A, "packed": packed} %}
{% set size = body.size %}
{% set blocked = size.k > schedule.kc %}
{{ p.functions(A) if packed }}
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
{{ p.declared() }}
{% for off in across.offsets %}
{{ p.pack("A", A, loop.index0, off, "0", "steps") }}
{% endfor %}
{% endif %}
{% for down in segments(size.n, schedule.cols) %}
        {{ down.open("j") }}
{{ d.zero(across.offsets, down.size) }}
{{ d.steps(across.offsets, down.size, left, "B", B, "0", "steps", conj=B.conj, ahead=ahead) }}
{{ d.update(across.offsets, down.size, "C", C, A.conj, B.conj, triangle.every()) }}
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
