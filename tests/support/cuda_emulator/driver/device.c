/* Devices, contexts, entries and their calls. There is one device, much like an H100. */
#include "driver.h"
#include <dlfcn.h>

#define DEVICE_BYTES ((size_t)80 << 30)

static bool initialized;
static char primary; /* the only context */
static int retained;
static __thread void *current;
int emu_sticky;
bool emu_verbose, emu_strict;

static struct {
    const char *function;
    unsigned long long calls;
} counts[256];

/* The entry of a function, which is made where it is not there. */
unsigned long long *emu_counter(const char *function)
{
    size_t i = 0;
    while (counts[i].function && strcmp(counts[i].function, function) != 0)
        i++;
    counts[i].function = function;
    return &counts[i].calls;
}

/* For tests: how often a function of the driver has been called. */
EMU_EXPORT unsigned long long emu_driver_calls(const char *function)
{
    for (size_t i = 0; counts[i].function; i++)
        if (!strcmp(counts[i].function, function))
            return counts[i].calls;
    return 0;
}

/* For tests: whether a kernel that is given an address of the host is refused. */
EMU_EXPORT void emu_driver_strict(int strict)
{
    emu_strict = strict;
}

int emu_refused(void)
{
    return !initialized ? NOT_INITIALIZED : emu_sticky ? emu_sticky : current ? SUCCESS : INVALID_CONTEXT;
}

__attribute__((constructor)) static void look_around(void)
{
    emu_verbose = getenv("EMU_DRIVER_VERBOSE") != NULL;
    emu_strict = getenv("EMU_DRIVER_STRICT") != NULL;
}

API cuInit(unsigned flags)
{
    COUNT;
    initialized = true;
    return flags ? INVALID_VALUE : SUCCESS;
}
API cuDriverGetVersion(int *version)
{
    COUNT;
    *version = 13000;
    return SUCCESS;
}
API cuDeviceGetCount(int *count)
{
    COUNT;
    *count = 1;
    return initialized ? SUCCESS : NOT_INITIALIZED;
}
API cuDeviceGet(int *device, int ordinal)
{
    COUNT;
    *device = 0;
    return !initialized ? NOT_INITIALIZED : ordinal ? INVALID_DEVICE : SUCCESS;
}
API cuDeviceGetName(char *name, int room, int device)
{
    COUNT;
    snprintf(name, (size_t)room, "emulated device");
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuDeviceTotalMem(size_t *bytes, int device)
{
    COUNT;
    *bytes = DEVICE_BYTES;
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuDeviceGetUuid(char *uuid, int device)
{
    COUNT;
    memcpy(uuid, "emulated device.", 16);
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int values[][2] = {
        {1, 1024},   {2, 1024},     {3, 1024},   {4, 64},     {5, 2147483647}, {6, 65535},      {7, 65535},
        {8, 49152},  {9, 65536},    {10, 32},    {11, 1 << 30}, {12, 65536},   {13, 1755000},   {16, 132},
        {31, 1},     {38, 50 << 20}, {39, 2048}, {40, 3},     {41, 1},         {75, 9},         {76, 0},
        {78, 1},     {81, 233472},  {82, 65536}, {83, 1},     {97, EMU_MOST_SHARED}, {106, 32},  {115, 1},
    };
    COUNT;
    *value = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i][0] == attribute)
            *value = values[i][1];
    return device ? INVALID_DEVICE : SUCCESS;
}

API cuDevicePrimaryCtxRetain(void **context, int device)
{
    COUNT;
    retained++;
    *context = &primary;
    return !initialized ? NOT_INITIALIZED : device ? INVALID_DEVICE : SUCCESS;
}
API cuDevicePrimaryCtxRelease(int device)
{
    COUNT;
    if (!retained)
        return INVALID_CONTEXT;
    retained--;
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    COUNT;
    *flags = 0;
    *active = retained > 0;
    return device ? INVALID_DEVICE : SUCCESS;
}
API cuCtxGetCurrent(void **context)
{
    COUNT;
    *context = current;
    return initialized ? SUCCESS : NOT_INITIALIZED;
}
API cuCtxSetCurrent(void *context)
{
    COUNT;
    if (context && (context != &primary || !retained))
        return INVALID_CONTEXT;
    current = context;
    return SUCCESS;
}
API cuCtxPushCurrent(void *context)
{
    return current ? INVALID_CONTEXT : cuCtxSetCurrent(context);
}
API cuCtxPopCurrent(void **context)
{
    COUNT;
    *context = current;
    current = NULL;
    return *context ? SUCCESS : INVALID_CONTEXT;
}
API cuCtxGetDevice(int *device)
{
    ENTER;
    *device = 0;
    return SUCCESS;
}
API cuCtxGetId(void *context, unsigned long long *id)
{
    COUNT;
    *id = 1;
    return context && context != &primary ? INVALID_CONTEXT : SUCCESS;
}
API cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    ENTER;
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}
API cuCtxSynchronize(void)
{
    ENTER;
    return emu_capturing() ? CAPTURE_UNSUPPORTED : emu_run_all();
}

API cuGetErrorName(int error, const char **name)
{
    static char text[40];
    snprintf(text, sizeof text, "CUDA_ERROR_%d", error);
    *name = text;
    return SUCCESS;
}
API cuGetErrorString(int error, const char **text)
{
    *text = error == LAUNCH_FAILED ? "an emulated kernel has failed: stderr says how" : "the emulated driver refuses";
    return SUCCESS;
}

API cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, int *status)
{
    static void *self;
    (void)version, (void)flags;
    if (!self) {
        Dl_info info;
        dladdr((void *)cuInit, &info);
        self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    }
    *found = !strcmp(name, "cuGetProcAddress") ? (void *)cuGetProcAddress_v2 : dlsym(self, name);
    if (status)
        *status = *found ? 0 : 1;
    if (!*found && emu_verbose)
        fprintf(stderr, "the emulated driver has no %s\n", name);
    return *found ? SUCCESS : NOT_FOUND;
}
