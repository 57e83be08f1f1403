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

#define BB_WARP 32
#define BB_MOST_THREADS 1024
#define BB_MOST_SHARED 232448 /* bytes of a block */

enum bb_state { BB_READY, BB_AT_BARRIER, BB_IN_WARP, BB_DONE };

struct bb_copy {
    void *to;
    const void *from;
    unsigned bytes, group;
};

struct bb_thread {
    struct bb_index index;
    unsigned number, lane;
    enum bb_state state;
    /* What it waits for, and brings. */
    enum bb_operation operation;
    unsigned mask, operand;
    int width, line;
    bb_word value;
    /* Asynchronous copies under way, oldest first. */
    struct bb_copy *copies;
    unsigned copy_count, copy_room, copy_group;
};
extern struct bb_thread bb_threads[BB_MOST_THREADS];
extern struct bb_thread *bb_current;
extern unsigned bb_thread_count;

/* Fibers: each thread has one, and so has whoever launched. */
void bb_fibers_begin(unsigned count);
void bb_fibers_end(void);
void bb_fiber_make(unsigned thread, void (*entry)(void));
void bb_fiber_resume(unsigned thread);                  /* from the launcher */
void bb_fiber_leave(unsigned thread, bool for_ever);    /* back to it */
bool bb_on_fiber_stack(const void *address);

/* For ThreadSanitizer: all that these threads have done comes before what any of them will do. */
void bb_fibers_meet(unsigned first, unsigned count, unsigned mask);

/* Resolve what threads wait for: false where nobody can go on. */
bool bb_resolve_block(void);
bool bb_resolve_warps(void);
void bb_explain_deadlock(void);

/* Notices to the checks and the tracer (empty where kernels are not instrumented). */
struct bb_launch;
void bb_notice_launch(const struct bb_launch *launch);
void bb_notice_block(bool begins);
void bb_notice_end(void);
void bb_notice_meeting(const struct bb_thread *thread);
void bb_notice_barrier(void);
void bb_notice_warp_barrier(unsigned warp, unsigned mask);
void bb_notice_copy(const struct bb_copy *copy, bool arrives, const void *site);

extern unsigned bb_dynamic_bytes;
bool bb_is_shared(const void *address, size_t bytes);
extern unsigned char __start_bb_shared[] __attribute__((weak)), __stop_bb_shared[] __attribute__((weak));

#pragma GCC visibility pop

/* What a launch is told. */
struct bb_range {
    uintptr_t begin, end;
};
struct bb_launch {
    struct bb_index grid, block;
    unsigned shared_bytes;
    unsigned order;       /* of threads: 0 forwards, 1 backwards, else a seed */
    unsigned last_first;  /* blocks from the last to the first */
    unsigned range_count; /* of memory that kernels may touch; 0: no check */
    const struct bb_range *ranges;
    struct bb_trace *trace;
};
#define BB_EXPORT __attribute__((visibility("default")))
/* 0, else the message says what was wrong. */
BB_EXPORT int bb_launch_kernel(const char *name, const struct bb_launch *launch, void **arguments, char *message, size_t room);
BB_EXPORT const struct bb_kernel *bb_find_kernel(const char *name);
