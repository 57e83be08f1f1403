{# Memory of a call: the caller's, or on the stack where it is little, as most calls need little. #}
typedef struct {
    _Alignas(16) char bytes[16384];
} small_block;

static inline char *block_of(small_block *small, size_t bytes)
{
    return bytes <= sizeof small->bytes ? small->bytes : malloc(bytes);
}

static inline void release(const small_block *small, char *block)
{
    if (block != small->bytes)
        free(block);
}

enum { LINE = 64 };

static inline int64_t rounded(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* The bytes of memory of any alignment in which there are `bytes` that begin a line. */
static inline int64_t unaligned(int64_t bytes)
{
    return bytes ? bytes + LINE - 1 : 0;
}

static inline char *aligned(void *work)
{
    return (char *)work + (LINE - (uintptr_t)work % LINE) % LINE;
}
