"""Functions that a GPU has loaded, and their launches, which are made once and queued often: for each of them nothing
is converted but by the driver's binding."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..codegen.device import DeviceFunction
from ..errors import CudaUnavailable
from .marshal import ffi

_KINDS = {float: "d", np.float32: "f4x"}
"""In 64 bits each; what is no real is an integer."""


class Loaded(NamedTuple):
    """A function on a GPU: as cuda-core has it, which keeps it there, and as the driver launches it, in any context."""

    kernel: Any
    function: Any


def ready(code: Any, function: DeviceFunction, number: int) -> Loaded:
    """A function that is loaded at once, not with its first launch, which may be captured."""
    from cuda.bindings import driver  # here: it is an extra

    try:
        found = code.get_kernel(function.name)
    except Exception as error:  # of cuda-core
        (release,) = done(driver.cuDriverGetVersion())
        cuda = f"{release // 1000}.{release % 1000 // 10}"
        raise CudaUnavailable(
            f"the driver, for CUDA {cuda}, does not load {function.name} on GPU {number}: {error}; it must be as new "
            "as the compiler of CUDA"
        ) from error
    (own,) = done(driver.cuKernelGetFunction(found.handle))
    try:
        status = driver.cuFuncLoad(own)
    except RuntimeError:  # drivers before CUDA 12.4 have none; a function that is asked for what it needs is loaded
        status = driver.cuFuncGetAttribute(driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS, own)[:1]
    done(status)
    if function.dynamic:
        _allow(found, function.dynamic, number)
    return Loaded(found, driver.CUfunction(int(found.handle)))


def _allow(kernel: Any, dynamic: int, number: int) -> None:
    """Let blocks of a kernel have so many bytes of shared memory."""
    from cuda.bindings import driver  # here: it is an extra

    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    (status,) = driver.cuKernelSetAttribute(attribute, dynamic, kernel.handle, number)
    if int(status):
        raise CudaUnavailable(f"GPU {number} does not have {dynamic} bytes of shared memory for a block: {status.name}")


def packed(arguments: Sequence[Any]) -> tuple[int, Any]:
    """Where the driver finds the arguments of a launch, integers of 64 bits and reals, and what must live as long."""
    count = len(arguments)
    memory = ffi().new("uint64_t[]", 2 * count)  # values, and behind them their addresses
    first = int(ffi().cast("uintptr_t", memory))
    places = range(first, first + 8 * count, 8)
    kinds = [_KINDS.get(type(x), "q") for x in arguments]
    struct.pack_into(f"={''.join(kinds)}{count}Q", ffi().buffer(memory), 0, *arguments, *places)
    return first + 8 * count, memory


def queue(
    stream: Any,
    enter: Callable[[], Any],
    launch: Callable[..., Any],
    function: Any,
    blocks: int,
    threads: int,
    dynamic: int,
    arguments: int,
    _kept: Any,
) -> None:
    """Queue a kernel on a stream, by its handle, in any thread: ``enter`` makes its GPU current, ``launch`` is the
    driver's."""
    enter()
    (status,) = launch(function, blocks, 1, 1, threads, 1, 1, dynamic, stream, arguments, 0)
    if status:
        done((status,))  # raises


def done(found: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a function of the driver returns. RuntimeError where it could not do what it was asked for."""
    status, *results = found
    if int(status):
        raise RuntimeError(f"the GPU's driver refuses: {status.name}")
    return tuple(results)


@contextmanager
def beside_captures() -> Iterator[None]:
    """Within it this thread may ask the driver what in others, while a stream captures, would end the capture: whether
    an event is done, and for memory of the host."""
    from cuda.bindings import driver  # here: it is an extra

    relaxed = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    (before,) = done(driver.cuThreadExchangeStreamCaptureMode(relaxed))
    try:
        yield
    finally:
        driver.cuThreadExchangeStreamCaptureMode(before)


def follow(later: Any, earlier: Any) -> None:
    """What is queued on the stream ``later`` from now on waits for all that is queued on ``earlier``."""
    later.wait(earlier.record())
