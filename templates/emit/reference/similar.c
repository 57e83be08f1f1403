/* A := D A D^-1, the real diagonal D a column */
static void ref_similar(struct job *s)
{
    const struct matrix *d = s->x[0], *a = s->x[1];
    for (int64_t j = 0; j < a->cols; j++)
        for (int64_t i = 0; i < a->rows; i++)
            *at(a, i, j) *= re(*at(d, i, 0)) / re(*at(d, j, 0));
}
