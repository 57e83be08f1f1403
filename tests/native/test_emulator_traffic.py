"""The emulator of CUDA counts what kernels move, instruction by instruction and beyond caches of a model."""

from __future__ import annotations

import numpy as np
import pytest
from support import emulator
from support.emulator import Device

TEXT = r"""
extern "C" __global__ void copied(const double *x, double *y, int step, int times)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < times; k++)
        y[i * step] = x[i * step];
}

extern "C" __global__ void pairs(const double2 *x, double2 *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

extern "C" __global__ void twice(const double *x, double *y, int n)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        for (int i = threadIdx.x; i < n; i += 32)
            sum += x[i];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void parted(const double *x, double *y)
{
    const int t = threadIdx.x;
    double v = x[t];
    if (t % 2)
        y[t + 32] = 1;
    for (int k = 0; k < t % 4; k++)
        v += x[t + 32 * k];
    y[t] = v;
}

extern "C" __global__ void updated(double *x)
{
    x[threadIdx.x] *= 2;
    x[threadIdx.x] += 1;
}

extern "C" __global__ void transposed(const double *x, double *y)
{
    __shared__ double shared[32 * WIDTH];
    for (int i = 0; i < 32; i++)
        shared[i * WIDTH + threadIdx.x] = x[i * 32 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; i++)
        y[i * 32 + threadIdx.x] = shared[threadIdx.x * WIDTH + i];
}
"""
NAMES = ["copied", "pairs", "twice", "parted", "updated", "transposed"]


@pytest.fixture(scope="module")
def kernels():
    return emulator.compile(TEXT.replace("", ""), NAMES, {"WIDTH": 33}, sanitize="checks")


def test_neighbours_share_sectors(kernels):
    x, y = np.arange(256.0), np.zeros(256)
    found = kernels.launch("copied", 4, 64, 0, x, y, 1, 1, trace=Device())
    assert (found.loads, found.stores, found.load_sectors, found.store_sectors) == (8, 8, 64, 64)
    assert found.asked_bytes == found.moved_bytes == found.least_bytes == 2 * 256 * 8


def test_vectors_are_one_instruction(kernels):
    x, y = np.arange(256.0), np.zeros(256)
    found = kernels.launch("pairs", 2, 64, 0, x, y, trace=Device())
    assert found.asked_bytes == found.moved_bytes == found.least_bytes == 2 * 256 * 8
    assert y.tolist() == x.tolist()


@pytest.mark.parametrize("step", [2, 4, 8])
def test_apart_elements_waste_sectors(kernels, step):
    """Of a sector that is written in part the rest has to be read."""
    n = 64
    x, y = np.arange(float(n * step)), np.zeros(n * step)
    found = kernels.launch("copied", 1, n, 0, x, y, step, 1, trace=Device())
    sectors = n * min(step, 4) // 4
    assert (found.load_sectors, found.store_sectors) == (sectors, sectors)
    assert (found.memory_reads, found.memory_writes) == (2 * sectors, sectors)
    assert found.least_bytes == 2 * n * 8
    assert found.needed_bytes == found.moved_bytes


def test_arrays_begin_where_the_device_allocates(kernels):
    """Not where this machine does; but a view begins where it begins."""
    memory = np.zeros(1 + 64)
    aligned = kernels.launch("copied", 1, 64, 0, memory[:-1].copy(), np.zeros(64), 1, 1, trace=Device())
    shifted = kernels.launch("copied", 1, 64, 0, memory[1:], np.zeros(64), 1, 1, trace=Device())
    assert (aligned.load_sectors, shifted.load_sectors) == (16, 18)


@pytest.mark.parametrize(("first", "second", "misses", "reads"), [(256, 256, 2, 2), (64, 256, 4, 2), (64, 64, 4, 4)])
def test_what_falls_out_of_caches_is_read_again(kernels, first, second, misses, reads):
    """An array of 128 KB is read twice; caches are in KB, misses and reads in sizes of the array over two."""
    x, y = np.ones(128 * 128), np.zeros(32)
    device = Device(first_level=first << 10, second_level=second << 10)
    found = kernels.launch("twice", 1, 32, 0, x, y, len(x), trace=device)
    half = x.nbytes // 32 // 2
    assert found.load_sectors == 4 * half
    assert (found.first_level_misses, found.memory_reads) == (misses * half, reads * half)
    assert found.least_bytes == found.needed_bytes == x.nbytes + y.nbytes


def test_resident_warps_share_the_cache(kernels):
    """Each of eight warps reads 32 lines, 4 KB, eight times."""
    x = np.ones((8, 32, 8))
    alone, together = (
        kernels.launch("copied", 8, 32, 0, x, np.zeros_like(x), 8, 8, trace=Device(8 << 10, 32 << 10, warps))
        for warps in (1, 8)
    )
    assert alone.load_sectors == together.load_sectors == 8 * 8 * 32
    assert (alone.first_level_misses, together.first_level_misses) == (8 * 32, 8 * 8 * 32)


def test_parted_lanes_meet_again(kernels):
    x, y = np.arange(96.0), np.zeros(64)
    found = kernels.launch("parted", 1, 32, 0, x, y, trace=Device())
    assert (found.loads, found.stores) == (1 + 3, 2)
    assert (found.load_sectors, found.store_sectors) == (4 * 8, 2 * 8)


def test_results_that_are_read_count_once(kernels):
    x = np.ones(32)
    found = kernels.launch("updated", 1, 32, 0, x, trace=Device())
    assert (found.bytes_read, found.bytes_written) == (256, 256)
    assert (found.memory_reads, found.memory_writes) == (8, 8)


@pytest.mark.parametrize(("width", "turns"), [(32, 32 * 2 + 32 * 32), (33, 32 * 2 + 32 * 2)])
def test_banks_of_shared_memory(width, turns):
    module = emulator.compile(TEXT.replace("", ""), NAMES, {"WIDTH": width}, sanitize="checks")
    x, y = np.arange(1024.0).reshape(32, 32), np.zeros((32, 32))
    found = module.launch("transposed", 1, 32, 0, x, y, trace=Device())
    assert y.tolist() == x.T.tolist()
    assert (found.shared, found.shared_turns, found.shared_least) == (64, turns, 128)


def test_only_what_is_instrumented_is_traced():
    plain = emulator.compile(TEXT.replace("", ""), NAMES, {"WIDTH": 33})
    with pytest.raises(ValueError, match="not traced"):
        plain.launch("updated", 1, 32, 0, np.ones(32), trace=Device())
