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
{# output := alpha tile + beta output. It is asked for once what alpha and beta are, not for each vector. #}
{% macro update(tile) %}
{% for sums in tile.sums %}
{% for sum in sums %}
            {{ sum }} = zero + {{ sum }} * alpha;
{% endfor %}
{% endfor %}
            BB_UNKNOWN(reads);
            if (reads) {
{% for outputs in tile.outputs %}
{% for x in outputs %}
                {{ x.sums[0] }} += *(const bb_mem *)({{ x.address }}) * beta;
{% endfor %}
{% endfor %}
            }
            /* The last vector may overlap its predecessor. */
{% for outputs in tile.outputs %}
{% for x in outputs %}
            *(bb_mem *)({{ x.address }}) = {{ x.sums[0] }};
{% endfor %}
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
