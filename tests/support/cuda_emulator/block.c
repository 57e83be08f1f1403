/* Launches: blocks one after the other, the threads of a block in turns until each has to wait or ends. */
#include "threads.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>

#ifdef BB_THREAD_SANITIZER
void __tsan_acquire(void *tag);
void __tsan_release(void *tag);
static char start_tag, end_tag;
#endif
#ifdef BB_ADDRESS_SANITIZER
void __asan_poison_memory_region(const volatile void *begin, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *begin, size_t bytes);
#endif

#define BEYOND 4096 /* bytes behind the most shared memory that a launch may ask for */

struct bb_index *bb_thread_index, bb_block_index, bb_block_shape, bb_grid_shape;
struct bb_thread bb_threads[BB_MOST_THREADS], *bb_current;
unsigned bb_thread_count, bb_dynamic_bytes;
__attribute__((aligned(128))) unsigned char bb_dynamic_shared[BB_MOST_SHARED + BEYOND];

static jmp_buf failure;
static char failure_text[512];
static bool on_fiber;
static const struct bb_kernel *kernel;
static void **kernel_arguments;
static uint32_t random_state;

void bb_fail(const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct bb_index *b = &bb_block_index, *t = bb_current ? &bb_current->index : NULL;
    if (t)
        snprintf(failure_text, sizeof failure_text, "thread (%u, %u, %u) of block (%u, %u, %u): %s", t->x, t->y, t->z,
                 b->x, b->y, b->z, what);
    else
        snprintf(failure_text, sizeof failure_text, "%s", what);
    if (on_fiber)
        bb_fiber_leave(bb_current->number, true);
    longjmp(failure, 1);
}

/* No library function, as sanitizers look at what those write. */
static void poison(unsigned char *begin, const unsigned char *end)
{
    for (volatile unsigned char *at = begin; at < end;) {
        if ((uintptr_t)at % 8 == 0 && end - at >= 8) {
            *(volatile uint64_t *)at = UINT64_MAX;
            at += 8;
        } else {
            *at++ = 0xff;
        }
    }
}

static void thread_entry(void)
{
#ifdef BB_THREAD_SANITIZER
    __tsan_acquire(&start_tag);
#endif
    kernel->call(kernel_arguments);
#ifdef BB_THREAD_SANITIZER
    __tsan_release(&end_tag);
#endif
    bb_current->state = BB_DONE;
    bb_fiber_leave(bb_current->number, true);
}

static void make_threads(void)
{
    for (unsigned i = 0; i < bb_thread_count; i++) {
        struct bb_thread *thread = &bb_threads[i];
        const unsigned x = bb_block_shape.x, y = bb_block_shape.y;
        thread->index = (struct bb_index){i % x, i / x % y, i / (x * y)};
        thread->number = i;
        thread->lane = i % BB_WARP;
        thread->state = BB_READY;
        thread->line = 0;
        thread->copy_count = thread->copy_group = 0;
        bb_fiber_make(i, thread_entry);
    }
}

static uint32_t chance(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % below;
}

/* The turns of a round: forwards, backwards or by chance, anew for each round. */
static void shuffle_turns(unsigned order, uint16_t *turns)
{
    for (unsigned i = 0; i < bb_thread_count; i++)
        turns[i] = (uint16_t)(order == 1 ? bb_thread_count - 1 - i : i);
    for (unsigned i = bb_thread_count; order > 1 && i > 1; i--) {
        const unsigned j = chance(i);
        const uint16_t kept = turns[i - 1];
        turns[i - 1] = turns[j];
        turns[j] = kept;
    }
}

static bool run_turns(const uint16_t *turns)
{
    bool any_left = false;
    for (unsigned i = 0; i < bb_thread_count; i++) {
        struct bb_thread *thread = &bb_threads[turns[i]];
        if (thread->state == BB_READY) {
            bb_current = thread;
            bb_thread_index = &thread->index;
            on_fiber = true;
            bb_fiber_resume(thread->number);
            on_fiber = false;
            if (*failure_text)
                longjmp(failure, 1);
        }
        any_left |= thread->state != BB_DONE;
    }
    return any_left;
}

