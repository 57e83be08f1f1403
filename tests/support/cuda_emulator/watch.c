/* Each access is told to those whom it concerns. */
#include "watch.h"

extern const unsigned char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));
static const struct bb_launch *launch;

const char *bb_line(const void *site)
{
    static char texts[2][32];
    static unsigned turn;
    char *const text = texts[turn++ % 2];
    snprintf(text, sizeof texts[0], "[+%#tx]", (const unsigned char *)site - 1 - __ehdr_start);
    return text;
}

const struct bb_range *bb_range_of(const void *at, size_t bytes)
{
    static const struct bb_range *last;
    const uintptr_t begin = (uintptr_t)at, end = begin + bytes;
    if (last >= launch->ranges && last < launch->ranges + launch->range_count && begin >= last->begin &&
        end <= last->end)
        return last;
    for (unsigned i = 0; i < launch->range_count; i++)
        if (begin >= launch->ranges[i].begin && end <= launch->ranges[i].end)
            return last = &launch->ranges[i];
    return NULL;
}

static void touch_global(const void *at, size_t bytes, bool writes, const void *site)
{
    const struct bb_range *range = bb_range_of(at, bytes);
    if (range)
        bb_check_global(range, at, bytes, writes, site);
    else if (launch->range_count)
        bb_fail("%s %zu bytes at %p, which belong to no argument, %s", writes ? "writes" : "reads", bytes, at,
                bb_line(site));
    bb_trace_access(at, bytes, writes, false, site);
}

void bb_touch(const void *at, size_t bytes, bool writes, const void *site)
{
    const unsigned char *byte = at;
    if (bb_on_fiber_stack(at))
        return;
    if (byte < __ehdr_start || byte >= _end) {
        touch_global(at, bytes, writes, site);
    } else if ((byte >= bb_dynamic_shared && byte < bb_dynamic_shared + BB_MOST_SHARED) ||
               (byte >= __start_bb_shared && byte < __stop_bb_shared)) {
        if (!bb_is_shared(at, bytes))
            bb_fail("%s shared memory at byte %zu of %u, %s", writes ? "writes" : "reads",
                    (size_t)(byte - bb_dynamic_shared), bb_dynamic_bytes, bb_line(site));
        bb_check_shared(at, bytes, writes, false, site);
        bb_trace_access(at, bytes, writes, true, site);
    }
}

void bb_notice_launch(const struct bb_launch *begins)
{
    launch = begins;
    bb_check_launch(launch);
    bb_trace_launch(launch);
}

void bb_notice_block(bool begins)
{
    if (begins)
        bb_check_block();
    bb_trace_block(begins);
}

void bb_notice_end(void)
{
    bb_trace_end();
}

void bb_notice_meeting(const struct bb_thread *thread)
{
    bb_trace_meeting(thread->number);
}

void bb_notice_barrier(void)
{
    bb_check_barrier();
}

void bb_notice_warp_barrier(unsigned warp, unsigned mask)
{
    bb_check_warp_barrier(warp, mask);
}

void bb_notice_copy(const struct bb_copy *copy, bool arrives, const void *site)
{
    if (!arrives)
        touch_global(copy->from, copy->bytes, false, site);
    bb_check_shared(copy->to, copy->bytes, true, !arrives, site);
}
