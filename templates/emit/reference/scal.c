/* X := alpha X */
static void ref_scal(struct job *s)
{
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        *at(s->x[0], i, 0) = combined(s->alpha, *at(s->x[0], i, 0), 0, 0);
}
