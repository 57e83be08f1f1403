/* A := A^-1, A triangular */
static void ref_trti2(struct job *s)
{
    const struct matrix *a = s->x[0], old = copied(a);
    const char uplo = s->flag->uplo;
    const int unit = s->flag->diag == 'U';
    for (int64_t j = 0; j < a->rows; j++) {
        if (!unit)
            *lower(a, uplo, j, j) = 1 / *lower(&old, uplo, j, j);
        for (int64_t i = j + 1; i < a->rows; i++) {
            number sum = 0;
            for (int64_t k = j; k < i; k++)
                sum -= *lower(&old, uplo, i, k) * (unit && k == j ? 1 : *lower(a, uplo, k, j));
            *lower(a, uplo, i, j) = unit ? sum : sum / *lower(&old, uplo, i, i);
        }
    }
    free(old.at);
}
