"""Operands of calls on a GPU: arrays of ours, which any GPU has, or those of another library, which is emulated."""

from __future__ import annotations

from typing import Any

import numpy as np

import bblas_gen as bb
from bblas_gen.bench.gpu.latency import OnStream
from bblas_gen.runtime import gpu
from bblas_gen.runtime.device_storage import DeviceStorage

from .devices import to_host
from .emulated_gpu import GpuArray


def ours(value: Any, stream: int | None = None) -> Any:
    """A copy on the GPU; of a list one of each, of what is no array what it makes of itself."""
    if isinstance(value, list):
        return [ours(x, stream) for x in value]
    if not isinstance(value, np.ndarray):
        return value.to("cuda")
    found = DeviceStorage.of(gpu.gpu(0), value)
    if stream is None:
        return found
    gpu.gpu(0).stream(None).sync()
    return OnStream(found, stream)


def foreign(value: Any, stream: int | None = None) -> Any:
    """A copy as an array of another library, which is in memory of the host."""
    if isinstance(value, list):
        return [foreign(x, stream) for x in value]
    return GpuArray(value.copy(order="K"), stream) if isinstance(value, np.ndarray) else value.to("cuda")


def back(value: Any) -> Any:
    """What a call on the GPU has made, once its default stream is done."""
    gpu.gpu(0).stream(None).sync()
    if isinstance(value, (list, tuple)):
        return [back(x) for x in value]
    if isinstance(value, GpuArray):
        return value.array
    if hasattr(value, "__cuda_array_interface__"):
        return to_host(value)
    found = value.to("cpu")
    return found.deinterleave() if isinstance(found, bb.Interleaved) else found


def place(array: Any) -> int:
    """The address of its first element."""
    return int(array.__cuda_array_interface__["data"][0])
