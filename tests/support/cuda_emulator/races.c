/* Who has read and written each word of memory, and which of these accesses a barrier has ordered.

   Time is counted in epochs: a barrier of the block, and a new block, begin one. Accesses in two epochs of a block are
   ordered, those of different blocks never. In an epoch only lanes of a warp can be ordered, by __syncwarp: each
   lane has a clock, and knows of the others' what it has learned when it met them. */
#include "watch.h"
#include <sys/mman.h>

#define WORD 4 /* bytes */
#define MOST_CELLS ((size_t)1 << 22)
#define MOST_GAPS 64

struct access {
    unsigned epoch, clock;
    unsigned short thread;
    bool under_way;
    const void *site;
};
struct cell {
    struct access write, read, atomic; /* the last ones */
    bool other_warps_read;     /* in the epoch of the last read */
    bool other_blocks_read;
    unsigned clocks[EMU_WARP]; /* of lanes that have read in the epoch of the last read, in its warp */
};

static unsigned epoch, first_of_block, clocks[EMU_MOST_THREADS / EMU_WARP][EMU_WARP][EMU_WARP];
static struct cell *dynamic_cells, *static_cells, *global_cells;
static size_t global_count;
static const struct emu_range *ranges;
static const unsigned char *gaps[MOST_GAPS];

static struct cell *reserve(size_t cells)
{
    void *found = mmap(NULL, cells * sizeof(struct cell), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED)
        abort();
    return found;
}

void emu_check_launch(const struct emu_launch *launch)
{
    if (!dynamic_cells) {
        dynamic_cells = reserve(EMU_MOST_SHARED / WORD + 1);
        static_cells = reserve((size_t)(__stop_emu_shared - __start_emu_shared) / WORD + 1);
    }
    if (global_cells)
        munmap(global_cells, global_count * sizeof(struct cell));
    global_cells = NULL;
    ranges = launch->ranges;
    global_count = 0;
    for (unsigned i = 0; i < launch->range_count; i++)
        global_count += (ranges[i].end - ranges[i].begin) / WORD + 2;
    if (global_count && global_count <= MOST_CELLS)
        global_cells = reserve(global_count);
}

void emu_check_block(void)
{
    first_of_block = ++epoch;
    for (unsigned i = 0; i < emu_thread_count; i++)
        if (!clocks[i / EMU_WARP][i % EMU_WARP][i % EMU_WARP])
            clocks[i / EMU_WARP][i % EMU_WARP][i % EMU_WARP] = 1;
}

void emu_check_barrier(void)
{
    epoch++;
}

void emu_check_warp_barrier(unsigned warp, unsigned mask)
{
    unsigned known[EMU_WARP] = {0};
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        for (unsigned other = 0; mask >> lane & 1 && other < EMU_WARP; other++)
            if (clocks[warp][lane][other] > known[other])
                known[other] = clocks[warp][lane][other];
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        if (mask >> lane & 1) {
            memcpy(clocks[warp][lane], known, sizeof known);
            clocks[warp][lane][lane]++;
        }
}

static unsigned clock_of(const struct emu_thread *thread)
{
    return clocks[thread->number / EMU_WARP][thread->lane][thread->lane];
}

/* Whether what this thread does now comes behind an access. */
static bool comes_after(const struct access *access)
{
    const unsigned warp = emu_current->number / EMU_WARP;
    if (!access->epoch)
        return true;
    if (access->epoch < first_of_block)
        return false;
    if (access->epoch < epoch || access->thread == emu_current->number)
        return true;
    return access->thread / EMU_WARP == warp &&
           clocks[warp][emu_current->lane][access->thread % EMU_WARP] >= access->clock;
}

static void refuse(const char *does, const struct access *before, const char *did, const char *memory, const void *site)
{
    char here[64];
    snprintf(here, sizeof here, "%s", emu_line(site));
    if (before->epoch < first_of_block)
        emu_fail("%s %s memory, %s, that another block %s, %s", does, memory, here, did, emu_line(before->site));
    emu_fail("%s %s memory, %s, that thread %u %s, %s, and no barrier is between them", does, memory, here,
            before->thread, did, emu_line(before->site));
}

