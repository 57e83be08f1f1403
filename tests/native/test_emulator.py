"""The emulator of CUDA: what it runs."""

from __future__ import annotations

import numpy as np
import pytest
from support import emulator, emulator_build
from support.emulator import ORDERS, LaunchError, Pointers

TEXT = r"""
typedef long long big;

extern "C" __global__ void __launch_bounds__(64) places(int *x)
{
    const int n = blockDim.x * blockDim.y * blockDim.z;
    const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    x[b * n + t] = 1000 * b + t;
}

/* Reverses whole blocks and counts, in three ways, the elements that are not negative. */
extern "C" __global__ void reverse(const double *__restrict__ x, double *__restrict__ y, int *counts, big n)
{
    extern __shared__ __align__(16) double shared[];
    __shared__ int own[4];
    const big i = (big)blockIdx.x * blockDim.x + threadIdx.x;
    const int t = threadIdx.x, other = blockDim.x - 1 - t;
    shared[t] = i < n ? __ldg(x + i) : 0;
    if (t < 4)
        own[t] = t;
    const int count = __syncthreads_count(shared[t] >= 0);
    const int all = __syncthreads_and(shared[t] >= 0), any = __syncthreads_or(shared[other] >= 0);
    if (i < n)
        __stcs(y + i, shared[other]);
    if (t < 4)
        counts[4 * blockIdx.x + t] = t == 0 ? count : t == 1 ? all : t == 2 ? any : own[3];
}

extern "C" __global__ void shuffles(const double *x, double *y, int width)
{
    const int t = threadIdx.x, n = blockDim.x;
    if (t >= 64)
        return;
    y[t] = __shfl_sync(0xffffffffu, x[t], 3, width);
    y[n + t] = __shfl_up_sync(0xffffffffu, x[t], 2, width);
    y[2 * n + t] = __shfl_down_sync(0xffffffffu, (float)x[t], 1, width);
    y[3 * n + t] = __shfl_xor_sync(0xffffffffu, (int)x[t], 1, width);
    __syncthreads();
}

/* Groups of `width` lanes go through loops of their own lengths. */
extern "C" __global__ void votes(const int *x, int *y, int width)
{
    const int t = threadIdx.x, n = blockDim.x, first = t % 32 / width * width;
    const unsigned mask = (width == 32 ? 0xffffffffu : (1u << width) - 1) << first;
    for (int i = 0; i <= t / width; i++) {
        y[t] = __ballot_sync(mask, x[t] > 0) >> first;
        y[n + t] = 2 * __any_sync(mask, x[t] > 3) + __all_sync(mask, x[t] > -3);
        y[2 * n + t] = __reduce_max_sync(mask, x[t]);
        y[3 * n + t] = __reduce_min_sync(mask, (unsigned)x[t]);
        y[4 * n + t] = __reduce_add_sync(mask, x[t]);
        __syncwarp(mask);
    }
}

/* Sums rows of 2 x 16 doubles that come in by copies, two of them under way. */
extern "C" __global__ void pipeline(const double *x, double *sum, int steps)
{
    __shared__ __align__(16) double stage[3][32];
    const int t = threadIdx.x;
    double total = 0;
    for (int s = 0; s < steps + 2; s++) {
        if (s < steps)
            bb_copy_async16(&stage[s % 3][2 * t], x + 32 * s + 2 * t);
        bb_copy_async_commit();
        if (s >= 2) {
            bb_copy_async_wait<WAIT>();
            __syncthreads();
            total += stage[(s - 2) % 3][2 * (15 - t)] + stage[(s - 2) % 3][2 * (15 - t) + 1];
            __syncthreads();
        }
    }
    sum[t] = total;
}

extern "C" __global__ void numbers(const double *x, double *y, float *z)
{
    const double v = x[threadIdx.x], r = bb_rsqrt_approx(v), e = __fma_rn(-v * r, r, 1.0);
    y[0] = r, y[1] = __fma_rn(__fma_rn(0.375, e, 0.5), r * e, r), y[2] = bb_rcp_approx(v), y[3] = __drcp_rn(v);
    y[4] = __hiloint2double(__double2hiint(v), __double2loint(v)), y[5] = __ddiv_rn(v, 3.0), y[6] = rsqrt(v);
    y[7] = __int_as_float(__float_as_int(1.5f)) + __popc(7) + __ffs(8) + __clz(1) + (__brev(1) >> 31);
    y[8] = __dsqrt_rn(v), z[0] = bb_rsqrt_approx((float)v), z[1] = bb_rcp_approx((float)v);
    z[2] = rsqrtf((float)v), z[3] = fma((float)v, 2.f, 1.f);
    const float4 two = *(const float4 *)(x + 2);
    *(float2 *)(z + 4) = make_float2(two.x, two.w);
    *(double2 *)(y + 10) = make_double2(min(v, 1.0), fmax(v, 1.0));
}

extern "C" __global__ void counted(const int *x, unsigned *y, int *least)
{
    extern __align__(16) __shared__ unsigned counts[];
    if (threadIdx.x < 4)
        counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(counts + x[threadIdx.x] % 4, 1);
    atomicMin(least, x[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 4)
        atomicAdd(y + threadIdx.x, counts[threadIdx.x]);
}

extern "C" __global__ void gathered(const double *const *x, double **y, int n, float scale)
{
    if (threadIdx.x < n)
        *y[threadIdx.x] = x[threadIdx.x][1] * scale;
}
"""


