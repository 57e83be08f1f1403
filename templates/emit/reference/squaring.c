/* A := A A, S times */
static void ref_squaring(struct job *s)
{
    const struct matrix *a = s->x[1];
    for (int64_t left = (int64_t)re(*at(s->x[0], 0, 0)); left > 0; left--) {
        const struct matrix old = copied(a);
        for (int64_t j = 0; j < a->cols; j++)
            for (int64_t i = 0; i < a->rows; i++) {
                number sum = 0;
                for (int64_t k = 0; k < a->cols; k++)
                    sum += *at(&old, i, k) * *at(&old, k, j);
                *at(a, i, j) = sum;
            }
        free(old.at);
    }
}
