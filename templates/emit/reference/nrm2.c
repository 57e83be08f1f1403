/* R := sqrt(X* X) */
static void ref_nrm2(struct job *s)
{
    long double sum = 0;
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        sum += re(*at(s->x[0], i, 0) * conjugate(*at(s->x[0], i, 0)));
    *at(s->x[1], 0, 0) = sqrtl(sum);
}
