/* Who has read and written each word of memory, and which of these accesses a barrier has ordered.

   Time is counted in epochs: a barrier of the block, and a new block, begin one. Accesses in different epochs of a block
   are ordered, those of different blocks never. In an epoch only lanes of a warp can be ordered, by __syncwarp: each
   lane has a clock, and knows of the others' what it has learned when it met them. */
#include "watch.h"
#include <sys/mman.h>

#define WORD 4 /* bytes */
#define MOST_CELLS ((size_t)1 << 22)
#define STATIC_ROOM ((size_t)1 << 20)

struct access {
    unsigned epoch, clock;
    unsigned short thread;
    bool under_way;
    const void *site;
};
struct cell {
    struct access write, read; /* the last ones */
    bool other_warps_read;     /* in the epoch of the last read */
    bool other_blocks_read;
    unsigned clocks[BB_WARP]; /* of lanes that have read in the epoch of the last read, in its warp */
};

static unsigned epoch, first_of_block, clocks[BB_MOST_THREADS / BB_WARP][BB_WARP][BB_WARP];
static struct cell *dynamic_cells, *static_cells, *global_cells;
static size_t global_count;
static const struct bb_range *ranges;

static struct cell *reserve(size_t cells)
{
    void *found = mmap(NULL, cells * sizeof(struct cell), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED)
        abort();
    return found;
}

void bb_check_launch(const struct bb_launch *launch)
{
    if (!dynamic_cells) {
        dynamic_cells = reserve(BB_MOST_SHARED / WORD + 1);
        static_cells = reserve((size_t)(__stop_bb_shared - __start_bb_shared) / WORD + 1);
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

void bb_check_block(void)
{
    first_of_block = ++epoch;
    for (unsigned i = 0; i < bb_thread_count; i++)
        if (!clocks[i / BB_WARP][i % BB_WARP][i % BB_WARP])
            clocks[i / BB_WARP][i % BB_WARP][i % BB_WARP] = 1;
}

void bb_check_barrier(void)
{
    epoch++;
}

void bb_check_warp_barrier(unsigned warp, unsigned mask)
{
    unsigned known[BB_WARP] = {0};
    for (unsigned lane = 0; lane < BB_WARP; lane++)
        for (unsigned other = 0; mask >> lane & 1 && other < BB_WARP; other++)
            if (clocks[warp][lane][other] > known[other])
                known[other] = clocks[warp][lane][other];
    for (unsigned lane = 0; lane < BB_WARP; lane++)
        if (mask >> lane & 1) {
            memcpy(clocks[warp][lane], known, sizeof known);
            clocks[warp][lane][lane]++;
        }
}

static unsigned clock_of(const struct bb_thread *thread)
{
    return clocks[thread->number / BB_WARP][thread->lane][thread->lane];
}

/* Whether what this thread does now comes behind an access. */
static bool comes_after(const struct access *access)
{
    const unsigned warp = bb_current->number / BB_WARP;
    if (!access->epoch)
        return true;
    if (access->epoch < first_of_block)
        return false;
    if (access->epoch < epoch || access->thread == bb_current->number)
        return true;
    return access->thread / BB_WARP == warp &&
           clocks[warp][bb_current->lane][access->thread % BB_WARP] >= access->clock;
}

static void refuse(const char *does, const struct access *before, const char *did, const char *memory, const void *site)
{
    char here[64];
    snprintf(here, sizeof here, "%s", bb_line(site));
    if (before->epoch < first_of_block)
        bb_fail("%s %s memory, %s, that another block %s, %s", does, memory, here, did, bb_line(before->site));
    bb_fail("%s %s memory, %s, that thread %u %s, %s, and no barrier is between them", does, memory, here,
            before->thread, did, bb_line(before->site));
}

static void check_readers(const struct cell *cell, const char *memory, const void *site)
{
    const unsigned warp = bb_current->number / BB_WARP;
    struct access read = cell->read;
    if (cell->other_blocks_read)
        read.epoch = first_of_block - 1;
    if (!read.epoch || (read.epoch >= first_of_block && read.epoch < epoch))
        return;
    if (read.epoch < first_of_block || cell->other_warps_read || read.thread / BB_WARP != warp)
        refuse("writes", &read, "reads", memory, site);
    for (unsigned lane = 0; lane < BB_WARP; lane++)
        if (lane != bb_current->lane && cell->clocks[lane] > clocks[warp][bb_current->lane][lane]) {
            read.thread = (unsigned short)(warp * BB_WARP + lane);
            refuse("writes", &read, "reads", memory, site);
        }
}

static void note_read(struct cell *cell, const struct access *now)
{
    if (cell->read.epoch != epoch) {
        cell->other_blocks_read |= cell->read.epoch && cell->read.epoch < first_of_block;
        cell->other_warps_read = false;
        memset(cell->clocks, 0, sizeof cell->clocks);
    } else if (cell->read.thread / BB_WARP != now->thread / BB_WARP) {
        cell->other_warps_read = true;
    }
    cell->read = *now;
    if (!cell->other_warps_read)
        cell->clocks[now->thread % BB_WARP] = now->clock;
}

static void access_cell(struct cell *cell, bool writes, bool under_way, const char *memory, const void *site)
{
    const struct access now = {epoch, clock_of(bb_current), (unsigned short)bb_current->number, under_way, site};
    if (!comes_after(&cell->write))
        refuse(writes ? "writes" : "reads", &cell->write, "writes", memory, site);
    if (!writes) {
        note_read(cell, &now);
        return;
    }
    check_readers(cell, memory, site);
    cell->write = now;
    cell->read.epoch = 0;
    cell->other_blocks_read = false;
}

void bb_check_shared(const void *at, size_t bytes, bool writes, bool under_way, const void *site)
{
    const bool dynamic = (const unsigned char *)at >= bb_dynamic_shared &&
                         (const unsigned char *)at < bb_dynamic_shared + BB_MOST_SHARED;
    const unsigned char *const base = dynamic ? bb_dynamic_shared : __start_bb_shared;
    struct cell *const cells = dynamic ? dynamic_cells : static_cells;
    const size_t begin = (size_t)((const unsigned char *)at - base);
    for (size_t word = begin / WORD; word * WORD < begin + bytes; word++) {
        struct cell *cell = &cells[word];
        if (cell->write.epoch < first_of_block)
            memset(cell, 0, sizeof *cell); /* another block's */
        if (!writes && !cell->write.epoch)
            bb_fail("reads shared memory that nobody has written, %s", bb_line(site));
        if (!writes && cell->write.under_way)
            bb_fail("reads shared memory, %s, before the end of the asynchronous copy, %s, was waited for",
                    bb_line(site), bb_line(cell->write.site));
        access_cell(cell, writes, under_way, "shared", site);
    }
}

void bb_check_global(const struct bb_range *range, const void *at, size_t bytes, bool writes, const void *site)
{
    if (!global_cells)
        return;
    size_t first = 0;
    for (const struct bb_range *before = ranges; before < range; before++)
        first += (before->end - before->begin) / WORD + 2;
    const uintptr_t base = range->begin & ~(uintptr_t)(WORD - 1), begin = (uintptr_t)at - base;
    for (size_t word = begin / WORD; word * WORD < begin + bytes; word++)
        access_cell(&global_cells[first + word], writes, false, "global", site);
}
