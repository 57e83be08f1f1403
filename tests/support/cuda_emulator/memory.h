/* Third part: loads and stores with hints, which change nothing here; asynchronous copies; atomic operations, for which
   it is enough that threads take turns. */
#pragma once

#define BB_LOAD_HINT(name)                                                                                             \
    template <class T> static inline T name(const T *from)                                                             \
    {                                                                                                                  \
        return *from;                                                                                                  \
    }
#define BB_STORE_HINT(name)                                                                                            \
    template <class T, class U> static inline void name(T *to, U value)                                                \
    {                                                                                                                  \
        *to = (T)value;                                                                                                \
    }
BB_LOAD_HINT(__ldg)
BB_LOAD_HINT(__ldca)
BB_LOAD_HINT(__ldcg)
BB_LOAD_HINT(__ldcs)
BB_LOAD_HINT(__ldcv)
BB_LOAD_HINT(__ldlu)
BB_STORE_HINT(__stcg)
BB_STORE_HINT(__stcs)
BB_STORE_HINT(__stwb)
BB_STORE_HINT(__stwt)

static inline void bb_copy_async4(void *shared, const void *global)
{
    bb_copy_async(shared, global, 4);
}
static inline void bb_copy_async8(void *shared, const void *global)
{
    bb_copy_async(shared, global, 8);
}
static inline void bb_copy_async16(void *shared, const void *global)
{
    bb_copy_async(shared, global, 16);
}
/* All but the last `groups` groups of copies of this thread have arrived. */
template <unsigned groups> static inline void bb_copy_async_wait()
{
    bb_copy_async_wait(groups);
}

static inline void __threadfence()
{
}
static inline void __threadfence_block()
{
}

/* Neither counted nor checked. */
#define BB_ATOMIC(name, result)                                                                                        \
    template <class T, class U>                                                                                        \
    __attribute__((no_sanitize("thread"), no_sanitize("address"))) static inline T name(T *at, U given)                \
    {                                                                                                                  \
        const T value = (T)given, old = *at;                                                                           \
        *at = result;                                                                                                  \
        return old;                                                                                                    \
    }
BB_ATOMIC(atomicAdd, (T)(old + value))
BB_ATOMIC(atomicMax, old < value ? value : old)
BB_ATOMIC(atomicMin, value < old ? value : old)
BB_ATOMIC(atomicOr, (T)(old | value))
BB_ATOMIC(atomicExch, value)
