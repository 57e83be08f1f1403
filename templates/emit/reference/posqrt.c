/* X := (X + X^-1 A) / 2 by elimination */
static void newton_step(const struct matrix *a, const struct matrix *x)
{
    const int64_t n = a->rows;
    const struct matrix left = copied(x), right = copied(a);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++) {
            const number times = *at(&left, i, k) / *at(&left, k, k);
            for (int64_t j = 0; j < n && i != k; j++) {
                *at(&left, i, j) -= times * *at(&left, k, j);
                *at(&right, i, j) -= times * *at(&right, k, j);
            }
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            *at(x, i, j) = (*at(x, i, j) + *at(&right, i, j) / *at(&left, i, i)) / 2;
    free(left.at);
    free(right.at);
}

/* X := (L L*)^(1/2) by Newton's iteration, for matrices of small conditions. L's diagonal is real;
   a zero is reported. */
static void ref_posqrt(struct job *s)
{
    const struct matrix *l = s->x[0], *x = s->x[1], a = copied(l);
    for (int64_t j = 0; j < l->rows; j++)
        *at(l, j, j) = re(*at(l, j, j));
    for (int64_t j = 0; j < l->rows; j++) {
        if (*at(l, j, j) == 0)
            report(s, j + 1);
        for (int64_t i = 0; i < l->rows; i++) {
            *at(x, i, j) = i == j;
            *at(&a, i, j) = 0;
            for (int64_t k = 0; k <= i && k <= j; k++)
                *at(&a, i, j) += *at(l, i, k) * conjugate(*at(l, j, k));
        }
    }
    for (int step = 0; step < 20; step++)
        newton_step(&a, x);
    free(a.at);
}
