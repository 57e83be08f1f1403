{# Left factors whose columns are not contiguous, packed to a panel P as high as a tile. #}
{% from "simd/transpose.c" import transpose with context %}
{# x := columns of rows. #}
{% macro turn(pass, own) %}
{% if pass.panel.joined %}
    BB_UNROLL({{ pass.panel.half }})
    for (int r = 0; r < {{ pass.panel.half }}; r++) {
        const bb_real *row = rows + r * stride, *other = rows + (r + {{ pass.panel.half }}) * stride;
        bb_join(&x[r], row, other);
        bb_join(&x[r + {{ pass.panel.half }}], row + {{ pass.width // 2 }}, other + {{ pass.width // 2 }});
    }
{% if pass.panel.half > 1 %}
    bb_transpose{{ pass.panel.half }}(x);
    bb_transpose{{ pass.panel.half }}(x + {{ pass.panel.half }});
{% endif %}
{% else %}
    BB_UNROLL({{ pass.panel.across }})
    for (int r = 0; r < {{ pass.panel.across }}; r++)
        x[r] = *(const bb_mem{{ own }} *)(rows + r * stride);
{% if pass.panel.across > 1 %}
    bb_transpose{{ pass.panel.across }}{{ pass.suffix }}(x);
{% endif %}
{% endif %}
{%- endmacro %}
{% macro transposer(conj, pass) %}
{% set panel, width, suffix = pass.panel, pass.width, pass.suffix %}
{% set own = width if suffix else "" %}
{% if panel.joined %}
{% include "simd/vector_halves.c" %}
{% endif %}
{{ transpose(panel.half, width, parts, suffix) }}
{% if pass.turned %}
/* {{ panel.across }} columns of {{ panel.across }} rows that are contiguous. */
static BB_INLINE void bb_turn{{ suffix }}(const bb_real *rows, int64_t stride, bb_vec{{ own }} *x)
{
{{ turn(pass, own) }}
}

{% else %}
/* {{ panel.across }} columns of a panel of {{ "conjugates of " if conj }}{{ panel.across }} rows that are contiguous. */
static BB_INLINE void bb_pack{{ suffix }}(const bb_real *rows, int64_t stride, bb_real *P)
{
    bb_vec{{ own }} x[{{ panel.across }}];
{{ turn(pass, own) }}
    BB_UNROLL({{ panel.across }})
    for (int r = 0; r < {{ panel.across }}; r++)
        *(bb_mem{{ own }} *)(P + r * {{ panel.height }}) = x[r]{{ " * BB_PAIRS" ~ width ~ "(1, -1)" if conj }};
}

{% endif %}
{% endmacro %}
{# The rows of a tile, by vectors: of a symmetric factor what is stored of its columns, the columns that its rows hold,
   then the diagonal. #}
{% macro pack(across, pass) %}
{% if across.packs or across.mirrors %}
        {{ body.array("P", "BB_ALIGNED") }}
{% endif %}
{% for x in across.packs %}
        {{ "if (number < end && number + " ~ pieces.beside ~ " > begin) " if pieces and pieces.of == "tile" }}{
            int64_t l = {{ x.first | index }};
{% if x.block %}
            while (l < {{ x.end }}) {
                l = l < {{ x.latest | index }} ? l : {{ x.latest | index }}; /* the last block overlaps its predecessor */
                bb_pack{{ pass.suffix }}({{ x.block }}, {{ x.stride }}, P + l * {{ pass.panel.height }} + {{ x.at }});
                l += {{ pass.panel.across }};
            }
{% endif %}
            for (; l < {{ x.last | index }}; l++)
                for (int64_t q = 0; q < {{ pass.width }}; q++)
                    P[l * {{ pass.panel.height }} + {{ x.at }} + q] = {{ x.real }};
        }
{% endfor %}
{% if across.mirrors %}
        if (alpha_is) {
{% for x in across.mirrors %}
{% if x.first is before(x.last) %}
            for (int64_t l = {{ x.first | index }}; l < {{ x.last | index }}; l++)
                *(bb_mem *)(P + l * {{ panel.height }} + {{ x.at }}) = *(const bb_mem *)({{ x.stored }});
{% endif %}
{% if body.lower and x.diagonal is before(body.size.m - panel.across) %}
            for (int64_t l = {{ body.size.m - panel.across }}; l > {{ x.diagonal | index }}; l -= {{ panel.across }})
                bb_pack({{ x.block }}, {{ x.stride }}, P + l * {{ panel.height }} + {{ x.at }});
{% elif not body.lower and 0 is before(x.diagonal) %}
            for (int64_t l = 0; l < {{ x.diagonal | index }}; l += {{ panel.across }})
                bb_pack({{ x.block }}, {{ x.stride }}, P + l * {{ panel.height }} + {{ x.at }});
{% endif %}
            bb_mirror({{ x.corner }}, {{ x.stride }}, P + ({{ x.diagonal | index }}) * {{ panel.height }} + {{ x.at }});
{% endfor %}
        }
{% endif %}
{% endmacro %}
