/*
 * The thread pool of a process, for all its kernels. Work is cut into chunks that are claimed. The caller claims too, and
 * waits for claimed chunks alone: a helper that does not get a processor is not waited for.
 *
 * SPDX-License-Identifier: 0BSD
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST = 256,              /* threads */
    CHUNKS = 8,              /* of each thread */
    SPIN_NS = 50000,         /* that helpers look for more work before they sleep */
    WAIT_NS = 20000,         /* that the caller looks for the last chunk before it sleeps */
    PAYS_NS = 25000,         /* of work, from where a helper that looks for it pays */
    PAYS_ASLEEP_NS = 200000, /* the same of one that sleeps, as it comes late */
    TRIED = 32,              /* parts of the work, of which the first is timed */
    LEAST = 4                /* units of work, below which nothing is shared unasked */
};

typedef void bblas_part(const void *arguments, int64_t lo, int64_t hi, int64_t share);

/* Chunks next .. end - 1 of job number `job`: one word, so that who comes late claims nothing. */
#define RANGE(job, next, end) ((uint64_t)(job) << 32 | (uint64_t)(end) << 16 | (uint64_t)(next))

static struct {
    pthread_mutex_t turn;
    int limit, started;
    cpu_set_t allowed;
    _Alignas(64) _Atomic uint32_t job;
    _Atomic int ranges;
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
} pool = { .turn = PTHREAD_MUTEX_INITIALIZER, .limit = 1 };

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
    int done = 0;
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
            if (own && !done++)
                pool.helped++;
            const int64_t chunk = seen & 0xffff, lo = bound(chunk, chunks, begin, end, grain);
            part(arguments, lo, bound(chunk + 1, chunks, begin, end, grain), share);
            if (atomic_fetch_sub(&pool.left, 1) == 1 && pool.waiting)
                wake(&pool.left, 1);
            seen = *range;
        }
    }
}

static void *helper(void *number)
{
    const int own = (int)(intptr_t)number;
    uint32_t seen = 0;
    pool.thread[own] = (int)syscall(SYS_gettid);
    for (;;) {
        const int64_t until = now() + SPIN_NS;
        while (pool.job == seen && now() < until)
            for (int i = 0; i < 16 && pool.job == seen; i++)
                rest();
        if (pool.job == seen) {
            pool.asleep[own] = 1;
            if (pool.job == seen) { /* still: who sets a job from now on finds that this one sleeps */
                sleep_while(&pool.asleep[own], 1);
                sched_setaffinity(0, sizeof pool.allowed, &pool.allowed);
            }
            pool.asleep[own] = 0;
        }
        seen = pool.job;
        if (own < pool.ranges)
            work(own, seen);
    }
    return NULL;
}

/* Wakes helpers 1 .. threads - 1 that sleep. Kernels of systems may wake a thread on its waker's own processor, though
   others are idle: so sleepers are kept off it. Awake, they may go where they like. */
static void wake_helpers(int threads)
{
    cpu_set_t others;
    int away = -1;
    for (int i = 1; i < threads; i++) {
        if (!pool.asleep[i])
            continue;
        if (away < 0) {
            const int here = sched_getcpu();
            away = here >= 0 && !sched_getaffinity(0, sizeof pool.allowed, &pool.allowed);
            others = pool.allowed;
            if (away)
                CPU_CLR((size_t)here, &others);
            away = away && CPU_COUNT(&others) > 0;
        }
        if (away)
            sched_setaffinity(pool.thread[i], sizeof others, &others);
        pool.asleep[i] = 0;
        wake(&pool.asleep[i], 1);
    }
}

/* Helpers take no signals: those are the program's. */
static void start(int helpers)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool.started < helpers) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, helper, (void *)(intptr_t)(pool.started + 1)))
            break; /* no more to be had: the others do its part */
        pthread_detach(thread);
        pool.started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* How many threads pay for work of so many nanoseconds. */
