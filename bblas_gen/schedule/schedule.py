"""What a schedule says."""

from __future__ import annotations

from dataclasses import dataclass, fields

from .lane import RegisterTile

LANES = ("lane", "hybrid")
"""The forms that have lanes."""


@dataclass(frozen=True)
class Schedule:
    """``form``: ``lane`` (one matrix per SIMD lane), ``direct`` (vectors along the columns of one matrix), ``flat``
    (several columns, or ``matrices_per_vector``, in a vector, for matrices of a few rows); of solvers ``across``
    (vectors of right-hand sides) or ``columns`` (vectors down the columns of one matrix, a few matrices in turns); of
    factorizations, perhaps with solves, ``hybrid`` (a vector of matrices, of which blocks on the diagonal go to lanes);
    for any size of large matrices ``blocked`` and ``recursive``, of long vectors ``streamed``: see there.

    ``width``: reals per vector, of which bodies that would wait for their own results do some ``abreast``.
    ``rows`` x ``cols``: the tile of C held in registers, rows in elements (lane) or
    vectors (direct); flat bodies have ``cols`` vectors in a tile, solvers X: ``rows`` vectors by ``cols`` of its rows
    (across), or columns (columns); blocks that go to lanes are ``rows`` vectors high, and left of them a tile has
    ``cols`` columns. ``unroll``: steps of k, or matrices in turns, per loop iteration. ``kc``:
    steps of k between visits to C. ``prefetch``: how many matrices ahead to prefetch, 0 for not at all. ``grain``:
    matrices that a thread takes as a unit. ``min_batch_per_thread``: matrices that are worth one more thread.
    ``nontemporal_bytes``: bytes of a thread's part of a batch from which an output that is not read is stored past the
    caches; 0 for never. Those of matrices by themselves are up to twice as many. ``tiles``: those of the bodies, once
    the schedule is chosen. ``large``: how a kernel for any size does problems that are large, where that is another
    way.
    """

    form: str
    width: int
    rows: int
    cols: int
    unroll: int
    kc: int
    prefetch: int
    grain: int
    min_batch_per_thread: int
    matrices_per_vector: int = 1
    nontemporal_bytes: int = 0
    tiles: tuple[RegisterTile, ...] = ()
    large: Large | None = None
    abreast: int = 1

    @property
    def body_form(self) -> str:
        """The form of the program, see ``Program.in_form``."""
        return self.form

    @property
    def gathers(self) -> bool:
        """Whether matrices by themselves are brought to scratch that several of them share."""
        return self.form in LANES and self.width > 1

    @property
    def gathers_all(self) -> bool:
        """Whether interleaved ones are brought there too."""
        return False

    @property
    def all_lanes(self) -> int:
        """The lanes of all vectors that go abreast: the matrices that are done at a time."""
        return self.width * self.abreast

    @property
    def spread(self) -> int:
        """The distance in scratch between neighbouring reals of one matrix."""
        return self.width

    def numbers(self) -> dict[str, int]:
        """All but the form and the tiles that follow from the rest."""
        apart = ("form", "tiles", "large", *["abreast"] * (self.abreast == 1))
        return {name: value for name, value in vars(self).items() if name not in apart}

    def __str__(self) -> str:
        found = ", ".join(f"{name} {value}" for name, value in ({"form": self.form} | self.numbers()).items())
        return f"{found}; if {self.large.condition}: {self.large.schedule}" if self.large else found


FIELDS = tuple(field.name for field in fields(Schedule) if field.name not in ("tiles", "large"))
"""What may be chosen; the rest follows."""


@dataclass(frozen=True)
class Large:
    """The schedule of problems for which ``condition`` holds, C text of sizes that only run time knows. Where threads
    share one and ``together`` holds, they are done as others are; "" where they never are."""

    condition: str
    schedule: Schedule
    together: str = ""
