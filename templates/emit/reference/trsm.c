/* op(A) X = alpha B or X op(A) = alpha B, A triangular, X overwrites B */
static void ref_trsm(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1];
    const struct step *f = s->flag;
    const int left = f->side == 'L', forwards = ((f->uplo == 'L') != transposes(f->transa)) == left;
    const int64_t last = a->rows - 1;
    for (int64_t q = 0; q < (left ? b->cols : b->rows); q++)
        for (int64_t c = 0; c <= last; c++) {
            const int64_t i = forwards ? c : last - c;
            number *place = left ? at(b, i, q) : at(b, q, i), sum = combined(s->alpha, *place, 0, 0);
            for (int64_t d = 0; d < c && s->alpha != 0; d++) {
                const int64_t k = forwards ? d : last - d;
                sum -= left ? triangular(a, f, f->transa, i, k) * *at(b, k, q)
                            : *at(b, q, k) * triangular(a, f, f->transa, k, i);
            }
            *place = s->alpha == 0 ? 0 : sum / triangular(a, f, f->transa, i, i);
        }
}
