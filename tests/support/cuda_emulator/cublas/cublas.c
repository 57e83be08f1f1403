/* A stand-in for libcublas: its products are checked as the library's are, queued as host functions, and done by plain
   loops. What it refuses is told on stderr. */
#define _GNU_SOURCE
#include <complex.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define API __attribute__((visibility("default"))) int
enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };

struct handle {
    unsigned magic;
    void *stream;
};
struct product {
    char p;
    int ta, tb, m, n, k, batch;
    long long lda, sa, ldb, sb, ldc, sc;
    double _Complex alpha, beta;
    char *a, *b, *c;
};

static size_t bytes_of(char p)
{
    return p == 's' ? 4 : p == 'z' ? 16 : 8;
}

static double _Complex get(char p, const void *x)
{
    return p == 's' ? *(const float *)x : p == 'd' ? *(const double *)x
         : p == 'c' ? *(const float _Complex *)x : *(const double _Complex *)x;
}

static void put(char p, void *x, double _Complex value)
{
    if (p == 's')
        *(float *)x = (float)creal(value);
    else if (p == 'd')
        *(double *)x = creal(value);
    else if (p == 'c')
        *(float _Complex *)x = (float _Complex)value;
    else
        *(double _Complex *)x = value;
}

static double _Complex element(const struct product *g, const char *x, int op, long long ld, int i, int j)
{
    const double _Complex found = get(g->p, x + ((op ? j : i) + (op ? i : j) * ld) * bytes_of(g->p));
    return op == 2 ? conj(found) : found;
}

static void run(void *given)
{
    const struct product *g = given;
    const size_t size = bytes_of(g->p);
    for (int p = 0; p < g->batch; p++)
        for (int j = 0; j < g->n; j++)
            for (int i = 0; i < g->m; i++) {
                double _Complex sum = 0;
                for (int l = 0; l < g->k; l++)
                    sum += element(g, g->a + p * g->sa * size, g->ta, g->lda, i, l) *
                           element(g, g->b + p * g->sb * size, g->tb, g->ldb, l, j);
                char *const at = g->c + (p * g->sc + i + j * g->ldc) * size;
                put(g->p, at, g->alpha * sum + (g->beta != 0 ? g->beta * get(g->p, at) : 0));
            }
}

API cublasCreate_v2(struct handle **handle)
{
    *handle = calloc(1, sizeof **handle);
    (*handle)->magic = 0xb1a5;
    return SUCCESS;
}

API cublasSetStream_v2(struct handle *handle, void *stream)
{
    if (!handle || handle->magic != 0xb1a5)
        return NOT_INITIALIZED;
    handle->stream = stream;
    return SUCCESS;
}

static int calls;
API stand_in_calls(void)
{
    return calls;
}

static int most(int one, int other)
{
    return one > other ? one : other;
}

static int queued(struct handle *handle, const struct product *g)
{
    int (*launch)(void *, void (*)(void *), void *) = dlsym(dlopen("libcuda.so.1", RTLD_LAZY), "cuLaunchHostFunc");
    const char *const pointers[] = {g->a, g->b, g->c};
    for (int i = 0; i < 3; i++)
        if (!pointers[i] || (uintptr_t)pointers[i] % (g->p == 's' || g->p == 'c' ? 4 : 8))
            return INVALID_VALUE;
    if (!handle || handle->magic != 0xb1a5)
        return NOT_INITIALIZED;
    if (g->m < 0 || g->n < 0 || g->k < 0 || g->batch < 0 || (unsigned)g->ta > 2 || (unsigned)g->tb > 2 ||
        g->lda < most(1, g->ta ? g->k : g->m) || g->ldb < most(1, g->tb ? g->n : g->k) || g->ldc < most(1, g->m) ||
        (g->batch > 1 && g->sc < g->ldc * (g->n - 1) + g->m))
        return INVALID_VALUE;
    struct product *const kept = malloc(sizeof *kept);
    *kept = *g; /* it is never freed, as a graph may run it again */
    calls++;
    return launch(handle->stream, run, kept) ? EXECUTION_FAILED : SUCCESS;
}

#define GEMM(name, letter, type)                                                                                       \
    API name(struct handle *handle, int ta, int tb, int m, int n, int k, const type *alpha, void *a, int lda,          \
             long long sa, void *b, int ldb, long long sb, const type *beta, void *c, int ldc, long long sc, int batch) \
    {                                                                                                                  \
        const struct product g = {letter, ta, tb, m, n, k, batch, lda, sa, ldb, sb, ldc, sc, *alpha, *beta, a, b, c};   \
        const int status = queued(handle, &g);                                                                         \
        if (status)                                                                                                    \
            fprintf(stderr, "%s refuses: m %d, n %d, k %d, lda %d, ldb %d, ldc %d\n", #name, m, n, k, lda, ldb, ldc);   \
        return status;                                                                                                 \
    }
GEMM(cublasSgemmStridedBatched, 's', float)
GEMM(cublasDgemmStridedBatched, 'd', double)
GEMM(cublasCgemmStridedBatched, 'c', float _Complex)
GEMM(cublasZgemmStridedBatched, 'z', double _Complex)
