/* What lanes touch one after the other becomes instructions of warps: of the lanes that have met as often, those at the
   first place of the code go on together, as on a GPU. Instructions of resident warps take turns. */
#include "trace.h"

struct record {
    uint64_t address; /* on the device: arguments begin at multiples of 512 bytes */
    const void *site;
    unsigned bytes, phase;
    bool writes, shared;
};
struct lane {
    struct record *records;
    size_t count, room, next;
    unsigned phase;
};
struct span {
    uint64_t address;
    unsigned bytes;
};
struct instruction {
    struct span spans[EMU_WARP];
    unsigned count;
    bool writes;
};
struct warp {
    struct instruction *instructions;
    size_t count, room;
};

static struct emu_trace *trace;
static const struct emu_launch *launch;
static struct lane lanes[EMU_MOST_THREADS];
static struct warp *warps;
static size_t warp_count, warp_room;
static unsigned char *touched; /* of each byte of arguments: 1 read first, 2 written */
static uint64_t touched_bytes;

#define GROW(array, count, room)                                                                                       \
    do {                                                                                                               \
        if ((count) == (room)) {                                                                                       \
            (room) = (room) ? 2 * (room) : 64;                                                                         \
            (array) = realloc((array), (room) * sizeof *(array));                                                      \
            if (!(array))                                                                                              \
                abort();                                                                                               \
        }                                                                                                              \
    } while (0)

/* Where a range begins on the device. */
static uint64_t base_of(const struct emu_range *range)
{
    uint64_t base = 0;
    for (const struct emu_range *before = launch->ranges; before < range; before++)
        base += (before->end - before->begin + 511) / 512 * 512;
    return base;
}

void emu_trace_launch(const struct emu_launch *begins)
{
    launch = begins;
    trace = launch->trace;
    free(touched);
    touched = NULL;
    if (!trace)
        return;
    touched_bytes = base_of(launch->ranges + launch->range_count);
    touched = calloc(touched_bytes + 1, 1);
    emu_caches_begin(trace);
}

static void note_bytes(uint64_t at, size_t bytes, bool writes)
{
    for (unsigned char *byte = touched + at; byte < touched + at + bytes; byte++) {
        if (*byte == 0 && !writes)
            *byte = 1, trace->bytes_read++;
        if (!(*byte & 2) && writes)
            *byte |= 2, trace->bytes_written++;
    }
}

static void note_sectors(void)
{
    for (uint64_t at = 0; at < touched_bytes; at += EMU_SECTOR) {
        unsigned all = 3, any = 0;
        for (const unsigned char *byte = touched + at; byte < touched + at + EMU_SECTOR; byte++) {
            all &= *byte;
            any |= *byte;
        }
        trace->sectors_written += any >> 1;
        trace->sectors_read += (any & 1) || any != (all & 2);
    }
}

void emu_trace_access(const void *at, size_t bytes, bool writes, bool shared, const void *site)
{
    if (!trace)
        return;
    struct lane *lane = &lanes[emu_current->number];
    const struct emu_range *range = shared ? NULL : emu_range_of(at, bytes);
    if (!shared && !range)
        return;
    const uint64_t address = shared ? (uintptr_t)at : base_of(range) + ((uintptr_t)at - range->begin);
    if (range)
        note_bytes(address, bytes, writes);
    GROW(lane->records, lane->count, lane->room);
    lane->records[lane->count++] = (struct record){address, site, (unsigned)bytes, lane->phase, writes, shared};
}

void emu_trace_meeting(unsigned thread)
{
    lanes[thread].phase++;
}

/* The record with which some lanes of a warp go on: the first place of those that have met least. */
static const struct record *next_record(const struct lane *first, unsigned count)
{
    const struct record *found = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (first[i].next == first[i].count)
            continue;
        const struct record *record = &first[i].records[first[i].next];
        if (!found || record->phase < found->phase || (record->phase == found->phase && record->site < found->site))
            found = record;
    }
    return found;
}

/* Shared memory has 32 banks of 4 bytes. Lanes are served as many at once as have 128 bytes, and a bank gives them one
   word in a turn. */
