{# The same for sizes that only run time knows, of some matrices together: each tile is chosen once for all of them.
   Vectors are as wide as a column is high. #}
{% import "tile/any_tile.c" as any with context %}
{% set size, kc = body.size, schedule.kc %}
{% set panel = "const int64_t first, const int64_t steps" %}
{% set replaced = body.replaced(beta="first ? one : beta", B="from", C="to", **strip_given) %}
{% for pass in passes %}
static BB_NOINLINE void {{ body.name }}_{{ pass.width }}({{ panel }}, {{ body.parameters }})
{
    (void){{ size.k }}; /* steps are told */
    int reads = BB_NONZERO(beta_is, beta), scales = alpha_is != 1; /* by one, which may lose the sign of a zero */
{% if pass.suffix %}
    typedef bb_vec{{ pass.width }} bb_vec;
    typedef bb_mem{{ pass.width }} bb_mem;
{% endif %}
{{ any.tiles(pass) }}
}

{% endfor %}
/* Panels of k are of one length, as they are where it is known. Of few rows some columns go through all panels before
   others: so long columns of op(B) are read as they lie in memory, while op(A) stays in a cache. */
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const bb_scalar one = 1;
    const int64_t all = alpha_is ? {{ size.k }} : 0, panels = (all + {{ kc - 1 }}) / {{ kc }};
    const int64_t most = panels > 1 ? (all + panels - 1) / panels : all;
    const int64_t strip = {{ strip }};
    for (int64_t column = 0; column < {{ size.n }}; column += strip) {
        const int64_t across = bb_whole_step({{ size.n }} - column, strip);
        const bb_real *some_from[{{ several }}], *const *const from = column ? some_from : B;
        bb_real *some_to[{{ several }}], *const *const to = column ? some_to : C;
        (void)across; /* where that is known */
        for (int p = 0; column && p < count; p++) {
            some_from[p] = B[p] + {{ body.views[1].at(0, "column") }};
            some_to[p] = C[p] + {{ body.views[2].at(0, "column") }};
        }
        int64_t first = 0;
        do {
            const int64_t steps = bb_whole_step(all - first, most);
{% for pass in passes %}
            {{ "else " if not loop.first }}{{ "if (" ~ size.m ~ " >= " ~ pass.width ~ ") " if not loop.last }}
                {{ body.name }}_{{ pass.width }}(first, steps, alpha_is, first ? 1 : beta_is, {{ replaced }});
{% endfor %}
            first += steps;
        } while (first < all);
    }
}
