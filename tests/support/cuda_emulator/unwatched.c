/* Kernels that are not instrumented: nobody is told anything. */
#include "threads.h"

void emu_notice_launch(const struct emu_launch *launch)
{
    (void)launch;
}
void emu_notice_block(bool begins)
{
    (void)begins;
}
void emu_notice_end(void)
{
}
void emu_notice_meeting(const struct emu_thread *thread)
{
    (void)thread;
}
void emu_notice_barrier(void)
{
}
void emu_notice_warp_barrier(unsigned warp, unsigned mask)
{
    (void)warp, (void)mask;
}
void emu_atomic(const void *at, unsigned bytes)
{
    (void)at, (void)bytes;
}
void emu_gap(const unsigned char *begin)
{
    (void)begin;
}
void emu_notice_copy(const struct emu_copy *copy, bool arrives, const void *site)
{
    (void)copy, (void)arrives, (void)site;
}
