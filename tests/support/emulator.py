"""CUDA kernels on a machine without a GPU: compiled as C++, run as fibers (see ``cuda_emulator``).

``compile`` takes the text of kernels, ``extern "C" __global__`` with parameters that are numbers or pointers::

    module = emulator.compile(text, ["scale"])
    module.launch("scale", 2, 64, 0, x, 2.0, len(x))  # blocks, threads of each, bytes of dynamic shared memory

Arrays stand for the address of their first element. An array of matrices' addresses is ``Pointers``.

The text is read after ``cuda_emulator/cuda.h``, which defines ``CUDA_EMULATED`` and, of what is inline PTX on a GPU:
``bb_copy_async4``, ``8`` and ``16`` ``(shared, global)``, ``bb_copy_async_commit()``, ``bb_copy_async_wait<groups>()``,
``bb_rsqrt_approx(x)`` and ``bb_rcp_approx(x)`` (also ``emulated_rsqrt`` and ``emulated_rcp``), ``emulated_copy(shared,
global)`` of one number and ``emulated_copies_arrived()``. It also defines ``__CUDACC_RTC__``: the text is what NVRTC
would get. ``extern __shared__ T name[];`` may be in a kernel or before it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import emulator_build, emulator_process
from .emulator_build import EmulatorError, works
from .emulator_text import in_cxx

__all__ = ["Device", "EmulatorError", "LaunchError", "Module", "Pointers", "Traffic", "compile", "driver", "works"]
ORDERS = ("forward", "reverse", 7)
"""Orders of threads that a test may go through."""
Shape = int | Sequence[int]


class LaunchError(EmulatorError):
    """What a kernel did wrong, with thread, block and line."""


@dataclass(frozen=True)
class Pointers:
    """An array of addresses on the device: those of the first elements of arrays, or ``None``."""

    arrays: Sequence[np.ndarray[Any, Any] | None]

    def addresses(self) -> np.ndarray[Any, Any]:
        return np.array([0 if x is None else x.ctypes.data for x in self.arrays], np.uint64)


class _Index(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))

    @classmethod
    def of(cls, shape: Shape) -> _Index:
        return cls(*(*((shape,) if isinstance(shape, int) else shape), 1, 1)[:3])


class _Range(ctypes.Structure):
    _fields_ = (("begin", ctypes.c_void_p), ("end", ctypes.c_void_p))


@dataclass(frozen=True)
class Device:
    """What traffic is modelled for: one multiprocessor, its first-level cache, its part of the second level (bytes),
    and the warps that take turns on it."""

    first_level: int = 200 << 10
    second_level: int = (50 << 20) // 132
    resident_warps: int = 64


class Traffic(ctypes.Structure):
    """What a launch moved: see ``struct emu_trace``. Sectors have 32 bytes."""

    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in (
            *("first_level", "second_level", "resident_warps"),
            *("loads", "stores", "load_sectors", "store_sectors"),
            *("first_level_misses", "memory_reads", "memory_writes"),
            *("bytes_read", "bytes_written"),
            *("sectors_read", "sectors_written"),
            *("shared", "shared_turns", "shared_least"),
        )
    )

    @property
    def asked_bytes(self) -> int:
        """Of sectors that warps ask for: as much as could ever move."""
        return 32 * (self.load_sectors + self.store_sectors)

    @property
    def moved_bytes(self) -> int:
        """Between the device's memory and the caches."""
        return 32 * (self.memory_reads + self.memory_writes)

    @property
    def least_bytes(self) -> int:
        """What had to move: bytes read before they were written, and bytes written."""
        return self.bytes_read + self.bytes_written

    @property
    def needed_bytes(self) -> int:
        """What had to move as memory moves it: whole sectors."""
        return 32 * (self.sectors_read + self.sectors_written)

    def __repr__(self) -> str:
        return f"Traffic({', '.join(f'{name}={getattr(self, name)}' for name, _ in self._fields_)})"


class _Launch(ctypes.Structure):
    _fields_ = (
        ("grid", _Index),
        ("block", _Index),
        ("shared_bytes", ctypes.c_uint),
        ("order", ctypes.c_uint),
        ("last_first", ctypes.c_uint),
        ("range_count", ctypes.c_uint),
        ("ranges", ctypes.POINTER(_Range)),
        ("trace", ctypes.POINTER(Traffic)),
    )


class _Kernel(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("signature", ctypes.c_char_p),
        ("call", ctypes.c_void_p),
        ("most_threads", ctypes.c_uint),
    )


