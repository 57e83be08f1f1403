/* B := alpha op(A) B or alpha B op(A), A triangular */
static void ref_trmm(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1];
    const struct matrix old = copied(b);
    const struct step *f = s->flag;
    const int64_t terms = s->alpha == 0 ? 0 : a->rows;
    for (int64_t j = 0; j < b->cols; j++)
        for (int64_t i = 0; i < b->rows; i++) {
            number sum = 0;
            for (int64_t k = 0; k < terms; k++)
                sum += f->side == 'L' ? triangular(a, f, f->transa, i, k) * *at(&old, k, j)
                                      : *at(&old, i, k) * triangular(a, f, f->transa, k, j);
            *at(b, i, j) = combined(s->alpha, sum, 0, 0);
        }
    free(old.at);
}
