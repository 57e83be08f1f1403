/* What emulated kernels ask of the runtime. C and C++, no other header. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

struct bb_index {
    unsigned x, y, z;
};
extern struct bb_index *bb_thread_index, bb_block_index, bb_block_shape, bb_grid_shape;

enum bb_operation {
    BB_BARRIER,
    BB_BARRIER_AND,
    BB_BARRIER_OR,
    BB_BARRIER_COUNT,
    BB_WARP_BARRIER,
    BB_SHUFFLE,
    BB_SHUFFLE_UP,
    BB_SHUFFLE_DOWN,
    BB_SHUFFLE_XOR,
    BB_BALLOT,
    BB_ANY,
    BB_ALL,
    BB_REDUCE_ADD,
    BB_REDUCE_MIN,
    BB_REDUCE_MAX,
    BB_REDUCE_MIN_SIGNED,
    BB_REDUCE_MAX_SIGNED,
    BB_REDUCE_AND,
    BB_REDUCE_OR,
    BB_REDUCE_XOR
};
typedef unsigned long long bb_word;

/* Wait for the threads of the block, or for those of the mask in the warp, which must do the same at the same line. */
bb_word bb_meet_block(enum bb_operation operation, int predicate, int line);
bb_word bb_meet_warp(enum bb_operation operation, unsigned mask, bb_word value, unsigned operand, int width, int line);

/* Asynchronous copies to shared memory: what arrives there is nothing before the wait. */
void bb_copy_async(void *to, const void *from, unsigned bytes);
void bb_copy_async_commit(void);
void bb_copy_async_wait(unsigned groups);

/* Where `extern __shared__` arrays begin. */
extern unsigned char bb_dynamic_shared[];

/* Stops the launch. */
void bb_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#pragma GCC visibility pop

/* A kernel as the launcher finds it. Of each parameter the signature has a letter (p pointer, i signed, u unsigned,
   f floating-point) and the bytes: "p8i4f8". */
struct bb_kernel {
    const char *name, *signature;
    void (*call)(void **arguments);
    unsigned most_threads;
};
extern const struct bb_kernel bb_kernels[]; /* the last has no name */

#ifdef __cplusplus
}
#endif
