/* A := alpha A */
static void ref_lascl(struct job *s)
{
    for (int64_t i = 0; i < s->x[0]->rows * s->x[0]->cols; i++)
        s->x[0]->at[i] = combined(s->alpha, s->x[0]->at[i], 0, 0);
}
