/* What threads of a block, or lanes of a warp, do together. All arrive, then the runtime does it for all of them at once.
   A shuffle hands values on and orders no memory; barriers do. */
#include "threads.h"

static const char *const NAMES[] = {
    [BB_BARRIER] = "__syncthreads",
    [BB_BARRIER_AND] = "__syncthreads_and",
    [BB_BARRIER_OR] = "__syncthreads_or",
    [BB_BARRIER_COUNT] = "__syncthreads_count",
    [BB_WARP_BARRIER] = "__syncwarp",
    [BB_SHUFFLE] = "__shfl_sync",
    [BB_SHUFFLE_UP] = "__shfl_up_sync",
    [BB_SHUFFLE_DOWN] = "__shfl_down_sync",
    [BB_SHUFFLE_XOR] = "__shfl_xor_sync",
    [BB_BALLOT] = "__ballot_sync",
    [BB_ANY] = "__any_sync",
    [BB_ALL] = "__all_sync",
    [BB_REDUCE_ADD] = "__reduce_add_sync",
    [BB_REDUCE_MIN] = "__reduce_min_sync",
    [BB_REDUCE_MAX] = "__reduce_max_sync",
    [BB_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [BB_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
    [BB_REDUCE_AND] = "__reduce_and_sync",
    [BB_REDUCE_OR] = "__reduce_or_sync",
    [BB_REDUCE_XOR] = "__reduce_xor_sync",
};

static bb_word wait_as(enum bb_state state, enum bb_operation operation, int line)
{
    struct bb_thread *me = bb_current;
    me->operation = operation;
    me->line = line;
    me->state = state;
    bb_fiber_leave(me->number, false);
    bb_notice_meeting(me);
    return me->value;
}

bb_word bb_meet_block(enum bb_operation operation, int predicate, int line)
{
    bb_current->value = predicate != 0;
    return wait_as(BB_AT_BARRIER, operation, line);
}

bb_word bb_meet_warp(enum bb_operation operation, unsigned mask, bb_word value, unsigned operand, int width, int line)
{
    struct bb_thread *me = bb_current;
    if (!(mask >> me->lane & 1))
        bb_fail("%s in line %d by a lane that is not in its mask %08x", NAMES[operation], line, mask);
    if (width < 1 || width > BB_WARP || (width & (width - 1)))
        bb_fail("%s in line %d has width %d", NAMES[operation], line, width);
    me->mask = mask;
    me->operand = operand;
    me->width = width;
    me->value = value;
    return wait_as(BB_IN_WARP, operation, line);
}

static void same(const struct bb_thread *a, const struct bb_thread *b)
{
    bb_current = (struct bb_thread *)b;
    if (a->operation != b->operation)
        bb_fail("%s in line %d meets %s in line %d of thread %u", NAMES[b->operation], b->line, NAMES[a->operation],
                a->line, a->number);
    if (a->line != b->line)
        bb_fail("%s in line %d meets that in line %d of thread %u", NAMES[b->operation], b->line, a->line, a->number);
}

bool bb_resolve_block(void)
{
    struct bb_thread *first = NULL;
    unsigned yes = 0, all = 0;
    for (unsigned i = 0; i < bb_thread_count; i++) {
        struct bb_thread *thread = &bb_threads[i];
        if (thread->state == BB_DONE)
            continue;
        if (thread->state != BB_AT_BARRIER)
            return false;
        if (!first)
            first = thread;
        same(first, thread);
        all++;
        yes += thread->value != 0;
    }
    if (!first)
        return false;
    bb_fibers_meet(0, bb_thread_count, 0xffffffffu);
    for (unsigned i = 0; i < bb_thread_count; i++) {
        if (bb_threads[i].state == BB_DONE)
            continue;
        bb_threads[i].state = BB_READY;
        bb_threads[i].value = first->operation == BB_BARRIER_AND  ? yes == all
                              : first->operation == BB_BARRIER_OR ? yes > 0
                                                                  : yes;
    }
    bb_notice_barrier();
    return true;
}

/* The lane from which a shuffle takes its value. */
static unsigned source(const struct bb_thread *thread)
{
    const unsigned lane = thread->lane, width = (unsigned)thread->width, n = thread->operand;
    const unsigned begin = lane & ~(width - 1), end = begin + width;
    switch (thread->operation) {
    case BB_SHUFFLE_UP:
        return lane - begin < n ? lane : lane - n;
    case BB_SHUFFLE_DOWN:
        return n >= end - lane ? lane : lane + n;
    case BB_SHUFFLE_XOR:
        return (lane ^ n) >= end ? lane : lane ^ n;
    default:
        return begin + (n & (width - 1));
    }
}

static bb_word reduced(enum bb_operation operation, bb_word a, bb_word b)
{
    switch (operation) {
    case BB_REDUCE_MIN:
        return a < b ? a : b;
    case BB_REDUCE_MAX:
        return a > b ? a : b;
    case BB_REDUCE_MIN_SIGNED:
        return (int)a < (int)b ? a : b;
    case BB_REDUCE_MAX_SIGNED:
        return (int)a > (int)b ? a : b;
    case BB_REDUCE_AND:
    case BB_ALL:
        return a & b;
    case BB_REDUCE_OR:
    case BB_ANY:
        return a | b;
    case BB_REDUCE_XOR:
        return a ^ b;
    default:
        return (unsigned)(a + b);
    }
}

/* What all lanes get from all. */
static bb_word together(const struct bb_thread *lanes, unsigned members, enum bb_operation operation)
{
    bb_word result = 0;
    bool any = false;
    for (unsigned lane = 0; lane < BB_WARP; lane++) {
        if (!(members >> lane & 1))
            continue;
        const bb_word value = operation == BB_BALLOT ? lanes[lane].value << lane : lanes[lane].value;
        result = any ? reduced(operation == BB_BALLOT ? BB_REDUCE_OR : operation, result, value) : value;
        any = true;
    }
    return result;
}

static void hand_over(struct bb_thread *lanes, unsigned members)
{
    const enum bb_operation operation = lanes[__builtin_ctz(members)].operation;
    const bool shuffles = operation >= BB_SHUFFLE && operation <= BB_SHUFFLE_XOR;
    const bb_word result = shuffles ? 0 : together(lanes, members, operation);
    bb_word values[BB_WARP];
    for (unsigned lane = 0; lane < BB_WARP; lane++) {
        if (!(members >> lane & 1))
            continue;
        values[lane] = result;
        if (shuffles) {
            const unsigned from = source(&lanes[lane]);
            bb_current = &lanes[lane];
            if (!(members >> from & 1))
                bb_fail("%s in line %d reads lane %u, which is outside its mask %08x or has left", NAMES[operation],
                        lanes[lane].line, from, lanes[lane].mask);
            values[lane] = lanes[from].value;
        }
    }
    for (unsigned lane = 0; lane < BB_WARP; lane++)
        if (members >> lane & 1) {
            lanes[lane].value = values[lane];
            lanes[lane].state = BB_READY;
        }
}

/* The lanes that a waiting one waits for, if all are there; else 0. */
static unsigned arrived(struct bb_thread *lanes, unsigned count, const struct bb_thread *waiting)
{
    unsigned members = 0;
    for (unsigned lane = 0; lane < count; lane++) {
        struct bb_thread *other = &lanes[lane];
        if (!(waiting->mask >> lane & 1) || other->state == BB_DONE)
            continue;
        if (other->state != BB_IN_WARP)
            return 0;
        if (other->mask != waiting->mask) {
            bb_current = other;
            if (other->mask >> waiting->lane & 1)
                bb_fail("%s in line %d with mask %08x meets one in line %d with mask %08x, of thread %u",
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

bool bb_resolve_warps(void)
{
    bool any = false;
    for (unsigned i = 0; i < bb_thread_count; i++) {
        if (bb_threads[i].state != BB_IN_WARP)
            continue;
        const unsigned warp = i / BB_WARP, first = warp * BB_WARP, left = bb_thread_count - first;
        const unsigned members = arrived(bb_threads + first, left < BB_WARP ? left : BB_WARP, &bb_threads[i]);
        if (!members)
            continue;
        if (bb_threads[i].operation == BB_WARP_BARRIER) {
            bb_fibers_meet(first, BB_WARP, members);
            bb_notice_warp_barrier(warp, members);
        }
        hand_over(bb_threads + first, members);
        any = true;
    }
    return any;
}

void bb_explain_deadlock(void)
{
    const struct bb_thread *at[2] = {NULL, NULL};
    for (unsigned i = 0; i < bb_thread_count; i++) {
        struct bb_thread *thread = &bb_threads[i];
        if (thread->state == BB_DONE)
            continue;
        if (!at[0])
            at[0] = thread;
        else if (!at[1] && (thread->line != at[0]->line || thread->operation != at[0]->operation))
            at[1] = thread;
    }
    bb_current = (struct bb_thread *)at[0];
    if (at[1])
        bb_fail("waits for ever at %s in line %d, as thread %u does at %s in line %d", NAMES[at[0]->operation],
                at[0]->line, at[1]->number, NAMES[at[1]->operation], at[1]->line);
    bb_fail("waits for ever at %s in line %d", NAMES[at[0]->operation], at[0]->line);
}
