/* Kernels that are not instrumented: nobody is told anything. */
#include "threads.h"

void bb_notice_launch(const struct bb_launch *launch)
{
    (void)launch;
}
void bb_notice_block(bool begins)
{
    (void)begins;
}
void bb_notice_end(void)
{
}
void bb_notice_meeting(const struct bb_thread *thread)
{
    (void)thread;
}
void bb_notice_barrier(void)
{
}
void bb_notice_warp_barrier(unsigned warp, unsigned mask)
{
    (void)warp, (void)mask;
}
void bb_notice_copy(const struct bb_copy *copy, bool arrives, const void *site)
{
    (void)copy, (void)arrives, (void)site;
}
