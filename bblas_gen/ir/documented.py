"""What is said of a public function beyond what follows from the row of its operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PublicFunction:
    """A function of ``module``. ``summary`` is one line; ``example`` a few that run, ``np`` and ``bb`` imported.

    ``operands``: of some, what they are, by their names in the table. ``order``: the operands as arguments, where that
    is not the order of the table. ``cost``: operations per matrix, where the row's count is not plain. ``required``:
    scalars without a default. ``real_result``: its numbers are real.
    """

    module: str
    summary: str
    example: str
    notes: str = ""
    operands: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    cost: str = ""
    required: tuple[str, ...] = ()
    real_result: bool = False


ONE_PASS = "Matrices are read from memory and written to it once."
