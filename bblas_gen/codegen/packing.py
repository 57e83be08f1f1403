"""How matrices by themselves are brought to vectors of lanes and back: vectors of their reals, joined of two halves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..schedule.schedule import Schedule
from .operand_text import OperandText

SMALL, FEW = 16, 2
"""Most reals of a matrix, and most operands with matrices, of kernels whose loop gains where it knows that all vectors
are whole: addresses follow from one another, and the remainder's loops are elsewhere."""

STRAIGHT = {"pack": 16, "unpack": 4}
"""Most vectors of a matrix that straight lines bring to lanes, and back. Compilers keep what these bring in registers,
and each load from scratch finds its store at once: behind a loop cores foresee the wrong one, now and then."""


@dataclass(frozen=True)
class Halves:
    """Vectors of two halves of ``reals`` reals on x86: the macro that tells of their instructions, the ``letter`` of
    their registers in assembly, how it names operands 0, 1 and 2, ``whole``, and 0 and 1, ``half``, and the ``suffix``
    of what inserts and extracts halves. The second half of a vector comes from a matrix that is so many ``apart`` from
    that of the first."""

    reals: int
    macro: str
    letter: str
    whole: tuple[str, str, str]
    half: tuple[str, str]
    suffix: str
    apart: int

    @property
    def crossed(self) -> bool:
        """Whether the last stage of a transposition takes quarters: the order of matrices follows from it."""
        return self.apart < self.reals

    @property
    def first(self) -> str:
        """The C text of the matrix of which the first half of vector r is."""
        return f"r + r / {self.apart} * {self.apart}" if self.crossed else "r"


@dataclass(frozen=True)
class Packing:
    """The transposition of ``width`` reals of each matrix in vectors of ``wide`` reals, that are ``joined`` of halves,
    from ``offsets``, or not; whether operands are read so, or written, and stored past the caches."""

    width: int
    wide: int
    joined: bool
    offsets: tuple[int, ...]
    reads: bool
    writes: bool
    past: bool


def halves_of(width: int, real_bytes: int) -> Halves:
    """How vectors of ``width`` reals are joined of two."""
    if width * real_bytes == 64:
        return Halves(width // 2, "__AVX512F__", "v", ("%0", "%1", "%2"), ("%t0", "%t1"), "f64x4", width // 4)
    return Halves(width // 2, "__AVX__", "x", ("%t0", "%t1", "%t2"), ("%x0", "%x1"), "f128", width // 2)


def ends(schedule: Schedule, operands: Iterable[OperandText], *, partial: bool, lane: bool) -> dict[str, Any]:
    """Whether a partly filled last vector is done in a function of its own, and the C text of where whole ones end:
    where bodies treat it otherwise (``partial``), and where matrices by themselves are few and small."""
    sides = [x for x in operands if x.storage and not x.is_number]
    small = len(sides) <= FEW and all(x.moved and isinstance(x.reals, int) and x.reals <= SMALL for x in sides)
    apart = partial or (lane and schedule.width > 1 and schedule.abreast == 1 and small)
    return {
        "ends_apart": apart,
        "whole_end": f"lo + (hi - lo) / {schedule.width} * {schedule.width}" if apart else "hi",
    }


def packings(operands: Iterable[OperandText], width: int, *, halved: bool) -> list[Packing]:
    """One for each width of the vectors that move the operands of a kernel with vectors of ``width`` reals."""
    operands = list(operands)
    moves, past = [move for x in operands for move in x.moves], any(x.past for x in operands)
    half, found = width // 2, []
    for w in sorted({w for w, _, _ in moves}):
        joined = halved and w >= half
        reads, writes = (any(move[0] == w and move[kind] for move in moves) for kind in (1, 2))
        offsets = tuple(range(0, w, half)) if joined else (0,)
        found.append(Packing(w, width if joined else w, joined, offsets, reads, writes, past and w == width))
    return found
