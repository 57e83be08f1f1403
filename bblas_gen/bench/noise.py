"""What a busy machine does to measurements: told before, marked after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..runtime import threads
from ..toolchain import machine

SPREAD = 0.2
"""A quarter of the repetitions below and one above this part of the median: too far apart for a result."""
ABOVE = 1.05
"""Nobody is faster than the roofline: beyond this part of it, it was measured in a bad moment."""


def is_noise(row: Mapping[str, Any]) -> bool:
    """Whether a row of a measurement is none."""
    return bool(row.get("spread", 0.0) > SPREAD or row.get("fraction", 0.0) > ABOVE)


def summary(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many of the rows are noise; empty where none is."""
    found = sum(map(is_noise, rows))
    if not found:
        return ""
    return (
        f"noise: {found} of {len(rows)} rows, marked !, spread by more than {SPREAD:.0%} or lie above {ABOVE:.0%} of"
        " the roofline: repeat them on a quiet machine"
    )


def state(wanted: int | None = None) -> str:
    """Threads and load of the machine, with a warning where others are at work."""
    load, cores = machine.load(), machine.cores()
    told = f"threads {wanted or threads.limit()}, cores {cores}, load {'unknown' if load is None else f'{load:.1f}'}"
    busy = load is not None and load > cores
    return told + (": the machine is busy, times will spread" if busy else "")
