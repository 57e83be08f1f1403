{# The blocks of a triangle beside a few right-hand sides, one after another. #}
{% set V = width %}
{% include "tile/recursive_few_block.c" %}

/* The triangle of blocks begin to end - 1. */
static BB_INLINE void bb_few_blocks(const int solves, const int lies, const int back, const int64_t n,
                                    const int64_t head, const int64_t begin, const int64_t end, const int64_t many,
                                    const bb_real *A, const int64_t rs, const int64_t cs, const int conj,
                                    const int unit, bb_real *X, const int64_t pitch)
{
    const int far = lies != BB_APART && (double)n * (double)n >= {{ few.far }};
    for (int64_t b = begin; b < end; b++) {
        const int64_t own = solves ? b : end - 1 - (b - begin), at = bb_few_at(back, n, head, own);
        const int64_t others = lies == BB_DOWN ? end - 1 - own : own - begin;
        const int first = (lies == BB_DOWN) == solves;
        const bb_real *const diagonal = A + at * (rs + cs){{ " * 2" if complex }};
{% macro corner() %}
            if (own)
                bb_few_corner(solves, back, {{ V }}, many, diagonal, rs, cs, conj, unit, X + at, pitch);
            else
                bb_few_corner(solves, back, head, many, diagonal, rs, cs, conj, unit, X + at, pitch);
{% endmacro %}
{% if complex %}
        if (first) {
{{ corner() -}}
        }
{% else %}
        const int whole = !solves && own;
        bb_vec product[{{ schedule.few }}];
        if (whole)
            bb_few_product(lies, back, many, diagonal, rs, cs, unit, X + at, pitch, product);
        if (whole && first)
            bb_few_place(many, product, X + at, pitch);
        if (!whole && first) {
{{ corner() -}}
        }
{% endif %}
        int64_t o = 0;
{% if not complex %}
        const int tall = lies == BB_DOWN && many == 1 && (own || head == {{ V }});
        for (; tall && o + {{ few.tall }} <= others; o += {{ few.tall }}) {
            const int64_t beside = bb_few_at(back, n, head, own + 1 + o + (back ? {{ few.tall - 1 }} : 0));
            for (int64_t r = 0; far && r < {{ few.tall }}; r++)
                bb_few_coming(solves, lies, back, n, head, begin, end, A, rs, cs, own, o + r + {{ few.ahead }});
            bb_few_tall(solves, A + beside + at * cs, cs, X + at, X + beside);
        }
{% endif %}
        for (; o < others; o++) {
            const int64_t other = lies == BB_DOWN ? own + 1 + o : solves ? begin + o : own - 1 - o;
            const int64_t beside = bb_few_at(back, n, head, other);
            if (far)
                bb_few_coming(solves, lies, back, n, head, begin, end, A, rs, cs, own, o + {{ few.ahead }});
            if (lies == BB_DOWN)
                bb_few_block(solves, lies, own ? {{ V }} : head, many, A, rs, cs, conj, beside, at, X, pitch);
            else
                bb_few_block(solves, lies, other ? {{ V }} : head, many, A, rs, cs, conj, at, beside, X, pitch);
        }
{% if complex %}
        if (!first) {
{{ corner() -}}
        }
{% else %}
        if (whole && !first)
            bb_few_place(many, product, X + at, pitch);
        if (!whole && !first) {
{{ corner() -}}
        }
{% endif %}
    }
}
