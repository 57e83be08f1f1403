    if (batch_count > 0)
        return (int)cudaMemsetAsync(info, 0, batch_count * sizeof *info, (cudaStream_t)stream);
