{# What direct bodies share: a tile of the output in registers, vectors along its columns; see codegen/tiles.py. #}
{% from "tile/loop.c" import mine, over with context %}
{% import "tile/packed_panel.c" as panels with context %}
{% import "tile/turned_blocks.c" as blocks with context %}
{% from "tile/vector_update.c" import update with context %}
{# The tile += column l of the left factor times row l of the right one. #}
{% macro step(found) %}
{% for name, address in found.loads %}
                const bb_vec {{ name }} = *(const bb_mem *)({{ address }});
{% endfor %}
{% for factor in found.factors %}
                const bb_real {{ factor.name }} = {{ factor.address }};
{% for x in factor.products %}
{% if x.blend %}
                {{ x.sum }} = BB_SHUFFLE(bb_mask{{ width }}, {{ x.sum }} {{ x.sign }} {{ x.a }} * {{ factor.name }}, {{ x.sum }}, {{ x.blend }});
{% else %}
                {{ x.sum }} {{ x.sign }}= {{ x.a }} * {{ factor.name }};
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro each(found) -%}
{% if found.backwards -%}
for (int64_t l = {{ (found.last, -1) | index }}; l >= {{ found.first | index }}; l--)
{%- else -%}
for (int64_t l = {{ found.first | index }}; l < {{ found.last | index }}; l++)
{%- endif %}
{%- endmacro %}
{# Of vectors of one real, which are `alone`, a compiler is not to make vectors of products: it would round them. #}
{% macro steps(found, ahead=(), alone=false) %}
{% if found %}
            BB_UNROLL({{ schedule.unroll }})
            {{ each(found) }} {
{% for x in ahead %}
{% for line in range(x.lines) %}
                BB_PREFETCH(ahead_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
                ahead_{{ x.name }} += {{ x.step }};
{% endfor %}
{% for address in found.fetched %}
                BB_FETCH_FAR({{ address }});
{% endfor %}
{{ step(found.step) }}
                {{ "BB_FORGET;" if alone }}
            }
{% endif %}
{% endmacro %}
{# All steps of k; between those of the diagonal, which share elements, compilers forget: or they keep these in
   registers that they do not have. #}
{% macro products(tile, ahead, alone=false) %}
{{ steps(tile.before, ahead, alone) }}
{{ blocks.turned(tile.turned, ahead) if tile.turned }}
{% for found in tile.diagonal %}
            {
                BB_FORGET;
{{ step(found) }}
            }
{% endfor %}
{{ steps(tile.after) }}
{% endmacro %}
{# All tiles of a pass. `guarded`: without alpha there are no steps; else the loops of steps know. #}
{% macro tiles(pass, ahead=(), apart=true, guarded=false) %}
{{ "    int64_t number = 0;" if pieces and pieces.of != "column" }}
{% for across in pass.rows %}
{% call over(across.loop) %}
{{ "        int64_t number = 0;" if pieces and pieces.of == "column" }}
{% call mine("row") %}
{{ panels.pack(across, pass) }}
{% for beside in across.columns %}
{% call over(beside.loop) %}
{% call mine("tile", "column") %}
            {{ "BB_FORGET;" if apart }}
{% for sums in beside.tile.sums %}
            bb_vec {{ sums | join(" = BB_ZEROS, ") }} = BB_ZEROS;
{% endfor %}
{% for sum, address in beside.tile.starts %}
            {{ sum }} = *(const bb_mem *)({{ address }}){{ " * BB_PAIRS" ~ width ~ "(1, -1)" if pass.conj[0] }};
{% endfor %}
            {{ "if (alpha_is) {" if guarded }}
{{ products(beside.tile, ahead) }}
            {{ "}" if guarded }}
{{ update(beside.tile, pass.conj) }}
{% endcall %}
{% endcall %}
{% endfor %}
{% endcall %}
{% endcall %}
{% endfor %}
{% endmacro %}