static void note_shared(const struct instruction *now)
{
    const unsigned bytes = now->spans[0].bytes, at_once = bytes > 4 ? 128 / bytes : EMU_WARP;
    trace->shared++;
    for (unsigned first = 0; first < now->count; first += at_once) {
        uint64_t words[EMU_WARP * 4];
        unsigned count = 0, turns = 0, in_bank[EMU_WARP] = {0};
        for (unsigned i = first; i < now->count && i < first + at_once; i++)
            for (uint64_t word = now->spans[i].address / 4; word * 4 < now->spans[i].address + bytes; word++) {
                bool known = false;
                for (unsigned j = 0; j < count; j++)
                    known |= words[j] == word;
                if (known || count == EMU_WARP * 4)
                    continue;
                words[count++] = word;
                const unsigned used = ++in_bank[word % EMU_WARP];
                turns = used > turns ? used : turns;
            }
        trace->shared_turns += turns;
        trace->shared_least++;
    }
}

static void merge_warp(struct lane *first, unsigned count, struct warp *warp)
{
    const struct record *next;
    while ((next = next_record(first, count))) {
        struct instruction now = {.writes = next->writes};
        const struct record key = *next;
        for (unsigned i = 0; i < count; i++) {
            const struct record *record = &first[i].records[first[i].next];
            if (first[i].next < first[i].count && record->site == key.site && record->phase == key.phase &&
                record->writes == key.writes) {
                now.spans[now.count++] = (struct span){record->address, record->bytes};
                first[i].next++;
            }
        }
        if (key.shared) {
            note_shared(&now);
            continue;
        }
        GROW(warp->instructions, warp->count, warp->room);
        warp->instructions[warp->count++] = now;
    }
}

static void run_instruction(const struct instruction *now)
{
    uint64_t sectors[EMU_WARP * 8];
    uint32_t masks[EMU_WARP * 8];
    unsigned count = 0;
    for (unsigned i = 0; i < now->count; i++)
        for (uint64_t byte = now->spans[i].address; byte < now->spans[i].address + now->spans[i].bytes; byte++) {
            unsigned j = count;
            while (j > 0 && sectors[j - 1] != byte / EMU_SECTOR)
                j--;
            if (j == 0 && count < EMU_WARP * 8) {
                sectors[count] = byte / EMU_SECTOR;
                masks[count] = 0;
                j = ++count;
            }
            if (j)
                masks[j - 1] |= 1u << byte % EMU_SECTOR;
        }
    *(now->writes ? &trace->stores : &trace->loads) += 1;
    *(now->writes ? &trace->store_sectors : &trace->load_sectors) += count;
    for (unsigned i = 0; i < count; i++)
        emu_caches_touch(sectors[i], masks[i], now->writes);
}

static void run_warps(void)
{
    bool any = true;
    for (size_t step = 0; any; step++) {
        any = false;
        for (size_t w = 0; w < warp_count; w++)
            if (step < warps[w].count) {
                run_instruction(&warps[w].instructions[step]);
                any = true;
            }
    }
    for (size_t w = 0; w < warp_count; w++)
        free(warps[w].instructions);
    warp_count = 0;
}

void emu_trace_block(bool begins)
{
    if (!trace)
        return;
    if (begins) {
        for (unsigned i = 0; i < emu_thread_count; i++)
            lanes[i].count = lanes[i].next = lanes[i].phase = 0;
        return;
    }
    const unsigned in_block = (emu_thread_count + EMU_WARP - 1) / EMU_WARP;
    if (warp_count + in_block > trace->resident_warps)
        run_warps();
    for (unsigned first = 0; first < emu_thread_count; first += EMU_WARP) {
        const unsigned left = emu_thread_count - first;
        GROW(warps, warp_count, warp_room);
        warps[warp_count] = (struct warp){0};
        merge_warp(&lanes[first], left < EMU_WARP ? left : EMU_WARP, &warps[warp_count++]);
    }
}

void emu_trace_end(void)
{
    if (!trace)
        return;
    run_warps();
    emu_caches_end();
    note_sectors();
}
