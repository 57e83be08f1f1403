/* A = L L* or U* U: U* is the conjugate of what a lower triangle would have, so its transpose is factored as that */
static void ref_potrf(struct job *s)
{
    const struct matrix *a = s->x[0];
    const char uplo = s->flag->uplo;
    for (int64_t j = 0; j < a->rows; j++)
        for (int64_t i = j; i < a->rows; i++) {
            number sum = i == j ? re(*lower(a, uplo, i, j)) : *lower(a, uplo, i, j);
            for (int64_t k = 0; k < j; k++)
                sum -= *lower(a, uplo, i, k) * conjugate(*lower(a, uplo, j, k));
            if (i == j && !(re(sum) > 0)) {
                report(s, j + 1);
                return;
            }
            *lower(a, uplo, i, j) = i == j ? sqrtl(re(sum)) : sum / *lower(a, uplo, j, j);
        }
}
