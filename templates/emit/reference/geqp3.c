/* A P = Q R, the longest column that is left first */
static void ref_geqp3(struct job *s)
{
    const struct matrix *a = s->x[0], *order = s->x[1], *tau = s->x[2];
    for (int64_t j = 0; j < a->cols; j++)
        *at(order, j, 0) = (long double)(j + 1);
    for (int64_t p = 0; p < tau->rows; p++) {
        int64_t best = p;
        long double longest = -1, below = 0;
        for (int64_t j = p; j < a->cols; j++) {
            long double sum = 0;
            for (int64_t i = p; i < a->rows; i++)
                sum += re(*at(a, i, j) * conjugate(*at(a, i, j)));
            if (sum > longest)
                longest = sum, best = j;
        }
        const number number_of = *at(order, p, 0);
        *at(order, p, 0) = *at(order, best, 0);
        *at(order, best, 0) = number_of;
        for (int64_t i = 0; i < a->rows; i++) {
            const number moved = *at(a, i, p);
            *at(a, i, p) = *at(a, i, best);
            *at(a, i, best) = moved;
        }
        for (int64_t i = p + 1; i < a->rows; i++)
            below += re(*at(a, i, p) * conjugate(*at(a, i, p)));
        const number head = *at(a, p, p);
        *at(tau, p, 0) = 0;
        if (below == 0 && im(head) == 0)
            continue;
        const long double size = sqrtl(below + re(head * conjugate(head))), beta = re(head) < 0 ? size : -size;
        *at(tau, p, 0) = (beta - head) / beta;
        *at(a, p, p) = beta;
        for (int64_t i = p + 1; i < a->rows; i++)
            *at(a, i, p) /= head - beta;
        for (int64_t j = p + 1; j < a->cols; j++) {
            number dot = *at(a, p, j);
            for (int64_t i = p + 1; i < a->rows; i++)
                dot += conjugate(*at(a, i, p)) * *at(a, i, j);
            dot *= conjugate(*at(tau, p, 0));
            *at(a, p, j) -= dot;
            for (int64_t i = p + 1; i < a->rows; i++)
                *at(a, i, j) -= *at(a, i, p) * dot;
        }
    }
}
