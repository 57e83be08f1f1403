"""How direct products of any size read long factors from memory.

What tiles to come read of a factor is prefetched where its pieces lie too far apart for hardware to see the next ones:
to the level-2 cache, some lines in each step of k. What is beyond a factor is not asked for. Long columns of the right
factor are read as they lie in memory, where the left one stays in a cache.
"""

from __future__ import annotations

from ..ir.views import View
from .direct import STEP, At, Direct
from .tiles import Left

NEAR_LEFT = 512 << 10
"""Bytes of a left factor that stays in a level-2 cache."""
ROWS_AHEAD, COLUMNS_AHEAD = 3, 2
"""Tiles by which rows of the left factor, and columns of the right one, are prefetched."""
Found = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]
"""Names of numbers, with their C text, and addresses."""


def to_come(d: Direct, at: At, most: int, left: Left, right: str, view: View) -> Found:
    """What is prefetched in a step of a tile; nothing where sizes are known, or columns shorter than a vector, which
    have little to do in each step. ``most``: columns of a whole tile."""
    if not d.line or d.narrow:
        return (), ()
    found = [_rows(d, at, left), _columns(d, at, most, right, view)]
    return tuple(x for names, _ in found for x in names), tuple(x for _, addresses in found for x in addresses)


def strip(d: Direct, itemsize: int) -> str:
    """The C text of the columns that go through all panels of k, ``all`` steps, before others: a tile of them, where
    none has to pack the left factor anew."""
    (left, right, _), size = d.body.views, d.body.size
    if right.rs != 1 or not left.unit_rows or not isinstance(size["n"], str):
        return str(size["n"])
    some = d.schedule.cols
    return f"panels > 1 && (double){size['m']} * (double)all <= {NEAR_LEFT // itemsize} ? {some} : {size['n']}"


def _rows(d: Direct, at: At, left: Left) -> Found:
    """Of the left factor; lower tiles than others are the last. Rows that are packed are read along."""
    rows, m = d.schedule.rows, d.body.size["m"]
    if left.packed or len(at.offsets) < rows or not isinstance(m, str):
        return (), ()
    height = rows * d.width
    name = _name("next_row", str(at.i), ROWS_AHEAD * height, m)
    return (name,), tuple(f"{left.name} + {left.view.vector((name[0], x), STEP)}" for x in range(0, height, d.line))


def _columns(d: Direct, at: At, most: int, right: str, view: View) -> Found:
    """Of the right one, where neighbours in a row are neighbours in memory; narrower tiles than others are the last."""
    n = d.body.size["n"]
    if view.rs == 1 or at.columns < most or not isinstance(n, str):
        return (), ()
    name = _name("next_column", str(at.j), COLUMNS_AHEAD * at.columns, n)
    return (name,), tuple(f"{right} + {view.at(STEP, (name[0], x))}" for x in range(0, at.columns, d.line))


def _name(name: str, first: str, ahead: int, size: str) -> tuple[str, str]:
    """Where what lies so far behind begins; what is there anyhow where that is beyond the factor."""
    return name, f"{first} + {ahead} < {size} ? {first} + {ahead} : {first}"
