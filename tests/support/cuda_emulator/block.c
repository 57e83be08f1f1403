/* Launches: blocks one after the other, the threads of a block in turns until each has to wait or ends. */
#include "threads.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>

#ifdef EMU_THREAD_SANITIZER
void __tsan_acquire(void *tag);
void __tsan_release(void *tag);
static char start_tag, end_tag;
#endif
#ifdef EMU_ADDRESS_SANITIZER
void __asan_poison_memory_region(const volatile void *begin, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *begin, size_t bytes);
#endif

#define BEYOND 4096 /* bytes behind the most shared memory that a launch may ask for */

struct emu_index *emu_thread_index, emu_block_index, emu_block_shape, emu_grid_shape;
struct emu_thread emu_threads[EMU_MOST_THREADS], *emu_current;
unsigned emu_thread_count, emu_dynamic_bytes;
__attribute__((aligned(128))) unsigned char emu_dynamic_shared[EMU_MOST_SHARED + BEYOND];

static jmp_buf failure;
static char failure_text[512];
static bool on_fiber;
static const struct emu_kernel *kernel;
static void **kernel_arguments;
static uint32_t random_state;

void emu_fail(const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const struct emu_index *b = &emu_block_index, *t = emu_current ? &emu_current->index : NULL;
    if (t)
        snprintf(failure_text, sizeof failure_text, "thread (%u, %u, %u) of block (%u, %u, %u): %s", t->x, t->y, t->z,
                 b->x, b->y, b->z, what);
    else
        snprintf(failure_text, sizeof failure_text, "%s", what);
    if (on_fiber)
        emu_fiber_leave(emu_current->number, true);
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
#ifdef EMU_THREAD_SANITIZER
    __tsan_acquire(&start_tag);
#endif
    kernel->call(kernel_arguments);
#ifdef EMU_THREAD_SANITIZER
    __tsan_release(&end_tag);
#endif
    emu_current->state = EMU_DONE;
    emu_fiber_leave(emu_current->number, true);
}

static void make_threads(void)
{
    for (unsigned i = 0; i < emu_thread_count; i++) {
        struct emu_thread *thread = &emu_threads[i];
        const unsigned x = emu_block_shape.x, y = emu_block_shape.y;
        thread->index = (struct emu_index){i % x, i / x % y, i / (x * y)};
        thread->number = i;
        thread->lane = i % EMU_WARP;
        thread->state = EMU_READY;
        thread->line = 0;
        thread->copy_count = thread->copy_group = 0;
        emu_fiber_make(i, thread_entry);
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
    for (unsigned i = 0; i < emu_thread_count; i++)
        turns[i] = (uint16_t)(order == 1 ? emu_thread_count - 1 - i : i);
    for (unsigned i = emu_thread_count; order > 1 && i > 1; i--) {
        const unsigned j = chance(i);
        const uint16_t kept = turns[i - 1];
        turns[i - 1] = turns[j];
        turns[j] = kept;
    }
}

static bool run_turns(const uint16_t *turns)
{
    bool any_left = false;
    for (unsigned i = 0; i < emu_thread_count; i++) {
        struct emu_thread *thread = &emu_threads[turns[i]];
        if (thread->state == EMU_READY) {
            emu_current = thread;
            emu_thread_index = &thread->index;
            on_fiber = true;
            emu_fiber_resume(thread->number);
            on_fiber = false;
            if (*failure_text)
                longjmp(failure, 1);
        }
        any_left |= thread->state != EMU_DONE;
    }
    return any_left;
}

static void run_block(const struct emu_launch *launch)
{
    uint16_t turns[EMU_MOST_THREADS];
    poison(emu_dynamic_shared, emu_dynamic_shared + launch->shared_bytes);
    poison(__start_emu_shared, __stop_emu_shared);
    make_threads();
    emu_notice_block(true);
#ifdef EMU_THREAD_SANITIZER
    __tsan_release(&start_tag);
#endif
    shuffle_turns(launch->order, turns);
    while (run_turns(turns)) {
        const bool warps = emu_resolve_warps();
        if (!emu_resolve_block() && !warps)
            emu_explain_deadlock();
        if (launch->order > 1)
            shuffle_turns(launch->order, turns);
    }
#ifdef EMU_THREAD_SANITIZER
    __tsan_acquire(&end_tag);
#endif
    emu_notice_block(false);
    emu_current = NULL;
}

static void run_blocks(const struct emu_launch *launch)
{
    const struct emu_index grid = launch->grid;
    const uint64_t count = (uint64_t)grid.x * grid.y * grid.z;
    static unsigned char *used = emu_dynamic_shared + sizeof emu_dynamic_shared; /* what is behind is poisoned */
    unsigned char *const end = emu_dynamic_shared + launch->shared_bytes;
    unsigned char *const beyond = emu_dynamic_shared + sizeof emu_dynamic_shared;
    poison(end, used);
    used = beyond;
#ifdef EMU_ADDRESS_SANITIZER
    __asan_poison_memory_region(end, (size_t)(beyond - end));
#endif
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t b = launch->last_first ? count - 1 - i : i;
        emu_block_index = (struct emu_index){(unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y),
                                           (unsigned)(b / ((uint64_t)grid.x * grid.y))};
        run_block(launch);
    }
#ifdef EMU_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(end, (size_t)(beyond - end));
#endif
    if (*end != 0xff || memcmp(end, end + 1, (size_t)(beyond - end - 1)) != 0) {
        const unsigned char *at = end;
        while (*at == 0xff)
            at++;
        emu_fail("writes dynamic shared memory at byte %zu of %u", (size_t)(at - emu_dynamic_shared),
                 launch->shared_bytes);
    }
    used = end;
}

