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
            info[p] += info[p] ? f->offset : 0;
        }
    }
}

/* The columns of x, turned to those that were found. */
static void turn(const struct kernel *k, const struct operand *o, const char *found, int64_t p, const struct matrix *x)
{
    for (int64_t j = 0; j < o->cols; j++) {
        number along = 0;
        for (int64_t i = 0; i < o->rows; i++) {
            long double part[2] = {0, 0};
            for (int r = 0; r < parts_of(k, o); r++)
                part[r] = get(k, o, found + place(k, o, p, i, j, r));
            along += conjugate(*at(x, i, j)) * number_of(part[0], part[1]);
        }
        for (int64_t i = 0; i < o->rows && magnitude(along) > 0; i++)
            *at(x, i, j) *= along / magnitude(along);
    }
}

/* Whether operand n is as expected. How far it may be off: 30 times the root of the longest side, times what it moves
   when the operands do and one unit in the last place. */
static int check(const struct kernel *k, int n, char *const *before, char *const *after, const struct matrix *x,
                 const struct matrix *moved, const int32_t *info)
{
    const struct operand *o = &k->operand[n];
    long double far = 0, large = 0;
    for (int64_t p = 0; p < k->batch && o->turns; p++) {
        turn(k, o, after[n], p, &x[p * k->operands + n]);
        turn(k, o, after[n], p, &moved[p * k->operands + n]);
    }
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
