/* Asynchronous copies, done as late as can be: at the wait. Before, their place holds nothing. */
#include "threads.h"

void bb_copy_async(void *to, const void *from, unsigned bytes)
{
    struct bb_thread *me = bb_current;
    if ((uintptr_t)to % bytes || (uintptr_t)from % bytes)
        bb_fail("an asynchronous copy of %u bytes between addresses that are not multiples of that", bytes);
    if (!bb_is_shared(to, bytes))
        bb_fail("an asynchronous copy to what is not shared memory");
    if (me->copy_count == me->copy_room) {
        me->copy_room = me->copy_room ? 2 * me->copy_room : 16;
        me->copies = realloc(me->copies, me->copy_room * sizeof *me->copies);
        if (!me->copies)
            abort();
    }
    struct bb_copy *copy = &me->copies[me->copy_count++];
    *copy = (struct bb_copy){to, from, bytes, me->copy_group};
    bb_notice_copy(copy, false, __builtin_return_address(0));
    memset(to, 0xff, bytes);
}

void bb_copy_async_commit(void)
{
    bb_current->copy_group++;
}

void bb_copy_async_wait(unsigned groups)
{
    struct bb_thread *me = bb_current;
    const unsigned waited = me->copy_group > groups ? me->copy_group - groups : 0;
    unsigned done = 0;
    for (; done < me->copy_count && me->copies[done].group < waited; done++) {
        const struct bb_copy *copy = &me->copies[done];
        memcpy(copy->to, copy->from, copy->bytes);
        bb_notice_copy(copy, true, __builtin_return_address(0));
    }
    me->copy_count -= done;
    memmove(me->copies, me->copies + done, me->copy_count * sizeof *me->copies);
}
