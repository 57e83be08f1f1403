"""The stand-in for the CUDA driver: what it does, what it refuses, and cuda-core on top of it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import subprocess
import sys
from ctypes import byref, c_char_p, c_double, c_int, c_uint64, c_void_p
from pathlib import Path

import numpy as np
import pytest
from support import emulator

PROGRAM = Path(__file__).resolve().parents[1] / "programs" / "cuda_core.py"
TEXT = r"""
extern "C" __global__ void __launch_bounds__(64) axpy(const double *x, double *y, double a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
"""
SUCCESS, INVALID_VALUE, INVALID_CONTEXT, NOT_READY = 0, 1, 201, 600
ILLEGAL_ADDRESS, OUT_OF_RESOURCES, LAUNCH_FAILED = 700, 701, 719
CAPTURE_UNSUPPORTED, CAPTURE_ISOLATION = 900, 905
N = 40
NON_BLOCKING, MOST_DYNAMIC = 1, 8


@pytest.fixture(scope="module")
def image():
    return emulator.compile(TEXT, ["axpy"], sanitize="checks").image()


class Driver:
    """A driver of its own, as each copy has its own state."""

    def __init__(self, folder, image):
        self.library = ctypes.CDLL(str(folder))
        self.call("cuInit", 0)
        context = c_void_p()
        self.call("cuDevicePrimaryCtxRetain", byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        module, self.axpy = c_void_p(), c_void_p()
        self.call("cuLibraryLoadData", byref(module), c_char_p(image), None, None, 0, None, None, 0)
        self.call("cuLibraryGetKernel", byref(self.axpy), module, b"axpy")

    def call(self, name, *arguments, result=SUCCESS):
        assert self.library[name](*arguments) == result, name

    def allocated(self, values):
        at = c_uint64()
        self.call("cuMemAlloc", byref(at), c_uint64(values.nbytes))
        self.call("cuMemcpyHtoD", at, c_void_p(values.ctypes.data), c_uint64(values.nbytes))
        return at

    def fetched(self, at, n=N):
        values = np.zeros(n)
        self.call("cuMemcpyDtoH", c_void_p(values.ctypes.data), at, c_uint64(values.nbytes))
        return values.tolist()

    def stream(self, flags=NON_BLOCKING):
        stream = c_void_p()
        self.call("cuStreamCreate", byref(stream), flags)
        return stream

    def launch(self, stream, x, y, n=N, grid=(2, 1, 1), block=(32, 1, 1), shared_bytes=0, result=SUCCESS):
        values = [x, y, c_double(2), c_int(n)]
        parameters = (c_void_p * 4)(*(ctypes.addressof(v) for v in values))
        self.call("cuLaunchKernel", self.axpy, *grid, *block, shared_bytes, stream, parameters, None, result=result)


@pytest.fixture
def driver(tmp_path, image):
    copy = tmp_path / "driver.so"  # under its own name others of this process would find it
    copy.write_bytes(emulator.driver().read_bytes().replace(b"libcuda.so.1\0", b"libcuda.so.0\0"))
    return Driver(copy, image)


@pytest.fixture
def operands(driver):
    return driver.allocated(np.arange(float(N))), driver.allocated(np.ones(N))


def test_work_waits_for_whoever_waits_for_it(driver, operands):
    stream, event = driver.stream(), c_void_p()
    driver.call("cuEventCreate", byref(event), 0)
    driver.launch(stream, *operands)
    driver.call("cuEventRecord", event, stream)
    for question, about in (("cuStreamQuery", stream), ("cuEventQuery", event)):
        driver.call(question, about, result=NOT_READY)
    driver.call("cuEventSynchronize", event)
    driver.call("cuStreamQuery", stream)
    assert driver.fetched(operands[1]) == (1 + 2 * np.arange(N)).tolist()
    driver.library.emu_driver_calls.restype = c_uint64
    assert [driver.library.emu_driver_calls(x) for x in (b"cuLaunchKernel", b"cuStreamSynchronize")] == [1, 0]


@pytest.mark.parametrize("ordered", [False, True])
def test_streams_are_ordered_by_events_alone(driver, operands, ordered):
    first, second, event = driver.stream(), driver.stream(), c_void_p()
    driver.call("cuEventCreate", byref(event), 0)
    driver.call("cuMemsetD32Async", operands[0], 0, c_uint64(2 * N), first)
    driver.call("cuEventRecord", event, first)
    if ordered:
        driver.call("cuStreamWaitEvent", second, event, 0)
    driver.launch(second, *operands)
    driver.call("cuStreamSynchronize", second)
    assert (driver.fetched(operands[1]) == [1.0] * N) is ordered


@pytest.mark.parametrize("ordered", [False, True])
def test_memory_is_given_back_in_the_order_of_a_stream(driver, operands, ordered):
    first, second, event = driver.stream(), driver.stream(), c_void_p()
    driver.call("cuEventCreate", byref(event), 0)
    driver.launch(first, *operands)
    driver.call("cuEventRecord", event, first)
    if ordered:
        driver.call("cuStreamWaitEvent", second, event, 0)
    driver.call("cuMemFreeAsync", operands[0], second)
    driver.call("cuStreamSynchronize", first, result=SUCCESS if ordered else LAUNCH_FAILED)
    if ordered:
        assert driver.fetched(operands[1]) == (1 + 2 * np.arange(N)).tolist()
        driver.call("cuMemcpyDtoD", operands[1], operands[0], c_uint64(8), result=INVALID_VALUE)


def test_the_default_stream_waits_for_those_that_do_not_refuse(driver, operands):
    driver.launch(driver.stream(0), *operands)
    driver.call("cuMemsetD32Async", operands[0], 0, c_uint64(2 * N), None)
    driver.launch(driver.stream(0), *operands)
    assert driver.fetched(operands[1]) == (1 + 2 * np.arange(N)).tolist()


def test_graphs(driver, operands):
    stream, graph, runnable, event = driver.stream(), c_void_p(), c_void_p(), c_void_p()
    driver.call("cuEventCreate", byref(event), 0)
    driver.call("cuEventRecord", event, driver.stream())
    driver.call("cuStreamBeginCapture", stream, 2)
    driver.launch(stream, *operands, result=CAPTURE_UNSUPPORTED)  # which would load it
    driver.call("cuFuncLoad", driver.axpy, result=CAPTURE_UNSUPPORTED)
    driver.call("cuStreamEndCapture", stream, byref(graph))
    driver.call("cuFuncLoad", driver.axpy)
    driver.call("cuStreamBeginCapture", stream, 2)
    driver.launch(stream, *operands)
    driver.call("cuStreamSynchronize", stream, result=CAPTURE_UNSUPPORTED)
    driver.call("cuMemAlloc", byref(c_uint64()), c_uint64(8), result=CAPTURE_UNSUPPORTED)
    driver.call("cuMemAllocHost", byref(c_void_p()), c_uint64(8), result=CAPTURE_UNSUPPORTED)
    driver.call("cuStreamWaitEvent", stream, event, 0, result=CAPTURE_ISOLATION)
    for question, about in (("cuStreamQuery", stream), ("cuEventQuery", event)):
        driver.call(question, about, result=CAPTURE_UNSUPPORTED)
    driver.call("cuStreamEndCapture", stream, byref(graph))
    assert driver.fetched(operands[1]) == [1.0] * N
    driver.call("cuGraphInstantiate", byref(runnable), graph, c_uint64(0))
    for _ in range(3):
        driver.call("cuGraphLaunch", runnable, stream)
    driver.call("cuStreamSynchronize", stream)
    assert driver.fetched(operands[1]) == (1 + 6 * np.arange(N)).tolist()


def test_limits(driver, operands):
    for limits in ({"block": (1025, 1, 1)}, {"block": (1, 1, 65)}, {"grid": (0, 1, 1)}, {"shared_bytes": 49153}):
        driver.launch(None, *operands, **limits, result=INVALID_VALUE)
    driver.launch(None, *operands, block=(65, 1, 1), result=OUT_OF_RESOURCES)
    driver.call("cuFuncSetAttribute", driver.axpy, MOST_DYNAMIC, 232449, result=INVALID_VALUE)
    driver.call("cuFuncSetAttribute", driver.axpy, MOST_DYNAMIC, 232448)
    driver.launch(None, *operands, shared_bytes=232448)
    driver.call("cuCtxSetCurrent", None)
    driver.launch(None, *operands, result=INVALID_CONTEXT)


def test_addresses_of_the_host_are_refused_where_that_is_asked(driver, operands, capfd):
    values = np.zeros(N)
    driver.library.emu_driver_strict(1)
    driver.launch(None, *operands)
    driver.launch(None, operands[0], c_void_p(values.ctypes.data), result=ILLEGAL_ADDRESS)
    assert capfd.readouterr().err == "axpy: argument 1 is an address of the host\n"
    driver.launch(None, *operands)
    assert driver.fetched(operands[1]) == (1 + 4 * np.arange(N)).tolist()


def test_a_kernel_that_fails_is_reported_later_and_for_ever(driver, operands, capfd):
    stream = driver.stream()
    driver.launch(stream, *operands, n=N + 1)
    driver.call("cuStreamSynchronize", stream, result=LAUNCH_FAILED)
    driver.launch(stream, *operands, result=LAUNCH_FAILED)
    assert "axpy: thread (8, 0, 0) of block (1, 0, 0): reads 8 bytes at" in capfd.readouterr().err


def test_copies_stay_in_their_allocations(driver, operands):
    driver.call("cuMemsetD32Async", operands[0], 0, c_uint64(2 * N + 1), None, result=INVALID_VALUE)
    driver.call("cuMemcpyDtoDAsync", operands[0], operands[1], c_uint64(8 * N + 8), None, result=INVALID_VALUE)


@pytest.mark.skipif(
    not (importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.core")),
    reason="cuda-core is not installed",
)
def test_cuda_core(image, tmp_path):
    (tmp_path / "axpy.cubin").write_bytes(image)
    command = [sys.executable, PROGRAM, tmp_path / "axpy.cubin", *map(str, range(N))]
    environment = os.environ | {"LD_LIBRARY_PATH": str(emulator.driver().parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    found = np.array([line.split() for line in done.stdout.splitlines()], float)
    assert (found == 1 + np.outer([2, 8], np.arange(N))).all()
