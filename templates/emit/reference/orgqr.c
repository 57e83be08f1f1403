/* A := the first columns of Q, the last first: each needs the vectors of those before it */
static void ref_orgqr(struct job *s)
{
    const struct matrix *a = s->x[0], *tau = s->x[1];
    const int64_t most = a->rows < a->cols ? a->rows : a->cols, count = tau->rows < most ? tau->rows : most;
    for (int64_t j = a->cols - 1; j >= 0; j--) {
        for (int64_t i = 0; i < a->rows; i++)
            *at(a, i, j) = (i == j) - (j < count && i >= j ? *at(tau, j, 0) * (i == j ? 1 : *at(a, i, j)) : 0);
        for (int64_t p = (j < count ? j : count) - 1; p >= 0; p--) {
            number dot = *at(a, p, j);
            for (int64_t i = p + 1; i < a->rows; i++)
                dot += conjugate(*at(a, i, p)) * *at(a, i, j);
            dot *= *at(tau, p, 0);
            *at(a, p, j) -= dot;
            for (int64_t i = p + 1; i < a->rows; i++)
                *at(a, i, j) -= *at(a, i, p) * dot;
        }
    }
}
