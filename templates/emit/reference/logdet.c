/* R := 2 sum of log |a_ii| */
static void ref_logdet(struct job *s)
{
    long double sum = 0;
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        sum += logl(fabsl(re(*at(s->x[0], i, i))));
    *at(s->x[1], 0, 0) = 2 * sum;
}