@pytest.fixture(scope="module", params=["", "checks"])
def kernels(request):
    return emulator.compile(TEXT, defines={"WAIT": 2}, sanitize=request.param)


def test_threads_and_blocks_have_their_places(kernels):
    x = np.zeros((2 * 3 * 2, 4 * 2 * 2), np.int32)
    kernels.launch("places", (2, 3, 2), (4, 2, 2), 0, x)
    assert x.tolist() == [[1000 * b + t for t in range(16)] for b in range(12)]


@pytest.mark.parametrize("order", ORDERS)
def test_shared_memory_and_barriers(kernels, order):
    x = np.arange(-10.0, 150.0)
    y, counts = np.zeros_like(x), np.zeros((4, 4), np.int32)
    kernels.launch("reverse", 4, 40, 40 * 8, x, y, counts, len(x), order=order, last_block_first=True)
    assert y.tolist() == x.reshape(4, 40)[:, ::-1].ravel().tolist()
    assert counts.tolist() == [[30, 0, 1, 3]] + 3 * [[40, 1, 1, 3]]


def test_fibers_of_other_processors(monkeypatch):
    monkeypatch.setattr(emulator_build, "RUNTIME_FLAGS", (*emulator_build.RUNTIME_FLAGS, "-DEMU_UCONTEXT"))
    x, total = np.arange(32.0 * 7), np.zeros(16)
    slow = emulator.compile(TEXT, ["pipeline"], {"WAIT": 2})
    slow.launch("pipeline", 1, 16, 0, x, total, 7)
    assert total.tolist() == x.reshape(7, 16, 2).sum((0, 2))[::-1].tolist()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("width", [4, 8, 16, 32])
def test_shuffles(kernels, order, width):
    n, x = 67, np.arange(100.0, 167.0)
    y = np.full((4, n), -1.0)
    kernels.launch("shuffles", 1, n, 0, x, y, width, order=order)
    t = np.arange(64)
    inside = t % width
    for row, source in enumerate((t - inside + 3, t - 2 * (inside >= 2), t + (inside < width - 1), t ^ 1)):
        assert y[row].tolist() == [*x[source].tolist(), -1, -1, -1]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("width", [4, 8, 16, 32])
