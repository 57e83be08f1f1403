{# C := alpha op(A) op(B) + beta C for matrices of a few rows: a vector holds as many columns of C as it can, or whole
   matrices, and every load and shuffle is known beforehand. All of a tile of C is loaded before any of it is stored,
   for a vector may overwrite the beginning of the next, which is then stored itself. #}
{% set A, B, C = body.views %}
{% set sums = ["re", "im"] if complex else ["re"] %}
{% macro at(w, name, base) %}*(const bb_mem{{ w }} *)({{ name }} + {{ base }}){% endmacro %}
{% macro lanes(w, name, g) %}{% if not g.mask %}{{ at(w, name, g.bases[0]) }}{% else %}BB_SHUFFLE(bb_mask{{ w }}, {{ at(w, name, g.bases[0]) }}, {{ at(w, name, g.bases[-1]) }}, {{ g.mask | join(", ") }}){% endif %}{% endmacro %}
{% for suffix, w, tiles, ahead in flats %}

static BB_INLINE void bb_gemm{{ suffix }}({{ body.parameters }})
{
{% for x in ahead %}
    if ({{ "1" if x.write else "alpha_is" }}) {
{% for line in range(x.lines) %}
        BB_PREFETCH((const char *)next_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
    }
{% endfor %}
{% for tile in tiles %}
    {
        bb_vec{{ w }} {% for v in range(tile.outputs | length) %}{% for s in sums %}{{ s }}{{ v }} = {0}, {% endfor %}old{{ v }} = {0}{{ ", " if not loop.last }}{% endfor %};
        if (alpha_is) {
{% for step in tile.steps %}
            {
{% for a in step.a %}
                const bb_vec{{ w }} a{{ loop.index0 }} = {{ lanes(w, "A", a) }};
{% endfor %}
{% for a, factors in step.products %}
{% set v = loop.index0 %}
{% for b in factors %}
                {{ sums[loop.index0] }}{{ v }} += a{{ a }} * {% if b is integer %}B[{{ b }}]{% else %}{{ lanes(w, "B", b) }}{% endif %};
{% endfor %}
{% endfor %}
            }
{% endfor %}
        }
        if (BB_NONZERO(beta_is, beta)) {
{% for out in tile.outputs %}
            old{{ loop.index0 }} = {{ lanes(w, "C", out.old) }};
{% endfor %}
        }
{% for out in tile.outputs %}
{% set v = loop.index0 %}
        BB_UPDATE{{ w }}(re{{ v }}, old{{ v }}, {% for s in sums %}{{ s }}{{ v }}{{ ", " if not loop.last }}{% endfor %}{% if complex %}, {{ A.conj | int }}, {{ B.conj | int }}{% endif %});
{% for offset, size in out.pieces %}
        *(bb_mem{{ size }} *)(C + {{ out.start + offset }}) = *(bb_mem{{ size }} *)((bb_real *)&re{{ v }} + {{ offset }});
{% endfor %}
{% endfor %}
{% if not loop.last %}
        BB_FORGET; /* or compilers keep what several tiles load in registers that they do not have */
{% endif %}
    }
{% endfor %}
}
{% endfor %}
