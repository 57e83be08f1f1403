{# C := alpha op(A) op(B) + beta C for one matrix per lane: a tile of C stays in registers while k, or a panel of it,
   runs. Where that panel of op(A) of a whole vector of matrices is more than a cache holds, it is taken in strips of
   rows. #}
{% from "tile/loop.c" import along %}
{% from "tile/register_tile.c" import names %}
{% set A, B, C = body.views %}
{% set blocked = body.tile.kc is before(body.size.k) %}
{% set strips = body.size.m > body.tile.strip %}
{% macro tile(i, j, rows, cols) %}
            {{ "BB_FORGET;" if body.tile.apart }}
{% for c in range(cols) %}
            bb_elem {{ names("c" ~ c ~ "_", rows) }};
{% for r in range(rows) %}
            BB_ZERO(c{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
            BB_UNROLL({{ body.tile.unroll }})
            for (int64_t l = 0; l < steps; l++) {
{% if ahead %}
{% for x in ahead %}
                if ({{ "far == BB_FAR" if x.write else "far" }}) {
{% for line in range(x.lines) %}
                    BB_PREFETCH(ahead_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
                    ahead_{{ x.name }} += {{ x.step }};
                }
{% endfor %}
{% endif %}
                bb_elem {{ names("a", rows) }}, b;
{% for r in range(rows) %}
                BB_GET(a{{ r }}, A + {{ A.at((i, r), "l") }}, {{ A.im }});
{% endfor %}
{% for c in range(cols) %}
                BB_GET(b, B + {{ B.at("l", (j, c)) }}, {{ B.im }});
{% for r in range(rows) %}
                BB_FMA(c{{ c }}_{{ r }}, a{{ r }}, b, {{ A.conj | int }}, {{ B.conj | int }});
{% endfor %}
{% endfor %}
            }
{% for c in range(cols) %}
            if (alpha_is == BB_ANY) {
{% for r in range(rows) %}
                BB_SCALE(c{{ c }}_{{ r }}, alpha);
{% endfor %}
            }
            if (BB_NONZERO(beta_is, beta)) {
{% for r in range(rows) %}
                BB_ADD_OLD(c{{ c }}_{{ r }}, C + {{ C.at((i, r), (j, c)) }}, {{ C.im }});
{% endfor %}
            }
{% for r in range(rows) %}
            BB_PUT(C + {{ C.at((i, r), (j, c)) }}, {{ C.im }}, c{{ c }}_{{ r }});
{% endfor %}
{% endfor %}
{% endmacro %}
static BB_INLINE void {{ body.name }}{{ "_panel" if blocked }}({{ "const int64_t kc, " if blocked }}{{ body.parameters }})
{
{% if blocked and unknown %}
    (void){{ body.size.k }}; /* steps are told */
{% endif %}
    const int64_t steps = alpha_is ? {{ "kc" if blocked else body.size.k }} : 0;
{% for x in ahead %}
    const char *ahead_{{ x.name }} = (const char *)next_{{ x.name }};
{% endfor %}
{% call(top, part) along(segments(body.size.m, body.tile.strip), "top") %}
{% call(j, down) along(segments(body.size.n, body.tile.cols), "j", most=narrow(body.tile.cols)) %}
{% call(row, across) along(segments(part.size, body.tile.rows), "row" if strips else "i") %}
{% if strips %}
            const int64_t i = {{ top | index }} + {{ row | index }};
{% endif %}
{{ tile("i" if strips else row, j, across.size, down.size) }}
{% endcall %}
{% endcall %}
{% endcall %}
}
{% if blocked and unknown %}

static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    const int64_t all = alpha_is ? {{ body.size.k }} : 0, panels = (all + {{ body.tile.kc - 1 }}) / {{ body.tile.kc }};
    const int64_t most = panels > 1 ? (all + panels - 1) / panels : all;
    int64_t l = 0;
    do {
        const int64_t kc = bb_whole_step(all - l, most);
        {{ body.name }}_panel(kc, alpha_is, l ? 1 : beta_is, {{ flags_arguments }}{{ body.replaced(A="A + " ~ A.at(0, "l"), B="B + " ~ B.at("l", 0), beta="l ? one : beta") }});
        l += kc;
    } while (l < all);
}
{% elif blocked %}

static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    {{ body.name }}_panel({{ body.tile.kc }}, {{ body.kinds }}{{ flags_arguments }}{{ body.arguments }});
    for (int64_t l = {{ body.tile.kc }}; l < (alpha_is ? {{ body.size.k }} : 0); l += {{ body.tile.kc }}) {
        const int64_t kc = l + {{ body.tile.kc }} < {{ body.size.k }} ? {{ body.tile.kc }} : {{ body.size.k }} - l;
        {{ body.name }}_panel(kc, alpha_is, alpha_is == 1 ? 1 : BB_ANY, {{ flags_arguments }}{{ body.replaced(A="A + " ~ A.at(0, "l"), B="B + " ~ B.at("l", 0), beta="one") }});
    }
}
{% endif %}
