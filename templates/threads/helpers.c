/* Who does it beside the caller: helpers, that look for work, sleep and are woken. */
static void *helper(void *number)
{
    const int own = (int)(intptr_t)number;
    uint32_t seen = 0;
    int64_t until = now() + SPIN_NS;
    pool.thread[own] = (int)syscall(SYS_gettid);
    for (;;) {
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
            until = now() + SPIN_NS;
        }
        seen = pool.job;
        if (own < pool.ranges) { /* a job of others keeps nobody awake */
            work(own, seen);
            until = now() + SPIN_NS;
        }
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
