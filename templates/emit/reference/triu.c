/* R := the upper triangle of the first rows of A */
static void ref_triu(struct job *s)
{
    for (int64_t j = 0; j < s->x[1]->cols; j++)
        for (int64_t i = 0; i < s->x[1]->rows; i++)
            *at(s->x[1], i, j) = i > j ? 0 : *at(s->x[0], i, j);
}