static int paying(int64_t nanoseconds)
{
    int asleep = pool.started < pool.limit - 1;
    for (int i = 1; i < pool.limit && !asleep; i++)
        asleep = pool.asleep[i] != 0;
    if (nanoseconds < (asleep ? PAYS_ASLEEP_NS : PAYS_NS))
        return 1;
    const int64_t threads = nanoseconds / (PAYS_NS / 2);
    return threads < pool.limit ? (int)threads : pool.limit;
}

/* Chunks of [begin, end) for `threads` threads, all of them awake. */
static void share_out(bblas_part *part, const void *arguments, int64_t begin, int64_t end, int64_t grain, int threads)
{
    const int64_t units = (end - begin + grain - 1) / grain;
    const int64_t chunks = units < threads * CHUNKS ? units : threads * CHUNKS;
    const uint32_t job = pool.job + 1;
    pool.part = part;
    pool.arguments = arguments;
    pool.begin = begin;
    pool.end = end;
    pool.grain = grain;
    pool.chunks = chunks;
    pool.share = (end - begin) / threads;
    pool.left = (uint32_t)chunks;
    pool.waiting = pool.helped = 0;
    pool.ranges = threads;
    for (int t = 0; t < threads; t++)
        pool.range[t].chunks = RANGE(job, chunks * t / threads, chunks * (t + 1) / threads);
    pool.job = job;
    wake_helpers(threads < pool.started + 1 ? threads : pool.started + 1);
}

static void wait_for_claimed(void)
{
    const int64_t until = now() + WAIT_NS;
    while (pool.left && now() < until)
        rest();
    if (pool.left) {
        pool.waiting = 1;
        for (uint32_t left; (left = pool.left);)
            sleep_while(&pool.left, left);
    }
}

/* Calls part(arguments, lo, hi, share) for ranges that make up [0, count), cut at multiples of `grain`, on at most
   `threads` threads, of which each has about `share`. 0 threads: as many as pay, by the time that a first part takes, unless
   an estimate of all, in nanoseconds, tells that none do. */
void bblas_parallel(bblas_part *part, const void *arguments, int64_t count, int64_t grain, int threads,
                    double nanoseconds)
{
    const int64_t units = (count + grain - 1) / grain;
    int64_t begin = 0;
    if (threads == 0 && pool.limit > 1 && nanoseconds > PAYS_NS / 4 && units >= LEAST) {
        const int64_t started = now();
        begin = (units < TRIED ? 1 : units / TRIED) * grain;
        part(arguments, 0, begin, count);
        threads = paying((int64_t)((double)(now() - started) * (double)(count - begin) / (double)begin));
    }
    if (threads > MOST)
        threads = MOST;
    if (threads > units)
        threads = (int)units;
    if (threads < 2 || pthread_mutex_trylock(&pool.turn)) { /* another call has the pool */
        part(arguments, begin, count, count);
        return;
    }
    if (pool.started < threads - 1)
        start(threads - 1);
    share_out(part, arguments, begin, count, grain, threads);
    work(0, pool.job);
    wait_for_claimed();
    pthread_mutex_unlock(&pool.turn);
}

/* At most so many threads where a call leaves it to the pool. */
void bblas_parallel_limit(int threads)
{
    pool.limit = threads < 1 ? 1 : threads > MOST ? MOST : threads;
}

/* The helpers that had a part in the last call. */
int bblas_parallel_helped(void)
{
    return pool.helped;
}

static void before_fork(void) { pthread_mutex_lock(&pool.turn); }
static void after_fork(void) { pthread_mutex_unlock(&pool.turn); }

/* Helpers do not survive a fork: the child starts its own. */
static void in_child(void)
{
    pthread_mutex_init(&pool.turn, NULL);
    pool.started = 0;
    for (int i = 0; i < MOST; i++)
        pool.asleep[i] = 0;
}

__attribute__((constructor)) static void prepare(void) { pthread_atfork(before_fork, after_fork, in_child); }
