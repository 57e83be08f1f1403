#define TURNS "1 and 3 threads"

/* The kernel's call, on copies of what lies in ``before``; in the second turn on more threads. */
static int run(const struct kernel *k, char *const *before, char *const *after, const double (*scalar)[2],
               int32_t *info, int turn)
{
    const int threads = turn ? 3 : 1;
    void *x[{{ most_matrices }}];
    for (int n = 0; n < k->operands; n++) {
        const struct operand *o = &k->operand[n];
        memcpy(after[n], before[n], size_of(k, o));
        x[n] = after[n] + place(k, o, o->pointers ? k->batch - 1 : 0, 0, 0, 0);
        if (o->pointers) {
            void **table = memory((size_t)k->batch * sizeof *table);
            for (int64_t p = 0; p < k->batch; p++)
                table[p] = after[n] + place(k, o, p, 0, 0, 0);
            x[n] = (void *)table;
        }
    }
    for (int64_t p = 0; p < k->batch; p++)
        info[p] = k->reports ? -1 : 0;
    int status = k->call(x, scalar, info, -1, threads) < 0 ? 0 : -1; /* no batch: refused */
    status = status ? status : k->call(x, scalar, info, 0, threads);
    status = status ? status : k->call(x, scalar, info, k->batch, threads);
    for (int n = 0; n < k->operands; n++)
        if (k->operand[n].pointers)
            free(x[n]);
    return status;
}
