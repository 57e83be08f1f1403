/* What a kernel has to make of what lies in ``before``: of each matrix all operands, and its report. Where it is to be
   ``moved`` each element that is read is changed by one unit in the last place. */
static void expect(const struct kernel *k, char *const *before, const double (*scalar)[2], int moved,
                   struct matrix *x, int32_t *info)
{
    uint64_t seed = 1;
    const long double eps = moved ? (k->bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON) : 0;
    for (int64_t p = 0; p < k->batch; p++, x += k->operands) {
        for (int n = 0; n < k->operands; n++) {
            const struct operand *o = &k->operand[n];
            for (int64_t j = 0; j < o->cols; j++)
                for (int64_t i = 0; i < o->rows; i++) {
                    long double part[2] = {NAN, 0};
                    for (int r = 0; r < parts_of(k, o) && o->argument && has(o, i, j); r++) {
                        part[r] = get(k, o, before[n] + place(k, o, p, i, j, r));
                        part[r] *= o->index ? 1 : noise(&seed) < 0 ? 1 - eps : 1 + eps;
                    }
                    *at(&x[n], i, j) = number_of(part[0], part[1]);
                }
        }
        info[p] = 0;
        for (int n = 0; n < k->steps; n++) {
            const struct step *f = &k->step[n];
            struct job job = {.flag = f, .info = &info[p]};
            number value[2];
            for (int v = 0; v < 2; v++) {
                const double *given = f->scalar[v] < 0 ? f->value[v] : scalar[f->scalar[v]];
                value[v] = number_of(given[0], given[1]);
            }
            for (int v = 0; v < {{ most_operands }}; v++)
                job.x[v] = &x[f->operand[v]];
            job.alpha = value[0];
            job.beta = value[1];
            f->run(&job);
        }
    }
}
