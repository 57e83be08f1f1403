"""The GPU that tests run on: an emulated one, or with ``--gpu`` the one of this machine.

A process has one driver, so it is one or the other.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bblas_gen.codegen.operand_text import OperandText
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.signature import signature_of
from bblas_gen.errors import CudaUnavailable, NoCompilerError
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import gpu
from bblas_gen.runtime.cubins import device_source
from bblas_gen.runtime.device_storage import DeviceStorage, fetched
from bblas_gen.runtime.kernels import Kernel
from bblas_gen.runtime.library import Library
from bblas_gen.schedule import gpu as schedules
from bblas_gen.toolchain import cuda

from . import emulated_nvcc, emulator
from .emulated_calls import _address as address_of
from .emulated_calls import _array, _memory, _scalar
from .kernels import forget
from .layouts import GUARD

ALIGNED = 256
"""Bytes that memory of a device is aligned to."""


@contextmanager
def device(kind: str, wanted: bool, patch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """Calls run on a GPU of this kind; the test is skipped where the process has another, or there is none."""
    if (kind == "gpu") != wanted:
        pytest.skip("runs on a GPU with --gpu" if kind == "gpu" else "runs without --gpu")
    pytest.importorskip("cuda.core", reason="cuda-core is not installed")
    if kind != "gpu":
        strict(True)
        patch.setenv("BBLAS_GEN_CUBLAS", "none")  # it would look for a GPU
        patch.setenv("BBLAS_GEN_NVCC", str(emulated_nvcc.compiler(folder)))
    forget()
    yield
    forget()
    if kind == "gpu":
        _alive()
    else:
        strict(False)


def missing() -> str:
    """What the GPU of this machine, or calls on it, lack; nothing where they run."""
    try:
        gpu.core()
        cuda.find_cuda_compiler()
    except (CudaUnavailable, NoCompilerError) as error:
        return str(error)
    return ""


def strict(wanted: bool) -> None:
    """Whether the emulated GPU refuses addresses of the host, as others do."""
    ctypes.CDLL(str(emulator.driver())).emu_driver_strict(int(wanted))


def _alive() -> None:
    """Behind a fault of the GPU nothing works in this process: it ends, and with ``-n`` another one goes on."""
    from cuda.bindings import driver  # here: it is an extra

    (status,) = driver.cuCtxSynchronize()
    if int(status) and status != driver.CUresult.CUDA_ERROR_INVALID_CONTEXT:
        print(f"the GPU has failed: {status.name}", file=sys.stderr, flush=True)
        os._exit(1)


def to_host(array: Any) -> Any:
    """What an array of ours on the GPU holds, once all is done."""
    from bblas_gen.arrays.device import header

    return fetched(header("array", array), gpu.gpu(0).stream(None))


class OnDevice:
    """What takes the kernel for a GPU for a spec: operands are copied there, between guards, and back."""

    def __call__(self, spec: KernelSpec) -> Kernel:
        own = replace(spec, target="cuda")
        program = Program.of(own)
        operands = operands_of(program, schedules.choose(program, gpu.gpu(0).architecture))

        def function(*arguments: Any) -> int:
            names = (p.name for p in signature_of(spec).parameters)
            _launch(own, operands, dict(zip(names, arguments, strict=True)))
            return 0

        library = Library(Path("/nowhere/kernel.so"), "", None, None, function)  # type: ignore[arg-type]
        return Kernel(spec, library, lambda: device_source(own))


def _launch(spec: KernelSpec, operands: list[OperandText], given: Mapping[str, Any]) -> None:
    batch, real = given["batch_count"], spec.p.storage.bytes
    values = {name: _scalar(given[name], real) for name in spec.row.scalars}
    own = gpu.gpu(0)
    kernel = own.kernel(spec, {name: complex(*x) for name, x in values.items()})
    if kernel is None:
        return
    memory: dict[str, Any] = dict(_memory(spec, operands, dict(given), batch))
    if spec.row.info:
        memory["info"] = _array(address_of(given["info"]), 4 * batch)
    copies = {name: _copied(x) for name, x in memory.items()}
    places = {name: _place(x) for name, x in copies.items()}

    def value(x: Any) -> Any:
        if x.of in values:
            part = values[x.of][x.part == "im"]
            return np.float32(part) if real == 4 else part
        return places[x.of] if x.of in places else int(given[x.of])

    kernel.bound(own.stream(None), batch, [value(x) for x in kernel.function.arguments])()
    for found in copies.values():
        for copy in found if isinstance(found, list) else [found]:
            if copy is not None:
                copy.back()


def _copied(memory: Any) -> Any:
    if isinstance(memory, emulator.Pointers):
        return [None if x is None else Copy.of(x) for x in memory.arrays]
    return None if memory is None else Copy.of(memory)


def _place(copies: Any) -> int:
    """The address of a copy; of several that of a list of theirs."""
    if not isinstance(copies, list):
        return copies.place if copies else 0
    held = DeviceStorage.of(gpu.gpu(0), np.array([x.place if x else 0 for x in copies], np.uint64))
    copies.append(Copy(held, np.empty(0, np.uint8), 0))  # lives as long
    return int(held.__cuda_array_interface__["data"][0])


@dataclass(frozen=True)
class Copy:
    """Bytes of the host on the device, with guards around them, aligned as they are here."""

    storage: DeviceStorage
    bytes: Any
    first: int

    @classmethod
    def of(cls, memory: Any) -> Copy:
        first = GUARD + (memory.ctypes.data - GUARD) % ALIGNED
        whole = np.full(first + memory.nbytes + GUARD, 0xFF, np.uint8)
        whole[first : first + memory.nbytes] = memory
        return cls(DeviceStorage.of(gpu.gpu(0), whole), memory, first)

    @property
    def place(self) -> int:
        return int(self.storage.__cuda_array_interface__["data"][0]) + self.first

    def back(self) -> None:
        """Take what was made of them, which is all that was."""
        if not self.bytes.size:
            return
        whole = to_host(self.storage)
        last = self.first + self.bytes.nbytes
        assert (whole[: self.first] == 0xFF).all()
        assert (whole[last:] == 0xFF).all()
        self.bytes[...] = whole[self.first : last]
