/* C := alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian */
static void ref_symm(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1], *c = s->x[2];
    const struct step *f = s->flag;
    const int64_t terms = s->alpha == 0 ? 0 : a->rows;
    for (int64_t j = 0; j < c->cols; j++)
        for (int64_t i = 0; i < c->rows; i++) {
            number sum = 0;
            for (int64_t k = 0; k < terms; k++)
                sum += f->side == 'L' ? symmetric(a, f->uplo, f->hermitian, i, k) * *at(b, k, j)
                                      : *at(b, i, k) * symmetric(a, f->uplo, f->hermitian, k, j);
            *at(c, i, j) = combined(s->alpha, sum, s->beta, *at(c, i, j));
        }
}
