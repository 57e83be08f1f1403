{# Panels of k: blocks of both factors are packed, then multiplied; threads share either. #}
{% set kc, mr, nr = schedule.kc, schedule.mr, schedule.nr %}
/* What is packed and multiplied next. Rows come in blocks of `tall`, which is whole slivers. */
typedef struct {
    int alpha_is;
    int64_t rsa, csa, rsb, csb, rsc, csc;
    bb_scalar alpha;
    bb_real *rows, *columns;
    int beta_is;
    int64_t first[3], m, n, steps, tall, new_slivers; /* the first row, column and step; of B, to be packed */
    bb_scalar beta;
    const bb_real *A, *B;
    bb_real *C;
} bb_panel;

/* Slivers of so many rows or columns that a side has. */
static BB_INLINE int64_t bb_slivers(const int64_t side, const int64_t size)
{
    return (side + size - 1) / size;
}

/* Packs a part of the slivers of A and one of those of B: a thread later reads most of what it packed. */
static void bb_pack(const void *panel, int64_t lo, int64_t hi, int64_t share)
{
    const bb_panel *const x = (const bb_panel *)panel;
    const int64_t down = bb_slivers(x->m, {{ mr }}), across = x->new_slivers, all = down + across;
    const int64_t i = down * lo / all * {{ mr }}, j = across * lo / all * {{ nr }};
    (void)share;
    const int64_t down_to = bb_whole_step(down * hi / all * {{ mr }}, x->m);
    const int64_t across_to = bb_whole_step(across * hi / all * {{ nr }}, x->n);
    bb_pack_rows(x->first[0] + i, x->first[2], down_to - i, x->steps, x->A, x->rsa, x->csa,
                 x->rows + i * x->steps{{ " * 2" if complex }});
    bb_pack_columns(x->first[1] + j, x->first[2], across_to - j, x->steps, x->B, x->csb, x->rsb,
                    x->columns + j * x->steps{{ " * 2" if complex }});
}

/* C, by slivers of columns of one block of rows after the other. */
static void bb_multiply(const void *panel, int64_t lo, int64_t hi, int64_t share)
{
    const bb_panel *const x = (const bb_panel *)panel;
    const int64_t slivers = bb_slivers(x->n, {{ nr }});
    (void)share;
    for (int64_t next, s = lo; s < hi; s = next) {
        const int64_t i = s / slivers * x->tall, j = s % slivers * {{ nr }};
        next = bb_whole_step(s + slivers - s % slivers, hi);
        const int64_t down = bb_whole_step(x->tall, x->m - i), across = bb_whole_step((next - s) * {{ nr }}, x->n - j);
        bb_block(x->alpha_is, x->beta_is, down, across, x->steps, x->alpha,
                 x->rows + i * x->steps{{ " * 2" if complex }},
                 x->columns + j * x->steps{{ " * 2" if complex }}, x->beta,
                 x->C + i * x->rsc + j * x->csc, x->rsc, x->csc);
    }
}

/* part(x, lo, hi, share) for ranges that make up [0, count). */
static void bb_together(void (*part)(const void *, int64_t, int64_t, int64_t), const bb_panel *x, const int64_t count,
                        const int team)
{
#if defined(BB_POOL)
    if (bblas_parallel && team != 1) {
        bblas_parallel(part, x, 0, count, 1, team, (double)x->m * (double)x->n * (double)x->steps / {{ speed }});
        return;
    }
#elif defined(_OPENMP)
    if (team > 1) {
#pragma omp parallel num_threads(team)
        {
            const int64_t t = omp_get_thread_num(), all = omp_get_num_threads();
            part(x, count * t / all, count * (t + 1) / all, count / all);
        }
        return;
    }
#endif
    (void)team;
    part(x, 0, count, count);
}

/* Panels are of one length, as they are where k is known. */
static BB_NOINLINE void {{ body.name }}(const int alpha_is, const int beta_is, const int64_t m, const int64_t n,
                                const int64_t k, const bb_scalar alpha, const bb_real *A, const int64_t rsa,
                                const int64_t csa, const bb_real *B, const int64_t rsb, const int64_t csb,
                                const bb_scalar beta, bb_real *C, const int64_t rsc, const int64_t csc,
                                bb_real *const rows, bb_real *const columns, const int team)
{
    const bb_scalar one = {{ "{1, 0}" if complex else "1" }};
    const int64_t all = alpha_is ? k : 0, panels = bb_slivers(all, {{ kc }});
    const int64_t most = panels > 1 ? bb_slivers(all, panels) : all;
    bb_panel x = {alpha_is, rsa, csa, rsb, csb, rsc, csc, alpha, rows, columns, 0, {0}, 0, 0, 0, 0, 0, beta, A, B, C};
    for (int64_t j = 0; j < n; j += {{ schedule.nc }}) {
        const int64_t across = bb_whole_step(n - j, {{ schedule.nc }});
        int64_t l = 0;
        do {
            const int64_t steps = bb_whole_step(all - l, most);
            for (int64_t i = 0; i < m; i += {{ schedule.mp }}) {
                const int64_t down = bb_whole_step(m - i, {{ schedule.mp }}), slivers = bb_slivers(down, {{ mr }});
                /* Of few steps more rows stay in the cache; of few columns, or no steps, threads share rows. */
                const int64_t room = across < {{ few_columns }} || !steps ? {{ kc }} : steps;
                const int64_t blocks = bb_slivers(slivers * room, {{ schedule.mc // mr * kc }});
                x.m = down;
                x.n = across;
                x.steps = steps;
                x.tall = bb_slivers(slivers, blocks) * {{ mr }};
                x.beta_is = l ? 1 : beta_is;
                x.beta = l ? one : beta;
                x.first[0] = i;
                x.first[1] = j;
                x.first[2] = l;
                x.C = C + i * rsc + j * csc;
                x.new_slivers = i ? 0 : bb_slivers(across, {{ nr }});
                if (steps)
                    bb_together(bb_pack, &x, slivers + x.new_slivers, team);
                bb_together(bb_multiply, &x, blocks * bb_slivers(across, {{ nr }}), team);
            }
            l += steps;
        } while (l < all);
    }
}