static void check_limits(const struct emu_launch *launch)
{
    const struct emu_index g = launch->grid, b = launch->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (!threads || threads > EMU_MOST_THREADS || b.z > 64)
        emu_fail("a block of %u x %u x %u threads; at most 1024 are possible, 64 in z", b.x, b.y, b.z);
    if (kernel->most_threads && threads > kernel->most_threads)
        emu_fail("a block of %u threads; __launch_bounds__ of %s says %u", (unsigned)threads, kernel->name,
                kernel->most_threads);
    if (!g.x || !g.y || !g.z || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
        emu_fail("a grid of %u x %u x %u blocks", g.x, g.y, g.z);
    if (launch->shared_bytes > EMU_MOST_SHARED)
        emu_fail("%u bytes of dynamic shared memory; at most %u are possible", launch->shared_bytes, EMU_MOST_SHARED);
}

bool emu_is_shared(const void *address, size_t bytes)
{
    const unsigned char *at = address;
    return (at >= emu_dynamic_shared && at + bytes <= emu_dynamic_shared + emu_dynamic_bytes) ||
           (at >= __start_emu_shared && at + bytes <= __stop_emu_shared);
}

const struct emu_kernel *emu_find_kernel(const char *name)
{
    for (const struct emu_kernel *found = emu_kernels; found->name; found++)
        if (!strcmp(found->name, name))
            return found;
    return NULL;
}

int emu_launch_kernel(const char *name, const struct emu_launch *launch, void **arguments, char *message, size_t room)
{
    static char busy;
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        sched_yield();
    *failure_text = 0;
    on_fiber = false;
    emu_current = NULL;
    if (!setjmp(failure)) {
        kernel = emu_find_kernel(name);
        if (!kernel)
            emu_fail("there is no kernel %s", name);
        check_limits(launch);
        kernel_arguments = arguments;
        random_state = launch->order * 2654435761u | 1;
        emu_grid_shape = launch->grid;
        emu_block_shape = launch->block;
        emu_thread_count = launch->block.x * launch->block.y * launch->block.z;
        emu_dynamic_bytes = launch->shared_bytes;
        emu_notice_launch(launch);
        emu_fibers_begin(emu_thread_count);
        run_blocks(launch);
        emu_notice_end();
    }
    emu_fibers_end();
    const int failed = *failure_text != 0;
    snprintf(message, room, "%s", failure_text);
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return failed;
}
