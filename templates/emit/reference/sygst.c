/* A := L^-1 A L^-* or L* A L, L the lower triangle of B; of upper ones all is transposed, and nothing else changes */
static void ref_sygst(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1];
    const char uplo = s->flag->uplo;
    const int64_t n = a->rows;
    number *const x = memory((size_t)(n * n) * sizeof *x); /* all of A, by columns */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            x[j * n + i] = i == j ? re(*lower(a, uplo, i, i)) : *lower(a, uplo, i, j);
            x[i * n + j] = conjugate(x[j * n + i]);
        }
    for (int side = 0; side < 2; side++) { /* X := L^-1 X or L* X, then X := X* */
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                number sum = s->flag->itype == '1' ? x[j * n + i] : 0;
                for (int64_t k = 0; k < i && s->flag->itype == '1'; k++)
                    sum -= *lower(b, uplo, i, k) * x[j * n + k];
                for (int64_t k = i; k < n && s->flag->itype != '1'; k++)
                    sum += conjugate(*lower(b, uplo, k, i)) * x[j * n + k];
                x[j * n + i] = s->flag->itype == '1' ? sum / re(*lower(b, uplo, i, i)) : sum;
            }
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++) {
                const number one = x[j * n + i];
                x[j * n + i] = conjugate(x[i * n + j]);
                x[i * n + j] = conjugate(one);
            }
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
            *lower(a, uplo, i, j) = i == j ? re(x[j * n + i]) : x[j * n + i];
    free(x);
}
