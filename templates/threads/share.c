/* Chunks of [begin, end) for `threads` threads, all of them awake. */
static void share_out(bblas_part *part, const void *arguments, int64_t begin, int64_t end, int64_t grain, int threads)
{
    const int64_t units = (end - begin + grain - 1) / grain;
    const int64_t chunks = units < threads * CHUNKS ? units : threads * CHUNKS;
    const uint32_t job = pool.job + 1;
    TELL(part, part);
    TELL(arguments, arguments);
    TELL(begin, begin);
    TELL(end, end);
    TELL(grain, grain);
    TELL(chunks, chunks);
    TELL(share, (end - begin) / threads);
    TELL(left, (uint32_t)chunks);
    TELL(waiting, 0);
    TELL(helped, 0);
    TELL(ranges, threads);
    for (int t = 0; t < threads; t++)
        atomic_store_explicit(&pool.range[t].chunks, RANGE(job, chunks * t / threads, chunks * (t + 1) / threads),
                              memory_order_release);
    pool.job = job;
    wake_helpers(threads < pool.started + 1 ? threads : pool.started + 1);
}

/* A chunk that a helper has just begun takes `chunk` nanoseconds: only who waits for longer has to do with others. */
static void wait_for_claimed(double chunk)
{
    if (!pool.left)
        return;
    const int64_t begun = now();
    while (pool.left && now() < begun + WAIT_NS)
        rest();
    if (pool.left) {
        pool.waiting = 1;
        for (uint32_t left; (left = pool.left);)
            sleep_while(&pool.left, left);
        const int64_t ended = now(), shy = pool.shy;
        if ((double)(ended - begun) > chunk) {
            const int again = begun - pool.shy_until < shy * pool.late; /* as soon as it was tried */
            pool.shy = !again ? SHY : 2 * shy < MOST_SHY ? 2 * shy : MOST_SHY;
            pool.late = ended - begun;
            pool.shy_until = ended + pool.shy * pool.late;
        }
    }
}
