"""What an operation is: operands, sizes, flags, and what it is made of; see the table in ``ops``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .terms import Role

Sizes = Mapping[str, int]
Letters = Mapping[str, str]


@dataclass(frozen=True)
class Operand:
    """A matrix argument: ``op(X)`` is ``rows`` x ``cols`` (names of sizes, or "1"); ``flag`` names the letter of op.

    ``factor`` names the scalar whose zero means that the operand is not read. ``triangle`` says that only one triangle
    is read or written.
    """

    name: str
    rows: str
    cols: str
    role: Role
    flag: str | None = None
    factor: str | None = None
    triangle: bool = False

    def elements(self, sizes: Sizes) -> int:
        """How many numbers are read or written."""
        rows, cols = sizes[self.rows], sizes[self.cols]
        return rows * (rows + 1) // 2 if self.triangle else rows * cols


@dataclass(frozen=True, eq=False)
class RowStep:
    """A body in a sequence: the operation, and for each of its operands, flags and scalars what stands there.

    ``operands`` are names of the sequence's operands in the body's table order. ``flags``, of the sequence's letters,
    gives the letters that are not the first of their kind. ``scalars`` are names of the sequence's scalars or numbers.
    """

    op: str
    operands: tuple[str, ...]
    flags: Callable[[Letters], Letters] = field(default=dict)
    scalars: tuple[str | complex, ...] = ()


@dataclass(frozen=True, eq=False)
class Operation:
    """One row of OPS, or a sequence that a user composed.

    ``arguments`` is the order of scalars and operands in every C signature. ``flops`` counts real floating-point
    operations per matrix in real arithmetic (complex precisions multiply by 4). ``forms`` are the bodies there are,
    ``templates/op/NAME.FORM.c``; an operation without is made of ``steps``. ``tile`` is what a lane body holds in
    registers: a part of an "mn" output, a square part "nn", or nothing of the kind. ``reduction`` names the index views
    (see ``views``) that turn all flags into the body's one case. ``derived``: sizes that depend on flags.

    ``mirror`` says which names change places when every matrix is replaced by its transpose: so row-major data runs
    on column-major kernels. Where it is None the kernel is told the order instead. ``real_scalars`` are real in complex
    precisions too. ``info``: each matrix reports whether it could be done, as in LAPACK. ``hermitian``: conjugates are
    taken where there are transposes. ``basic``: its bodies do no more than multiply and add.
    """

    name: str
    formula: str
    sizes: tuple[str, ...]
    flags: tuple[str, ...]
    scalars: tuple[str, ...]
    operands: tuple[Operand, ...]
    flops: Callable[[Sizes], int]
    source: str
    arguments: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("lane",)
    mirror: Mapping[str, str] | None = None
    tile: str = ""
    reduction: str = ""
    derived: Mapping[str, Callable[[Letters], str]] = field(default_factory=dict)
    real_scalars: tuple[str, ...] = ()
    steps: tuple[RowStep, ...] = ()
    info: bool = False
    hermitian: bool = False
    basic: bool = False

    def __post_init__(self) -> None:
        if not self.arguments:
            object.__setattr__(self, "arguments", (*self.scalars, *(x.name for x in self.parameters)))

    def operand(self, name: str) -> Operand:
        return next(row for row in self.operands if row.name == name)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The scalars as users name them: those of sequences end in _ in C, as no other name there does."""
        return tuple(name.removesuffix("_") for name in self.scalars)

    @property
    def parameters(self) -> tuple[Operand, ...]:
        """The operands that a caller hands over."""
        return tuple(x for x in self.operands if x.role is not Role.SCRATCH)

    @property
    def outputs(self) -> tuple[Operand, ...]:
        return tuple(x for x in self.parameters if x.role is not Role.IN)

    def extents(self, sizes: Sizes, letters: Letters) -> dict[str, int]:
        """All sizes by name: those given, the derived ones and "1"."""
        return {**sizes, "1": 1, **{name: sizes[pick(letters)] for name, pick in self.derived.items()}}

    def size_name(self, name: str, letters: Letters) -> str:
        """The size that ``name`` stands for."""
        return self.derived[name](letters) if name in self.derived else name
