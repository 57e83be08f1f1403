{# The factor of a few rows, in an array of columns; and triangles on their way. #}
{% set S, V, P = schedule.pitch, width, parts %}
/* What is stored of a triangle to another one, perhaps conjugates, perhaps without its diagonal. */
static BB_NOINLINE void bb_move_triangle(const int64_t n, const bb_real *from, const int64_t rsf, const int64_t csf,
                                         bb_real *to, const int64_t rst, const int64_t cst, const int upper,
                                         const int strict, const int conj)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = upper ? 0 : j + strict; i < (upper ? j + 1 - strict : n); i++) {
            to[(i * rst + j * cst) * {{ P }}] = from[(i * rsf + j * csf) * {{ P }}];
{% if complex %}
            const bb_real im = from[(i * rsf + j * csf) * 2 + 1];
            to[(i * rst + j * cst) * 2 + 1] = conj ? -im : im;
{% endif %}
        }
    (void)conj;
}

/* A lower triangle of order n <= {{ S }} by its factor; the first pivot that is not positive. */
static BB_NOINLINE int64_t bb_cholesky(const int64_t n, bb_real *A, const int64_t rs, const int64_t cs, const int conj)
{
    BB_ALIGNED bb_real L[{{ S * S * P }}];
    int64_t failed = 0;
    memset(L, 0, (size_t)n * {{ S * P }} * sizeof *L);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            L[j * {{ S * P }} + i] = A[(i * rs + j * cs) * {{ P }}];
{% if complex %}
            const bb_real im = i == j ? 0 : A[(i * rs + j * cs) * 2 + 1];
            L[j * {{ S * P }} + i + {{ S }}] = conj ? -im : im;
{% endif %}
        }
    for (int64_t j = 0; j < n && !failed; j++) {
        bb_real *column = L + j * {{ S * P }};
        for (int64_t i = j / {{ V }} * {{ V }}; i < n; i += {{ V }}) {
            bb_vec re = *(const bb_vec *)(column + i);
{% if complex %}
            bb_vec im = *(const bb_vec *)(column + i + {{ S }});
{% endif %}
            for (const bb_real *left = L; left < column; left += {{ S * P }}) {
                const bb_vec x = *(const bb_vec *)(left + i);
                re -= x * left[j];
{% if complex %}
                const bb_vec y = *(const bb_vec *)(left + i + {{ S }});
                re -= y * left[j + {{ S }}];
                im -= y * left[j];
                im += x * left[j + {{ S }}];
{% endif %}
            }
            *(bb_vec *)(column + i) = re;
{% if complex %}
            *(bb_vec *)(column + i + {{ S }}) = im;
{% endif %}
        }
        const bb_real pivot = column[j], root = __builtin_sqrt{{ storage.function }}(pivot), inverse = 1 / root;
        if (!(pivot > 0)) {
            failed = j + 1;
            break;
        }
        for (int64_t i = j / {{ V }} * {{ V }}; i < n; i += {{ V }}) {
            *(bb_vec *)(column + i) *= inverse;
{% if complex %}
            *(bb_vec *)(column + i + {{ S }}) *= inverse;
{% endif %}
        }
        column[j] = root;
{% if complex %}
        column[j + {{ S }}] = 0;
{% endif %}
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            A[(i * rs + j * cs) * {{ P }}] = L[j * {{ S * P }} + i];
{% if complex %}
            const bb_real im = L[j * {{ S * P }} + i + {{ S }}];
            A[(i * rs + j * cs) * 2 + 1] = conj ? -im : im;
{% endif %}
        }
    (void)conj;
    return failed;
}

/* The triangle of C by beta C + T; a Hermitian one has a real diagonal. */
static BB_NOINLINE void bb_add_triangle(const int64_t n, const bb_scalar beta, const bb_real *T, const int64_t rst,
                                        const int64_t cst, bb_real *C, const int64_t rs, const int64_t cs,
                                        const int upper, const int hermitian)
{
    const int zero = BB_IS(beta, 0){{ ", one = BB_IS(beta, 1)" if complex }};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); i++) {
            const bb_real *from = T + (i * rst + j * cst) * {{ P }};
            bb_real *to = C + (i * rs + j * cs) * {{ P }};
{% if complex %}
            const int real = hermitian && i == j;
            const bb_real x = zero ? 0 : to[0], y = zero || real ? 0 : to[1];
            to[0] = zero ? from[0] : one ? x + from[0] : from[0] + (beta.re * x - beta.im * y);
            to[1] = real ? 0 : zero ? from[1] : one ? y + from[1] : from[1] + (beta.re * y + beta.im * x);
{% else %}
            *to = zero ? *from : beta * *to + *from;
{% endif %}
        }
    (void)hermitian;
}
