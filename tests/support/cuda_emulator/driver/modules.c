/* Libraries and modules of kernels, what is known of these, and launches. */
#include "driver.h"
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

/* What one may ask of a function, by the numbers of the driver. */
enum { MOST_THREADS = 0, SHARED_BYTES = 1, REGISTERS = 4, BINARY_VERSION = 6, MOST_DYNAMIC = 8 };
#define DYNAMIC_UNASKED 49152

static int load(struct module **module, const void *image, size_t bytes)
{
    char path[64];
    const int file = memfd_create("cubin", 0);
    if (file < 0 || write(file, image, bytes) != (ssize_t)bytes)
        return OUT_OF_MEMORY;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct module *loaded = calloc(1, sizeof *loaded);
    loaded->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!loaded->library)
        fprintf(stderr, "%s\n", dlerror());
    /* The file stays open: another one of its number would have its name, and be taken for this one. */
    if (loaded->library) {
        *(void **)&loaded->launch = dlsym(loaded->library, "emu_launch_kernel");
        *(void **)&loaded->find = dlsym(loaded->library, "emu_find_kernel");
    }
    *module = loaded;
    return loaded->launch && loaded->find ? SUCCESS : INVALID_IMAGE;
}

API cuModuleLoadData(struct module **module, const void *image)
{
    ENTER;
    const Elf64_Ehdr *header = image;
    if (emu_capturing())
        return CAPTURE_UNSUPPORTED;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return INVALID_IMAGE;
    return load(module, image, header->e_shoff + (size_t)header->e_shnum * header->e_shentsize);
}
API cuModuleLoadDataEx(struct module **module, const void *image, unsigned count, int *options, void **values)
{
    (void)count, (void)options, (void)values;
    return cuModuleLoadData(module, image);
}
API cuLibraryLoadData(struct module **library, const void *image, int *options, void **values, unsigned count,
                      int *more, void **more_values, unsigned more_count)
{
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    return cuModuleLoadData(library, image);
}
API cuLibraryUnload(struct module *library)
{
    ENTER;
    (void)library; /* functions of it may still be queued */
    return SUCCESS;
}
API cuModuleUnload(struct module *module)
{
    return cuLibraryUnload(module);
}

static struct {
    struct function function;
    bool used;
} functions[4096];

API cuModuleGetFunction(struct function **function, struct module *module, const char *name)
{
    ENTER;
    const struct emu_kernel *kernel = module->find(name);
    if (!kernel)
        return NOT_FOUND;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (functions[i].used && functions[i].function.kernel != kernel)
            continue;
        if (!functions[i].used)
            functions[i].function = (struct function){module, kernel, DYNAMIC_UNASKED, false};
        functions[i].used = true;
        *function = &functions[i].function;
        return SUCCESS;
    }
    return OUT_OF_MEMORY;
}
API cuLibraryGetKernel(struct function **kernel, struct module *library, const char *name)
{
    return cuModuleGetFunction(kernel, library, name);
}
API cuKernelGetFunction(struct function **function, struct function *kernel)
{
    ENTER;
    *function = kernel;
    return SUCCESS;
}

static bool known(const struct function *function)
{
    const char *at = (const char *)function, *first = (const char *)functions;
    return at >= first && at < first + sizeof functions && ((const struct function *)at)->kernel;
}

