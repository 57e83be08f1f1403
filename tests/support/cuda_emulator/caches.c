/* Two caches in front of memory. Both hold sectors, in lines of four, and drop the line that was used longest ago. The
   first is written through and takes in nothing that is written; the second writes back what is dropped. */
#include "trace.h"

#define SECTORS 4u /* of a line */
#define NONE UINT32_MAX

struct line {
    uint64_t tag;
    uint32_t chain, newer, older;
    uint32_t dirty[SECTORS]; /* a bit for each byte */
    unsigned char valid;     /* a bit for each sector */
};
struct cache {
    struct line *lines;
    uint32_t *chains, room, count, newest, oldest;
};
static struct cache first_level, second_level;
static struct emu_trace *trace;

static void make(struct cache *cache, uint64_t bytes)
{
    free(cache->lines);
    free(cache->chains);
    const uint64_t lines = bytes / (SECTORS * EMU_SECTOR);
    cache->room = (uint32_t)(lines ? lines : 1);
    cache->lines = malloc(cache->room * sizeof *cache->lines);
    cache->chains = malloc(cache->room * sizeof *cache->chains);
    if (!cache->lines || !cache->chains)
        abort();
    memset(cache->chains, 0xff, cache->room * sizeof *cache->chains);
    cache->count = 0;
    cache->newest = cache->oldest = NONE;
}

static uint32_t *chain_of(struct cache *cache, uint64_t tag)
{
    return &cache->chains[tag * 0x9e3779b97f4a7c15u % cache->room];
}

static void take_out(struct cache *cache, uint32_t i)
{
    const struct line *line = &cache->lines[i];
    *(line->newer == NONE ? &cache->newest : &cache->lines[line->newer].older) = line->older;
    *(line->older == NONE ? &cache->oldest : &cache->lines[line->older].newer) = line->newer;
}

static void put_first(struct cache *cache, uint32_t i)
{
    struct line *line = &cache->lines[i];
    line->newer = NONE;
    line->older = cache->newest;
    *(cache->newest == NONE ? &cache->oldest : &cache->lines[cache->newest].newer) = i;
    cache->newest = i;
}

static void write_back(struct line *line)
{
    for (unsigned sector = 0; sector < SECTORS; sector++) {
        if (!line->dirty[sector])
            continue;
        trace->memory_writes++;
        if (line->dirty[sector] != UINT32_MAX && !(line->valid >> sector & 1))
            trace->memory_reads++; /* the rest of it */
        line->dirty[sector] = 0;
    }
}

static uint32_t drop_oldest(struct cache *cache)
{
    const uint32_t i = cache->oldest;
    uint32_t *link = chain_of(cache, cache->lines[i].tag);
    while (*link != i)
        link = &cache->lines[*link].chain;
    *link = cache->lines[i].chain;
    take_out(cache, i);
    write_back(&cache->lines[i]);
    return i;
}

/* The line of a tag, which is the newest now; NULL where it is not there and none is wanted. */
static struct line *find(struct cache *cache, uint64_t tag, bool wanted)
{
    uint32_t *const chain = chain_of(cache, tag), i = *chain;
    for (uint32_t at = i; at != NONE; at = cache->lines[at].chain)
        if (cache->lines[at].tag == tag) {
            take_out(cache, at);
            put_first(cache, at);
            return &cache->lines[at];
        }
    if (!wanted)
        return NULL;
    const uint32_t fresh = cache->count < cache->room ? cache->count++ : drop_oldest(cache);
    cache->lines[fresh] = (struct line){.tag = tag, .chain = *chain};
    *chain = fresh;
    put_first(cache, fresh);
    return &cache->lines[fresh];
}

void emu_caches_begin(struct emu_trace *begins)
{
    trace = begins;
    make(&first_level, trace->first_level);
    make(&second_level, trace->second_level);
}

void emu_caches_touch(uint64_t sector, uint32_t bytes_mask, bool writes)
{
    const uint64_t tag = sector / SECTORS;
    const unsigned in_line = sector % SECTORS;
    const unsigned char bit = (unsigned char)(1u << in_line);
    struct line *first = find(&first_level, tag, !writes);
    if (!writes) {
        if (first->valid & bit)
            return;
        first->valid |= bit;
        trace->first_level_misses++;
    }
    struct line *second = find(&second_level, tag, true);
    if (writes) {
        second->dirty[in_line] |= bytes_mask;
    } else if (!(second->valid & bit)) {
        if ((bytes_mask & ~second->dirty[in_line]) != 0)
            trace->memory_reads++;
        second->valid |= bit;
    }
}

void emu_caches_end(void)
{
    for (uint32_t i = 0; i < second_level.count; i++)
        write_back(&second_level.lines[i]);
}
