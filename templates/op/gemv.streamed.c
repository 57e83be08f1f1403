{# Y := alpha op(A) X + beta Y. Of each element of Y the products of a block of columns, as many as two cache lines have
   elements, are added pairwise in passes, whose sums are added one after another, as those of blocks of a section of
   columns and of sections are: in lanes where rows of op(A) are contiguous, else in vectors of rows. #}
{% from "tile/streamed_rows.c" import along with context %}
{% from "tile/streamed_columns.c" import across with context %}
{% set A, X, Y = body.views %}
{% set m, n, rs, cs = body.size.m, body.size.n, A.at(1, 0), A.at(0, 1) %}
{% include "tile/streamed.c" %}

{% include "tile/streamed_sections.c" %}

/* What threads share: whole rows, or sections of these. */
#define BB_ROWS bb_row_units({{ m }}, {{ n }}, {{ rs }})
#define BB_UNITS (BB_ROWS << bb_divided({{ m }}, {{ n }}, {{ rs }}))
#define BB_ROOM bb_room({{ m }}, {{ n }}, {{ rs }}, num_threads == 1)

/* So many reals, of two cache lines, and zeros beyond. */
static BB_INLINE void bb_get_block(bb_real *const to, const bb_real *p, const int64_t left)
{
{% for v, u, at in stream.block_vectors %}
    bb_vec v{{ v }} = BB_ZEROS;
    if (left > {{ at }})
        bb_get(&v{{ v }}, p + {{ at }}, left - {{ at }}, 0);
    *(bb_vec *)(to + {{ at }}) = v{{ v }};
{% endfor %}
}

{{ along() }}
{{ across() }}
{% include "tile/streamed_parts.c" %}

{% include "tile/streamed_update.c" %}

static BB_INLINE void {{ body.name }}({{ body.parameters }}, const int64_t first, const int64_t last, bb_sums *all)
{
    (void){{ body.strides | join(", (void)") }}; /* of a vector one stride counts */
    const int64_t incx = {{ X.at(1, 0) }}, incy = {{ Y.at(1, 0) }}, rs = {{ rs }}, cs = {{ cs }};
    const int together = bb_together({{ m }}, {{ n }}, cs), bits = bb_sections({{ n }});
    {{ body.array("found", "BB_ALIGNED") }}
{% if complex %}
    {{ body.array("other", "BB_ALIGNED") }}
{% endif %}
    if (all) {
        bb_real *const part = all->part{{ ", *const more = part + (bb_apart(" ~ m ~ ") << bits)" if complex }};
        for (int64_t unit = first; unit < last && alpha_is; unit++)
            bb_unit(A, rs, cs, X, incx, {{ m }}, {{ n }}, unit, together, part);
        if (__atomic_sub_fetch(&all->left, last - first, __ATOMIC_ACQ_REL) != 0)
            return;
        bb_total(part, bb_apart({{ m }}), alpha_is ? 1 << bits : 0);
{% if complex %}
        bb_total(more, bb_apart({{ m }}), alpha_is ? 1 << bits : 0);
{% endif %}
        bb_update(alpha_is, beta_is, alpha, part, {{ "more, " if complex }}beta, Y, incy, {{ m }} * {{ parts }});
        return;
    }
    /* as many rows at a time as there is room for their sums, and for those of a section */
    const int64_t most = bits ? {{ stream.most(2) }} : {{ stream.most(1) }};
    const int64_t apart = most{{ " * 2" if complex }};
    const int64_t side = bb_side({{ m }}, {{ n }}, rs), end = last * side < {{ m }} ? last * side : {{ m }};
    for (int64_t i = first * side, rows; i < end; i += rows) {
        rows = end - i < most ? end - i : most;
        const int64_t reals = rows{{ " * 2" if complex }};
        if (!alpha_is)
            for (int64_t r = 0; r < reals; r++)
                found[r] = {{ "other[r] = " if complex }}0;
        else if (bb_by_columns(rs, rows))
            bb_columns(A + i * rs, cs, X, incx, reals, {{ n }}, together, apart, found{{ ", other" if complex }});
        else
            bb_along(A + i * rs, rs, cs, X, incx, rows, {{ n }}, bits, found{{ ", other" if complex }});
        bb_update(alpha_is, beta_is, alpha, found, {{ "other, " if complex }}beta, Y + i * incy, incy, reals);
    }
}
