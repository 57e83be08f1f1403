/* How many threads pay. */
/* For work of so many nanoseconds, where one that sleeps costs `wake`: each is to save twice what it costs. */
static int paying(double nanoseconds, int wake)
{
    int threads = 1;
    for (; threads < pool.limit; threads++) {
        const int awake = threads <= pool.started && !pool.asleep[threads];
        if (nanoseconds < 2.0 * threads * (threads + 1) * (awake ? FORK_NS : wake))
            break;
    }
    return threads;
}

/* The same of one call of many. Helpers sleep on while small calls come alone. Where these follow one another they are
   woken when awake they would have saved what that costs. */
static int paying_often(double nanoseconds)
{
    const int threads = paying(nanoseconds, WAKE_NS), awake = threads > 1 ? threads : paying(nanoseconds, FORK_NS);
    if (awake == threads)
        return threads;
    const int64_t at = now();
    pool.missed = (int64_t)nanoseconds + (at - pool.missed_at < SPIN_NS ? pool.missed : 0);
    pool.missed_at = at;
    if (pool.missed < 4 * WAKE_NS)
        return 1;
    pool.missed = 0;
    return awake;
}

/* The last call of this thread of which a part was timed: the next ones of its kind are not tried again. */
typedef struct {
    bblas_part *part;
    double estimate, took;
    int calls;
} bblas_tried;

static _Thread_local bblas_tried tried;

/* As many as pay by the estimate, if it is sure; else by the time that a first part takes, which ends at `begin`. */
static int chosen(bblas_part *part, const void *arguments, int64_t count, int64_t grain, double nanoseconds,
                  int64_t *begin)
{
    const int64_t units = (count + grain - 1) / grain, shy = pool.shy_until;
    if (shy && nanoseconds < UNSURE * (double)pool.late && now() < shy)
        return 1; /* others need the processors */
    if (units < LEAST) /* none to try: the least that they may take */
        return paying_often(nanoseconds / UNSURE);
    const int threads = paying(nanoseconds / UNSURE, WAKE_NS);
    if (threads == pool.limit)
        return threads;
    if (paying(nanoseconds, FORK_NS) == 1)
        return 1;
    if (tried.part == part && tried.estimate == nanoseconds && tried.calls++ < AGAIN)
        return paying_often(tried.took);
    const int64_t started = now();
    *begin = (units < TRIED ? 1 : units / TRIED) * grain;
    part(arguments, 0, *begin, count);
    const double first = (double)(now() - started) / (double)*begin;
    tried = (bblas_tried){ part, nanoseconds, first * (double)count, 0 };
    return paying_often(first * (double)(count - *begin));
}
