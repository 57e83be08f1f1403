{# B := alpha op(A) B or alpha B op(A), A triangular: tiles of B in the order in which none needs what another has
   overwritten. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% set A, B = body.views %}
{% set some = "const int64_t begin, const int64_t end, " if pieces %}
{% set pass = passes[0] %}
{{ p.transposer(false, pass) if pass.left.packed and A.cs == 1 and panel.across > 1 }}
static BB_INLINE void {{ body.name }}({{ some }}{{ body.parameters }})
{
    enum { beta_is = 0 };
    const bb_scalar beta = alpha;
    if (alpha_is == 0) {
        for (int64_t j = 0; j < {{ body.size.n }}{{ " && begin == 0" if pieces }}; j++)
            for (int64_t i = 0; i < {{ body.size.m * parts }}; i++)
                B[{{ B.vector("i", "j") }}] = 0;
        return;
    }
{{ d.tiles(pass) }}
}
