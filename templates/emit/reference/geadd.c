/* B := alpha op(A) + beta B */
static void ref_geadd(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1];
    for (int64_t j = 0; j < b->cols; j++)
        for (int64_t i = 0; i < b->rows; i++)
            *at(b, i, j) = combined(s->alpha, op(a, s->flag->transa, i, j), s->beta, *at(b, i, j));
}