static void run_block(const struct bb_launch *launch)
{
    uint16_t turns[BB_MOST_THREADS];
    poison(bb_dynamic_shared, bb_dynamic_shared + launch->shared_bytes);
    poison(__start_bb_shared, __stop_bb_shared);
    make_threads();
    bb_notice_block(true);
#ifdef BB_THREAD_SANITIZER
    __tsan_release(&start_tag);
#endif
    shuffle_turns(launch->order, turns);
    while (run_turns(turns)) {
        const bool warps = bb_resolve_warps();
        if (!bb_resolve_block() && !warps)
            bb_explain_deadlock();
        if (launch->order > 1)
            shuffle_turns(launch->order, turns);
    }
#ifdef BB_THREAD_SANITIZER
    __tsan_acquire(&end_tag);
#endif
    bb_notice_block(false);
    bb_current = NULL;
}

static void run_blocks(const struct bb_launch *launch)
{
    const struct bb_index grid = launch->grid;
    const uint64_t count = (uint64_t)grid.x * grid.y * grid.z;
    unsigned char *const end = bb_dynamic_shared + launch->shared_bytes;
    unsigned char *const beyond = bb_dynamic_shared + sizeof bb_dynamic_shared;
    poison(end, beyond);
#ifdef BB_ADDRESS_SANITIZER
    __asan_poison_memory_region(end, (size_t)(beyond - end));
#endif
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t b = launch->last_first ? count - 1 - i : i;
        bb_block_index = (struct bb_index){(unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y),
                                           (unsigned)(b / ((uint64_t)grid.x * grid.y))};
        run_block(launch);
    }
#ifdef BB_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(end, (size_t)(beyond - end));
#endif
    for (const unsigned char *at = end; at < beyond; at++)
        if (*at != 0xff)
            bb_fail("writes dynamic shared memory at byte %zu of %u", (size_t)(at - bb_dynamic_shared),
                    launch->shared_bytes);
}

static void check_limits(const struct bb_launch *launch)
{
    const struct bb_index g = launch->grid, b = launch->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (!threads || threads > BB_MOST_THREADS || b.z > 64)
        bb_fail("a block of %u x %u x %u threads; at most 1024 are possible, 64 in z", b.x, b.y, b.z);
    if (kernel->most_threads && threads > kernel->most_threads)
        bb_fail("a block of %u threads; __launch_bounds__ of %s says %u", (unsigned)threads, kernel->name,
                kernel->most_threads);
    if (!g.x || !g.y || !g.z || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
        bb_fail("a grid of %u x %u x %u blocks", g.x, g.y, g.z);
    if (launch->shared_bytes > BB_MOST_SHARED)
        bb_fail("%u bytes of dynamic shared memory; at most %u are possible", launch->shared_bytes, BB_MOST_SHARED);
}

bool bb_is_shared(const void *address, size_t bytes)
{
    const unsigned char *at = address;
    return (at >= bb_dynamic_shared && at + bytes <= bb_dynamic_shared + bb_dynamic_bytes) ||
           (at >= __start_bb_shared && at + bytes <= __stop_bb_shared);
}

const struct bb_kernel *bb_find_kernel(const char *name)
{
    for (const struct bb_kernel *found = bb_kernels; found->name; found++)
        if (!strcmp(found->name, name))
            return found;
    return NULL;
}

int bb_launch_kernel(const char *name, const struct bb_launch *launch, void **arguments, char *message, size_t room)
{
    static char busy;
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        sched_yield();
    *failure_text = 0;
    on_fiber = false;
    bb_current = NULL;
    if (!setjmp(failure)) {
        kernel = bb_find_kernel(name);
        if (!kernel)
            bb_fail("there is no kernel %s", name);
        check_limits(launch);
        kernel_arguments = arguments;
        random_state = launch->order * 2654435761u | 1;
        bb_grid_shape = launch->grid;
        bb_block_shape = launch->block;
        bb_thread_count = launch->block.x * launch->block.y * launch->block.z;
        bb_dynamic_bytes = launch->shared_bytes;
        bb_notice_launch(launch);
        bb_fibers_begin(bb_thread_count);
        run_blocks(launch);
        bb_notice_end();
    }
    bb_fibers_end();
    const int failed = *failure_text != 0;
    snprintf(message, room, "%s", failure_text);
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return failed;
}
