{# C := alpha op(A) op(B) + beta C for one matrix per lane, of sizes that only run time knows: a function for every
   shape of tile. An element's sum has the same terms in the same order as in gemm.lane.c, so it has the same bits. #}
{% set A, B, C, rows, cols, kc = body.views + (body.tile.rows, body.tile.cols, body.tile.kc) %}
{% set parameters = "const bb_args *g, int beta_is, int64_t steps, const bb_real *A, const bb_real *B, bb_real *C" %}
{% set flags_parameters = "const int full, const int count," if partial else "" %}
{% macro strides() %}
{% for name in body.strides %}
    const int64_t {{ name }} = g->{{ name }};
{% endfor %}
{% endmacro %}
{% macro each(variable, most, indent) %}
{{ indent }}BB_UNROLL({{ most }})
{{ indent }}for (int {{ variable }} = 0; {{ variable }} < {{ "rows" if variable == "r" else "cols" }}; {{ variable }}++)
{%- endmacro %}
{% macro elements(indent) %}
{{ each("q", cols, indent) }}
{{ each("r", rows, indent ~ "    ") }}
{%- endmacro %}
{% include "tile/run_time_tiles.c" %}

/* Elements (0, 0) to (rows, cols) of C, after `steps` of k. */
static BB_INLINE void bb_gemm_tile(const int rows, const int cols, {{ flags_parameters }}
                                   {{ parameters }})
{
{{ strides() -}}
{{ "    " }}bb_elem c[{{ cols }}][{{ rows }}];
{{ elements("    ") }}
            BB_ZERO(c[q][r]);
    for (int64_t l = 0; l < steps; l++) {
        bb_elem a[{{ rows }}], b;
{{ each("r", rows, "        ") }}
            BB_GET(a[r], A + {{ A.at("r", "l") }}, {{ A.im }});
{{ each("q", cols, "        ") }} {
            BB_GET(b, B + {{ B.at("l", "q") }}, {{ B.im }});
{{ each("r", rows, "            ") }}
                BB_FMA(c[q][r], a[r], b, {{ A.conj | int }}, {{ B.conj | int }});
        }
    }
    if (g->alpha_is == BB_ANY) {
        const bb_scalar alpha = g->alpha;
{{ elements("        ") }}
                BB_SCALE(c[q][r], alpha);
    }
    const bb_scalar beta = g->beta;
    if (BB_NONZERO(beta_is, beta)) {
{{ elements("        ") }}
                BB_ADD_OLD(c[q][r], C + {{ C.at("r", "q") }}, {{ C.im }});
    }
{{ elements("    ") }}
            BB_PUT(C + {{ C.at("r", "q") }}, {{ C.im }}, c[q][r]);
}

typedef void bb_tile({{ parameters }});
{% for across in range(1, cols + 1) %}
{% for down in range(1, rows + 1) %}

static BB_NOINLINE void bb_gemm_{{ down }}x{{ across }}({{ parameters }})
{
    bb_gemm_tile({{ down }}, {{ across }}, {{ "1, %d, " % width if partial }}g, beta_is, steps, A, B, C);
}
{% endfor %}
{% endfor %}

static bb_tile *const bb_gemm_tiles[{{ cols }}][{{ rows }}] = {
{% for across in range(1, cols + 1) %}
    { {% for down in range(1, rows + 1) %}bb_gemm_{{ down }}x{{ across }}{{ ", " if not loop.last }}{% endfor %} },
{% endfor %}
};
{% if partial %}

/* Of the matrices of a partly filled vector, one column at a time. */
static BB_NOINLINE void bb_gemm_part(const int rows, const int count, {{ parameters }})
{
    switch (rows) {
{% for down in range(1, rows + 1) %}
    {{ "case %d" % down if not loop.last else "default" }}:
        bb_gemm_tile({{ down }}, 1, 0, count, g, beta_is, steps, A, B, C);
        break;
{% endfor %}
    }
}
{% endif %}

/* A panel of k from `l` on: tile after tile. */
static BB_NOINLINE void bb_gemm_panel(const int64_t l, {{ flags_parameters }}
                                      {{ parameters }})
{
{% for name in unknown if name in (body.size.m, body.size.n) and name not in body.strides %}
    const int64_t {{ name }} = g->{{ name }};
{% endfor %}
{{ strides() -}}
{{ "    " }}for (int64_t j = 0, cols; j < {{ body.size.n }}; j += cols) {
        cols = {{ "full ? " if partial }}bb_next_tile({{ body.size.n }} - j, {{ cols }}){{ " : 1" if partial }};
        for (int64_t i = 0, rows; i < {{ body.size.m }}; i += rows) {
            rows = bb_next_tile({{ body.size.m }} - i, {{ rows }});
            const bb_real *const left = A + {{ A.at("i", "l") }}, *const right = B + {{ B.at("l", "j") }};
            bb_real *const to = C + {{ C.at("i", "j") }};
{% if partial %}
            if (!full) {
                bb_gemm_part((int)rows, count, g, beta_is, steps, left, right, to);
                continue;
            }
{% endif %}
            bb_gemm_tiles[cols - 1][rows - 1](g, beta_is, steps, left, right, to);
        }
    }
}

static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const int64_t all = alpha_is ? {{ body.size.k }} : 0;
    if ({{ "full && " if partial }}{{ body.size.m }} <= {{ rows }} && {{ body.size.n }} <= {{ cols }} && all <= {{ kc }}) {
        bb_gemm_tiles[{{ body.size.n }} - 1][{{ body.size.m }} - 1](g, beta_is, all, A, B, C);
        return;
    }
    const int64_t panels = (all + {{ kc - 1 }}) / {{ kc }}, kc = panels > 1 ? (all + panels - 1) / panels : all;
    bb_gemm_panel(0, {{ flags_arguments }}g, beta_is, kc, A, B, C);
    for (int64_t l = kc; l < all; l += kc)
        bb_gemm_panel(l, {{ flags_arguments }}g, 1, all - l < kc ? all - l : kc, A, B, C);
}
