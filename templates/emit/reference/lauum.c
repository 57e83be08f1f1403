/* A := L* L or U U* */
static void ref_lauum(struct job *s)
{
    const struct matrix *a = s->x[0], old = copied(a);
    const char uplo = s->flag->uplo;
    for (int64_t j = 0; j < a->rows; j++)
        for (int64_t i = j; i < a->rows; i++) {
            number sum = 0;
            for (int64_t k = i; k < a->rows; k++)
                sum += conjugate(*lower(&old, uplo, k, i)) * *lower(&old, uplo, k, j);
            *lower(a, uplo, i, j) = sum;
        }
    free(old.at);
}
