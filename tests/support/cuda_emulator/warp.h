/* Second part: barriers, shuffles, votes and reductions. Each knows its line: threads that meet must be at one. */
#pragma once
#define EMU_LINE int line = __builtin_LINE()

static inline void __syncthreads(EMU_LINE)
{
    emu_meet_block(EMU_BARRIER, 0, line);
}
static inline int __syncthreads_and(int predicate, EMU_LINE)
{
    return (int)emu_meet_block(EMU_BARRIER_AND, predicate, line);
}
static inline int __syncthreads_or(int predicate, EMU_LINE)
{
    return (int)emu_meet_block(EMU_BARRIER_OR, predicate, line);
}
static inline int __syncthreads_count(int predicate, EMU_LINE)
{
    return (int)emu_meet_block(EMU_BARRIER_COUNT, predicate, line);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu, EMU_LINE)
{
    emu_meet_warp(EMU_WARP_BARRIER, mask, 0, 0, 32, line);
}

template <class T>
static inline T emu_shuffled(emu_operation operation, unsigned mask, T value, unsigned operand, int width, int line)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "what is shuffled has 4 or 8 bytes");
    emu_word word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    word = emu_meet_warp(operation, mask, word, operand, width, line);
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}
template <class T> static inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, EMU_LINE)
{
    return emu_shuffled(EMU_SHUFFLE, mask, value, (unsigned)lane, width, line);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, EMU_LINE)
{
    return emu_shuffled(EMU_SHUFFLE_UP, mask, value, delta, width, line);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, EMU_LINE)
{
    return emu_shuffled(EMU_SHUFFLE_DOWN, mask, value, delta, width, line);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, EMU_LINE)
{
    return emu_shuffled(EMU_SHUFFLE_XOR, mask, value, (unsigned)bits, width, line);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, EMU_LINE)
{
    return (unsigned)emu_meet_warp(EMU_BALLOT, mask, predicate != 0, 0, 32, line);
}
static inline int __any_sync(unsigned mask, int predicate, EMU_LINE)
{
    return (int)emu_meet_warp(EMU_ANY, mask, predicate != 0, 0, 32, line);
}
static inline int __all_sync(unsigned mask, int predicate, EMU_LINE)
{
    return (int)emu_meet_warp(EMU_ALL, mask, predicate != 0, 0, 32, line);
}

#define EMU_REDUCE(name, type, operation)                                                                              \
    static inline type name(unsigned mask, type value, EMU_LINE)                                                       \
    {                                                                                                                  \
        return (type)emu_meet_warp(operation, mask, (unsigned)value, 0, 32, line);                                     \
    }
EMU_REDUCE(__reduce_add_sync, unsigned, EMU_REDUCE_ADD)
EMU_REDUCE(__reduce_add_sync, int, EMU_REDUCE_ADD)
EMU_REDUCE(__reduce_min_sync, unsigned, EMU_REDUCE_MIN)
EMU_REDUCE(__reduce_min_sync, int, EMU_REDUCE_MIN_SIGNED)
EMU_REDUCE(__reduce_max_sync, unsigned, EMU_REDUCE_MAX)
EMU_REDUCE(__reduce_max_sync, int, EMU_REDUCE_MAX_SIGNED)
EMU_REDUCE(__reduce_and_sync, unsigned, EMU_REDUCE_AND)
EMU_REDUCE(__reduce_or_sync, unsigned, EMU_REDUCE_OR)
EMU_REDUCE(__reduce_xor_sync, unsigned, EMU_REDUCE_XOR)
