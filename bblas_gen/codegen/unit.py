"""Several kernels as one translation unit: compiled by one call, loaded as one library.

Every kernel's text stands alone and names its macros, types and static functions alike: BB_... and bb_.... In a unit
those of kernel 3 are BB3_... and bb3_..., all but its entry point and the functions of a GPU. What follows the prefix
stays, so that names a text may paste together still meet. No name of two kernels is then the same, and each is compiled
as it would be alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .names import OURS
from .render import Source


@dataclass(frozen=True)
class Unit:
    """One C text. ``entries`` are the names of the entry points, one per source: its symbol, or, where an earlier
    source of the unit has that (another schedule of one kernel), the symbol, ``__`` and the source's number."""

    text: str
    entries: tuple[str, ...]


def unit(sources: Sequence[Source], entries: Sequence[str] = ()) -> Unit:
    """The unit of ``sources``, in their order, with other ``entries`` where they are given. They are of one target."""
    symbols = [source.symbol for source in sources]
    entries = tuple(entries) or tuple(f"{s}__{i}" if s in symbols[:i] else s for i, s in enumerate(symbols))
    texts = (_distinct(source, entry, i) for i, (source, entry) in enumerate(zip(sources, entries, strict=True)))
    return Unit("\n".join(texts), entries)


def _distinct(source: Source, entry: str, number: int) -> str:
    known = {*(source.symbol + more for more in ("", "_work", "_given")), *(x.name for x in source.functions)}
    others = {need.symbol + more for need in source.needs for more in ("", "_work")}

    def renamed(match: re.Match[str]) -> str:
        name = match[0]
        if name in known:
            return entry + name[len(source.symbol) :]
        if name in others:
            return name
        return f"{match[1]}{number}{name[2:]}"

    return OURS.sub(renamed, source.text)
