/* The other strict triangle := that of A* */
static void ref_lasym(struct job *s)
{
    for (int64_t j = 0; j < s->x[0]->rows; j++)
        for (int64_t i = j + 1; i < s->x[0]->rows; i++)
            *lower(s->x[0], s->flag->uplo, j, i) = conjugate(*lower(s->x[0], s->flag->uplo, i, j));
}
