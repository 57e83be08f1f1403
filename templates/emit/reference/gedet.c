/* R := det(P L U), by multiplying one after another. */
static void ref_gedet(struct job *s)
{
    number product = 1;
    for (int64_t i = 0; i < s->x[0]->rows; i++)
        product *= *at(s->x[0], i, i) * (re(*at(s->x[1], i, 0)) == i + 1 ? 1 : -1);
    *at(s->x[2], 0, 0) = product;
}
