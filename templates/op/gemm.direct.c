{# C := alpha op(A) op(B) + beta C with vectors along the columns of one C: a tile of C stays in registers while k runs.
   The next matrices are prefetched meanwhile, a little in each step. op(A) is packed, a panel as high as the tile,
   where its columns are not contiguous. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set A, B, C = body.views %}
{% set some, told = ("const int64_t begin, const int64_t end, ", "begin, end, ") if pieces else ("", "") %}
{% set pass, size, kc = passes[0], body.size, schedule.kc %}
{% for pass in passes if pass.left.packed and A.cs == 1 and pass.panel.across > 1 %}
{{ p.transposer(false, pass) }}
{% endfor %}
{% if unknown %}
{% include "tile/any_product.c" %}
{% else %}
{% if size.k <= kc %}
static BB_INLINE void {{ body.name }}({{ some }}{{ body.parameters }})
{% else %}
static BB_INLINE void {{ body.name }}_panel(const int64_t kc, {{ some }}{{ body.parameters }})
{% endif %}
{
    const int64_t steps = alpha_is ? {{ size.k if size.k <= kc else "kc" }} : 0;
{% for x in ahead %}
    const char *ahead_{{ x.name }} = (const char *)next_{{ x.name }};
{% endfor %}
{{ d.tiles(pass, ahead, apart=body.tile.apart) }}
}
{% if size.k > kc %}

static BB_INLINE void {{ body.name }}({{ some }}{{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    {{ body.name }}_panel({{ kc }}, {{ told }}{{ body.kinds }}{{ body.arguments }});
    for (int64_t l = {{ kc }}; l < (alpha_is ? {{ size.k }} : 0); l += {{ kc }}) {
        const int64_t kc = l + {{ kc }} < {{ size.k }} ? {{ kc }} : {{ size.k }} - l;
        {{ body.name }}_panel(kc, {{ told }}alpha_is, alpha_is == 1 ? 1 : BB_ANY, {{ body.replaced(A="A + " ~ A.at(0, "l"), B="B + " ~ B.at("l", 0), beta="one") }});
    }
}
{% endif %}
{% endif %}
