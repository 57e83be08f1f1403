/* The other strict triangle := 0 */
static void ref_laset(struct job *s)
{
    for (int64_t j = 0; j < s->x[0]->rows; j++)
        for (int64_t i = j + 1; i < s->x[0]->rows; i++)
            *lower(s->x[0], s->flag->uplo, j, i) = 0;
}
