/* A = Q R */
static void ref_geqrf(struct job *s)
{
    const struct matrix *a = s->x[0], *tau = s->x[1];
    for (int64_t p = 0; p < tau->rows; p++) {
        long double below = 0;
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
