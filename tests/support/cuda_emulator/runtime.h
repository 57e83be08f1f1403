/* What emulated kernels ask of the runtime. C and C++, no other header. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

struct emu_index {
    unsigned x, y, z;
};
extern struct emu_index *emu_thread_index, emu_block_index, emu_block_shape, emu_grid_shape;

enum emu_operation {
    EMU_BARRIER,
    EMU_BARRIER_AND,
    EMU_BARRIER_OR,
    EMU_BARRIER_COUNT,
    EMU_WARP_BARRIER,
    EMU_SHUFFLE,
    EMU_SHUFFLE_UP,
    EMU_SHUFFLE_DOWN,
    EMU_SHUFFLE_XOR,
    EMU_BALLOT,
    EMU_ANY,
    EMU_ALL,
    EMU_REDUCE_ADD,
    EMU_REDUCE_MIN,
    EMU_REDUCE_MAX,
    EMU_REDUCE_MIN_SIGNED,
    EMU_REDUCE_MAX_SIGNED,
    EMU_REDUCE_AND,
    EMU_REDUCE_OR,
    EMU_REDUCE_XOR
};
typedef unsigned long long emu_word;

/* Wait for the threads of the block, or for those of the mask in the warp, which must do the same at the same line. */
emu_word emu_meet_block(enum emu_operation operation, int predicate, int line);
emu_word emu_meet_warp(enum emu_operation operation, unsigned mask, emu_word value, unsigned operand, int width,
                       int line);

/* Asynchronous copies to shared memory: what arrives there is nothing before the wait. */
void emu_copy_async(void *to, const void *from, unsigned bytes);
void emu_copy_async_commit(void);
void emu_copy_async_wait(unsigned groups);

/* Before an atomic operation. */
void emu_atomic(const void *at, unsigned bytes);

/* Where `extern __shared__` arrays begin. */
extern unsigned char emu_dynamic_shared[];

/* Behind an array of shared memory are as many bytes that are nobody's. */
#define EMU_GAP 128 /* all banks, so that no array lies in others for it */
void emu_gap(const unsigned char *begin);

/* Stops the launch. */
void emu_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#pragma GCC visibility pop

/* A kernel as the launcher finds it. Of each parameter the signature has a letter (p pointer, i signed, u unsigned,
   f floating-point) and the bytes: "p8i4f8". */
struct emu_kernel {
    const char *name, *signature;
    void (*call)(void **arguments);
    unsigned most_threads;
};
extern const struct emu_kernel emu_kernels[]; /* the last has no name */

#ifdef __cplusplus
}
#endif
