#define TURNS "two streams"

{% set cxx = false %}
{% include "emit/cuda/on_gpu.c" %}

/* The kernel's call, on copies of what lies in ``before``; in the second turn on a stream of its own. */
static int run(const struct kernel *k, char *const *before, char *const *after, const double (*scalar)[2],
               int32_t *info, int turn)
{
    const size_t reports = (size_t)k->batch * sizeof *info;
    void *moved[{{ most_matrices }}], *x[{{ most_matrices }}];
    cudaStream_t stream = NULL;
    if (turn)
        must(cudaStreamCreate(&stream));
    for (int n = 0; n < k->operands; n++) {
        const struct operand *o = &k->operand[n];
        moved[n] = on_gpu(before[n], size_of(k, o));
        x[n] = (char *)moved[n] + place(k, o, o->pointers ? k->batch - 1 : 0, 0, 0, 0);
        if (o->pointers) {
            void **table = memory((size_t)k->batch * sizeof *table);
            for (int64_t p = 0; p < k->batch; p++)
                table[p] = (char *)moved[n] + place(k, o, p, 0, 0, 0);
            x[n] = on_gpu(table, (size_t)k->batch * sizeof *table);
            free(table);
        }
    }
    for (int64_t p = 0; p < k->batch; p++)
        info[p] = k->reports ? -1 : 0;
    int32_t *reported = on_gpu(info, reports);
    int status = k->call(x, scalar, reported, -1, stream) < 0 ? 0 : -1; /* no batch: refused */
    status = status ? status : k->call(x, scalar, reported, 0, stream);
    status = status ? status : k->call(x, scalar, reported, k->batch, stream);
    must(cudaStreamSynchronize(stream));
    must(cudaMemcpy(info, reported, reports, cudaMemcpyDeviceToHost));
    for (int n = 0; n < k->operands; n++) {
        must(cudaMemcpy(after[n], moved[n], size_of(k, &k->operand[n]), cudaMemcpyDeviceToHost));
        must(cudaFree(moved[n]));
        if (k->operand[n].pointers)
            must(cudaFree(x[n]));
    }
    must(cudaFree(reported));
    if (turn)
        must(cudaStreamDestroy(stream));
    return status;
}
