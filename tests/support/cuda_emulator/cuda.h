/* CUDA C++ for a compiler that knows none, first part: words, types and what every thread knows of itself. It comes
   before the text of kernels and includes no header of the system, so that it costs nothing to read. */
#pragma once
#define CUDA_EMULATED 1
#ifndef CUDA_EMULATED_HOST /* the text is what a compiler without headers would get, but for programs */
#define __CUDACC_RTC__ 1
#endif
#include "runtime.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __constant__ static const
#define __grid_constant__
/* One section holds all, so that it can be poisoned. (`extern __shared__` is rewritten before.) */
#define __shared__ static __attribute__((section("emu_shared")))
#ifdef __clang__
#define __restrict__ __restrict
#endif

#define EMU_VECTOR2(name, type, bytes)                                                                                 \
    struct __align__(bytes) name {                                                                                     \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    static inline name make_##name(type x, type y)                                                                     \
    {                                                                                                                  \
        return name{x, y};                                                                                             \
    }
#define EMU_VECTOR4(name, type, bytes)                                                                                 \
    struct __align__(bytes) name {                                                                                     \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    static inline name make_##name(type x, type y, type z, type w)                                                     \
    {                                                                                                                  \
        return name{x, y, z, w};                                                                                       \
    }
EMU_VECTOR2(int2, int, 8)
EMU_VECTOR2(uint2, unsigned, 8)
EMU_VECTOR2(float2, float, 8)
EMU_VECTOR2(double2, double, 16)
EMU_VECTOR2(longlong2, long long, 16)
EMU_VECTOR2(ulonglong2, unsigned long long, 16)
EMU_VECTOR4(int4, int, 16)
EMU_VECTOR4(uint4, unsigned, 16)
EMU_VECTOR4(float4, float, 16)
EMU_VECTOR4(double4, double, 16)

#if defined(__clang__) && defined(EMU_CHECKS)
/* Copies of structures become calls that nobody would see. */
__asm__(".set memcpy, __tsan_memcpy\n.set memmove, __tsan_memmove\n.set memset, __tsan_memset");
#endif

typedef emu_index uint3;
struct dim3 : emu_index {
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : emu_index{a, b, c}
    {
    }
};

#define threadIdx (*(const emu_index *)emu_thread_index)
#define blockIdx ((const emu_index &)emu_block_index)
#define blockDim ((const emu_index &)emu_block_shape)
#define gridDim ((const emu_index &)emu_grid_shape)
#define warpSize 32

#include "warp.h"
#include "memory.h"
#include "arithmetic.h"
#include "entry.h"
