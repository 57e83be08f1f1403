/* A = L U */
static void ref_getrfnp(struct job *s)
{
    const struct matrix *a = s->x[0];
    for (int64_t k = 0; k < a->rows && k < a->cols; k++) {
        if (*at(a, k, k) == 0) {
            report(s, k + 1);
            continue;
        }
        for (int64_t i = k + 1; i < a->rows; i++) {
            *at(a, i, k) /= *at(a, k, k);
            for (int64_t j = k + 1; j < a->cols; j++)
                *at(a, i, j) -= *at(a, i, k) * *at(a, k, j);
        }
    }
}
