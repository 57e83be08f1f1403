{# The part of a tile that lies inside C. #}
{% from "tile/blocked_scale.c" import more %}
{% macro edge() %}
/* The part of a tile that is inside C, from `t`, where its columns follow one another. */
static BB_NOINLINE void bb_edge(const int beta_is, const int64_t m, const int64_t n, const bb_real *t,
                                const bb_scalar beta, bb_real *c, const int64_t rs, const int64_t cs)
{
    const int reads = BB_NONZERO(beta_is, beta);
    for (int64_t j = 0; j < (n < {{ schedule.nr }} ? n : {{ schedule.nr }}); j++, t += {{ schedule.mr * parts }})
        for (int64_t i = 0; i < (m < {{ schedule.mr }} ? m : {{ schedule.mr }}); i++) {
            bb_real *const at = c + i * rs + j * cs;
{% if parts == 2 %}
            bb_real x = t[i], y = t[i + {{ schedule.mr }}];
            if (reads) {
                const bb_real old = at[0], other = at[1];
{{ more("x", "y") | indent(16, true) }}
            }
            at[0] = x;
            at[1] = y;
{% else %}
            bb_real x = t[i];
            if (reads)
                x += *at * beta;
            *at = x;
{% endif %}
        }
}

{% endmacro %}
