/* X := P(A), V := P(-A): a coefficient is the one before times (d + 1 - k) / (k (2 d + 1 - k)), d the degree. */
static void ref_gepade13(struct job *s)
{
    const int degree = 13;
    for (int one = 1; one < 3; one++) {
        const struct matrix *sum = s->x[one];
        long double last = 1;
        for (int k = degree; k < 2 * degree; k++)
            last *= k + 1;
        for (int64_t e = 0; e < sum->rows * sum->cols; e++)
            sum->at[e] = 0;
        for (int k = degree; k >= 0; k--) {
            long double c = last;
            for (int i = 1; i <= k; i++)
                c = c * (degree + 1 - i) / ((long double)i * (2 * degree + 1 - i));
            const struct matrix old = copied(sum);
            for (int64_t j = 0; j < sum->cols; j++)
                for (int64_t i = 0; i < sum->rows; i++) {
                    number product = i == j ? c : 0;
                    for (int64_t l = 0; l < sum->cols; l++)
                        product += *at(s->x[0], i, l) * *at(&old, l, j) * (one == 1 ? 1 : -1);
                    *at(sum, i, j) = product;
                }
            free(old.at);
        }
    }
}
