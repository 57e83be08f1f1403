{# X with A X = alpha B, A triangular, overwrites B, with vectors down the columns of a few matrices, whose rows are
   solved in turns, for each waits for the one before. All of X is in registers. Of the vectors that hold the diagonal,
   lanes that are solved stay as they are. #}
{% import "tile/solve.c" as s with context %}
{% from "tile/loop.c" import over with context %}
{% set found = solves[body.name] %}
{% macro blend(x, y, lanes) %}BB_SHUFFLE(bb_mask{{ width }}, {{ x }}, {{ y }}, {{ lanes }}){% endmacro %}
{% for suffix, count in steps %}
{% macro each() %}
        BB_UNROLL({{ count }})
        for (int q = 0; q < {{ count }}; q++) {
{{ caller() }}
        }
{% endmacro %}
{% macro inverted(block) %}
            bb_vec d[{{ count }}];
{% call each() %}
                d[q] = *(const bb_mem *)(A[q] + {{ block.first }});
{% for address, lanes in block.diagonal %}
                const bb_vec e{{ loop.index }} = *(const bb_mem *)(A[q] + {{ address }});
                d[q] = {{ blend("e" ~ loop.index, "d[q]", lanes) }};
{% endfor %}
                bb_reciprocal(&d[q], &d[q]);
{% endcall %}
{% endmacro %}
{# A row of X, in all lanes, is taken from those that are not solved. #}
{% macro eliminated(group, block, row) %}
{% for x in group.names[block.vector] %}
                const bb_vec s{{ loop.index0 }} = {{ x }}[q]{{ " * d[q]" if block.first }};
                const bb_vec t{{ loop.index0 }} = {{ blend("s" ~ loop.index0, "s" ~ loop.index0, row.lanes) }};
{% endfor %}
{% for one in row.taken %}
                const bb_vec a{{ one.vector }} = *(const bb_mem *)(A[q] + {{ one.address }});
{% for x in group.names[one.vector] %}
{% if one.lanes %}
                {{ x }}[q] = {{ blend(x ~ "[q] - a" ~ one.vector ~ " * t" ~ loop.index0, x ~ "[q]", one.lanes) }};
{% else %}
                {{ x }}[q] -= a{{ one.vector }} * t{{ loop.index0 }};
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}
static BB_INLINE void {{ body.name }}{{ suffix }}({{ body.parameters }})
{
    if (alpha_is == 0) {
{% call each() %}
{{ s.zeros("B[q]", found.b) }}
{% endcall %}
        return;
    }
{% for group in found.groups %}
{% call over(group.loop) %}
{% for name, _ in group.vectors %}
        bb_vec {{ name }}[{{ count }}];
{% endfor %}
{% call each() %}
{% for name, address in group.vectors %}
            {{ name }}[q] = *(const bb_mem *)(B[q] + {{ address }});
{% endfor %}
            if (alpha_is == BB_ANY) {
{% for name, _ in group.vectors %}
                {{ name }}[q] = BB_ZEROS + {{ name }}[q] * alpha;
{% endfor %}
            }
{% endcall %}
{% for block in found.blocks %}
        {
{{ inverted(block) if block.first }}
{% for row in block.rows if row.taken %}
{% call each() %}
{{ eliminated(group, block, row) }}
{% endcall %}
{% endfor %}
{% if block.first %}
{% call each() %}
{% for x in group.names[block.vector] %}
                {{ x }}[q] *= d[q];
{% endfor %}
{% endcall %}
{% endif %}
        }
{% endfor %}
{% call each() %}
{% for name, address in group.vectors %}
            *(bb_mem *)(B[q] + {{ address }}) = {{ name }}[q];
{% endfor %}
{% endcall %}
{% endcall %}
{% endfor %}
}

{% endfor %}
