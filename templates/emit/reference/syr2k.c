/* C := alpha op(A) op(B)' + alpha op(B) op(A)' + beta C, one triangle */
static void ref_syr2k(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1], *c = s->x[2];
    const struct step *f = s->flag;
    const int64_t terms = s->alpha == 0 ? 0 : columns(a, f->trans);
    for (int64_t j = 0; j < c->cols; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            if (i != j && (f->uplo == 'L') != (i > j))
                continue;
            number first = 0, second = 0;
            for (int64_t k = 0; k < terms; k++) {
                first += op(a, f->trans, i, k) * dual(op(b, f->trans, j, k), f->hermitian);
                second += op(b, f->trans, i, k) * dual(op(a, f->trans, j, k), f->hermitian);
            }
            const number sum = combined(s->alpha, first, dual(s->alpha, f->hermitian), second);
            const number found = combined(1, sum, s->beta, *at(c, i, j));
            *at(c, i, j) = i == j && f->hermitian ? re(found) : found;
        }
}
