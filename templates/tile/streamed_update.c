{# Y := alpha times sums + beta Y, of which elements may lie apart. #}
/* A vector of Y, from sums of products by real{{ " and by imaginary" if complex }} parts. */
static BB_INLINE void bb_updated(const int alpha_is, const int beta_is, const bb_scalar alpha, const bb_real *sum,
                                 {{ "const bb_real *other, " if complex }}const bb_scalar beta, bb_vec *y)
{
    const bb_vec old = *y, found = *(const bb_vec *)sum;
    bb_vec sums;
{% if complex %}
    const bb_vec exchanged = *(const bb_vec *)other;
    BB_UPDATE{{ width }}(sums, old, found, exchanged, {{ body.views[0].conj | int }}, 0);
{% else %}
    BB_UPDATE(sums, old, found);
{% endif %}
    *y = sums;
}

static BB_NOINLINE void bb_update(const int alpha_is, const int beta_is, const bb_scalar alpha,
                                  const bb_real *sum{{ ", const bb_real *other" if complex }},
                                  const bb_scalar beta, bb_real *y, const int64_t step, const int64_t reals)
{
    const int beside = step == {{ parts }}, read = BB_NONZERO(beta_is, beta);
    int64_t i = 0;
    for (; beside && i + {{ width }} <= reals; i += {{ width }}) {
        bb_vec line = BB_ZEROS;
        if (read)
            line = *(const bb_mem *)(y + i);
        bb_updated(alpha_is, beta_is, alpha, sum + i, {{ "other + i, " if complex }}beta, &line);
        *(bb_mem *)(y + i) = line;
    }
    for (; i < reals; i += {{ width }}) {
        const int64_t left = reals - i, count = left < {{ width }} ? left : {{ width }};
        bb_real piece[{{ width }}] BB_ALIGNED = { 0 }, *const at = y + i{{ " / 2" if complex }} * step;
        if (read)
            bb_fetch(piece, at, step, count);
        bb_updated(alpha_is, beta_is, alpha, sum + i, {{ "other + i, " if complex }}beta, (bb_vec *)piece);
        bb_bring(at, piece, step, count);
    }
}
