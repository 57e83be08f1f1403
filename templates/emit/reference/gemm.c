/* C := alpha op(A) op(B) + beta C */
static void ref_gemm(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1], *c = s->x[2];
    const char ta = s->flag->transa, tb = s->flag->transb;
    const int64_t terms = s->alpha == 0 ? 0 : columns(a, ta);
    for (int64_t j = 0; j < c->cols; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            number sum = 0;
            for (int64_t k = 0; k < terms; k++)
                sum += op(a, ta, i, k) * op(b, tb, k, j);
            *at(c, i, j) = combined(s->alpha, sum, s->beta, *at(c, i, j));
        }
}
