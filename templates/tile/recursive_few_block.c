{# Blocks of a triangle beside a few right-hand sides: where they are, what they add, when they are read. #}
{% set V = width %}
/* Where block number b begins, of {{ V }} elements but for the first, which has `head`; `back`: seen backwards. */
static BB_INLINE int64_t bb_few_at(const int back, const int64_t n, const int64_t head, const int64_t b)
{
    const int64_t i = b ? head + (b - 1) * {{ V }} : 0, size = b ? {{ V }} : head;
    return back ? n - i - size : i;
}

/* What one block beside the diagonal adds. */
static BB_INLINE void bb_few_block(const int solves, const int lies, const int64_t cols, const int64_t many,
                                   const bb_real *A, const int64_t rs, const int64_t cs, const int conj,
                                   const int64_t row, const int64_t col, bb_real *X, const int64_t pitch)
{
    const bb_real *block = A + (row * rs + col * cs) * {{ parts }};
    if (cols == {{ V }}) {
        bb_vec a[{{ V * parts }}];
        bb_take_block(lies, block, rs, cs, conj, a);
        bb_add_block(solves, many, a, X + col, X + row, pitch);
    } else
        bb_add_columns(solves, cols, many, block, rs, cs, conj, X + col, X + row, pitch);
}

{% if not complex %}
/* What {{ few.tall }} blocks one upon the other add beside one right-hand side: a cache line that has rows of two is
   read for both at once, or columns that lie alike in their pages push it out of a level-1 cache in between. */
static BB_INLINE void bb_few_tall(const int solves, const bb_real *A, const int64_t cs, const bb_real *x, bb_real *y)
{
    bb_vec sum[{{ few.tall }}];
    BB_UNROLL({{ few.tall }})
    for (int r = 0; r < {{ few.tall }}; r++)
        sum[r] = *(const bb_mem *)(A + r * {{ V }}) * x[0];
    BB_UNROLL({{ V - 1 }})
    for (int q = 1; q < {{ V }}; q++)
        BB_UNROLL({{ few.tall }})
        for (int r = 0; r < {{ few.tall }}; r++)
            sum[r] += *(const bb_mem *)(A + q * cs + r * {{ V }}) * x[q];
    BB_UNROLL({{ few.tall }})
    for (int r = 0; r < {{ few.tall }}; r++)
        bb_few_put(solves, y + r * {{ V }}, &sum[r]);
}

{% endif %}
/* Prefetches block number o beside diagonal block `own`, or in the next row or column of blocks: hardware does not look
   beyond the end of a page. */
static BB_INLINE void bb_few_coming(const int solves, const int lies, const int back, const int64_t n,
                                    const int64_t head, const int64_t begin, const int64_t end, const bb_real *A,
                                    const int64_t rs, const int64_t cs, int64_t own, int64_t o)
{
    int64_t others = lies == BB_DOWN ? end - 1 - own : own - begin;
    if (o >= others) {
        o -= others;
        own += solves ? 1 : -1;
        others = lies == BB_DOWN ? end - 1 - own : own - begin;
    }
    if (o >= others || own < begin)
        return;
    const int64_t other = lies == BB_DOWN ? own + 1 + o : solves ? begin + o : own - 1 - o;
    const int64_t at = bb_few_at(back, n, head, own), beside = bb_few_at(back, n, head, other);
    const bb_real *const block = A + (lies == BB_DOWN ? beside * rs + at * cs : at * rs + beside * cs) * {{ parts }};
    BB_UNROLL({{ V }})
    for (int q = 0; q < {{ V }}; q++) {
{% for line in few.lines %}
        __builtin_prefetch(block + q * (lies == BB_DOWN ? cs : rs) * {{ parts }}{{ " + " ~ line if line }}, 0, 2);
{% endfor %}
    }
}
