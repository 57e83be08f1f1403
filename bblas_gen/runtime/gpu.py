"""The GPUs of this machine: kernels loaded there, and launched. cuda-core does what the driver needs.

Nothing here makes a context: that of the arrays is used, the one that all libraries of a process share.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from ..codegen.device import DeviceFunction
from ..errors import CaptureError, CudaUnavailable
from ..ir.spec import KernelSpec
from .cubins import compile_ahead, compile_device, device_source
from .kernels import side_by_side
from .launches import Loaded, packed, queue, ready
from .lent import free, taken
from .record import note
from .state import MAX_KERNELS, RUNTIME

READY = "call it once before, or bb.warmup"
DEFAULT = 1
"""The handle of the default stream."""


@dataclass(frozen=True)
class DeviceKernel:
    """A function of a kernel that is loaded on a GPU, and what the driver calls it; of no ``spec`` where it is one of
    ours for something else."""

    spec: KernelSpec | None
    function: DeviceFunction
    gpu: Gpu
    handle: Loaded = field(repr=False)

    def bound(self, stream: Any, batch: int, arguments: Sequence[Any]) -> partial[None]:
        """A launch for ``batch`` matrices as a function without arguments. Its first own is the stream's handle."""
        from cuda.bindings import driver  # here: it is an extra

        own, (place, memory) = self.function, packed(arguments)
        how = own.grid(batch, arguments), own.threads, own.dynamic, place, (memory, self)
        return partial(queue, stream.handle, self.gpu.enter, driver.cuLaunchKernel, self.handle.function, *how)


@cache
def core() -> ModuleType:
    """The package cuda-core."""
    from .devices import INSTALL, packages  # here: importing bblas_gen must stay fast

    packages()
    try:
        import cuda.core  # here: it is an extra, and takes long

        found: ModuleType = cuda.core
        found.Device()  # finds the driver
    except Exception as error:  # of many types: no package, no driver, no device
        needed = INSTALL if isinstance(error, ImportError) else "NVIDIA's driver, and a GPU"
        why = str(error).rstrip(".")
        raise CudaUnavailable(f"arrays on a GPU cannot be worked on: {why}; needed: {needed}") from error
    return found