SCALARS = {
    "b": ctypes.c_int8,
    "h": ctypes.c_int16,
    "i": ctypes.c_int32,
    "l": ctypes.c_int64,
    "B": ctypes.c_uint8,
    "H": ctypes.c_uint16,
    "I": ctypes.c_uint32,
    "L": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that has the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class Module:
    """Compiled kernels."""

    def __init__(self, path: Path, sanitize: str) -> None:
        self.path, self.sanitize = path, sanitize
        self.alone = sanitize in emulator_build.SANITIZERS
        if not self.alone:
            self._library = ctypes.CDLL(str(path))
            self._library.emu_find_kernel.restype = ctypes.POINTER(_Kernel)

    def image(self) -> bytes:
        """What the stand-in for the driver takes for a cubin."""
        return self.path.read_bytes()

    def signature(self, name: str) -> str:
        """A letter for each parameter: p pointers; b, h, i, l and B, H, I, L integers; f, d."""
        if self.alone:
            return emulator_process.signature(self.path, name)
        found = self._library.emu_find_kernel(name.encode())
        if not found:
            raise KeyError(name)
        return str(found.contents.signature.decode())

    def launch(
        self,
        name: str,
        grid: Shape,
        block: Shape,
        shared_bytes: int,
        *arguments: Any,
        order: str | int = "forward",
        last_block_first: bool = False,
        trace: Device | None = None,
    ) -> Traffic:
        """Runs a kernel to its end. With ``trace``, and kernels compiled for "checks", returns what it moved.

        ``order`` is that in which threads take turns: "forward", "reverse" or a seed from 2 on. ``LaunchError`` says
        what the kernel did wrong, or which limit of the device the launch exceeds.
        """
        if trace and self.sanitize != "checks":
            raise ValueError(f"kernels compiled for {self.sanitize!r} are not traced, those for 'checks' are")
        how = (_Index.of(grid), _Index.of(block), shared_bytes, _number(order), last_block_first)
        values = self._values(name, arguments)
        traffic = Traffic(*(astuple(trace) if trace else ()))
        wrong = self._alone(name, how, values) if self.alone else self._here(name, how, values, trace and traffic)
        if wrong:
            raise LaunchError(f"{name}: {wrong}")
        return traffic

    def _here(self, name: str, how: tuple[Any, ...], values: Sequence[Any], traffic: Traffic | None) -> str:
        held = [x for value in values for x in (value.arrays if isinstance(value, Pointers) else [value])]
        addresses = [x.addresses() if isinstance(x, Pointers) else x for x in values]
        ranges = _ranges([*held, *addresses])
        arguments = [_c_pointer(x) if x is None or isinstance(x, np.ndarray) else x for x in addresses]
        pointers = (ctypes.c_void_p * (len(arguments) + 1))(*(ctypes.addressof(x) for x in arguments))
        launch = _Launch(*how, len(ranges), ranges, ctypes.pointer(traffic) if traffic else None)
        message = ctypes.create_string_buffer(1024)
        self._library.emu_launch_kernel(name.encode(), ctypes.byref(launch), pointers, message, len(message))
        return emulator_build.lines(self.path, message.value.decode())

    def _alone(self, name: str, how: tuple[Any, ...], values: Sequence[Any]) -> str:
        memory = emulator_process.Memory()
        arguments = [memory.pointers(x.arrays) if isinstance(x, Pointers) else x for x in values]
        numbers = [int(n) for part in how for n in ((part.x, part.y, part.z) if isinstance(part, _Index) else (part,))]
        return emulator_process.run(self.path, name, numbers, arguments, memory)

    def _values(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        """The arguments: arrays, Pointers, None or C's numbers."""
        signature = self.signature(name)
        if len(arguments) != len(signature):
            raise TypeError(f"{name} takes {len(signature)} arguments, not {len(arguments)}")
        for position, (letter, x) in enumerate(zip(signature, arguments, strict=True)):
            if (letter == "p") != (x is None or isinstance(x, (np.ndarray, Pointers))):
                raise TypeError(f"argument {position} of {name} is {x!r}; its letter is {letter}")
        return [x if letter == "p" else SCALARS[letter](x) for letter, x in zip(signature, arguments, strict=True)]


def _c_pointer(array: np.ndarray[Any, Any] | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def _ranges(arrays: Iterable[Any]) -> ctypes.Array[_Range]:
    """The memory of arrays."""
    owners = [_owner(x) for x in arrays if isinstance(x, np.ndarray)]
    bounds = sorted({np.lib.array_utils.byte_bounds(x) for x in owners if x.size})
    return (_Range * len(bounds))(*bounds)


def driver() -> Path:
    """A ``libcuda.so.1`` that runs modules' images. A process takes it for the driver that has its folder in
    LD_LIBRARY_PATH, or has loaded it (``ctypes.CDLL``) before any other. What it does is told on stderr where
    EMU_DRIVER_VERBOSE is set, and its ``emu_driver_calls(name)`` says how often a function has been called. Where
    EMU_DRIVER_STRICT is set, or after ``emu_driver_strict(1)``, no kernel takes an address that is not the device's."""
    return emulator_build.driver()


def _number(order: str | int) -> int:
    if isinstance(order, str):
        return ("forward", "reverse").index(order)
    if order < 2:
        raise ValueError(f"order is {order}; seeds begin at 2")
    return order


def compile(
    text: str,
    names: Iterable[str] | None = None,
    defines: Mapping[str, object] | None = None,
    sanitize: str = "",
    options: Sequence[str] = (),
) -> Module:
    """Kernels of these names, or all, from the text of a CUDA file. ``options`` are more of the compiler's.

    ``sanitize``: "" runs them as they are; shared memory that nobody wrote is NaN there. "checks" stops them at the
    first fault: races between threads or blocks, shared memory that nobody wrote, copies that have not arrived, memory
    of no argument, addresses that are not aligned; it costs about twice the time, and can be traced. "address" (with
    undefined behaviour) and "thread" are the compilers' sanitizers: each launch is a process; see ``works``.
    """
    flags = [*options, *(f"-D{name}={value}" for name, value in (defines or {}).items())]
    return Module(emulator_build.built(in_cxx(text, names), flags, sanitize), sanitize)
