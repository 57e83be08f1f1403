/* One launch in a process of its own, for kernels compiled with a sanitizer: program KERNEL REQUEST ANSWER, or
   program KERNEL, which prints the letters of its parameters. Each buffer of the request is an allocation. */
#include "threads.h"

/* All of eight bytes. After them come the bytes of each buffer, arguments, addresses inside of buffers, buffers. */
struct request {
    uint64_t grid[3], block[3], shared_bytes, order, last_first, buffers, arguments, addresses;
};
struct argument {
    uint64_t is_buffer, value, offset;
};
struct address_at {
    uint64_t buffer, position, target, offset;
};

static void *read_all(FILE *from, size_t bytes)
{
    void *read = malloc(bytes ? bytes : 1);
    if (!read || fread(read, 1, bytes, from) != bytes)
        exit(2);
    return read;
}

int main(int count, char **words)
{
    const struct emu_kernel *kernel = count > 1 ? emu_find_kernel(words[1]) : NULL;
    if (!kernel)
        return 2;
    if (count == 2)
        return puts(kernel->signature) < 0;
    FILE *from = fopen(words[2], "rb");
    if (!from)
        return 2;
    struct request *r = read_all(from, sizeof *r);
    uint64_t *bytes = read_all(from, r->buffers * sizeof *bytes);
    struct argument *arguments = read_all(from, r->arguments * sizeof *arguments);
    struct address_at *addresses = read_all(from, r->addresses * sizeof *addresses);
    unsigned char **buffers = calloc(r->buffers + 1, sizeof *buffers);
    void **parameters = calloc(r->arguments + 1, sizeof *parameters);
    for (uint64_t i = 0; i < r->buffers; i++)
        buffers[i] = read_all(from, bytes[i]);
    fclose(from);
    for (uint64_t i = 0; i < r->addresses; i++) {
        unsigned char *const target = buffers[addresses[i].target] + addresses[i].offset;
        memcpy(buffers[addresses[i].buffer] + addresses[i].position, &target, sizeof target);
    }
    for (uint64_t i = 0; i < r->arguments; i++) {
        if (arguments[i].is_buffer)
            arguments[i].value = (uintptr_t)(buffers[arguments[i].value] + arguments[i].offset);
        parameters[i] = &arguments[i].value;
    }
    const struct emu_launch launch = {
        .grid = {(unsigned)r->grid[0], (unsigned)r->grid[1], (unsigned)r->grid[2]},
        .block = {(unsigned)r->block[0], (unsigned)r->block[1], (unsigned)r->block[2]},
        .shared_bytes = (unsigned)r->shared_bytes,
        .order = (unsigned)r->order,
        .last_first = (unsigned)r->last_first,
    };
    char message[1024];
    if (emu_launch_kernel(words[1], &launch, parameters, message, sizeof message)) {
        fprintf(stderr, "%s: %s\n", words[1], message);
        return 3;
    }
    FILE *to = fopen(words[3], "wb");
    for (uint64_t i = 0; i < r->buffers; i++)
        if (!to || fwrite(buffers[i], 1, bytes[i], to) != bytes[i])
            return 2;
    return fclose(to) != 0;
}
