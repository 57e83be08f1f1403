/* Kernels compiled with -fsanitize=thread,alignment,bounds, but linked with this instead of the sanitizers' libraries:
   compilers then call us before each load and store, with no word for it in the text of kernels. */
#include "watch.h"

#define SITE __builtin_return_address(0)
#define ACCESS(bytes)                                                                                                  \
    void __tsan_read##bytes(const void *at)                                                                            \
    {                                                                                                                  \
        emu_touch(at, bytes, false, SITE);                                                                             \
    }                                                                                                                  \
    void __tsan_write##bytes(const void *at)                                                                           \
    {                                                                                                                  \
        emu_touch(at, bytes, true, SITE);                                                                              \
    }                                                                                                                  \
    void __tsan_unaligned_read##bytes(const void *at)                                                                  \
    {                                                                                                                  \
        emu_touch(at, bytes, false, SITE);                                                                             \
    }                                                                                                                  \
    void __tsan_unaligned_write##bytes(const void *at)                                                                 \
    {                                                                                                                  \
        emu_touch(at, bytes, true, SITE);                                                                              \
    }                                                                                                                  \
    void __tsan_read_write##bytes(const void *at)                                                                      \
    {                                                                                                                  \
        emu_touch(at, bytes, false, SITE);                                                                             \
        emu_touch(at, bytes, true, SITE);                                                                              \
    }                                                                                                                  \
    void __tsan_unaligned_read_write##bytes(const void *at)                                                            \
    {                                                                                                                  \
        emu_touch(at, bytes, false, SITE);                                                                             \
        emu_touch(at, bytes, true, SITE);                                                                              \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_read_range(const void *at, size_t bytes)
{
    emu_touch(at, bytes, false, SITE);
}
void __tsan_write_range(const void *at, size_t bytes)
{
    emu_touch(at, bytes, true, SITE);
}
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    emu_touch(from, bytes, false, SITE);
    emu_touch(to, bytes, true, SITE);
    return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    emu_touch(from, bytes, false, SITE);
    emu_touch(to, bytes, true, SITE);
    return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes)
{
    emu_touch(to, bytes, true, SITE);
    return memset(to, value, bytes);
}
void __tsan_init(void)
{
}
void __tsan_func_entry(void *caller)
{
    (void)caller;
}
void __tsan_func_exit(void)
{
}

/* Where compilers have put what they know of a place in the text. */
struct place {
    const char *file;
    uint32_t line, column;
};

void __ubsan_handle_type_mismatch_v1(const struct place *place, uintptr_t address)
{
    emu_fail("an address in line %u is not aligned as its type: %#lx", place->line, (unsigned long)address);
}
void __ubsan_handle_type_mismatch_v1_abort(const struct place *place, uintptr_t address)
{
    __ubsan_handle_type_mismatch_v1(place, address);
}
void __ubsan_handle_alignment_assumption(const struct place *place, uintptr_t address)
{
    __ubsan_handle_type_mismatch_v1(place, address);
}
void __ubsan_handle_out_of_bounds(const struct place *place, uintptr_t index)
{
    emu_fail("an index in line %u is out of bounds: %ld", place->line, (long)index);
}
void __ubsan_handle_out_of_bounds_abort(const struct place *place, uintptr_t index)
{
    __ubsan_handle_out_of_bounds(place, index);
}
