/* R 2^E := det(P L U), the larger part of R from 1 to 2, by multiplying one after another. */
static void ref_gedet(struct job *s)
{
    number product = 1;
    long double exponent = 0;
    for (int64_t i = 0; i < s->x[0]->rows; i++) {
        product *= *at(s->x[0], i, i) * (re(*at(s->x[1], i, 0)) == i + 1 ? 1 : -1);
        const long double size = fmaxl(fabsl(re(product)), fabsl(im(product)));
        const int power = size > 0 ? ilogbl(size) : 0;
        product *= exp2l(-power);
        exponent += power;
    }
    *at(s->x[2], 0, 0) = product;
    *at(s->x[3], 0, 0) = exponent;
}
