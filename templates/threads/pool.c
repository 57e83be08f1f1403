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
    FORK_NS = 500,           /* that a helper costs its caller which looks for work */
    WAKE_NS = 10000,         /* the same of one that sleeps */
    UNSURE = 4,              /* how many times too long an estimate of work may be */
    SHY = 8, MOST_SHY = 128, /* times as long as a caller waited small work is not shared; where it has to wait again */
    TRIED = 32,              /* parts of the work, of which the first is timed */
    AGAIN = 16,              /* calls alike of which none is timed behind one that was */
    LEAST = 4                /* units of work, of which one is not too many to be timed */
};

typedef void bblas_part(const void *arguments, int64_t lo, int64_t hi, int64_t share);

/* Chunks next .. end - 1 of job number `job`: one word, so that who comes late claims nothing. */
#define RANGE(job, next, end) ((uint64_t)(job) << 32 | (uint64_t)(end) << 16 | (uint64_t)(next))

{% include "threads/state.c" %}

{% include "threads/claims.c" %}

{% include "threads/helpers.c" %}

{% include "threads/paying.c" %}

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
    if (threads == 0 && pool.limit > 1 && units > 1)
        threads = chosen(part, arguments, count, grain, nanoseconds, &begin);
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
    wait_for_claimed(nanoseconds / (double)pool.chunks);
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
