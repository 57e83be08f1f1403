/* Each access is told to those whom it concerns. */
#include "watch.h"

#pragma GCC visibility push(hidden)
extern const unsigned char __ehdr_start[], _end[]; /* the linker's: of this library */
#pragma GCC visibility pop
static const struct emu_launch *launch;

const char *emu_line(const void *site)
{
    static char texts[2][32];
    static unsigned turn;
    char *const text = texts[turn++ % 2];
    snprintf(text, sizeof texts[0], "[+%#tx]", (const unsigned char *)site - 1 - __ehdr_start);
    return text;
}

const struct emu_range *emu_range_of(const void *at, size_t bytes)
{
    static const struct emu_range *last;
    const uintptr_t begin = (uintptr_t)at, end = begin + bytes;
    if (last >= launch->ranges && last < launch->ranges + launch->range_count && begin >= last->begin &&
        end <= last->end)
        return last;
    for (unsigned i = 0; i < launch->range_count; i++)
        if (begin >= launch->ranges[i].begin && end <= launch->ranges[i].end)
            return last = &launch->ranges[i];
    return NULL;
}

static void touch_global(const void *at, size_t bytes, enum emu_access what, const void *site)
{
    const struct emu_range *range = emu_range_of(at, bytes);
    if (range)
        emu_check_global(range, at, bytes, what, site);
    else if (launch->range_count)
        emu_fail("%s %zu bytes at %p, which belong to no argument, %s", what == EMU_READS ? "reads" : "writes", bytes,
                at, emu_line(site));
    if (what != EMU_ATOMIC_OPERATION)
        emu_trace_access(at, bytes, what == EMU_WRITES, false, site);
}

static void touch(const void *at, size_t bytes, enum emu_access what, const void *site)
{
    const unsigned char *byte = at;
    if (emu_on_fiber_stack(at))
        return;
    if (byte < __ehdr_start || byte >= _end) {
        touch_global(at, bytes, what, site);
    } else if ((byte >= emu_dynamic_shared && byte < emu_dynamic_shared + EMU_MOST_SHARED) ||
               (byte >= __start_emu_shared && byte < __stop_emu_shared)) {
        if (!emu_is_shared(at, bytes))
            emu_fail("%s shared memory at byte %zu of %u, %s", what == EMU_READS ? "reads" : "writes",
                    (size_t)(byte - emu_dynamic_shared), emu_dynamic_bytes, emu_line(site));
        emu_check_shared(at, bytes, what, site);
        if (what != EMU_ATOMIC_OPERATION)
            emu_trace_access(at, bytes, what == EMU_WRITES, true, site);
    }
}

void emu_touch(const void *at, size_t bytes, bool writes, const void *site)
{
    touch(at, bytes, writes ? EMU_WRITES : EMU_READS, site);
}

void emu_atomic(const void *at, unsigned bytes)
{
    touch(at, bytes, EMU_ATOMIC_OPERATION, __builtin_return_address(0));
}

void emu_notice_launch(const struct emu_launch *begins)
{
    launch = begins;
    emu_check_launch(launch);
    emu_trace_launch(launch);
}

void emu_notice_block(bool begins)
{
    if (begins)
        emu_check_block();
    emu_trace_block(begins);
}

void emu_notice_end(void)
{
    emu_trace_end();
}

void emu_notice_meeting(const struct emu_thread *thread)
{
    emu_trace_meeting(thread->number);
}

void emu_notice_barrier(void)
{
    emu_check_barrier();
}

void emu_notice_warp_barrier(unsigned warp, unsigned mask)
{
    emu_check_warp_barrier(warp, mask);
}

void emu_notice_copy(const struct emu_copy *copy, bool arrives, const void *site)
{
    if (!arrives)
        touch_global(copy->from, copy->bytes, EMU_READS, site);
    emu_check_shared(copy->to, copy->bytes, arrives ? EMU_WRITES : EMU_COPIES, site);
}
