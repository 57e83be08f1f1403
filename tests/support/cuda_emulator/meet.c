/* What threads of a block, or lanes of a warp, do together. All arrive, then it is done for all of them at once. A
   shuffle hands values on and orders no memory; barriers do. */
#include "threads.h"

static const char *const NAMES[] = {
    [EMU_BARRIER] = "__syncthreads",
    [EMU_BARRIER_AND] = "__syncthreads_and",
    [EMU_BARRIER_OR] = "__syncthreads_or",
    [EMU_BARRIER_COUNT] = "__syncthreads_count",
    [EMU_WARP_BARRIER] = "__syncwarp",
    [EMU_SHUFFLE] = "__shfl_sync",
    [EMU_SHUFFLE_UP] = "__shfl_up_sync",
    [EMU_SHUFFLE_DOWN] = "__shfl_down_sync",
    [EMU_SHUFFLE_XOR] = "__shfl_xor_sync",
    [EMU_BALLOT] = "__ballot_sync",
    [EMU_ANY] = "__any_sync",
    [EMU_ALL] = "__all_sync",
    [EMU_REDUCE_ADD] = "__reduce_add_sync",
    [EMU_REDUCE_MIN] = "__reduce_min_sync",
    [EMU_REDUCE_MAX] = "__reduce_max_sync",
    [EMU_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [EMU_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
    [EMU_REDUCE_AND] = "__reduce_and_sync",
    [EMU_REDUCE_OR] = "__reduce_or_sync",
    [EMU_REDUCE_XOR] = "__reduce_xor_sync",
};

static emu_word wait_as(enum emu_state state, enum emu_operation operation, int line)
{
    struct emu_thread *me = emu_current;
    me->operation = operation;
    me->line = line;
    me->state = state;
    emu_fiber_leave(me->number, false);
    emu_notice_meeting(me);
    return me->value;
}

emu_word emu_meet_block(enum emu_operation operation, int predicate, int line)
{
    emu_current->value = predicate != 0;
    return wait_as(EMU_AT_BARRIER, operation, line);
}

emu_word emu_meet_warp(enum emu_operation operation, unsigned mask, emu_word value, unsigned operand, int width,
                       int line)
{
    struct emu_thread *me = emu_current;
    if (!(mask >> me->lane & 1))
        emu_fail("%s in line %d by a lane that is not in its mask %08x", NAMES[operation], line, mask);
    if (width < 1 || width > EMU_WARP || (width & (width - 1)))
        emu_fail("%s in line %d has width %d", NAMES[operation], line, width);
    me->mask = mask;
    me->operand = operand;
    me->width = width;
    me->value = value;
    return wait_as(EMU_IN_WARP, operation, line);
}

static void same(const struct emu_thread *a, const struct emu_thread *b)
{
    emu_current = (struct emu_thread *)b;
    if (a->operation != b->operation)
        emu_fail("%s in line %d meets %s in line %d of thread %u", NAMES[b->operation], b->line, NAMES[a->operation],
                a->line, a->number);
    if (a->line != b->line)
        emu_fail("%s in line %d meets that in line %d of thread %u", NAMES[b->operation], b->line, a->line, a->number);
}

bool emu_resolve_block(void)
{
    struct emu_thread *first = NULL;
    unsigned yes = 0, all = 0;
    for (unsigned i = 0; i < emu_thread_count; i++) {
        struct emu_thread *thread = &emu_threads[i];
        if (thread->state == EMU_DONE)
            continue;
        if (thread->state != EMU_AT_BARRIER)
            return false;
        if (!first)
            first = thread;
        same(first, thread);
        all++;
        yes += thread->value != 0;
    }
    if (!first)
        return false;
    emu_fibers_meet(0, emu_thread_count, 0xffffffffu);
    for (unsigned i = 0; i < emu_thread_count; i++) {
        if (emu_threads[i].state == EMU_DONE)
            continue;
        emu_threads[i].state = EMU_READY;
        emu_threads[i].value = first->operation == EMU_BARRIER_AND  ? yes == all
                              : first->operation == EMU_BARRIER_OR ? yes > 0
                                                                  : yes;
    }
    emu_notice_barrier();
    return true;
}

/* The lane from which a shuffle takes its value. */
static unsigned source(const struct emu_thread *thread)
{
    const unsigned lane = thread->lane, width = (unsigned)thread->width, n = thread->operand;
    const unsigned begin = lane & ~(width - 1), end = begin + width;
    switch (thread->operation) {
    case EMU_SHUFFLE_UP:
        return lane - begin < n ? lane : lane - n;
    case EMU_SHUFFLE_DOWN:
        return n >= end - lane ? lane : lane + n;
    case EMU_SHUFFLE_XOR:
        return (lane ^ n) >= end ? lane : lane ^ n;
    default:
        return begin + (n & (width - 1));
    }
}

static emu_word reduced(enum emu_operation operation, emu_word a, emu_word b)
{
    switch (operation) {
    case EMU_REDUCE_MIN:
        return a < b ? a : b;
    case EMU_REDUCE_MAX:
        return a > b ? a : b;
    case EMU_REDUCE_MIN_SIGNED:
        return (int)a < (int)b ? a : b;
    case EMU_REDUCE_MAX_SIGNED:
        return (int)a > (int)b ? a : b;
    case EMU_REDUCE_AND:
    case EMU_ALL:
        return a & b;
    case EMU_REDUCE_OR:
    case EMU_ANY:
        return a | b;
    case EMU_REDUCE_XOR:
        return a ^ b;
    default:
        return (unsigned)(a + b);
    }
}

/* What all lanes get from all. */
static emu_word together(const struct emu_thread *lanes, unsigned members, enum emu_operation operation)
{
    emu_word result = 0;
    bool any = false;
    for (unsigned lane = 0; lane < EMU_WARP; lane++) {
        if (!(members >> lane & 1))
            continue;
        const emu_word value = operation == EMU_BALLOT ? lanes[lane].value << lane : lanes[lane].value;
        result = any ? reduced(operation == EMU_BALLOT ? EMU_REDUCE_OR : operation, result, value) : value;
        any = true;
    }
    return result;
}

static void hand_over(struct emu_thread *lanes, unsigned members)
{
    const enum emu_operation operation = lanes[__builtin_ctz(members)].operation;
    const bool shuffles = operation >= EMU_SHUFFLE && operation <= EMU_SHUFFLE_XOR;
    const emu_word result = shuffles ? 0 : together(lanes, members, operation);
    emu_word values[EMU_WARP];
    for (unsigned lane = 0; lane < EMU_WARP; lane++) {
        if (!(members >> lane & 1))
            continue;
        values[lane] = result;
        if (shuffles) {
            const unsigned from = source(&lanes[lane]);
            emu_current = &lanes[lane];
            if (!(members >> from & 1))
                emu_fail("%s in line %d reads lane %u, which is outside its mask %08x or has left", NAMES[operation],
                        lanes[lane].line, from, lanes[lane].mask);
            values[lane] = lanes[from].value;
        }
    }
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        if (members >> lane & 1) {
            lanes[lane].value = values[lane];
            lanes[lane].state = EMU_READY;
        }
}

/* The lanes that a waiting one waits for, if all are there; else 0. */
static unsigned arrived(struct emu_thread *lanes, unsigned count, const struct emu_thread *waiting)
{
    unsigned members = 0;
    for (unsigned lane = 0; lane < count; lane++) {
        struct emu_thread *other = &lanes[lane];
        if (!(waiting->mask >> lane & 1) || other->state == EMU_DONE)
            continue;
        if (other->state != EMU_IN_WARP)
            return 0;
        if (other->mask != waiting->mask) {
            emu_current = other;
            if (other->mask >> waiting->lane & 1)
                emu_fail("%s in line %d with mask %08x meets one in line %d with mask %08x, of thread %u",
                        NAMES[other->operation], other->line, other->mask, waiting->line, waiting->mask,
                        waiting->number);
            return 0;
        }
        members |= 1u << lane;
    }
    for (unsigned lane = 0; lane < count; lane++)
        if (members >> lane & 1)
            same(waiting, &lanes[lane]);
    return members;
}

bool emu_resolve_warps(void)
{
    bool any = false;
    for (unsigned i = 0; i < emu_thread_count; i++) {
        if (emu_threads[i].state != EMU_IN_WARP)
            continue;
        const unsigned warp = i / EMU_WARP, first = warp * EMU_WARP, left = emu_thread_count - first;
        const unsigned members = arrived(emu_threads + first, left < EMU_WARP ? left : EMU_WARP, &emu_threads[i]);
        if (!members)
            continue;
        if (emu_threads[i].operation == EMU_WARP_BARRIER) {
            emu_fibers_meet(first, EMU_WARP, members);
            emu_notice_warp_barrier(warp, members);
        }
        hand_over(emu_threads + first, members);
        any = true;
    }
    return any;
}

void emu_explain_deadlock(void)
{
    const struct emu_thread *at[2] = {NULL, NULL};
    for (unsigned i = 0; i < emu_thread_count; i++) {
        struct emu_thread *thread = &emu_threads[i];
        if (thread->state == EMU_DONE)
            continue;
        if (!at[0])
            at[0] = thread;
        else if (!at[1] && (thread->line != at[0]->line || thread->operation != at[0]->operation))
            at[1] = thread;
    }
    emu_current = (struct emu_thread *)at[0];
    if (at[1])
        emu_fail("waits for ever at %s in line %d, as thread %u does at %s in line %d", NAMES[at[0]->operation],
                at[0]->line, at[1]->number, NAMES[at[1]->operation], at[1]->line);
    emu_fail("waits for ever at %s in line %d", NAMES[at[0]->operation], at[0]->line);
}
