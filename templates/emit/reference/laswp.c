/* Rows or columns of A exchanged as IPIV says, one after another or backwards */
static void ref_laswp(struct job *s)
{
    const struct matrix *a = s->x[0], *pivots = s->x[1];
    const int left = s->flag->side == 'L';
    const int64_t sides = left ? a->rows : a->cols, count = pivots->rows < sides ? pivots->rows : sides;
    for (int64_t c = 0; c < count; c++) {
        const int64_t k = transposes(s->flag->trans) ? count - 1 - c : c, with = (int64_t)re(*at(pivots, k, 0)) - 1;
        for (int64_t j = 0; j < (left ? a->cols : a->rows); j++) {
            number *one = left ? at(a, k, j) : at(a, j, k), *other = left ? at(a, with, j) : at(a, j, with);
            const number moved = *one;
            *one = *other;
            *other = moved;
        }
    }
}
