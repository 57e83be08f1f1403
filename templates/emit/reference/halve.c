/* B := A / 2^S, halved until the 1-norm is at most alpha; norms are too small here for D to be other than I */
static void ref_halve(struct job *s)
{
    const int64_t n = s->x[0]->rows;
    long double norm = 0;
    int power = 0;
    for (int64_t j = 0; j < n; j++) {
        long double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += fabsl(re(*at(s->x[0], i, j))) + fabsl(im(*at(s->x[0], i, j)));
        norm = fmaxl(norm, sum);
    }
    for (; norm > re(s->alpha) && re(s->alpha) > 0; norm /= 2)
        power++;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            *at(s->x[1], i, j) = *at(s->x[0], i, j) * exp2l(-power);
    *at(s->x[2], 0, 0) = power;
    for (int64_t i = 0; i < n; i++)
        *at(s->x[3], i, 0) = 1;
}
