/* A = V diag(W) V* by Jacobi's rotations, one element after the other. Without vectors A keeps its values. */
static void ref_syev(struct job *s)
{
    const struct matrix *a = s->x[0], *w = s->x[1];
    const int64_t n = a->rows;
    number *const b = memory((size_t)(2 * n * n) * sizeof *b), *const v = b + n * n; /* columns of A, and of V */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const int kept = s->flag->uplo == 'U' ? i < j : i > j;
            b[j * n + i] = i == j ? re(*at(a, i, i)) : kept ? *at(a, i, j) : conjugate(*at(a, j, i));
            v[j * n + i] = i == j;
        }
    for (int sweep = 0; sweep < 60; sweep++)
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                const number off = b[q * n + p];
                const long double size = sqrtl(re(off * conjugate(off))), apart = re(b[q * n + q] - b[p * n + p]);
                if (size == 0)
                    continue;
                const long double half = apart / (2 * size), root = sqrtl(half * half + 1);
                const long double t = (half < 0 ? -1 : 1) / (fabsl(half) + root), c = 1 / sqrtl(t * t + 1);
                const number turn = c * t * off / size;
                for (int64_t i = 0; i < n; i++) { /* columns of both */
                    const number x = b[p * n + i], y = b[q * n + i], f = v[p * n + i], g = v[q * n + i];
                    b[p * n + i] = c * x - conjugate(turn) * y;
                    b[q * n + i] = turn * x + c * y;
                    v[p * n + i] = c * f - conjugate(turn) * g;
                    v[q * n + i] = turn * f + c * g;
                }
                for (int64_t i = 0; i < n; i++) { /* rows */
                    const number x = b[i * n + p], y = b[i * n + q];
                    b[i * n + p] = c * x - turn * y;
                    b[i * n + q] = conjugate(turn) * x + c * y;
                }
            }
    for (int64_t k = 0; k < n; k++) {
        int64_t least = -1; /* of the values that are left */
        for (int64_t i = 0; i < n; i++)
            if (!isnan(re(b[i * n + i])) && (least < 0 || re(b[i * n + i]) < re(b[least * n + least])))
                least = i;
        *at(w, k, 0) = re(b[least * n + least]);
        b[least * n + least] = NAN;
        for (int64_t i = 0; i < n && s->flag->jobz == 'V'; i++)
            *at(a, i, k) = v[least * n + i];
    }
    free(b);
}
