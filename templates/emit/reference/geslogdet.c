/* R e^E := det(P L U), R of size 1, by adding logarithms. */
static void ref_geslogdet(struct job *s)
{
    number sign = 1;
    long double sum = 0;
    for (int64_t i = 0; i < s->x[0]->rows; i++) {
        const number x = *at(s->x[0], i, i) * (re(*at(s->x[1], i, 0)) == i + 1 ? 1 : -1);
        const long double size = hypotl(re(x), im(x));
        sign *= x / size;
        sum += logl(size);
    }
    *at(s->x[2], 0, 0) = sign;
    *at(s->x[3], 0, 0) = sum;
}
