/* What the parts of the runtime know of one another: the threads of the block that runs, as fibers. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#pragma GCC visibility push(hidden)

#define EMU_WARP 32
#define EMU_MOST_THREADS 1024
#define EMU_MOST_SHARED 232448 /* bytes of a block */

enum emu_state { EMU_READY, EMU_AT_BARRIER, EMU_IN_WARP, EMU_DONE };

struct emu_copy {
    void *to;
    const void *from;
    unsigned bytes, group;
};

struct emu_thread {
    struct emu_index index;
    unsigned number, lane;
    enum emu_state state;
    /* What it waits for, and brings. */
    enum emu_operation operation;
    unsigned mask, operand;
    int width, line;
    emu_word value;
    /* Asynchronous copies under way, oldest first. */
    struct emu_copy *copies;
    unsigned copy_count, copy_room, copy_group;
};
extern struct emu_thread emu_threads[EMU_MOST_THREADS];
extern struct emu_thread *emu_current;
extern unsigned emu_thread_count;

/* Fibers: each thread has one, and so has whoever launched. */
void emu_fibers_begin(unsigned count);
void emu_fibers_end(void);
void emu_fiber_make(unsigned thread, void (*entry)(void));
void emu_fiber_resume(unsigned thread);                  /* from the launcher */
void emu_fiber_leave(unsigned thread, bool for_ever);    /* back to it */
bool emu_on_fiber_stack(const void *address);

/* For ThreadSanitizer: all that these threads have done comes before what any of them will do. */
void emu_fibers_meet(unsigned first, unsigned count, unsigned mask);

/* Resolve what threads wait for: false where nobody can go on. */
bool emu_resolve_block(void);
bool emu_resolve_warps(void);
void emu_explain_deadlock(void);

/* Notices to the checks and the tracer (empty where kernels are not instrumented). */
struct emu_launch;
void emu_notice_launch(const struct emu_launch *launch);
void emu_notice_block(bool begins);
void emu_notice_end(void);
void emu_notice_meeting(const struct emu_thread *thread);
void emu_notice_barrier(void);
void emu_notice_warp_barrier(unsigned warp, unsigned mask);
void emu_notice_copy(const struct emu_copy *copy, bool arrives, const void *site);

extern unsigned emu_dynamic_bytes;
bool emu_is_shared(const void *address, size_t bytes);
extern unsigned char __start_emu_shared[] __attribute__((weak)), __stop_emu_shared[] __attribute__((weak));

#pragma GCC visibility pop

/* What a launch is told. */
struct emu_range {
    uintptr_t begin, end;
};
struct emu_launch {
    struct emu_index grid, block;
    unsigned shared_bytes;
    unsigned order;       /* of threads: 0 forwards, 1 backwards, else a seed */
    unsigned last_first;  /* blocks from the last to the first */
    unsigned range_count; /* of memory that kernels may touch; 0: no check */
    const struct emu_range *ranges;
    struct emu_trace *trace;
};
#define EMU_EXPORT __attribute__((visibility("default")))
/* 0, else the message says what was wrong. */
EMU_EXPORT int emu_launch_kernel(const char *name, const struct emu_launch *launch, void **arguments, char *message,
                                 size_t room);
EMU_EXPORT const struct emu_kernel *emu_find_kernel(const char *name);
