"""What is said of a public function beyond what follows from the row of its operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .operation import Operand, Operation
from .terms import Role


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


def made(x: Operand) -> bool:
    """What is written only: a caller may leave it out, and a new one is made."""
    return x.role is Role.OUT


def taken(op: Operation, function: PublicFunction) -> list[Operand]:
    """The operands as arguments: in their order, those that can be left out at the end."""
    found = [op.operand(name) for name in function.order] or list(op.parameters)
    return sorted((x for x in found if not op.reduces or x.role is not Role.OUT), key=made)


def by_name_only(op: Operation, x: Operand) -> bool:
    """Of what is taken: what is made beside the results."""
    return made(x) and x.name not in op.returns


ONE_PASS = "Each matrix is read from memory once and written once."
