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
#include <string.h>
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
    SURE_NS = 1000000,       /* of work by an estimate, for which all threads pay */
    TRIED = 32,              /* parts of the work, of which the first is timed */
    LEAST = 4                /* units of work, below which nothing is shared unasked */
};

typedef void bblas_part(const void *arguments, int64_t lo, int64_t hi, int64_t share);

/* Chunks next .. end - 1 of job number `job`: one word, so that who comes late claims nothing. */
#define RANGE(job, next, end) ((uint64_t)(job) << 32 | (uint64_t)(end) << 16 | (uint64_t)(next))

{% include "threads/state.c" %}

{% include "threads/claims.c" %}

{% include "threads/helpers.c" %}

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

{% include "threads/share.c" %}

{% include "threads/later.c" %}

/* Calls part(arguments, lo, hi, share) for ranges that make up [0, count), cut at multiples of `grain`, on at most
   `threads` threads, of which each has about `share`. 0 threads: as many as pay, by the time that a first part takes, unless
   an estimate of all, in nanoseconds, tells that none do, or all; LATER: none, the call is kept. */
void bblas_parallel(bblas_part *part, const void *arguments, size_t size, int64_t count, int64_t grain, int threads,
                    double nanoseconds)
{
    if (threads == LATER) {
        keep(part, arguments, size);
        return;
    }
    const int64_t units = (count + grain - 1) / grain;
    int64_t begin = 0;
    if (threads == 0 && nanoseconds > SURE_NS)
        threads = pool.limit;
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

{% include "threads/pieces.c" %}

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
