/* CUDA's runtime for programs whose kernels are emulated. Streams are queues that run when somebody waits for them, so
   what nobody waits for goes wrong. */
#define CUDA_EMULATED
#include "../threads.h"
typedef struct emu_index dim3;
#include "cuda_runtime_api.h"

enum { MOST = 512, MOST_ARGUMENTS = 32 };
struct emu_kernel known[MOST] __asm__("emu_kernels"); /* what the runtime looks into */
static const void *addresses[MOST];

/* Objects of programs tell their kernels when they are loaded. */
void emu_enter(const struct emu_kernel *kernels, const void *const *own)
{
    size_t count = 0;
    while (known[count].name)
        count++;
    for (size_t i = 0; kernels[i].name && count < MOST - 1; i++, count++) {
        known[count] = kernels[i];
        addresses[count] = own[i];
    }
}

static struct task {
    const struct emu_kernel *kernel;
    struct emu_launch launch;
    uint64_t values[MOST_ARGUMENTS];
} tasks[64];
static size_t queued;
struct CUstream_st {
    int own;
};

static cudaError_t run(void)
{
    char message[1024];
    for (size_t t = 0; t < queued; t++) {
        void *arguments[MOST_ARGUMENTS];
        for (size_t i = 0; i < MOST_ARGUMENTS; i++)
            arguments[i] = &tasks[t].values[i];
        if (emu_launch_kernel(tasks[t].kernel->name, &tasks[t].launch, arguments, message, sizeof message)) {
            fprintf(stderr, "%s: %s\n", tasks[t].kernel->name, message);
            return cudaErrorLaunchFailure;
        }
    }
    queued = 0;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s)
{
    (void)s;
    size_t found = 0;
    while (known[found].name && addresses[found] != kernel)
        found++;
    const char *signature = known[found].name ? known[found].signature : NULL;
    if (!signature || strlen(signature) > MOST_ARGUMENTS || queued == sizeof tasks / sizeof *tasks)
        return cudaErrorInvalidValue;
    struct task *task = &tasks[queued++];
    *task = (struct task){&known[found], {.grid = grid, .block = block, .shared_bytes = (unsigned)shared}, {0}};
    for (size_t i = 0; signature[i]; i++)
        memcpy(&task->values[i], arguments[i], strchr("iIf", signature[i]) ? 4 : 8);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value)
{
    (void)kernel;
    return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && value <= EMU_MOST_SHARED ? cudaSuccess
                                                                                                 : cudaErrorInvalidValue;
}

const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaErrorLaunchFailure          ? "unspecified launch failure"
           : status == cudaErrorMemoryAllocation ? "out of memory"
                                                 : "invalid argument";
}

cudaError_t cudaMalloc(void **found, size_t bytes)
{
    *found = getenv("EMU_NO_GPU") ? NULL : malloc(bytes + !bytes);
    return *found ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    const cudaError_t status = run();
    free(memory);
    return status;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    (void)kind;
    const cudaError_t status = run();
    memcpy(to, from, bytes);
    return status;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    *stream = calloc(1, sizeof **stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return run();
}
