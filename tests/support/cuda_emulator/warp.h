/* Second part: barriers, shuffles, votes and reductions. Each knows its line, as threads that meet must be at one line. */
#pragma once
#define BB_LINE int line = __builtin_LINE()

static inline void __syncthreads(BB_LINE)
{
    bb_meet_block(BB_BARRIER, 0, line);
}
static inline int __syncthreads_and(int predicate, BB_LINE)
{
    return (int)bb_meet_block(BB_BARRIER_AND, predicate, line);
}
static inline int __syncthreads_or(int predicate, BB_LINE)
{
    return (int)bb_meet_block(BB_BARRIER_OR, predicate, line);
}
static inline int __syncthreads_count(int predicate, BB_LINE)
{
    return (int)bb_meet_block(BB_BARRIER_COUNT, predicate, line);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu, BB_LINE)
{
    bb_meet_warp(BB_WARP_BARRIER, mask, 0, 0, 32, line);
}

template <class T>
static inline T bb_shuffled(bb_operation operation, unsigned mask, T value, unsigned operand, int width, int line)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what is shuffled has 4 or 8 bytes");
    bb_word word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    word = bb_meet_warp(operation, mask, word, operand, width, line);
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}
template <class T> static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, BB_LINE)
{
    return bb_shuffled(BB_SHUFFLE, mask, value, (unsigned)lane, width, line);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, BB_LINE)
{
    return bb_shuffled(BB_SHUFFLE_UP, mask, value, delta, width, line);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, BB_LINE)
{
    return bb_shuffled(BB_SHUFFLE_DOWN, mask, value, delta, width, line);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, BB_LINE)
{
    return bb_shuffled(BB_SHUFFLE_XOR, mask, value, (unsigned)bits, width, line);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, BB_LINE)
{
    return (unsigned)bb_meet_warp(BB_BALLOT, mask, predicate != 0, 0, 32, line);
}
static inline int __any_sync(unsigned mask, int predicate, BB_LINE)
{
    return (int)bb_meet_warp(BB_ANY, mask, predicate != 0, 0, 32, line);
}
static inline int __all_sync(unsigned mask, int predicate, BB_LINE)
{
    return (int)bb_meet_warp(BB_ALL, mask, predicate != 0, 0, 32, line);
}

#define BB_REDUCE(name, type, operation)                                                                               \
    static inline type name(unsigned mask, type value, BB_LINE)                                                        \
    {                                                                                                                  \
        return (type)bb_meet_warp(operation, mask, (unsigned)value, 0, 32, line);                                      \
    }
BB_REDUCE(__reduce_add_sync, unsigned, BB_REDUCE_ADD)
BB_REDUCE(__reduce_add_sync, int, BB_REDUCE_ADD)
BB_REDUCE(__reduce_min_sync, unsigned, BB_REDUCE_MIN)
BB_REDUCE(__reduce_min_sync, int, BB_REDUCE_MIN_SIGNED)
BB_REDUCE(__reduce_max_sync, unsigned, BB_REDUCE_MAX)
BB_REDUCE(__reduce_max_sync, int, BB_REDUCE_MAX_SIGNED)
BB_REDUCE(__reduce_and_sync, unsigned, BB_REDUCE_AND)
BB_REDUCE(__reduce_or_sync, unsigned, BB_REDUCE_OR)
BB_REDUCE(__reduce_xor_sync, unsigned, BB_REDUCE_XOR)
