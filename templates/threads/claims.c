/* What there is to do: chunks of a job, and who claims them. */
/* Where a chunk begins, in [begin, end). */
static int64_t bound(int64_t chunk, int64_t chunks, int64_t begin, int64_t end, int64_t grain)
{
    const int64_t units = (end - begin + grain - 1) / grain, at = begin + units * chunk / chunks * grain;
    return at < end ? at : end;
}

/* Works on a job until nothing is left to claim: first on the thread's own range, so that with each call it finds the same
   data, then on those of others. */
static void work(int own, uint32_t job)
{
    uint32_t done = 0;
    const int ranges = pool.ranges;
    for (int k = 0; k < ranges; k++) {
        _Atomic uint64_t *const range = &pool.range[(own + k) % ranges].chunks;
        uint64_t seen = *range;
        while ((uint32_t)(seen >> 32) == job && (seen & 0xffff) < (seen >> 16 & 0xffff)) {
            /* of this job as long as one of its chunks is not claimed, which the exchange proves */
            bblas_part *const part = pool.part;
            const void *const arguments = pool.arguments;
            const int64_t begin = pool.begin, end = pool.end, grain = pool.grain;
            const int64_t chunks = pool.chunks, share = pool.share;
            if (!atomic_compare_exchange_weak(range, &seen, seen + 1))
                continue;
            if (!done++ && own)
                pool.helped++;
            const int64_t chunk = seen & 0xffff, lo = bound(chunk, chunks, begin, end, grain);
            part(arguments, lo, bound(chunk + 1, chunks, begin, end, grain), share);
            seen = *range;
        }
    }
    if (done && atomic_fetch_sub(&pool.left, done) == done && pool.waiting)
        wake(&pool.left, 1);
}
