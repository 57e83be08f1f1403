/* C := op(Q) C or C op(Q) */
static void ref_ormqr(struct job *s)
{
    const struct matrix *a = s->x[0], *tau = s->x[1], *c = s->x[2];
    const char trans = s->flag->trans;
    const int left = s->flag->side == 'L', first = transposes(trans) == left;
    const int other = (trans == 'N' || trans == 'C') == left;
    const int64_t count = tau->rows < a->rows ? tau->rows : a->rows;
    for (int64_t q = 0; q < count; q++)
        for (int64_t j = 0; j < (left ? c->cols : c->rows); j++) {
            const int64_t p = first ? q : count - 1 - q;
            number dot = 0;
            for (int64_t i = p; i < a->rows; i++) {
                const number v = i == p ? 1 : *at(a, i, p);
                dot += (other ? conjugate(v) : v) * *(left ? at(c, i, j) : at(c, j, i));
            }
            dot *= trans == 'C' || trans == 'R' ? conjugate(*at(tau, p, 0)) : *at(tau, p, 0);
            for (int64_t i = p; i < a->rows; i++) {
                const number v = i == p ? 1 : *at(a, i, p);
                *(left ? at(c, i, j) : at(c, j, i)) -= (other ? v : conjugate(v)) * dot;
            }
        }
}
