{# X with A X = alpha B, A lower triangular, overwrites B, with vectors across right-hand sides: a tile of X at a time
   from the top; elements of A are read where they lie. Right-hand sides that are not contiguous are transposed to a
   panel and back, a few vectors of them at a time. #}
{% import "tile/solve.c" as s with context %}
{% from "tile/loop.c" import mine, over with context %}
{% from "tile/solve_panel.c" import movers with context %}
{% set A, B = body.views %}
{% set some = "const int64_t begin, const int64_t end, " if pieces %}
{% set found = solves[body.name] %}
{{ movers(found.panel) if found.packed and body == bodies[0] }}
{% if unknown %}
{% include "tile/any_solve.c" %}
{% else %}
static BB_INLINE void {{ body.name }}({{ some }}{{ body.parameters }})
{
{{ s.cleared(B) }}
{{ s.inverted(found) }}
{{ "    int64_t number = 0;" if pieces }}
{% for group in found.groups %}
{% call over(group.loop) %}
{% call mine("group") %}
{% if group.panel %}
        {{ body.array("P", "BB_ALIGNED") }}
{% endif %}
{{ s.moved(group.moves, "pack") }}
{% for tile in group.tiles %}
{% call over(tile.loop) %}
{{ s.solve(tile) }}
{% endcall %}
{% endfor %}
{{ s.moved(group.moves, "unpack") }}
{% endcall %}
{% endcall %}
{% endfor %}
}
{% endif %}
