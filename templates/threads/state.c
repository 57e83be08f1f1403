/* What all threads of the pool see, and how they wait for it. */
static struct {
    pthread_mutex_t turn;
    int limit, started;
    cpu_set_t allowed;
    _Alignas(64) _Atomic uint32_t job; /* by itself in a cache line: helpers look at it while the rest is written */
    _Alignas(64) _Atomic int ranges;
    _Atomic(bblas_part *) part;
    _Atomic(const void *) arguments;
    _Atomic int64_t begin, end, grain, chunks, share;
    _Atomic int thread[MOST]; /* its number for the system */
    _Atomic uint32_t asleep[MOST];
    struct {
        _Alignas(64) _Atomic uint64_t chunks;
    } range[MOST];
    _Alignas(64) _Atomic uint32_t left;
    _Atomic int waiting, helped;
    _Atomic int64_t missed, missed_at; /* work that helpers awake would have shared; when there was some last */
    _Atomic int64_t late, shy, shy_until; /* how long a caller waited for the last chunk; for how often as long, till
                                             when, that counts */
} pool = { .turn = PTHREAD_MUTEX_INITIALIZER, .limit = 1 };

/* What is told of a job, in no order: who sees its chunks sees it. */
#define TELL(field, value) atomic_store_explicit(&pool.field, value, memory_order_relaxed)

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void sleep_while(_Atomic uint32_t *at, uint32_t value)
{
    while (*at == value)
        syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *at, int threads)
{
    syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}
