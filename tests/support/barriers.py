"""CUDA kernels with small faults, to see whether these are found: any barrier, or wait for copies, can be left out,
lanes can name a mask without themselves, and shared memory can be too small."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import emulator

_PLACE = re.compile(r"^( *)((BB_TEAM_SYNC|__syncthreads|BB_ARRIVED)\(\);)|^(#define BB_TEAM_MASK )(.*)$", re.MULTILINE)
_FUNCTION = re.compile(r"^static BB_INLINE \w+ (\w+)\(", re.MULTILINE)
_SHARED = re.compile(r"(\b__shared__ [^;]*\[)(\d+)(\];)")
_FAULT = 'extern "C" { __attribute__((visibility("default"))) int fault = -1; } '
BARRIER, WAIT, MASK = "barrier", "wait", "mask"
_KINDS = {"BB_TEAM_SYNC": BARRIER, "__syncthreads": BARRIER, "BB_ARRIVED": WAIT, None: MASK}


def less(count: int) -> int:
    """What is left of so much shared memory that is too small: it lacks more than lies unused behind an array."""
    return max(1, count - max(16, count // 8))


@dataclass(frozen=True)
class Place:
    """Where a fault may be: its kind, and the function that it is in, "" outside of all."""

    kind: str
    function: str


class Numbered:
    """Makes modules as ``emulator.compile`` does; the last one can run with one of its faults. ``places`` are these, in
    the order of the text. With ``cut`` its array of shared memory of this number is too small."""

    def __init__(self, cut: int = -1) -> None:
        self.cut = cut
        self.places: list[Place] = []
        self.arrays = 0
        self.module: Any = None

    def __call__(self, text: str, names: Iterable[str] | None = None, sanitize: str = "checks") -> emulator.Module:
        starts = [(one.start(), one[1]) for one in _FUNCTION.finditer(text)]
        self.places, self.arrays = [], 0

        def numbered(one: re.Match[str]) -> str:
            number, kind = len(self.places), _KINDS[one[3]]
            inside = next((name for start, name in reversed(starts) if start < one.start()), "")
            self.places.append(Place(kind, "" if kind == MASK else inside))
            if kind == MASK:
                return f"{one[4]}({one[5]} & ~((unsigned)(fault == {number}) << threadIdx.x % 32))"
            return f"{one[1]}if (fault != {number}) {one[2]}"

        def sized(one: re.Match[str]) -> str:
            self.arrays += 1
            count = less(int(one[2])) if self.arrays - 1 == self.cut else int(one[2])
            return f"{one[1]}{count}{one[3]}"

        text = _SHARED.sub(sized, _PLACE.sub(numbered, text))
        self.module = emulator.compile(_FAULT + text, names, sanitize=sanitize)
        return self.module

    def put(self, number: int) -> None:
        """The fault of this number; -1: none."""
        ctypes.c_int.in_dll(self.module._library, "fault").value = number