@dataclass(frozen=True)
class Gpu:
    """A device by its number. It remembers streams by their handles; ``left`` is memory that was lent, and nobody has
    any more."""

    number: int
    _streams: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)
    left: deque[Any] = field(default_factory=deque, compare=False, repr=False)

    @cached_property
    def _device(self) -> Any:
        from .devices import count  # here: importing bblas_gen must stay fast

        found, several = core(), count()
        if self.number >= several:
            raise ValueError(f"device = {self.number}: expected the number of a GPU, 0 to {several - 1}")
        return found.Device(self.number)

    @property
    def device(self) -> Any:
        """What is current in this thread from here on: without it the default stream would be another GPU's, or none.
        A thread begins without any, and others may choose another one between two calls."""
        self._device.set_current()
        return self._device

    @property
    def enter(self) -> Callable[[], Any]:
        """What makes it current. There is no cheaper way to know that it is."""
        found: Callable[[], Any] = self._device.set_current
        return found

    @cached_property
    def architecture(self) -> str:
        """As compilers name it: sm_90."""
        major, minor = self.device.compute_capability
        return f"sm_{major}{minor}"

    def stream(self, handle: int | None) -> Any:
        """The stream with a driver's handle; the default one where nobody told. The GPU is current from here on."""
        self._device.set_current()
        known = self._streams.get(handle or 0)
        return known or self._streams.setdefault(handle or 0, self._stream(handle))

    def _stream(self, handle: int | None) -> Any:
        if handle in (None, 0, 1):
            return core().LEGACY_DEFAULT_STREAM
        return core().PER_THREAD_DEFAULT_STREAM if handle == 2 else core().Stream.from_handle(handle)

    @cached_property
    def _freeing(self) -> Any:
        """A stream of its own for what ``left`` has."""
        return self.device.create_stream()

    def free_left(self, stream: Any) -> None:
        """Free what is ``left``, but while ``stream`` captures, which would make a capture useless."""
        if self.left and not capturing(stream):
            some = taken(self.left)
            if not free(some, self.device, self._freeing):
                self.left.extend(some)

    def kernel(self, spec: KernelSpec, scalars: Mapping[str, complex], stream: Any = None) -> DeviceKernel | None:
        """The function for these scalars, compiled and loaded if need be; None where there is nothing to do.

        CaptureError where it is not loaded and what is queued on ``stream`` becomes a graph."""
        function = function_for(spec, scalars, self.architecture)
        if function is None:
            return None
        note(replace(spec, target="cpu"))  # sets of kernels are for all targets
        found: DeviceKernel | None = RUNTIME.kernels[self._name(spec, function.name)]
        if found is None and stream is not None and capturing(stream):
            raise CaptureError(f"{spec.symbol()} is not loaded, which it cannot be while a stream captures: {READY}")
        return found or self.loaded(spec, function)

    def loaded(self, spec: KernelSpec, function: DeviceFunction) -> DeviceKernel:
        """A function of a kernel, compiled and loaded if need be."""
        name, loaded = self._name(spec, function.name), RUNTIME.kernels
        with RUNTIME.compiling.held(name):
            found: DeviceKernel | None = loaded[name]
            if found is None:
                found = DeviceKernel(spec, function, self, self._handle(spec, function))
                loaded.keep(name, found)
        return found

    def function(self, function: DeviceFunction, compiled: Callable[[], Path], stream: Any) -> DeviceKernel:
        """A function that is no kernel of a spec, of the cubin that is ``compiled``, loaded if need be."""
        name = ("", ((function.name, self.number),))
        found: DeviceKernel | None = RUNTIME.kernels[name]
        if found is None:
            if capturing(stream):
                raise CaptureError(f"{function.name} is not loaded, which it cannot be in a capture: {READY}")
            found = DeviceKernel(None, function, self, ready(self.module(compiled()), function, self.number))
            RUNTIME.kernels.keep(name, found)
        return found

    def kernels(
        self, wanted: Sequence[tuple[KernelSpec, Mapping[str, complex]]], stream: Any
    ) -> list[DeviceKernel | None]:
        """The same of several; those that are new are compiled side by side."""
        found = {(spec, one.name): None for spec, x in wanted if (one := function_for(spec, x, self.architecture))}
        new = [pair for pair in found if RUNTIME.kernels[self._name(*pair)] is None]
        if len(new) > 1 and not capturing(stream):  # else they are refused
            side_by_side(lambda pair: compile_device([pair], self.architecture), new)
        return [self.kernel(*pair, stream) for pair in wanted]

    def load(self, wanted: Sequence[tuple[KernelSpec, DeviceFunction]]) -> None:
        """Functions that are compiled together, so that :meth:`kernel` has them at once."""
        code = self.module(compile_device([(spec, function.name) for spec, function in wanted], self.architecture))
        for spec, function in wanted:
            made = DeviceKernel(spec, function, self, ready(code, function, self.number))
            RUNTIME.kernels.keep(self._name(spec, function.name), made)

    def module(self, cubin: Path) -> Any:
        """What a cubin holds, in which many functions may be, loaded here."""
        known, name = RUNTIME.kernels, (cubin, (("module", self.number),))
        _ = self.device  # makes its context current, in which functions are loaded
        found = known[name]
        if found is None:
            found = core().ObjectCode.from_cubin(cubin.read_bytes())
            known.keep(name, found)
        return found

    def _name(self, spec: KernelSpec, function: str) -> tuple[Any, ...]:
        """By which a kernel is remembered: like those of hosts a spec, and what else is special."""
        return spec, ((function, self.number),)

    def _handle(self, spec: KernelSpec, function: DeviceFunction) -> Loaded:
        return ready(self.module(compile_device([(spec, function.name)], self.architecture)), function, self.number)


def warm(specs: Sequence[KernelSpec], number: int, jobs: int | None = None) -> None:
    """Compile all functions of ``specs``, many together, and load them on a GPU. Where there is none they are compiled
    for what BBLAS_GEN_CUDA_ARCH names; CudaUnavailable where that is not set."""
    try:
        own = gpu(number)
        arch = own.architecture
    except CudaUnavailable:
        if not os.environ.get("BBLAS_GEN_CUDA_ARCH"):
            raise
        compile_ahead(specs, jobs=jobs)
        return
    compile_ahead(specs, arch, jobs)
    for spec in specs:
        for function in _functions(spec, arch):
            own.loaded(spec, function)


def capturing(stream: Any) -> bool:
    """Whether what is queued on a stream becomes a graph."""
    from cuda.bindings import driver  # here: it is an extra

    status, found = driver.cuStreamIsCapturing(stream.handle)
    return not int(status) and int(found) != 0


@cache
def gpu(number: int) -> Gpu:
    return Gpu(number)


def gpu_of(address: int) -> Gpu:
    """The GPU whose memory an address is in."""
    core()
    from cuda.bindings import driver  # here: it is an extra

    attribute = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    status, number = driver.cuPointerGetAttribute(attribute, address)
    if status == driver.CUresult.CUDA_ERROR_INVALID_CONTEXT:  # in a thread that has none yet any will do
        gpu(0).enter()
        status, number = driver.cuPointerGetAttribute(attribute, address)
    return gpu(int(number) if not int(status) else 0)


def function_for(spec: KernelSpec, scalars: Mapping[str, complex], arch: str) -> DeviceFunction | None:
    """The function that a call with these scalars runs on such GPUs; None where there is nothing to do."""
    return next((one for one in _functions(spec, arch) if one.serves(scalars)), None)


@lru_cache(MAX_KERNELS)
def _functions(spec: KernelSpec, arch: str) -> tuple[DeviceFunction, ...]:
    return device_source(spec, arch=arch).functions
