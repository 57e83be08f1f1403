static void must(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    {{ "std::" if cxx }}fprintf(stderr, "the GPU says: %s\n", cudaGetErrorString(status));
    {{ "std::" if cxx }}exit(2);
}

/* A copy in memory of the GPU. */
static void *on_gpu(const void *from, size_t bytes)
{
    void *found;
    must(cudaMalloc(&found, bytes));
    must(cudaMemcpy(found, from, bytes, cudaMemcpyHostToDevice));
    return found;
}
