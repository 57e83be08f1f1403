/* What kernels are compared with: plain loops in the widest precision. */
{% if complex %}
typedef long double complex number;
#define re(x) creall(x)
#define im(x) cimagl(x)
#define conjugate(x) conjl(x)
#define magnitude(x) cabsl(x)
{% else %}
typedef long double number;
#define re(x) (x)
#define im(x) (0 * (x))
#define conjugate(x) (x)
#define magnitude(x) fabsl(x)
{% endif %}

struct matrix {
    int64_t rows, cols;
    number *at; /* by columns */
};

static number number_of(long double real, long double imaginary)
{
    const long double parts[2] = {real, imaginary};
    number found;
    memcpy(&found, parts, sizeof found);
    return found;
}

/* One of the operations that a kernel is made of. */
struct step {
    void (*run)(struct job *s);
    int operand[{{ most_operands }}];
    int scalar[2]; /* alpha and beta: which of the kernel's, -1 for the value beside */
    double value[2][2];
    char {{ flags | join(", ") }};
    int hermitian;
    int offset; /* of what it reports */
};

struct job {
    const struct step *flag;
    struct matrix *x[{{ most_operands }}];
    number alpha, beta;
    int32_t *info;
};

static UNUSED number *at(const struct matrix *x, int64_t i, int64_t j)
{
    return x->at + i + j * x->rows;
}

static UNUSED int transposes(char trans)
{
    return trans == 'T' || trans == 'C';
}

/* Element (i, j) of op(X). */
static UNUSED number op(const struct matrix *x, char trans, int64_t i, int64_t j)
{
    const number found = transposes(trans) ? *at(x, j, i) : *at(x, i, j);
    return trans == 'C' || trans == 'R' ? conjugate(found) : found;
}

/* Columns of op(X). */
static UNUSED int64_t columns(const struct matrix *x, char trans)
{
    return transposes(trans) ? x->rows : x->cols;
}

static UNUSED number dual(number x, int hermitian)
{
    return hermitian ? conjugate(x) : x;
}

/* Element (i, j) of a symmetric or Hermitian matrix of which one triangle is stored. */
static UNUSED number symmetric(const struct matrix *x, char uplo, int hermitian, int64_t i, int64_t j)
{
    if (i == j)
        return hermitian ? re(*at(x, i, i)) : *at(x, i, i);
    return (uplo == 'L') == (i > j) ? *at(x, i, j) : dual(*at(x, j, i), hermitian);
}

/* Element (i, j) of op(X), X triangular. */
static UNUSED number triangular(const struct matrix *x, const struct step *flag, char trans, int64_t i, int64_t j)
{
    if (i == j && flag->diag == 'U')
        return 1;
    const int lower = (flag->uplo == 'L') != transposes(trans);
    return i == j || lower == (i > j) ? op(x, trans, i, j) : 0;
}

/* Element (i, j), i >= j, of the lower triangle, or of the transpose of the upper one. */
static UNUSED number *lower(const struct matrix *x, char uplo, int64_t i, int64_t j)
{
    return uplo == 'L' ? at(x, i, j) : at(x, j, i);
}

/* alpha X + beta Y, where a factor of zero means that what it multiplies does not count, be it NaN. */
static UNUSED number combined(number alpha, number x, number beta, number y)
{
    return (alpha == 0 ? 0 : alpha * x) + (beta == 0 ? 0 : beta * y);
}

static UNUSED struct matrix copied(const struct matrix *x)
{
    const size_t bytes = (size_t)(x->rows * x->cols) * sizeof(number);
    const struct matrix found = {x->rows, x->cols, memory(bytes)};
    memcpy(found.at, x->at, bytes);
    return found;
}

/* The first thing that fails is reported. */
static UNUSED void report(struct job *s, int64_t position)
{
    if (*s->info == 0)
        *s->info = (int32_t)position;
}
