/* X^(2^S) := exp(A), X by the exponential of the mean of the diagonal, and a long Taylor polynomial of the rest. */
static void ref_getaylor(struct job *s)
{
    const struct matrix *x = s->x[1];
    const int64_t n = x->rows;
    long double mean = 0, norm = 0;
    int power = 0;
    for (int64_t i = 0; i < n; i++)
        mean += re(*at(s->x[0], i, i)) / n;
    for (int64_t i = 0; i < n; i++)
        *at(s->x[0], i, i) -= mean;
    for (int64_t j = 0; j < n; j++) {
        long double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += fabsl(re(*at(s->x[0], i, j))) + fabsl(im(*at(s->x[0], i, j)));
        norm = fmaxl(norm, sum);
    }
    for (; norm > 3; norm /= 2)
        power++;
    for (int64_t e = 0; e < n * n; e++)
        x->at[e] = 0;
    for (int k = 60; k >= 0; k--) {
        const struct matrix old = copied(x);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                number product = 0;
                for (int64_t l = 0; l < n; l++)
                    product += *at(s->x[0], i, l) * *at(&old, l, j) * exp2l(-power);
                *at(x, i, j) = product / (k + 1) + (i == j);
            }
        free(old.at);
    }
    for (int64_t e = 0; e < n * n; e++)
        x->at[e] *= expl(mean * exp2l(-power));
    *at(s->x[2], 0, 0) = power;
}
