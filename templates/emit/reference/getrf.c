/* A = P L U */
static void ref_getrf(struct job *s)
{
    const struct matrix *a = s->x[0], *pivots = s->x[1];
    for (int64_t k = 0; k < pivots->rows; k++) {
        int64_t best = k;
        for (int64_t i = k; i < a->rows; i++)
            if (fabsl(re(*at(a, i, k))) + fabsl(im(*at(a, i, k)))
                > fabsl(re(*at(a, best, k))) + fabsl(im(*at(a, best, k))))
                best = i;
        *at(pivots, k, 0) = (long double)(best + 1);
        if (*at(a, best, k) == 0) {
            report(s, k + 1);
            continue;
        }
        for (int64_t j = 0; j < a->cols; j++) {
            const number moved = *at(a, k, j);
            *at(a, k, j) = *at(a, best, j);
            *at(a, best, j) = moved;
        }
        for (int64_t i = k + 1; i < a->rows; i++) {
            *at(a, i, k) /= *at(a, k, k);
            for (int64_t j = k + 1; j < a->cols; j++)
                *at(a, i, j) -= *at(a, i, k) * *at(a, k, j);
        }
    }
}
