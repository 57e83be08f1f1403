/* What programs see of CUDA's runtime: as much as parcels use. */
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorLaunchFailure = 719 } cudaError_t;
typedef enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 } cudaMemcpyKind;
typedef struct CUstream_st *cudaStream_t;

const char *cudaGetErrorString(cudaError_t status);
cudaError_t cudaMalloc(void **found, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
#ifdef CUDA_EMULATED
enum { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s);
#endif
#ifdef __cplusplus
}
#endif
