/* Memory of the device: allocations, each with nothing in it, copies and fills. */
#include "driver.h"

#define MOST 65536
static struct emu_range allocations[MOST];
static unsigned allocation_count;
static char pool;

unsigned emu_allocations(const struct emu_range **ranges)
{
    *ranges = allocations;
    return allocation_count;
}

static struct emu_range *allocation_of(address at)
{
    for (unsigned i = 0; i < allocation_count; i++)
        if (at >= allocations[i].begin && at < allocations[i].end)
            return &allocations[i];
    return NULL;
}

bool emu_allocated(address at)
{
    return allocation_of(at);
}

/* Whether bytes lie in one allocation, or anywhere on the host. */
static bool whole(address at, size_t bytes)
{
    const struct emu_range *range = allocation_of(at);
    return !bytes || (range && at + bytes <= range->end);
}

static int allocate(address *at, size_t bytes)
{
    if (!bytes)
        return INVALID_VALUE;
    void *memory = allocation_count < MOST ? aligned_alloc(512, (bytes + 511) / 512 * 512) : NULL;
    if (!memory)
        return OUT_OF_MEMORY;
    memset(memory, 0xff, bytes);
    *at = (address)(uintptr_t)memory;
    allocations[allocation_count++] = (struct emu_range){(uintptr_t)memory, (uintptr_t)memory + bytes};
    return SUCCESS;
}

static int release(address at)
{
    struct emu_range *range = allocation_of(at);
    if (!at)
        return SUCCESS;
    if (!range || range->begin != at)
        return INVALID_VALUE;
    emu_run_all();
    *range = allocations[--allocation_count];
    free((void *)(uintptr_t)at);
    return SUCCESS;
}

API cuMemAlloc(address *at, size_t bytes)
{
    ENTER;
    return emu_capturing() ? CAPTURE_UNSUPPORTED : allocate(at, bytes);
}
API cuMemFree(address at)
{
    COUNT;
    return emu_capturing() ? CAPTURE_UNSUPPORTED : release(at);
}
API cuMemAllocAsync(address *at, size_t bytes, void *stream)
{
    ENTER;
    if (emu_held_up(stream))
        return CAPTURE_UNSUPPORTED;
    return emu_stream(stream) ? allocate(at, bytes) : INVALID_HANDLE;
}
API cuMemAllocFromPoolAsync(address *at, size_t bytes, void *from, void *stream)
{
    return from == &pool ? cuMemAllocAsync(at, bytes, stream) : INVALID_HANDLE;
}
/* Others may have it as soon as this stream has come so far, whatever is queued elsewhere: that finds nothing there. */
API cuMemFreeAsync(address at, void *handle)
{
    COUNT;
    const struct stream *stream = emu_stream(handle);
    struct emu_range *range = allocation_of(at);
    if (!stream)
        return INVALID_HANDLE;
    if (!range || range->begin != at || stream->capture || emu_held_up(handle))
        return release(at);
    const struct task spoil = {.kind = FILL, .to = (void *)(uintptr_t)at, .value = ~0u, .bytes = 4,
                               .count = (range->end - range->begin + 3) / 4};
    emu_put(handle, &spoil);
    emu_run_stream(emu_stream(handle), NULL);
    *range = allocations[--allocation_count];
    if (emu_idle())
        free((void *)(uintptr_t)at);
    return SUCCESS;
}
API cuMemAllocHost(void **at, size_t bytes)
{
    ENTER;
    if (emu_endangers_capture())
        return CAPTURE_UNSUPPORTED;
    *at = aligned_alloc(512, (bytes + 511) / 512 * 512);
    return *at ? SUCCESS : OUT_OF_MEMORY;
}
API cuMemFreeHost(void *at)
{
    COUNT;
    emu_run_all();
    free(at);
    return SUCCESS;
}
API cuMemHostRegister(void *at, size_t bytes, unsigned flags)
{
    ENTER;
    return !at || !bytes || flags ? INVALID_VALUE : SUCCESS;
}
API cuMemHostUnregister(void *at)
{
    COUNT;
    emu_run_all(); /* what is queued may use it */
    return at ? SUCCESS : INVALID_VALUE;
}
API cuMemGetInfo(size_t *left, size_t *total)
{
    ENTER;
    *total = *left = (size_t)80 << 30;
    for (unsigned i = 0; i < allocation_count; i++)
        *left -= allocations[i].end - allocations[i].begin;
    return SUCCESS;
}

API cuDeviceGetDefaultMemPool(void **found, int device)
{
    COUNT;
    *found = &pool;
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuDeviceGetMemPool(void **found, int device)
{
    return cuDeviceGetDefaultMemPool(found, device);
}
API cuMemPoolGetAttribute(void *from, int attribute, void *value)
{
    COUNT;
    memset(value, 0, attribute <= 3 ? 4 : 8);
    return from == &pool ? SUCCESS : INVALID_HANDLE;
}
API cuMemPoolSetAttribute(void *from, int attribute, void *value)
{
    COUNT;
    (void)attribute, (void)value;
    return from == &pool ? SUCCESS : INVALID_HANDLE;
}

static int copy(void *to, const void *from, size_t bytes, void *stream)
{
    const struct task task = {.kind = COPY, .to = to, .from = from, .count = bytes};
    return emu_put(stream, &task);
}

/* Where host memory is on either side, its bytes are not known. */
static int copy_checked(address to, bool to_device, address from, bool from_device, size_t bytes, void *stream)
{
    if ((to_device && !whole(to, bytes)) || (from_device && !whole(from, bytes)))
        return INVALID_VALUE;
    return copy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, stream);
}

