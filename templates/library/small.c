{# Memory of a call: on the stack where it is little, as most calls need little. #}
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
