/* B := op(A) */
static void ref_lacpy(struct job *s)
{
    for (int64_t j = 0; j < s->x[1]->cols; j++)
        for (int64_t i = 0; i < s->x[1]->rows; i++)
            *at(s->x[1], i, j) = op(s->x[0], s->flag->transa, i, j);
}
