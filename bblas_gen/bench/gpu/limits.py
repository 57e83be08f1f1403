"""What bounds a GPU, measured: bytes per second of a copy, fused multiply-adds per second; and kernels for data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...arrays.device import header
from ...codegen.render import render_file
from ...runtime.cubins import compile_text
from ...runtime.device_storage import DeviceStorage, fetched
from ...runtime.gpu import Gpu, core

THREADS, COPIES, SUMS = 256, 4, 8
REALS = {"s": "float", "d": "double"}
BLOCKS = 8
"""For each multiprocessor, as many as it can have of so many threads."""
STEP = 1e-8
"""Seconds of a step of what keeps a GPU busy, about."""


@dataclass(frozen=True)
class Tools:
    """The kernels of ``templates/bench/device.cu`` on a GPU; what they do is queued on the default stream."""

    gpu: Gpu

    @cached_property
    def _code(self) -> Any:
        text = render_file("bench/device.cu", threads=THREADS, copies=COPIES, sums=SUMS, reals=REALS)
        return self.gpu.module(compile_text(text, "bench/device.cu", self.gpu.architecture))

    def _launch(self, name: str, grid: Sequence[int], *arguments: Any) -> None:
        config = core().LaunchConfig(grid=tuple(grid), block=THREADS)
        core().launch(self.gpu.stream(None), config, self._code.get_kernel(name), *arguments)

    def copy(self, nbytes: int) -> Callable[[], None]:
        """What reads and writes so many bytes together."""
        count = max(1, nbytes // 32)
        given, taken = (DeviceStorage(self.gpu, (2 * count,), np.dtype(float)) for _ in range(2))
        some = DeviceStorage.of(self.gpu, np.random.default_rng(0).standard_normal(1 << 10))
        self.repeat(given, some)
        blocks = -(-count // (THREADS * COPIES))
        return lambda: self._launch("bb_copy", (blocks,), place(given), place(taken), count)

    def peak(self, letter: str, steps: int) -> tuple[Callable[[], None], int]:
        """What does nothing but ``steps`` independent FMAs of each sum, and its floating-point operations."""
        blocks, found = BLOCKS * self.gpu.device.properties.multiprocessor_count, self._word()
        work = 2 * SUMS * steps * THREADS * blocks
        return lambda: self._launch(f"bb_{letter}fma", (blocks,), place(found), steps), work

    def busy(self, seconds: float) -> None:
        """Keep the GPU busy for about so long, so that the host can queue what is timed."""
        self._launch("bb_sfma", (1,), place(self._word()), round(seconds / STEP))

    def repeat(self, to: Any, some: Any, rows: int = 1) -> None:
        """Fill ``to`` with ``some``, again and again, row by row."""
        pitch, period = _words(to) // rows, _words(some) // rows
        self._launch("bb_repeat", (-(-pitch // THREADS), rows), place(to), pitch, place(some), period, pitch)

    def differ(self, large: Any, some: Any, rows: int, count: int) -> bool:
        """Whether the first ``count`` words of a row of ``large`` are others than ``some``, again and again."""
        found, period = self._word(), _words(some) // rows
        pitch = _words(large) // rows
        given = place(large), pitch, place(some), period, count, place(found)
        self._launch("bb_differ", (-(-count // THREADS), rows), *given)
        return bool(fetched(header("found", found), self.gpu.stream(None)).any())

    def _word(self) -> DeviceStorage:
        return DeviceStorage.of(self.gpu, np.zeros(2, np.uint32))


def place(array: Any) -> int:
    """The address of an array on a GPU."""
    return int(array.__cuda_array_interface__["data"][0])


def _words(array: Any) -> int:
    return int(array.nbytes) // 4