#define COPY(name, to_type, to_device, from_type, from_device)                                                         \
    API name##Async(to_type to, from_type from, size_t bytes, void *stream)                                            \
    {                                                                                                                  \
        ENTER;                                                                                                         \
        return copy_checked((address)(uintptr_t)to, to_device, (address)(uintptr_t)from, from_device, bytes, stream);  \
    }                                                                                                                  \
    API name(to_type to, from_type from, size_t bytes)                                                                 \
    {                                                                                                                  \
        ENTER;                                                                                                         \
        if (emu_capturing())                                                                                           \
            return CAPTURE_UNSUPPORTED;                                                                                \
        const int result =                                                                                             \
            copy_checked((address)(uintptr_t)to, to_device, (address)(uintptr_t)from, from_device, bytes, NULL);       \
        return result ? result : emu_run_all();                                                                        \
    }
COPY(cuMemcpyHtoD, address, true, const void *, false)
COPY(cuMemcpyDtoH, void *, false, address, true)
COPY(cuMemcpyDtoD, address, true, address, true)
COPY(cuMemcpy, address, false, address, false)

static int fill(address at, unsigned value, unsigned bytes, size_t count, void *stream)
{
    const struct task task = {
        .kind = FILL, .to = (void *)(uintptr_t)at, .value = value, .bytes = bytes, .count = count};
    return at % bytes || !whole(at, count * bytes) ? INVALID_VALUE : emu_put(stream, &task);
}

#define FILLED(name, type)                                                                                             \
    API name##Async(address at, type value, size_t count, void *stream)                                                \
    {                                                                                                                  \
        ENTER;                                                                                                         \
        return fill(at, value, sizeof(type), count, stream);                                                           \
    }                                                                                                                  \
    API name(address at, type value, size_t count)                                                                     \
    {                                                                                                                  \
        ENTER;                                                                                                         \
        return emu_capturing() ? CAPTURE_UNSUPPORTED : fill(at, value, sizeof(type), count, NULL);                     \
    }
FILLED(cuMemsetD8, unsigned char)
FILLED(cuMemsetD16, unsigned short)
FILLED(cuMemsetD32, unsigned)
/* Some bytes of every row. */
API cuMemsetD2D8Async(address at, size_t pitch, unsigned char value, size_t bytes, size_t rows, void *stream)
{
    ENTER;
    int result = bytes > pitch ? INVALID_VALUE : SUCCESS;
    for (size_t row = 0; row < rows && !result; row++)
        result = fill(at + row * pitch, value, 1, bytes, stream);
    return result;
}

/* Context, kind of memory (1 host, 2 device), addresses, managed, device, mapped. */
API cuPointerGetAttribute(void *value, int attribute, address at)
{
    ENTER;
    const struct emu_range *range = allocation_of(at);
    if (!range)
        return INVALID_VALUE;
    switch (attribute) {
    case 1:
        return cuCtxGetCurrent(value);
    case 2:
        *(int *)value = 2;
        return SUCCESS;
    case 3:
        *(address *)value = at;
        return SUCCESS;
    case 8:
        *(char *)value = 0;
        return SUCCESS;
    case 9:
        *(int *)value = 0;
        return SUCCESS;
    case 11:
        *(address *)value = range->begin;
        return SUCCESS;
    case 12:
        *(size_t *)value = range->end - range->begin;
        return SUCCESS;
    case 13:
        *(char *)value = 1;
        return SUCCESS;
    default:
        return INVALID_VALUE;
    }
}
API cuPointerGetAttributes(unsigned count, int *attributes, void **values, address at)
{
    for (unsigned i = 0; i < count; i++) {
        memset(values[i], 0, attributes[i] == 2 || attributes[i] == 9 ? 4 : attributes[i] == 8 ? 1 : 8);
        if (allocation_of(at))
            cuPointerGetAttribute(values[i], attributes[i], at);
    }
    return SUCCESS;
}
API cuMemGetAddressRange(address *begin, size_t *bytes, address at)
{
    ENTER;
    const struct emu_range *range = allocation_of(at);
    if (!range)
        return INVALID_VALUE;
    *begin = range->begin;
    *bytes = range->end - range->begin;
    return SUCCESS;
}

/* A copy of rows, each queued by itself. */
struct copy_2d {
    size_t src_x, src_y;
    int src_type;
    const void *src_host;
    address src_device;
    void *src_array;
    size_t src_pitch, dst_x, dst_y;
    int dst_type;
    void *dst_host;
    address dst_device;
    void *dst_array;
    size_t dst_pitch, width, height;
};
API cuMemcpy2DAsync(const struct copy_2d *c, void *stream)
{
    ENTER;
    const int host = 1, device = 2, kinds = c->src_type == host ? c->dst_type == device
                                          : c->src_type == device && c->dst_type == host;
    if (!kinds || c->src_x || c->src_y || c->dst_x || c->dst_y || (c->height > 1 && c->src_pitch < c->width) ||
        (c->height > 1 && c->dst_pitch < c->width))
        return INVALID_VALUE;
    const char *from = c->src_type == host ? c->src_host : (const char *)c->src_device;
    char *to = c->dst_type == host ? c->dst_host : (char *)c->dst_device;
    for (size_t i = 0; i < c->height; i++) {
        const int status = copy(to + i * c->dst_pitch, from + i * c->src_pitch, c->width, stream);
        if (status)
            return status;
    }
    return SUCCESS;
}