def test_votes_and_reductions_of_groups_of_lanes(kernels, order, width, rng):
    x = rng.integers(-5, 6, 64).astype(np.int32)
    y = np.zeros((5, 64), np.int32)
    kernels.launch("votes", 1, 64, 0, x, y, width, order=order)
    for group in range(64 // width):
        part, found = x[group * width :][:width], y[:, group * width :][:, :width]
        assert (found == found[:, :1]).all()
        bits = sum(1 << i for i in range(width) if part[i] > 0)
        sets = 2 * (part > 3).any() + (part > -3).all()
        least = part.view(np.uint32).min().astype(np.int32)
        assert found.view(np.uint32)[0, 0] == bits
        assert found[1:, 0].tolist() == [sets, part.max(), least, part.sum()]


@pytest.mark.parametrize("order", ORDERS)
def test_asynchronous_copies(kernels, order):
    x, total = np.arange(32.0 * 7), np.zeros(16)
    kernels.launch("pipeline", 1, 16, 0, x, total, 7, order=order)
    assert total.tolist() == x.reshape(7, 16, 2).sum((0, 2))[::-1].tolist()


def test_numbers(kernels):
    x, y, z = np.array([7.3, 0, 0, 0]), np.zeros(12), np.zeros(6, np.float32)
    x.view(np.float32)[4:] = [1, 2, 3, 4]
    kernels.launch("numbers", 1, 1, 0, x, y, z)
    v = x[0]
    for rough, exact in ((y[0], v**-0.5), (y[2], 1 / v), (z[0], v**-0.5), (z[1], 1 / v)):
        assert 2.0**-24 < abs(rough / exact - 1) < 2.0**-18.9
    np.testing.assert_allclose(y[[1, 6]], v**-0.5, rtol=3e-16)
    assert y[3:6].tolist() == [1 / v, v, v / 3]
    assert y[7:9].tolist() == [1.5 + 3 + 4 + 31 + 1, v**0.5]
    assert y[10:].tolist() == [1, v]
    np.testing.assert_allclose(z[2:], [v**-0.5, 2 * v + 1, 1, 4], rtol=2e-7)


def test_atomic_operations(kernels):
    x, y, least = np.arange(5, 55, dtype=np.int32), np.zeros(4, np.uint32), np.full(1, 99, np.int32)
    kernels.launch("counted", 3, 50, 16, x, y, least)
    assert (y.tolist(), least.tolist()) == ([36, 39, 39, 36], [5])


def test_arrays_of_pointers(kernels):
    x, y = np.arange(12.0).reshape(4, 3), np.zeros(4)
    kernels.launch("gathered", 1, 32, 0, Pointers(list(x)), Pointers([y[i:] for i in (3, 2, 1, 0)]), 4, 0.5)
    assert y.tolist() == [5.0, 3.5, 2.0, 0.5]


def test_of_a_text_all_kernels_or_some(kernels):
    assert kernels.signature("gathered") == "ppif"
    assert kernels.signature("reverse") == "pppl"
    some = emulator.compile(TEXT, ["places"], {"WAIT": 2})
    with pytest.raises(KeyError):
        some.signature("reverse")


def test_what_a_device_does_not_launch(kernels):
    x = np.zeros(4096, np.int32)
    for grid, block, shared_bytes in [
        (1, 2048, 0),
        (1, 65, 0),
        (1, 0, 0),
        (0, 1, 0),
        ((1, 65536), 1, 0),
        (1, 1, 232449),
    ]:
        with pytest.raises(LaunchError):
            kernels.launch("places", grid, block, shared_bytes, x)
    for arguments in [(), (1,), (x, x)]:
        with pytest.raises(TypeError):
            kernels.launch("places", 1, 1, 0, *arguments)


def test_a_program_without_settings_has_a_folder_of_its_own(monkeypatch):
    monkeypatch.delenv("BBLAS_GEN_CACHE_DIR")
    found = emulator_build.folder()
    assert found == emulator_build.folder()
    assert found.is_dir()
