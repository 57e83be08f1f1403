"""Where matrices that teams share lie in shared memory, so that lanes meet no bank conflicts."""

from __future__ import annotations

from ..ir.views import View

BANKS = 128
"""Bytes that all banks hand out together."""


def in_shared_memory(lanes: int, rows: int, cols: int, parts: int, real_bytes: int) -> tuple[View, int]:
    """How a matrix lies there, and the reals from one to the next.

    Columns are an odd number of reals apart: so neighbours in a row are in banks of their own as those in a column are.
    Imaginary parts are behind all real ones, half a turn of the banks further, as both arrive together. Matrices are
    as many banks apart as a team has lanes.
    """
    turn = BANKS // real_bytes
    pitch = rows | 1 if cols > 1 else max(1, rows)
    half = max(1, pitch * cols)
    if parts == 2:
        half = _at_least(half, turn // 2, turn)
    apart = _at_least(half * parts, lanes, turn) if lanes < turn else half * parts
    return View(1, pitch, 1, half if parts == 2 else 1), apart


def _at_least(count: int, remainder: int, turn: int) -> int:
    """The smallest number from ``count`` on with this remainder by ``turn``."""
    return count + (remainder - count) % turn
