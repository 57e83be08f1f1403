/* Y := alpha X + Y */
static void ref_axpy(struct job *s)
{
    for (int64_t i = 0; i < s->x[1]->rows; i++)
        *at(s->x[1], i, 0) = combined(s->alpha, *at(s->x[0], i, 0), 1, *at(s->x[1], i, 0));
}