static void check_readers(const struct cell *cell, const char *memory, const void *site)
{
    const unsigned warp = emu_current->number / EMU_WARP;
    struct access read = cell->read;
    if (cell->other_blocks_read)
        read.epoch = first_of_block - 1;
    if (!read.epoch || (read.epoch >= first_of_block && read.epoch < epoch))
        return;
    if (read.epoch < first_of_block || cell->other_warps_read || read.thread / EMU_WARP != warp)
        refuse("writes", &read, "reads", memory, site);
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        if (lane != emu_current->lane && cell->clocks[lane] > clocks[warp][emu_current->lane][lane]) {
            read.thread = (unsigned short)(warp * EMU_WARP + lane);
            refuse("writes", &read, "reads", memory, site);
        }
}

static void note_read(struct cell *cell, const struct access *now)
{
    if (cell->read.epoch != epoch) {
        cell->other_blocks_read |= cell->read.epoch && cell->read.epoch < first_of_block;
        cell->other_warps_read = false;
        memset(cell->clocks, 0, sizeof cell->clocks);
    } else if (cell->read.thread / EMU_WARP != now->thread / EMU_WARP) {
        cell->other_warps_read = true;
    }
    cell->read = *now;
    if (!cell->other_warps_read)
        cell->clocks[now->thread % EMU_WARP] = now->clock;
}

static void access_cell(struct cell *cell, enum emu_access what, const char *memory, const void *site)
{
    const struct access now = {epoch, clock_of(emu_current), (unsigned short)emu_current->number, what == EMU_COPIES,
                               site};
    const char *const does = what == EMU_READS ? "reads" : "writes";
    if (!comes_after(&cell->write))
        refuse(does, &cell->write, "writes", memory, site);
    if (what != EMU_ATOMIC_OPERATION && !comes_after(&cell->atomic))
        refuse(does, &cell->atomic, "writes", memory, site);
    if (what == EMU_READS) {
        note_read(cell, &now);
        return;
    }
    check_readers(cell, memory, site);
    *(what == EMU_ATOMIC_OPERATION ? &cell->atomic : &cell->write) = now;
    cell->read.epoch = 0;
    cell->other_blocks_read = false;
}

void emu_gap(const unsigned char *begin)
{
    unsigned i = 0;
    while (gaps[i] && gaps[i] != begin)
        if (++i == MOST_GAPS)
            abort();
    gaps[i] = begin;
}

static bool is_in_gap(const unsigned char *at, size_t bytes)
{
    for (const unsigned char *const *gap = gaps; gap < gaps + MOST_GAPS && *gap; gap++)
        if (at < *gap + EMU_GAP && at + bytes > *gap)
            return true;
    return false;
}

void emu_check_shared(const void *at, size_t bytes, enum emu_access what, const void *site)
{
    const bool reads = what == EMU_READS || what == EMU_ATOMIC_OPERATION;
    const bool dynamic = (const unsigned char *)at >= emu_dynamic_shared &&
                         (const unsigned char *)at < emu_dynamic_shared + EMU_MOST_SHARED;
    const unsigned char *const base = dynamic ? emu_dynamic_shared : __start_emu_shared;
    struct cell *const cells = dynamic ? dynamic_cells : static_cells;
    if (!dynamic && is_in_gap(at, bytes))
        emu_fail("%s shared memory behind an array, %s", reads ? "reads" : "writes", emu_line(site));
    const size_t begin = (size_t)((const unsigned char *)at - base);
    for (size_t word = begin / WORD; word * WORD < begin + bytes; word++) {
        struct cell *cell = &cells[word];
        if (cell->write.epoch < first_of_block)
            memset(cell, 0, sizeof *cell); /* another block's */
        if (reads && !cell->write.epoch)
            emu_fail("reads shared memory that nobody has written, %s", emu_line(site));
        if (reads && cell->write.under_way)
            emu_fail("reads shared memory, %s, before the end of the asynchronous copy, %s, was waited for",
                    emu_line(site), emu_line(cell->write.site));
        access_cell(cell, what, "shared", site);
    }
}

void emu_check_global(const struct emu_range *range, const void *at, size_t bytes, enum emu_access what,
                      const void *site)
{
    if (!global_cells)
        return;
    size_t first = 0;
    for (const struct emu_range *before = ranges; before < range; before++)
        first += (before->end - before->begin) / WORD + 2;
    const uintptr_t base = range->begin & ~(uintptr_t)(WORD - 1), begin = (uintptr_t)at - base;
    for (size_t word = begin / WORD; word * WORD < begin + bytes; word++)
        access_cell(&global_cells[first + word], what, "global", site);
}
