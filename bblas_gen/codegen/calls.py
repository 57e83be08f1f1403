"""The C text of a call of a kernel, and where the operands of a batch lie: for the tests and examples of a parcel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..ir.operation import Operand
from ..ir.spec import KernelSpec
from ..ir.terms import Kind, Strides
from .signature import signature_of


@dataclass(frozen=True)
class Place:
    """Where the matrices of an operand lie: elements from row to row, from column to column and from matrix to
    matrix (``distance``; ``nb`` matrices are a block, 0 where each is by itself), and in all. ``strides``
    are the arguments that say so, by name."""

    rs: int
    cs: int
    nb: int
    distance: int
    elements: int
    strides: Mapping[str, int]

    @classmethod
    def of(cls, spec: KernelSpec, x: Operand, batch: int, gap: int = 0) -> Place:
        """With ``gap`` elements between columns and matrices where the kernel allows for them."""
        rows, cols = spec.stored(x)
        where, letter, index = spec.where(x), x.name.lower(), x.kind is Kind.INDEX
        assert where is not None, "an intermediate has no place"
        row_major = spec.strides.row_major and not index
        leading = max(1, cols if row_major else rows) + gap * (spec.strides.leading and not index)
        if where.interleaved and not (spec.spaced and not index):
            size = rows * (rows + 1) // 2 if where.triangle else rows * cols
            nb = spec.nb if where.blocked else batch + gap
            return cls(1, rows, nb, size, -(-batch // nb) * nb * size, {} if where.blocked else {f"nb{letter}": nb})
        rs, cs = (leading, 1) if row_major else (1, leading)
        if where.interleaved:
            size, blocks = leading * (rows if row_major else cols), -(-batch // spec.nb)
            return cls(rs, cs, spec.nb, size, blocks * spec.nb * size, {f"ld{letter}": leading})
        if spec.strides is Strides.RS and not index:
            rs, cs = 2, 2 * rows + 1
        extent = max(rows - 1, 0) * rs + max(cols - 1, 0) * cs + 1
        distance = extent + gap
        strides = {f"ld{letter}": leading, f"rs{letter}": rs, f"cs{letter}": cs, f"stride_{letter}": distance}
        return cls(rs, cs, 0, distance, (batch - 1) * distance + extent, strides)


def call_text(
    kernel: KernelSpec, sizes: Mapping[str, Any], operands: Mapping[str, Place], given: Mapping[str, str]
) -> str:
    """The C text of a call with numbers for sizes and strides; ``given`` has the text of all other arguments, by name:
    of complex scalars that of a pair."""
    values = {name: str(sizes[name]) for name in kernel.unknown}
    for place in operands.values():
        values |= {name: str(value) for name, value in place.strides.items()}
    found = {**values, **given}
    return f"{kernel.symbol()}({', '.join(found[x.name] for x in signature_of(kernel).parameters)})"
