/* Threads as fibers: a stack each, and a switch of ten instructions; `ucontext` on other processors. */
#define _GNU_SOURCE
#include "threads.h"
#include <sys/mman.h>
#include <unistd.h>
#if !defined(__x86_64__) || defined(EMU_UCONTEXT)
#include <ucontext.h>
#define EMU_SLOW_SWITCH 1
#endif

#ifdef EMU_THREAD_SANITIZER
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *tag);
void __tsan_release(void *tag);
#endif
#ifdef EMU_ADDRESS_SANITIZER
void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *size);
#endif

#define STACK_BYTES ((size_t)256 << 10)

struct fiber {
    void *stack_pointer;
#ifdef EMU_SLOW_SWITCH
    ucontext_t context;
#endif
    void *sanitizer, *fake;
};
static struct fiber fibers[EMU_MOST_THREADS], launcher;
static unsigned char *stacks;
static unsigned stack_count;
static void (*fiber_entry)(void);
#ifdef EMU_ADDRESS_SANITIZER
static const void *launcher_stack;
static size_t launcher_stack_bytes;
#endif

static unsigned char *stack_of(unsigned thread)
{
    return stacks + thread * STACK_BYTES;
}

bool emu_on_fiber_stack(const void *address)
{
    return (uintptr_t)address - (uintptr_t)stacks < stack_count * STACK_BYTES;
}

#ifndef EMU_SLOW_SWITCH
__attribute__((visibility("hidden"))) void emu_swap_stacks(void **from, void *to);
__asm__(".text\n"
        ".hidden emu_swap_stacks\n"
        ".globl emu_swap_stacks\n"
        ".type emu_swap_stacks,@function\n"
        "emu_swap_stacks:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n    ret\n");
#endif

static void swap(struct fiber *from, struct fiber *to)
{
#ifdef EMU_SLOW_SWITCH
    swapcontext(&from->context, &to->context);
#else
    emu_swap_stacks(&from->stack_pointer, to->stack_pointer);
#endif
}

static void first_entry(void)
{
#ifdef EMU_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(NULL, &launcher_stack, &launcher_stack_bytes);
#endif
    fiber_entry();
}

/* Stacks live as long as a launch: hundreds of modules may be loaded, each with a runtime of its own. */
void emu_fibers_begin(unsigned count)
{
    stack_count = count;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    stacks = mmap(NULL, count * STACK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (stacks == MAP_FAILED)
        abort();
    for (unsigned thread = 0; thread < count; thread++) /* a page below each is for nobody */
        mprotect(stack_of(thread), (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
}

void emu_fibers_end(void)
{
    if (stacks)
        munmap(stacks, stack_count * STACK_BYTES);
    stacks = NULL;
}

void emu_fiber_make(unsigned thread, void (*entry)(void))
{
    struct fiber *fiber = &fibers[thread];
    fiber_entry = entry;
#ifdef EMU_THREAD_SANITIZER
    launcher.sanitizer = __tsan_get_current_fiber();
    fiber->sanitizer = __tsan_create_fiber(0);
#endif
#ifdef EMU_SLOW_SWITCH
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = stack_of(thread);
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, first_entry, 0);
#else
    /* Stacks begin at different lines of a page, so that they do not fall on the same sets of a cache. */
    uintptr_t top = (uintptr_t)stack_of(thread) + STACK_BYTES - (thread % 32) * 128;
    void **stack = (void **)(top & ~(uintptr_t)15);
    *--stack = NULL;
    *--stack = (void *)first_entry;
    for (int saved = 0; saved < 6; saved++)
        *--stack = NULL;
    fiber->stack_pointer = stack;
#endif
}

void emu_fiber_resume(unsigned thread)
{
    struct fiber *fiber = &fibers[thread];
#ifdef EMU_THREAD_SANITIZER
    __tsan_switch_to_fiber(fiber->sanitizer, 1); /* 1: a switch orders nothing */
#endif
#ifdef EMU_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(&launcher.fake, stack_of(thread), STACK_BYTES);
#endif
    swap(&launcher, fiber);
#ifdef EMU_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(launcher.fake, NULL, NULL);
#endif
#ifdef EMU_THREAD_SANITIZER
    if (emu_threads[thread].state == EMU_DONE)
        __tsan_destroy_fiber(fiber->sanitizer);
#endif
}

void emu_fiber_leave(unsigned thread, bool for_ever)
{
    struct fiber *fiber = &fibers[thread];
#ifdef EMU_THREAD_SANITIZER
    __tsan_switch_to_fiber(launcher.sanitizer, 1);
#endif
#ifdef EMU_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(for_ever ? NULL : &fiber->fake, launcher_stack, launcher_stack_bytes);
#endif
    (void)for_ever;
    swap(fiber, &launcher);
#ifdef EMU_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fiber->fake, &launcher_stack, &launcher_stack_bytes);
#endif
}

void emu_fibers_meet(unsigned first, unsigned count, unsigned mask)
{
    (void)first, (void)count, (void)mask;
#ifdef EMU_THREAD_SANITIZER
    static char block_tag, warp_tags[EMU_MOST_THREADS];
    char *const tag = count > EMU_WARP ? &block_tag : &warp_tags[first + (unsigned)__builtin_ctz(mask)];
    for (int after = 0; after < 2; after++)
        for (unsigned i = 0; i < count; i++) {
            if (emu_threads[first + i].state == EMU_DONE || (count <= EMU_WARP && !(mask >> i & 1)))
                continue;
            __tsan_switch_to_fiber(fibers[first + i].sanitizer, 1);
            (after ? __tsan_acquire : __tsan_release)(tag);
        }
    __tsan_switch_to_fiber(launcher.sanitizer, 1);
#endif
}
