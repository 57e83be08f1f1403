"""A kernel for all sizes that does large problems otherwise than small ones: the texts of two, and a choice."""

from __future__ import annotations

import re

from ..ir.sizes import Size
from .names import OURS

LARGE = "large"
"""What stands for it in the names of the kernel for large problems."""


def joined(small: str, large: str, symbol: str) -> str:
    """Two texts without entry points. Names of the second become others: bb_range bb_large_range. Both mention the
    ``symbol`` of the kernel."""

    def renamed(match: re.Match[str]) -> str:
        tag = LARGE if match[1].islower() else LARGE.upper()
        return match[0] if match[0] == symbol else f"{match[1]}_{tag}_{match[2]}"

    return f"{_inner(small)}\n{OURS.sub(renamed, _inner(large))}"


def _inner(text: str) -> str:
    return text.replace("\nint bb_call(", "\nstatic int bb_call(")


def heap_bytes(condition: str, large: Size, small: Size) -> Size:
    """The bytes of scratch on the heap of the kernel that is chosen."""
    return f"({condition} ? {large} : {small})"
