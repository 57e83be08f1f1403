/* cuSOLVER on batches of column-major matrices. p are lists of matrices, then what they report. */
{% include "bench/peer/cuda.c" %}
int cusolverDnCreate(void **);
int bb_open(void **handle)
{
    return cusolverDnCreate(handle);
}
{% for letter, type in types.items() %}
{% set L = letter | upper %}
int cusolverDn{{ L }}potrfBatched(void *, int, int, void *, int, int *, int);
int bb_{{ letter }}potrf_lists(ARGUMENTS)
{
    return cusolverDn{{ L }}potrfBatched(handle, LOWER, size[0], p[0], size[0], p[1], batch);
}
int cusolverDn{{ L }}potrsBatched(void *, int, int, int, void *, int, void *, int, int *, int);
int bb_{{ letter }}potrs_lists(ARGUMENTS)
{
    return cusolverDn{{ L }}potrsBatched(handle, LOWER, size[0], size[1], p[0], size[0], p[1], size[0], p[2], batch);
}
int bb_{{ letter }}posv_lists(ARGUMENTS)
{
    const int status = bb_{{ letter }}potrf_lists(handle, (void *const[]){p[0], p[2]}, size, batch);
    return status ? status : bb_{{ letter }}potrs_lists(handle, p, size, batch);
}
{% endfor %}
