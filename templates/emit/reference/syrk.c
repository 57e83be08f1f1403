/* C := alpha op(A) op(A)' + beta C, one triangle */
static void ref_syrk(struct job *s)
{
    const struct matrix *a = s->x[0], *c = s->x[1];
    const struct step *f = s->flag;
    const int64_t terms = s->alpha == 0 ? 0 : columns(a, f->trans);
    for (int64_t j = 0; j < c->cols; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            if (i != j && (f->uplo == 'L') != (i > j))
                continue;
            number sum = 0;
            for (int64_t k = 0; k < terms; k++)
                sum += op(a, f->trans, i, k) * dual(op(a, f->trans, j, k), f->hermitian);
            sum = combined(s->alpha, sum, s->beta, *at(c, i, j));
            *at(c, i, j) = i == j && f->hermitian ? re(sum) : sum;
        }
}
