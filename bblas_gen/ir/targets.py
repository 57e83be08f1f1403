"""The table of targets: a target is a row of attributes."""

from __future__ import annotations

from dataclasses import dataclass

from .terms import Layout


@dataclass(frozen=True)
class Target:
    """A row of TARGETS: the ``suffix`` of its sources and of its frame template, and the layouts it takes."""

    name: str
    suffix: str
    layouts: tuple[Layout, ...]

    def takes(self, layout: Layout) -> bool:
        return layout in self.layouts


TARGETS = {
    row.name: row
    for row in (
        Target("cpu", ".c", tuple(Layout)),
        Target("cuda", ".cu", (Layout.IL, Layout.BI, Layout.BL, Layout.BU)),
    )
}
