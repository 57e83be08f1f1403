"""Sequences: several operations on named operands in one kernel, each block of matrices loaded and stored once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .errors import SpecError
from .ir.operation import Step
from .ir.sequence import sequence_row
from .ir.sequence_text import sequences_in, text_of
from .ir.terms import Kind, Role
from .runtime.invoke import invoke


class OperationSequence:
    """What :func:`sequence` makes. Call it with its operands and scalars by name. ``row`` is its row of the table of
    operations, as every operation has one: ``plan`` takes a sequence where it takes a name."""

    def __init__(self, steps: Sequence[Step], name: str, scratch: Sequence[str]) -> None:
        if not isinstance(steps, Iterable):
            raise SpecError(f"steps = {steps!r}: expected one or more of bblas_gen.step(...)")
        self.steps = tuple(steps)
        self.row = sequence_row(self.steps, name, scratch)
        self._operands = tuple(x.name for x in self.row.parameters)
        self._names = {*self._operands, *self.row.user_scalars}

    @classmethod
    def parse(cls, text: str) -> OperationSequence:
        """The sequence that prints as ``text``, which may have line breaks and comments. Nothing is executed. Raises
        SpecError for anything else."""
        found = sequences_in(text)
        if len(found) != 1:
            raise SpecError(f"text has {len(found)} sequences: expected one")
        return cls(*found[0])

    @property
    def scratch(self) -> tuple[str, ...]:
        """The intermediates."""
        return self.row.intermediates

    @property
    def operands(self) -> dict[str, str]:
        """What a call takes, and what is done with it: "in", "inout" or "out"."""
        return {x.name: str(x.role) for x in self.row.parameters}

    @property
    def shapes(self) -> dict[str, tuple[str, str]]:
        """Rows and columns of each operand, in names that ``compile`` takes as sizes."""
        return {x.name: (x.rows, x.cols) for x in self.row.parameters}

    @property
    def scalars(self) -> tuple[str, ...]:
        """The numbers that a call takes beside its operands."""
        return self.row.user_scalars

    def __call__(
        self, *, num_threads: int | None = None, check: str | None = None, return_info: bool = False, **named: Any
    ) -> Any:
        """Run the sequence on operands by name; returns the one that the last step writes (with info, if asked).

        That one may be left out where it is written before it is read; a new one is made then. ``check`` and
        ``return_info`` are as in ``lapack``: where a step fails on a matrix, later ones leave its operands as they
        were.
        """
        if named.keys() != self._names:
            named = self._completed(named)
        operands, scalars = {n: named[n] for n in self._operands}, {n: named[n] for n in self.row.user_scalars}
        return invoke(
            self.row, operands, scalars=scalars, num_threads=num_threads, check=check, return_info=return_info
        )

    def _completed(self, named: dict[str, Any]) -> dict[str, Any]:
        """The arguments with None for what may be left out; refuses those that are not known or missing."""
        output, expected = self.row.parameters[-1], (*self._operands, *self.scalars)
        for x in self.row.outputs:
            if x.role is Role.OUT and x.kind is Kind.INDEX:
                named.setdefault(x.name, None)  # made where it is not wanted
        if output.role is Role.OUT and {n for n in expected if n not in named} == {output.name}:
            named[output.name] = None
        # What may be left out is not what is wrong, as long as something else is.
        in_turn = (*named, *sorted(expected, key=lambda n: n == output.name))
        if wrong := next((n for n in in_turn if (n in named) != (n in expected)), None):
            what = "is not known" if wrong in named else "is missing"
            raise TypeError(f"{self.row.name}: {wrong} {what}: expected {', '.join(expected)}")
        return named

    def __repr__(self) -> str:
        return text_of(self.row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OperationSequence) and self.row == other.row

    def __hash__(self) -> int:
        return hash(self.row)

    def __reduce__(self) -> tuple[Any, ...]:
        return OperationSequence, (self.steps, self.row.name, self.scratch)


def sequence(steps: Sequence[Step], *, name: str = "sequence", scratch: Sequence[str] = ()) -> OperationSequence:
    """One kernel that does ``steps`` one after another on each block of matrices, which is loaded and stored once.

    Parameters
    ----------
    steps : list of Step
        Made by :func:`bblas_gen.step`. Operands are named in the steps: those that are written become results. A step
        finds what earlier ones left in an operand.
    name : str
        Shows up in the kernel's symbol.
    scratch : str or list of str
        Intermediates: they never leave the cache and take no memory of the batch.

    Returns
    -------
    sequence : OperationSequence
        Call it with its operands and scalars by name; each is a batch in any layout. Sizes follow from the operands of
        a call; each new combination is compiled once.

    Raises
    ------
    SpecError
        For names, flags and scalars that cannot be, for an intermediate that is read where no step before has written
        (the other triangle, say), and for one that is the result.

    References
    ----------
    Algorithm 2 of Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    The Schur complement C - B' A**-1 B of a positive definite A:

    >>> schur = bb.sequence([
    ...     bb.step("potrf", "A"),
    ...     bb.step("trsm", "A", "B"),  # B := L**-1 B
    ...     bb.step("syrk", "B", "C", trans="T", alpha=-1, beta=1),  # C := C - B' B
    ... ])
    >>> schur.operands
    {'A': 'inout', 'B': 'inout', 'C': 'inout'}
    >>> schur(A=4 * np.ones((1, 1, 1)), B=6 * np.ones((1, 1, 1)), C=10 * np.ones((1, 1, 1))).tolist()
    [[[1.0]]]
    """
    return OperationSequence(steps, name, [scratch] if isinstance(scratch, str) else scratch)
