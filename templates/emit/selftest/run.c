/* The kernel's call, on copies of what lies in ``before``. */
static int run(const struct kernel *k, char *const *before, char *const *after, const double (*scalar)[2],
               int32_t *info, int threads)
{
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

/* Whether operand n is as expected. How far it may be off: 30 times the root of the longest side, times what it moves
   when the operands do and one unit in the last place. */
static int check(const struct kernel *k, int n, char *const *before, char *const *after, const struct matrix *x,
                 const struct matrix *moved, const int32_t *info)
{
    const struct operand *o = &k->operand[n];
    long double far = 0, large = 0;
    for (int64_t p = 0; p < k->batch; p++)
        for (int64_t e = 0; e < o->rows * o->cols && info[p] == 0; e++) {
            const number one = x[p * k->operands + n].at[e], other = moved[p * k->operands + n].at[e];
            far = fmaxl(far, magnitude(one - other));
            large = fmaxl(large, magnitude(one));
        }
    const long double unit = k->bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    const long double bound = o->index ? 0 : 30 * sqrtl((long double)k->side) * (far + unit * large);
    for (int64_t p = 0; p < k->batch && o->written; p++)
        for (int64_t j = 0; j < o->cols; j++)
            for (int64_t i = 0; i < o->rows; i++) {
                const number one = *at(&x[p * k->operands + n], i, j);
                for (int r = 0; r < parts_of(k, o) && has_place(o, i, j) && (info[p] || !isnan(re(one))); r++) {
                    const size_t here = place(k, o, p, i, j, r);
                    const long double found = get(k, o, after[n] + here), expected = r ? im(one) : re(one);
                    if (info[p] == 0 && !(fabsl(found - expected) <= bound)) {
                        printf("%s: %s(%d, %d) of matrix %d is %.17g, expected %.17g, at most %.2g off\n", k->name,
                               o->name, (int)i, (int)j, (int)p, (double)found, (double)expected, (double)bound);
                        return 1;
                    }
                    memcpy(after[n] + here, before[n] + here, bytes_of(k, o));
                }
            }
    if (memcmp(after[n], before[n], size_of(k, o)))
        return printf("%s: %s is written where it must not be\n", k->name, o->name), 1;
    return 0;
}
