/* Third part: loads and stores with hints, and what compilers are told of addresses, which change nothing here;
   asynchronous copies; atomic operations, for which it is enough that threads take turns. */
#pragma once

#define EMU_LOAD_HINT(name)                                                                                            \
    template <class T> static inline T name(const T *from)                                                             \
    {                                                                                                                  \
        return *from;                                                                                                  \
    }
#define EMU_STORE_HINT(name)                                                                                           \
    template <class T, class U> static inline void name(T *to, U value)                                                \
    {                                                                                                                  \
        *to = (T)value;                                                                                                \
    }
EMU_LOAD_HINT(__ldg)
EMU_LOAD_HINT(__ldca)
EMU_LOAD_HINT(__ldcg)
EMU_LOAD_HINT(__ldcs)
EMU_LOAD_HINT(__ldcv)
EMU_LOAD_HINT(__ldlu)
EMU_STORE_HINT(__stcg)
EMU_STORE_HINT(__stcs)
EMU_STORE_HINT(__stwb)
EMU_STORE_HINT(__stwt)

#ifndef __clang__ /* which has it */
#define __builtin_assume(condition) ((void)(condition))
#endif
template <class T> static inline unsigned __isGlobal(const T *)
{
    return 1;
}

/* What kernels bring to shared memory is one number after the other, and is waited for as a whole. */
template <class T> static inline void emulated_copy(T *shared, const T *global)
{
    emu_copy_async(shared, global, sizeof(T));
}
static inline void emulated_copies_arrived()
{
    emu_copy_async_commit();
    emu_copy_async_wait(0);
}
static inline void bb_copy_async4(void *shared, const void *global)
{
    emu_copy_async(shared, global, 4);
}
static inline void bb_copy_async8(void *shared, const void *global)
{
    emu_copy_async(shared, global, 8);
}
static inline void bb_copy_async16(void *shared, const void *global)
{
    emu_copy_async(shared, global, 16);
}
static inline void bb_copy_async_commit()
{
    emu_copy_async_commit();
}
/* All but the last `groups` groups of copies of this thread have arrived. */
template <unsigned groups> static inline void bb_copy_async_wait()
{
    emu_copy_async_wait(groups);
}

static inline void __threadfence()
{
}
static inline void __threadfence_block()
{
}

/* Not counted. What others do with the place meanwhile must be atomic, too. */
#define EMU_ATOMIC(name, result)                                                                                       \
    template <class T, class U>                                                                                        \
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) static inline T emu_##name(T *at, U given)          \
    {                                                                                                                  \
        const T value = (T)given, old = *at;                                                                           \
        *at = result;                                                                                                  \
        return old;                                                                                                    \
    }                                                                                                                  \
    template <class T, class U> __forceinline__ T name(T *at, U given)                                                 \
    {                                                                                                                  \
        emu_atomic(at, sizeof *at);                                                                                    \
        return emu_##name(at, given);                                                                                  \
    }
EMU_ATOMIC(atomicAdd, (T)(old + value))
EMU_ATOMIC(atomicMax, old < value ? value : old)
EMU_ATOMIC(atomicMin, value < old ? value : old)
EMU_ATOMIC(atomicOr, (T)(old | value))
EMU_ATOMIC(atomicExch, value)
