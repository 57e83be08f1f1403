/* An operand of a kernel as its batch lies in memory. Distances count elements. */
struct operand {
    const char *name, *used; /* of which it has L and U, the strict triangles, and D, the diagonal */
    char packed;             /* the triangle that is stored alone */
    int argument, read, written, index, real, pointers;
    int turns;               /* whether columns are determined but for factors of size 1 */
    int scaled_by;           /* the number of the scalar whose zero means that it is not read, or -1 */
    int64_t rows, cols;      /* as stored */
    int64_t rs, cs;          /* from row to row, from column to column */
    int64_t nb, distance;    /* matrices in a block, 0 where each is by itself; from one of those to the next */
    int64_t elements;        /* of the whole batch, padding too */
    int64_t limit;           /* of indices: the largest */
    int shift;               /* rows by which the large elements are off the diagonal */
    double scale;            /* of what is beside the diagonal */
};

/* Scalars are reals of so many bytes, and elements have so many parts. */
struct kernel {
    const char *name;
    int (*call)({{ parameters }});
    const struct operand *operand;
    const struct step *step;
    const double (*scalar)[2]; /* of each case in turn */
    int operands, steps, scalars, cases, bytes, parts, reports;
    int fails;                 /* whether a zero matrix does, and where it does not has one result */
    int64_t batch, side;       /* the longest */
};

#ifndef GUARD
#define GUARD 67 /* elements before and behind an operand; none where others watch */
#endif

static size_t bytes_of(const struct kernel *k, const struct operand *o)
{
    return o->index ? sizeof(int32_t) : (size_t)k->bytes;
}

static int parts_of(const struct kernel *k, const struct operand *o)
{
    return o->index || o->real ? 1 : k->parts;
}

static size_t size_of(const struct kernel *k, const struct operand *o)
{
    return (size_t)(o->elements + 2 * GUARD) * (size_t)parts_of(k, o) * bytes_of(k, o);
}

/* Whether element (i, j) is stored. */
static int has_place(const struct operand *o, int64_t i, int64_t j)
{
    return (o->packed != 'L' || i >= j) && (o->packed != 'U' || i <= j);
}

/* Whether it is one that the kernel may use. */
static int has(const struct operand *o, int64_t i, int64_t j)
{
    return has_place(o, i, j) && strchr(o->used, i > j ? 'L' : i < j ? 'U' : 'D');
}

/* Where a part of element (i, j) of matrix p is, in bytes. */
static size_t place(const struct kernel *k, const struct operand *o, int64_t p, int64_t i, int64_t j, int part)
{
    const int64_t parts = parts_of(k, o), inside = o->packed == 'L'   ? j * (2 * o->rows - 1 - j) / 2 + i
                                                   : o->packed == 'U' ? j * (j + 1) / 2 + i
                                                                      : i * o->rs + j * o->cs;
    const int64_t block = o->nb ? p / o->nb : o->pointers ? k->batch - 1 - p : p, real = inside * parts + part;
    const int64_t number = block * o->distance * parts + real, from = o->nb ? number * o->nb + p % o->nb : number;
    return (size_t)(GUARD * parts + from) * bytes_of(k, o);
}

static long double get(const struct kernel *k, const struct operand *o, const char *from)
{
    int32_t index;
    float single;
    double twice;
    if (o->index)
        return (long double)*(int32_t *)memcpy(&index, from, sizeof index);
    if (k->bytes == sizeof single)
        return (long double)*(float *)memcpy(&single, from, sizeof single);
    return (long double)*(double *)memcpy(&twice, from, sizeof twice);
}

static void put(const struct kernel *k, const struct operand *o, char *to, double value)
{
    const int32_t index = o->index ? (int32_t)value : 0;
    const float single = (float)value;
    const void *stored = o->index ? (const void *)&index : k->bytes == sizeof single ? (const void *)&single : &value;
    memcpy(to, stored, bytes_of(k, o));
}

/* A multiple of 2^-12 from -1/2 to 1/2. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)((int)(*seed >> 52) - 2048) / 4096;
}

/* Matrices with a dominant diagonal, or row: positive definite, and far from singular. All else is NaN. */
static void fill(const struct kernel *k, const struct operand *o, char *data, int64_t zero, uint64_t *seed)
{
    for (int64_t p = 0; p < k->batch; p++)
        for (int64_t j = 0; j < o->cols; j++)
            for (int64_t i = 0; i < o->rows; i++)
                for (int part = 0; part < parts_of(k, o) && has(o, i, j); part++) {
                    const double random = noise(seed), large = part == 0 && i == (j + o->shift) % o->rows ? 2 : 0;
                    const int64_t below = i < o->limit ? (int64_t)((random + 0.5) * (double)(o->limit - i)) : 0;
                    const double value = p == zero ? 0 : large + o->scale * random;
                    put(k, o, data + place(k, o, p, i, j, part), o->index ? (double)(i + 1 + below) : value);
                }
}
