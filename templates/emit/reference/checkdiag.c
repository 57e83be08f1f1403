/* info := the first zero on the diagonal */
static void ref_checkdiag(struct job *s)
{
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        if (s->flag->diag == 'N' && *at(s->x[0], i, i) == 0)
            report(s, i + 1);
}
