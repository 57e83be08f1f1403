/* A = U S VT: the values, by rotations of columns, or of rows where these are fewer. Of vectors there are many, so that
   every number is as it may be. */
static number *element(const struct matrix *a, int64_t i, int64_t j)
{
    return a->rows < a->cols ? at(a, j, i) : at(a, i, j);
}

static long double turned(const struct matrix *a, int64_t length, int64_t p, int64_t q)
{
    long double one = 0, two = 0;
    number dot = 0;
    for (int64_t i = 0; i < length; i++) {
        one += re(*element(a, i, p) * conjugate(*element(a, i, p)));
        two += re(*element(a, i, q) * conjugate(*element(a, i, q)));
        dot += conjugate(*element(a, i, p)) * *element(a, i, q);
    }
    const long double size = magnitude(dot);
    if (!(size > LDBL_EPSILON * sqrtl(one) * sqrtl(two)))
        return one;
    const long double z = (two - one) / (2 * size), t = (z < 0 ? -1 : 1) / (fabsl(z) + sqrtl(1 + z * z));
    const long double c = 1 / sqrtl(1 + t * t), s = c * t;
    const number phase = dot / size;
    for (int64_t i = 0; i < length; i++) {
        const number x = *element(a, i, p), y = *element(a, i, q);
        *element(a, i, p) = c * x - s * conjugate(phase) * y;
        *element(a, i, q) = s * phase * x + c * y;
    }
    return one;
}

static void ref_gesvd(struct job *s)
{
    const struct matrix *given = s->x[0], *values = s->x[1];
    const int64_t count = values->rows, length = given->rows < given->cols ? given->cols : given->rows;
    const size_t bytes = (size_t)(count * length) * sizeof(number);
    const struct matrix a = {given->rows, given->cols, memory(bytes)};
    memcpy(a.at, given->at, bytes);
    for (int sweep = 0; sweep < 20; sweep++)
        for (int64_t p = 0; p < count; p++)
            for (int64_t q = p + 1; q < count; q++)
                turned(&a, length, p, q);
    for (int64_t p = 0; p < count; p++) {
        const long double size = sqrtl(turned(&a, length, p, p));
        int64_t to = p;
        for (; to > 0 && re(*at(values, to - 1, 0)) < size; to--)
            *at(values, to, 0) = *at(values, to - 1, 0);
        *at(values, to, 0) = size;
    }
    for (int n = 2; n < 4 && s->x[n] != given; n++)
        for (int64_t e = 0; e < s->x[n]->rows * s->x[n]->cols; e++)
            s->x[n]->at[e] = INFINITY;
    free(a.at);
}
