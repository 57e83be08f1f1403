"""CUDA kernels of which any barrier can be left out, to see whether that is found."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from typing import Any

from . import emulator

_BARRIER = re.compile(r"^( *)((?:BB_TEAM_SYNC|__syncthreads)\(\);)", re.MULTILINE)
_FUNCTION = re.compile(r"^static BB_INLINE \w+ (\w+)\(", re.MULTILINE)
_LEFT_OUT = 'extern "C" { __attribute__((visibility("default"))) int left_out = -1; } '


class Numbered:
    """Makes modules as ``emulator.compile`` does; the last one can run without one of its barriers. ``functions`` are
    those that these are in, in the order of the text."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.module: Any = None

    def __call__(self, text: str, names: Iterable[str] | None = None, sanitize: str = "checks") -> emulator.Module:
        starts = [(one.start(), one[1]) for one in _FUNCTION.finditer(text)]
        self.functions = []

        def numbered(one: re.Match[str]) -> str:
            self.functions.append(next((name for start, name in reversed(starts) if start < one.start()), ""))
            return f"{one[1]}if (left_out != {len(self.functions) - 1}) {one[2]}"

        self.module = emulator.compile(_LEFT_OUT + _BARRIER.sub(numbered, text), names, sanitize=sanitize)
        return self.module

    def leave_out(self, number: int) -> None:
        """The barrier of this number; -1: none."""
        ctypes.c_int.in_dll(self.module._library, "left_out").value = number
