/* A := U L^-1, which share A */
static void ref_trilu(struct job *s)
{
    const struct matrix *a = s->x[0], old = copied(a);
    for (int64_t j = a->cols - 1; j >= 0; j--)
        for (int64_t i = 0; i < a->rows; i++) {
            number sum = i <= j ? *at(&old, i, j) : 0;
            for (int64_t k = j + 1; k < a->cols; k++)
                sum -= *at(a, i, k) * *at(&old, k, j);
            *at(a, i, j) = sum;
        }
    free(old.at);
}
