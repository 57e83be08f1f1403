{# A tile of C := alpha A B + beta C from a sliver of each packed factor; of complex ones real and imaginary parts are
   apart. #}
{% set W, mr, nr = width, schedule.mr, schedule.nr %}
{% from "tile/blocked_scale.c" import more, times %}
{# All vectors of a tile of so many down: their numbers. #}
{% macro each(rows) %}
{% for j in range(nr) %}
{% for v in range(rows) %}
{{ caller(v, j, v ~ "_" ~ j, ("c + " ~ v * W * parts if v else "c") ~ (" + " ~ j ~ " * cs" if j)) }}
{%- endfor %}
{% endfor %}
{% endmacro %}
{% macro tile(unit, rows, lines) %}
static BB_INLINE void bb_tile_{{ rows }}(const int alpha_is, const int beta_is, const int64_t m, const int64_t n,
                              const int64_t steps, const bb_scalar alpha, const bb_real *a, const bb_real *b,
                              const bb_scalar beta, bb_real *c, const int64_t rs, const int64_t cs)
{
{% if parts == 1 %}
    const bb_real zero = alpha_is == 1 ? (bb_real)-0.0 : 0; /* which leaves the sign of a zero times one */
{% endif %}
    int reads = BB_NONZERO(beta_is, beta);
{% call(v, j, name, at) each(rows) %}
    bb_vec re{{ name }} = BB_ZEROS{{ ", im" ~ name ~ " = BB_ZEROS" if parts == 2 }};
{% endcall %}
{% if unit %}
{% for j in range(nr) %}
{% for real in lines %}
    __builtin_prefetch(c{{ " + " ~ real if real }}{{ " + " ~ j ~ " * cs" if j }}, 1);
{% endfor %}
{% endfor %}
{% endif %}
    BB_UNROLL(1)
    for (int64_t l = 0; l < steps; l++, a += {{ mr * parts }}, b += {{ nr * parts }}) {
{% for v in range(rows) %}
        const bb_vec a{{ v }} = *(const bb_mem *)(a + {{ v * W }});
{% if parts == 2 %}
        const bb_vec i{{ v }} = *(const bb_mem *)(a + {{ mr + v * W }});
{% endif %}
{% endfor %}
{% for x, reals in fetched %}
{% for real in reals %}
        __builtin_prefetch({{ x }} + {{ real }});
{% endfor %}
{% endfor %}
{% for j in range(nr) %}
        const bb_real x{{ j }} = b[{{ j }}]{{ ", y" ~ j ~ " = b[" ~ (nr + j) ~ "]" if parts == 2 }};
{% for v in range(rows) %}
        re{{ v }}_{{ j }} += a{{ v }} * x{{ j }};
{% if parts == 2 %}
        im{{ v }}_{{ j }} += a{{ v }} * y{{ j }};
        re{{ v }}_{{ j }} -= i{{ v }} * y{{ j }};
        im{{ v }}_{{ j }} += i{{ v }} * x{{ j }};
{% endif %}
{% endfor %}
{% endfor %}
    }
{% if parts == 1 %}
{% call(v, j, name, at) each(rows) %}
    re{{ name }} = zero + re{{ name }} * alpha;
{% endcall %}
{% else %}
    if (alpha_is == BB_ANY) {
        bb_vec x, y;
{% call(v, j, name, at) each(rows) %}
        x = re{{ name }};
        y = im{{ name }};
{{ times("re" ~ name, "im" ~ name, "x", "y", "alpha", "= BB_ZEROS +") | indent(8, true) }}
{% endcall %}
    }
{% endif %}
    BB_UNKNOWN(reads);
    if ({{ "m < " ~ rows * W ~ " || n < " ~ nr if unit else "1" }}) {
        bb_real t[{{ mr * nr * parts }}] BB_ALIGNED;
{% call(v, j, name, at) each(rows) %}
        *(bb_vec *)(t + {{ j * mr * parts + v * W }}) = re{{ name }};
{% if parts == 2 %}
        *(bb_vec *)(t + {{ (j * 2 + 1) * mr + v * W }}) = im{{ name }};
{% endif %}
{% endcall %}
        bb_edge(beta_is, m, n, t, beta, c, rs, cs);
        return;
    }
{% if unit %}
{% if parts == 2 %}
    bb_vec low, high, old, other;
{% endif %}
    if (reads) {
{% call(v, j, name, at) each(rows) %}
{% if parts == 1 %}
        re{{ name }} += *(const bb_mem *)({{ at }}) * beta;
{% else %}
        low = *(const bb_mem *)({{ at }});
        high = *(const bb_mem *)({{ at }} + {{ W }});
        old = BB_SHUFFLE(bb_mask{{ W }}, low, high, {{ vector_pairs.parted[0] | join(", ") }});
        other = BB_SHUFFLE(bb_mask{{ W }}, low, high, {{ vector_pairs.parted[1] | join(", ") }});
{{ more("re" ~ name, "im" ~ name) | indent(8, true) }}
{% endif %}
{% endcall %}
    }
{% call(v, j, name, at) each(rows) %}
{% if parts == 1 %}
    *(bb_mem *)({{ at }}) = re{{ name }};
{% else %}
    *(bb_mem *)({{ at }}) =
        BB_SHUFFLE(bb_mask{{ W }}, re{{ name }}, im{{ name }}, {{ vector_pairs.joined[0] | join(", ") }});
    *(bb_mem *)({{ at }} + {{ W }}) =
        BB_SHUFFLE(bb_mask{{ W }}, re{{ name }}, im{{ name }}, {{ vector_pairs.joined[1] | join(", ") }});
{% endif %}
{% endcall %}
{% endif %}
}
{% endmacro %}
