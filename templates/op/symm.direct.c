{# C := alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian, one triangle stored. On the left the rows of
   a tile are packed from both sides of the diagonal to a panel; on the right elements are read where they lie. #}
{% import "tile/vector_tile.c" as d with context %}
{% import "tile/packed_panel.c" as p with context %}
{% if body.left %}
{{ p.transposer(body.hermitian, passes[0]) }}
/* The columns of a panel that hold the diagonal: one triangle as it is stored, the other from its transpose. */
static BB_INLINE void bb_mirror(const bb_real *block, int64_t stride, bb_real *P)
{
    bb_pack(block, stride, P);
{% for x in mirrors %}
    {
        bb_vec x = *(const bb_mem *)(block + {{ x.number }} * stride);
{% if x.stored %}
        const bb_vec other = *(const bb_mem *)(P + {{ x.column }});
        x = BB_SHUFFLE(bb_mask{{ width }}, x, other, {{ x.stored }});
{% endif %}
{% if x.real %}
        x = BB_SHUFFLE(bb_mask{{ width }}, x, BB_ZEROS, {{ x.real }});
{% endif %}
        *(bb_mem *)(P + {{ x.column }}) = x;
    }
{% endfor %}
}

{% endif %}
{% set some = "const int64_t begin, const int64_t end, " if pieces %}
static BB_INLINE void {{ body.name }}({{ some }}{{ body.parameters }})
{
{% if body.left %}
    const int64_t steps = alpha_is ? {{ body.size.k }} : 0;
{% endif %}
{{ d.tiles(passes[0], guarded=not body.left) }}
}
