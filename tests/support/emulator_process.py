"""Launches in processes of their own, for kernels compiled with a sanitizer, whose library is not in this one."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1",
}


class Memory:
    """The memory of arrays that a launch names, each piece once."""

    def __init__(self) -> None:
        self.pieces: dict[tuple[int, int], int] = {}
        self.addresses: list[tuple[int, int, int, int]] = []
        self._held: list[Any] = []

    def place(self, array: np.ndarray[Any, Any]) -> tuple[int, int]:
        """The piece that the first element of an array lies in, and its offset there."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self._held.append(owner)
        bounds = np.lib.array_utils.byte_bounds(owner) if owner.size else (array.ctypes.data,) * 2
        piece = self.pieces.setdefault(bounds, len(self.pieces))
        return piece, array.ctypes.data - bounds[0]

    def pointers(self, arrays: Sequence[np.ndarray[Any, Any] | None]) -> np.ndarray[Any, Any]:
        """An array that will hold the addresses of others."""
        holder = np.zeros(len(arrays), np.uint64)
        piece, _ = self.place(holder)
        self.addresses += [(piece, 8 * i, *self.place(x)) for i, x in enumerate(arrays) if x is not None]
        return holder

    def content(self) -> bytes:
        return b"".join(ctypes.string_at(begin, end - begin) for begin, end in self.pieces)

    def fill(self, content: bytes) -> None:
        """Takes what the launch has made of it, but for addresses, which were those of another process."""
        at, holders = 0, {piece for piece, *_ in self.addresses}
        for (begin, end), piece in self.pieces.items():
            if piece not in holders and ctypes.string_at(begin, end - begin) != content[at : at + end - begin]:
                ctypes.memmove(begin, content[at : at + end - begin], end - begin)
            at += end - begin


@cache
def signature(program: Path, name: str) -> str:
    done = subprocess.run([program, name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise KeyError(name)
    return done.stdout.strip()


def run(program: Path, name: str, numbers: Sequence[int], arguments: Sequence[Any], memory: Memory) -> str:
    """What is wrong with a launch; "" if nothing.

    ``numbers`` are grid, block, bytes of dynamic shared memory, order and whether the last block comes first;
    ``arguments`` are ctypes numbers, arrays or None.
    """
    words = []
    for x in arguments:
        if isinstance(x, np.ndarray):
            words += [1, *memory.place(x)]
        else:
            words += [0, 0 if x is None else int.from_bytes(bytes(x), "little"), 0]
    sizes = [end - begin for begin, end in memory.pieces]
    counts = [len(sizes), len(arguments), len(memory.addresses)]
    inside = [number for address in memory.addresses for number in address]
    head = np.array([*numbers, *counts, *sizes, *words, *inside], np.uint64).tobytes()
    with tempfile.TemporaryDirectory() as folder:
        request, answer = Path(folder, "request"), Path(folder, "answer")
        request.write_bytes(head + memory.content())
        command = [program, name, request, answer]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | OPTIONS)
        if done.returncode or done.stderr:
            summary = [line for line in done.stderr.splitlines() if line.startswith("SUMMARY")]
            return "\n".join([*summary, done.stderr]) or f"exit status {done.returncode}"
        memory.fill(answer.read_bytes())
    return ""
