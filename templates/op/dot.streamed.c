{# R := X' Y or X* Y #}
{% from "tile/streamed_sum.c" import sums with context %}
{% from "tile/streamed_blocks.c" import blocks with context %}
{% set X, Y, R = body.views %}
{% set n = body.size.n %}
{% include "tile/streamed.c" %}

{{ sums(false) }}
{{ blocks(false) }}
/* Who is done last adds the sums of all parts. */
static BB_INLINE void {{ body.name }}({{ body.parameters }}, int64_t first, int64_t last, bb_sums *all)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t units = BB_UNITS, blocks = bb_block_count({{ n }});
    if (units == 1) {
        bb_block(X, {{ X.at(1, 0) }}, Y, {{ Y.at(1, 0) }}, {{ n }}, R);
        return;
    }
    bb_sums own;
    if (!all) {
        all = &own;
        first = 0;
        all->left = last = units;
    }
    for (int64_t u = first; u < last; u++)
        bb_blocks(X, {{ X.at(1, 0) }}, Y, {{ Y.at(1, 0) }}, {{ n }}, blocks * u / units,
                  blocks * (u + 1) / units, all->part + u{{ " * 2" if complex }});
    if (__atomic_sub_fetch(&all->left, last - first, __ATOMIC_ACQ_REL) == 0)
        bb_total(all->part, units, R);
}
