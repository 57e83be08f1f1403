"""CUDA kernels on a machine without a GPU: compiled as C++, run as fibers (see ``cuda_emulator``).

``compile`` takes the text of kernels, ``extern "C" __global__`` with parameters that are numbers or pointers::

    module = emulator.compile(text, ["scale"])
    module.launch("scale", 2, 64, 0, x, 2.0, len(x))  # blocks, threads of each, bytes of dynamic shared memory

Arrays stand for the address of their first element. An array of matrices' addresses is ``Pointers``.

The text is read after ``cuda_emulator/cuda.h``, which defines ``BB_CUDA_EMULATOR`` and, of what is inline PTX on a GPU:
``bb_copy_async4``, ``8`` and ``16`` ``(shared, global)``, ``bb_copy_async_commit()``, ``bb_copy_async_wait<groups>()``,
``bb_rsqrt_approx(x)`` and ``bb_rcp_approx(x)``. ``extern __shared__ T name[];`` may be in a kernel or before it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import emulator_build
from .emulator_build import EmulatorError

ORDERS = {"forward": 0, "reverse": 1}
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
    """What a launch moved: see ``struct bb_trace``. Sectors have 32 bytes."""

    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in (
            *("first_level", "second_level", "resident_warps"),
            *("loads", "stores", "load_sectors", "store_sectors"),
            *("first_level_misses", "memory_reads", "memory_writes"),
            *("bytes_read", "bytes_written"),
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
        self._library = ctypes.CDLL(str(path))
        self._library.bb_find_kernel.restype = ctypes.POINTER(_Kernel)

    def image(self) -> bytes:
        """What the mock of the driver takes for a cubin."""
        return self.path.read_bytes()

    def signature(self, name: str) -> str:
        """A letter for each parameter: p pointers; b, h, i, l and B, H, I, L integers; f, d."""
        found = self._library.bb_find_kernel(name.encode())
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
        held, values = self._values(name, arguments)
        pointers = (ctypes.c_void_p * (len(values) + 1))(*(ctypes.addressof(x) for x in values))
        if trace and self.sanitize != "checks":
            raise ValueError(f"kernels compiled for {self.sanitize!r} are not traced, those for 'checks' are")
        ranges, traffic = _ranges(held), Traffic(*(astuple(trace) if trace else ()))
        launch = _Launch(
            *(_Index.of(grid), _Index.of(block), shared_bytes, _number(order), last_block_first),
            *(len(ranges), ranges, ctypes.pointer(traffic) if trace else None),
        )
        message = ctypes.create_string_buffer(1024)
        if self._library.bb_launch_kernel(name.encode(), ctypes.byref(launch), pointers, message, len(message)):
            raise LaunchError(f"{name}: {emulator_build.lines(self.path, message.value.decode())}")
        return traffic

    def _values(self, name: str, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """What has to live as long as the launch, and the arguments as C has them."""
        signature = self.signature(name)
        if len(arguments) != len(signature):
            raise TypeError(f"{name} takes {len(signature)} arguments, not {len(arguments)}")
        held, values = [], []
        for position, (letter, x) in enumerate(zip(signature, arguments, strict=True)):
            if isinstance(x, Pointers):
                held += x.arrays
                x = x.addresses()
            if (letter == "p") != (x is None or isinstance(x, np.ndarray)):
                raise TypeError(f"argument {position} of {name} is {x!r}; its letter is {letter}")
            held.append(x)
            if letter == "p":
                values.append(ctypes.c_void_p(None if x is None else x.ctypes.data))
            else:
                values.append(SCALARS[letter](x))
        return held, values


def _ranges(arrays: Iterable[Any]) -> ctypes.Array[_Range]:
    """The memory of arrays."""
    owners = [_owner(x) for x in arrays if isinstance(x, np.ndarray)]
    bounds = sorted({np.lib.array_utils.byte_bounds(x) for x in owners if x.size})
    return (_Range * len(bounds))(*bounds)


def driver() -> Path:
    """A ``libcuda.so.1`` that runs modules' images. A process takes it for the driver that has its folder in
    LD_LIBRARY_PATH, or has loaded it (``ctypes.CDLL``) before any other. What it does is told on stderr where
    BB_DRIVER_VERBOSE is set, and its ``bb_driver_calls(name)`` says how often a function has been called."""
    return emulator_build.driver()


def _number(order: str | int) -> int:
    if isinstance(order, str):
        return ORDERS[order]
    if order < 2:
        raise ValueError(f"order is {order}; seeds begin at 2")
    return order


def _in_cxx(text: str, names: Iterable[str]) -> str:
    """The text with the one line that C++ cannot read written differently, and the table of its kernels."""
    shared = (
        r"extern\s+__shared__\s+((?:__align__\s*\([^()]*\)|alignas\s*\([^()]*\))\s*)?([\w\s]+?)\s*\b(\w+)\s*\[\s*\]\s*;"
    )
    text = re.sub(shared, r"\2 *const \3 = (\2 *)(void *)bb_dynamic_shared;", text)
    entries = []
    for name in names:
        bounds = rf"__launch_bounds__\s*\(([^(),]+)[^()]*\)[^;{{}}]*?\b{re.escape(name)}\s*\("
        found = re.search(bounds, text)
        entries.append(f"BB_KERNEL({name}, {found[1].strip() if found else 0})")
    return f"{text}\nBB_KERNELS({', '.join(entries)})\n"


def compile(text: str, names: Iterable[str], defines: Mapping[str, object] | None = None, sanitize: str = "") -> Module:
    """Kernels of these names from the text of a CUDA file."""
    flags = [f"-D{name}={value}" for name, value in (defines or {}).items()]
    return Module(emulator_build.built(_in_cxx(text, names), flags, sanitize), sanitize)
