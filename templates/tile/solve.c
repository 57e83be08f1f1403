{# What solvers of matrices by themselves share. #}
{% import "tile/vector_tile.c" as d with context %}
{% from "tile/loop.c" import over with context %}
{# Where alpha is zero all of B is, whatever it and A hold. #}
{% macro cleared(B) %}
    if (alpha_is == 0) {
{{ zeros("B", B) }}
        return;
    }
{% endmacro %}
{% macro zeros(name, B) %}
        for (int64_t j = 0; j < {{ body.size.n }}{{ " && begin == 0" if pieces }}; j++)
            for (int64_t i = 0; i < {{ body.size.m }}; i++)
                {{ name }}[{{ B.at("i", "j") }}] = 0;
{% endmacro %}
{# The inverses of the diagonal, by vectors. All of a kernel has one width: Intel mixes 32 and 64 bytes at a loss. #}
{% macro inverted(found) %}
{% if found.diagonal %}
    {{ body.array("inverse", "BB_ALIGNED") }}
{% endif %}
{% for part in found.diagonal %}
{% call over(part.loop) %}
        bb_vec x = { {{ part.elements | join(", ") }} };
        bb_reciprocal(&x, &x);
        *(bb_mem *)(inverse + {{ part.loop.index | index }}) = x;
{% endcall %}
{% endfor %}
{% endmacro %}
{% macro moved(moves, way) %}
{% for x in moves %}
{% call over(x.loop) %}
            bb_{{ way }}({{ x.there }}, {{ x.stride }}, {{ x.here }}, {{ x.count }});
{% endcall %}
{% endfor %}
{% endmacro %}
{# A tile of X. #}
{% macro solve(tile, alone=false) %}
            BB_FORGET;
{% for name, address in tile.starts %}
            bb_vec {{ name }} = *(const bb_mem *)({{ address }});
{% endfor %}
{% if unknown %}
{% for name, _ in tile.starts %}
            {{ name }} = zero + {{ name }} * alpha;
{% endfor %}
{% else %}
            if (alpha_is == BB_ANY) {
{% for name, _ in tile.starts %}
                {{ name }} = BB_ZEROS + {{ name }} * alpha;
{% endfor %}
            }
{% endif %}
{{ d.steps(tile.known, (), alone) }}
{{ solved(tile.rows) }}
{% endmacro %}
{# Rows of X, one after another. #}
{% macro solved(rows) %}
{% for row in rows %}
            {
{% if row.inverse %}
                const bb_real d = {{ row.inverse }};
{% for sum in row.sums %}
                {{ sum }} *= d;
{% endfor %}
{% endif %}
{% for name, address in row.stores %}
                *(bb_mem *)({{ address }}) = {{ name }};
{% endfor %}
{{ d.step(row.step) }}
            }
{% endfor %}
{% endmacro %}
