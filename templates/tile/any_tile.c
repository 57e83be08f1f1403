{# What direct bodies do with matrices whose sizes only run time knows, `count` of them together: each tile is chosen
   once for all. #}
{% from "tile/loop.c" import any_size, over with context %}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as panels with context %}
{# All loops of what has one; or the steps that there may be. #}
{% macro every(found, variable) %}
{% set body = caller %}
{% if found[0].end %}
{{ any_size(body, found, variable) }}
{% else %}
{% for one in found %}
{% call over(one.loop) %}
{{ body(one) }}
{% endcall %}
{% endfor %}
{% endif %}
{% endmacro %}
{# output := alpha tile + beta output. It is asked for once what alpha and beta are, not for each vector. An address
   goes from column to column: those of all vectors have no room in registers. #}
{% macro update(tile) %}
            BB_UNKNOWN(scales);
            if (scales) {
{% for sums in tile.sums %}
{% for sum in sums %}
                {{ sum }} = BB_ZEROS + {{ sum }} * alpha;
{% endfor %}
{% endfor %}
            }
            BB_UNKNOWN(reads);
            bb_real *to = c;
            /* The last vector may overlap its predecessor. */
{% for outputs in tile.outputs %}
            if (reads) {
{% for x in outputs %}
                {{ x.sums[0] }} += *(const bb_mem *)({{ tile.outputs[0][loop.index0].address }}) * beta;
{% endfor %}
            }
{% for x in outputs %}
            *(bb_mem *)({{ tile.outputs[0][loop.index0].address }}) = {{ x.sums[0] }};
{% endfor %}
{% if not loop.last %}
            to += {{ body.views[2].cs }};
{% endif %}
{% endfor %}
{% endmacro %}
{% macro matrices() %}
            for (int p = 0; p < count; p++) {
                const bb_real *const a = steps ? A[p] + {{ body.views[0].at(0, "first") }} : NULL;
                const bb_real *const b = steps ? B[p] + {{ body.views[1].at("first", 0) }} : NULL;
                bb_real *const c = C[p];
{{ caller() }}
            }
{% endmacro %}
{% macro tiles(pass) %}
{% call(across) every(pass.rows, "v") %}
{% for name, value in across.names %}
            const int64_t {{ name }} = {{ value }};
{% endfor %}
{% if across.packs %}
{% call matrices() %}
{{ panels.pack(across, pass) }}
{% call(beside) every(across.columns, "j") %}
{{ tile(beside.tile, pass.width == 1) }}
{% endcall %}
{% endcall %}
{% else %}
{% call(beside) every(across.columns, "j") %}
{% call matrices() %}
{{ tile(beside.tile, pass.width == 1) }}
{% endcall %}
{% endcall %}
{% endif %}
{% endcall %}
{% endmacro %}
{% macro tile(found, alone) %}
                {{ "BB_FORGET;" if body.tile.apart }}
{% for name, value in found.names %}
                const int64_t {{ name }} = {{ value }};
{% endfor %}
{% for sums in found.sums %}
                bb_vec {{ sums | join(" = BB_ZEROS, ") }} = BB_ZEROS;
{% endfor %}
{{ d.products(found, (), alone) }}
{{ update(found) }}
{% endmacro %}
