/* The traffic of a launch, as one multiprocessor would make it. The driver has the same fields. */
#pragma once
#include "watch.h"
#pragma GCC visibility push(hidden)

#define EMU_SECTOR 32u /* bytes: what moves between caches and memory */

struct emu_trace {
    /* The model: bytes of the first-level cache and of the part of the second that a multiprocessor has, and warps that
       take turns. */
    uint64_t first_level, second_level, resident_warps;
    /* Instructions of warps, and sectors that they touch, each counted once in an instruction. */
    uint64_t loads, stores, load_sectors, store_sectors;
    /* Sectors beyond the caches. */
    uint64_t first_level_misses, memory_reads, memory_writes;
    /* Bytes that were read before they were written, and bytes that were written, each counted once. */
    uint64_t bytes_read, bytes_written;
    /* Sectors that these bytes need: of one that is written in part, and not read, what it has beside. */
    uint64_t sectors_read, sectors_written;
    /* Instructions on shared memory, the turns that its banks take for them, and those that bytes alone would take. */
    uint64_t shared, shared_turns, shared_least;
};

void emu_caches_begin(struct emu_trace *trace);
void emu_caches_touch(uint64_t sector, uint32_t bytes_mask, bool writes);
void emu_caches_end(void);
#pragma GCC visibility pop