API cuFuncLoad(struct function *function)
{
    ENTER;
    if (!known(function))
        return INVALID_HANDLE;
    if (!function->loaded && emu_capturing())
        return CAPTURE_UNSUPPORTED;
    function->loaded = true;
    return SUCCESS;
}
API cuFuncGetAttribute(int *value, int attribute, struct function *function)
{
    ENTER;
    if (!known(function))
        return INVALID_HANDLE;
    const int threads = (int)function->kernel->most_threads;
    *value = attribute == MOST_THREADS     ? (threads ? threads : EMU_MOST_THREADS)
             : attribute == REGISTERS      ? 32
             : attribute == BINARY_VERSION ? 90
             : attribute == MOST_DYNAMIC   ? function->most_dynamic
                                           : 0;
    return SUCCESS;
}
API cuFuncSetAttribute(struct function *function, int attribute, int value)
{
    ENTER;
    if (!known(function))
        return INVALID_HANDLE;
    if (attribute == MOST_DYNAMIC) {
        if (value < 0 || value > EMU_MOST_SHARED)
            return INVALID_VALUE;
        function->most_dynamic = value;
    }
    return SUCCESS;
}
API cuKernelGetAttribute(int *value, int attribute, struct function *kernel, int device)
{
    return device ? INVALID_DEVICE : cuFuncGetAttribute(value, attribute, kernel);
}
API cuKernelSetAttribute(int attribute, int value, struct function *kernel, int device)
{
    return device ? INVALID_DEVICE : cuFuncSetAttribute(kernel, attribute, value);
}
API cuFuncGetParamInfo(struct function *function, size_t index, size_t *offset, size_t *size)
{
    ENTER;
    if (!known(function))
        return INVALID_HANDLE;
    size_t at = 0;
    for (size_t i = 0; function->kernel->signature[i]; i++) {
        const size_t bytes = emu_parameter_bytes(function->kernel->signature[i]);
        at = (at + bytes - 1) / bytes * bytes;
        if (i == index) {
            *offset = at;
            if (size)
                *size = bytes;
            return SUCCESS;
        }
        at += bytes;
    }
    return INVALID_VALUE;
}
API cuKernelGetParamInfo(struct function *kernel, size_t index, size_t *offset, size_t *size)
{
    return cuFuncGetParamInfo(kernel, index, offset, size);
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, struct function *function, int threads, size_t shared)
{
    ENTER;
    if (!known(function) || threads < 1)
        return INVALID_VALUE;
    const int by_threads = 2048 / threads, by_shared = shared ? (int)(233472 / shared) : by_threads;
    *blocks = by_threads < by_shared ? by_threads : by_shared;
    return SUCCESS;
}

size_t emu_parameter_bytes(char letter)
{
    return strchr("bB", letter) ? 1 : strchr("hH", letter) ? 2 : strchr("iIf", letter) ? 4 : 8;
}

/* What a device checks before it takes a kernel. */
static int refused(const struct function *function, const struct emu_launch *launch)
{
    const struct emu_index g = launch->grid, b = launch->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (!known(function))
        return INVALID_HANDLE;
    if (!threads || threads > EMU_MOST_THREADS || b.z > 64 || !g.x || !g.y || !g.z || g.x > 0x7fffffffu ||
        g.y > 65535 || g.z > 65535 || launch->shared_bytes > (unsigned)function->most_dynamic)
        return INVALID_VALUE;
    if (function->kernel->most_threads && threads > function->kernel->most_threads)
        return LAUNCH_OUT_OF_RESOURCES;
    return SUCCESS;
}

API cuLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared_bytes, void *stream, void **parameters, void **extra)
{
    ENTER;
    struct task task = {.kind = LAUNCH, .function = function};
    task.launch = (struct emu_launch){.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared_bytes = shared_bytes};
    const int refusal = extra ? INVALID_VALUE : refused(function, &task.launch);
    if (refusal)
        return refusal;
    const int unloaded = cuFuncLoad(function);
    if (unloaded)
        return unloaded;
    const char *signature = function->kernel->signature;
    if (strlen(signature) > sizeof task.values / sizeof *task.values)
        return INVALID_VALUE;
    for (size_t i = 0; signature[i]; i++) {
        memcpy(&task.values[i], parameters[i], emu_parameter_bytes(signature[i]));
        if (emu_strict && signature[i] == 'p' && task.values[i] && !emu_allocated(task.values[i])) {
            fprintf(stderr, "%s: argument %zu is an address of the host\n", function->kernel->name, i);
            return ILLEGAL_ADDRESS;
        }
    }
    return emu_put(stream, &task);
}

struct configuration {
    unsigned gx, gy, gz, bx, by, bz, shared_bytes;
    void *stream, *attributes;
    unsigned attribute_count;
};
API cuLaunchKernelEx(const struct configuration *c, struct function *function, void **parameters, void **extra)
{
    return cuLaunchKernel(function, c->gx, c->gy, c->gz, c->bx, c->by, c->bz, c->shared_bytes, c->stream, parameters,
                          extra);
}
