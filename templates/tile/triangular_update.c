{# Direct bodies that write one triangle of C := alpha L R' + beta C, or alpha L R* + beta C: for every row of tiles
   those that are wholly inside, then those that meet the diagonal. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% macro functions(passes) %}
{% set some = "const int64_t begin, const int64_t end, " if pieces %}
{{ p.transposer(false, passes[0]) if passes[0].left.packed and body.views[0].cs == 1 and panel.across > 1 }}
{% for pass in passes %}
static BB_INLINE void {{ pass.name }}({{ some }}{{ body.parameters }})
{
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{{ d.tiles(pass) }}
}

{% endfor %}
{% endmacro %}
