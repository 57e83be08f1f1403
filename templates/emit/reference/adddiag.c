/* A := alpha I + A */
static void ref_adddiag(struct job *s)
{
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        *at(s->x[0], i, i) += s->alpha;
}
