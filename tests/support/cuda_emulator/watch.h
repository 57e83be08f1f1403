/* What instrumented kernels tell: each access to memory, by the current thread. */
#pragma once
#include "threads.h"
#pragma GCC visibility push(hidden)

/* Before an access; `site` is an address of the code behind it. */
void emu_touch(const void *at, size_t bytes, bool writes, const void *site);

/* The place of an address in the code, which the driver turns into a line. */
const char *emu_line(const void *site);

/* The memory of arguments, or NULL where the address is in none. */
const struct emu_range *emu_range_of(const void *at, size_t bytes);

/* One block or launch begins. */
void emu_check_launch(const struct emu_launch *launch);
void emu_check_block(void);
void emu_check_barrier(void);
void emu_check_warp_barrier(unsigned warp, unsigned mask);

/* An access to shared memory or that of arguments: fails where another thread's is not ordered with it, or where nobody
   has written what is read. A copy under way is a write that has not arrived. Atomic operations need no order among
   themselves. */
enum emu_access { EMU_READS, EMU_WRITES, EMU_COPIES, EMU_ATOMIC_OPERATION };
void emu_check_shared(const void *at, size_t bytes, enum emu_access what, const void *site);
void emu_check_global(const struct emu_range *range, const void *at, size_t bytes, enum emu_access what,
                      const void *site);

void emu_trace_launch(const struct emu_launch *launch);
void emu_trace_block(bool begins);
void emu_trace_meeting(unsigned thread);
void emu_trace_access(const void *at, size_t bytes, bool writes, bool shared, const void *site);
void emu_trace_end(void);
#pragma GCC visibility pop
