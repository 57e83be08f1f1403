"""Slices of matrices, of which each lane of a team takes its own."""

from __future__ import annotations

from dataclasses import replace

from ..ir.canonical import Case
from ..ir.operation import Operation
from ..ir.views import Stride, linear
from ..schedule.team import Share


def sliced(row: Operation, case: Case, share: Share) -> tuple[Case, dict[str, str]]:
    """The case of a slice of a body's matrices, and where slice ``piece`` of each begins, as C text to add to it.

    A slice has every so-many-th row or column: so neighbouring lanes are at neighbours.
    """
    if share.together or not share.slices:
        return case, {}
    counts, place, before = share.counts, {}, 1
    for name, count in counts.items():
        one = f"piece / {before}" if before > 1 else "piece"
        place[name] = one if name == list(counts)[-1] else f"{one} % {count}"
        before *= count
    views, starts = [], {}
    for x, view in zip(row.matrices, case.views, strict=True):
        at = linear((place.get(x.rows, 0), view.rs), (place.get(x.cols, 0), view.cs), factor=view.factor)
        starts[x.name] = f" + {at}" if at != "0" else ""
        rs, cs = _times(view.rs, counts.get(x.rows, 1)), _times(view.cs, counts.get(x.cols, 1))
        views.append(replace(view, rs=rs, cs=cs))
    return replace(case, views=tuple(views), size={**case.size, **share.slices}), starts


def _times(stride: Stride, count: int) -> Stride:
    assert isinstance(stride, int)
    return stride * count
