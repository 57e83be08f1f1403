/* Asynchronous copies, done as late as can be: at the wait. Before, their place holds nothing. */
#include "threads.h"

void emu_copy_async(void *to, const void *from, unsigned bytes)
{
    struct emu_thread *me = emu_current;
    if ((uintptr_t)to % bytes || (uintptr_t)from % bytes)
        emu_fail("an asynchronous copy of %u bytes between addresses that are not multiples of that", bytes);
    if (!emu_is_shared(to, bytes))
        emu_fail("an asynchronous copy to what is not shared memory");
    if (me->copy_count == me->copy_room) {
        me->copy_room = me->copy_room ? 2 * me->copy_room : 16;
        me->copies = realloc(me->copies, me->copy_room * sizeof *me->copies);
        if (!me->copies)
            abort();
    }
    struct emu_copy *copy = &me->copies[me->copy_count++];
    *copy = (struct emu_copy){to, from, bytes, me->copy_group};
    emu_notice_copy(copy, false, __builtin_return_address(0));
    memset(to, 0xff, bytes);
}

void emu_copy_async_commit(void)
{
    emu_current->copy_group++;
}

void emu_copy_async_wait(unsigned groups)
{
    struct emu_thread *me = emu_current;
    const unsigned waited = me->copy_group > groups ? me->copy_group - groups : 0;
    unsigned done = 0;
    for (; done < me->copy_count && me->copies[done].group < waited; done++) {
        const struct emu_copy *copy = &me->copies[done];
        memcpy(copy->to, copy->from, copy->bytes);
        emu_notice_copy(copy, true, __builtin_return_address(0));
    }
    me->copy_count -= done;
    memmove(me->copies, me->copies + done, me->copy_count * sizeof *me->copies);
}
