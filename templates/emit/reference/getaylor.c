/* The 1-norm, of parts of complex numbers. */
static long double norm_of(const struct matrix *a)
{
    long double norm = 0;
    for (int64_t j = 0; j < a->cols; j++) {
        long double sum = 0;
        for (int64_t i = 0; i < a->rows; i++)
            sum += fabsl(re(*at(a, i, j))) + fabsl(im(*at(a, i, j)));
        norm = fmaxl(norm, sum);
    }
    return norm;
}

/* X := A X / 2^power / k, and I where `one` */
static void times_a(const struct matrix *a, const struct matrix *x, int power, long double k, int one)
{
    const struct matrix old = copied(x);
    for (int64_t j = 0; j < x->cols; j++)
        for (int64_t i = 0; i < x->rows; i++) {
            number product = 0;
            for (int64_t l = 0; l < x->rows; l++)
                product += *at(a, i, l) * *at(&old, l, j) * exp2l(-power);
            *at(x, i, j) = product / k + (one && i == j);
        }
    free(old.at);
}

/* X^(2^S) := exp(A), X by the exponential of the mean of the diagonal, and a long Taylor polynomial of the rest. One
   squaring less where a power of small matrices has a small norm; norms are too small here for A to be balanced. */
static void ref_getaylor(struct job *s)
{
    const struct matrix *x = s->x[1];
    const int64_t n = x->rows;
    const int last = n < 3 || n > 8 ? 0 : n < 5 ? (int)n - 1 : ((int)n + 1) / 2;
    long double mean = 0;
    int power = 0;
    for (int64_t i = 0; i < n; i++)
        mean += re(*at(s->x[0], i, i)) / n;
    for (int64_t i = 0; i < n; i++)
        *at(s->x[0], i, i) -= mean;
    for (long double norm = norm_of(s->x[0]); norm > 3; norm /= 2)
        power++;
    for (int64_t e = 0; e < n * n; e++)
        x->at[e] = e % (n + 1) == 0;
    for (int k = 0; k < last; k++)
        times_a(s->x[0], x, power - 1, 1, 0);
    if (power > 0 && last && norm_of(x) <= powl(3, last))
        power--;
    for (int64_t e = 0; e < n * n; e++)
        x->at[e] = 0;
    for (int k = 60; k >= 0; k--)
        times_a(s->x[0], x, power, k + 1, 1);
    for (int64_t e = 0; e < n * n; e++)
        x->at[e] *= expl(mean * exp2l(-power));
    *at(s->x[2], 0, 0) = power;
}
