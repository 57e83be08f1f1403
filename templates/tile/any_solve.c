{# The same for sizes that only run time knows, of some matrices together. Vectors are as wide as a row of X is long. #}
{% import "tile/any_tile.c" as any with context %}
{% import "tile/solve.c" as s with context %}
{% set A, B = body.views %}
{% set found = solves[body.name] %}
{% for pass in found.passes %}
static BB_NOINLINE void {{ body.name }}{{ pass.suffix }}_rows({{ body.parameters }})
{
    const bb_real zero = alpha_is == 1 ? (bb_real)-0.0 : 0; /* which leaves the sign of a zero times one */
{% if pass.suffix %}
    typedef bb_vec{{ pass.width }} bb_vec;
    typedef bb_mem{{ pass.width }} bb_mem;
{% endif %}
    {{ body.array("inverse", "BB_ALIGNED") if not body.unit }}
{% call(group) any.every(pass.groups, "v") %}
{% for name, value in group.names %}
            const int64_t {{ name }} = {{ value }};
{% endfor %}
{% call(one) any.every(group.tiles, "i") %}
            for (int p = 0; p < count; p++) {
                const bb_real *const a = A[p];
                bb_real *const b = B[p];
{% if not body.unit %}
                const bb_real *const own = inverse + p * {{ body.size.m }};
{% endif %}
{{ s.solve(one.tile, pass.width == 1) }}
            }
{% endcall %}
{% endcall %}
}

{% endfor %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    if (alpha_is == 0) {
        for (int p = 0; p < count; p++) {
{{ s.zeros("B[p]", B) }}
        }
        return;
    }
{% if not body.unit %}
    {{ body.array("inverse", "BB_ALIGNED") }}
    const int64_t all = count * {{ body.size.m }};
    for (int p = 0; p < count; p++) {
        BB_UNROLL(4)
        for (int64_t i = 0; i < {{ body.size.m }}; i++)
            inverse[p * {{ body.size.m }} + i] = A[p][{{ A.at("i", "i") }}];
    }
    *(bb_mem *)(inverse + all) = BB_ZEROS + 1; /* the last vector is filled up */
    for (int64_t i = 0; i < all; i += {{ width }}) {
        bb_vec x = *(const bb_mem *)(inverse + i);
        bb_reciprocal(&x, &x);
        *(bb_mem *)(inverse + i) = x;
    }
{% endif %}
{% for pass in found.passes %}
    {{ "else " if not loop.first }}{{ "if (" ~ body.size.n ~ " >= " ~ pass.width ~ ") " if not loop.last }}
        {{ body.name }}{{ pass.suffix }}_rows({{ body.kinds }}{{ body.arguments }});
{% endfor %}
}
