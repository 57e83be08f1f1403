"""What the schedule of a kernel for a GPU says."""

from __future__ import annotations

from dataclasses import dataclass, field

from .schedule import Schedule
from .team import WARP, Share

THREADS = 128
"""Threads of a block: a multiple of every default block size, small enough for 255 registers a thread."""


@dataclass(frozen=True)
class GpuSchedule(Schedule):
    """``threads`` is the size of a block, of which ``lanes`` are there for one matrix. ``staged``: all threads bring
    matrices by themselves to shared memory, or ``interleaved`` ones too. ``shares`` tells what the lanes of a team do
    of each body. ``forgets``: bodies load anew what those before had in registers. At least ``blocks`` are on a
    multiprocessor together; 0 says nothing. So many bytes of shared memory are ``dynamic``: whoever launches it asks
    for them. ``work``: those of the arrays of each matrix that bodies index. ``room``: the KB that a block must be able
    to have, where not all GPUs have as many; else 0.
    In the form ``copy`` a block brings ``kc`` numbers of each matrix to shared memory, and on, at a time.
    In the form ``blocked`` it does a ``tile`` (sizes of the output, each with rows or columns), of which a thread has
    ``rows`` x ``cols``, with ``unroll`` steps of k in shared memory at a time; tiles are done down ``strip`` columns of
    them.

    Compilers take all the registers that this leaves to a thread, to load ahead; told of nothing they rather spill a
    few than have fewer blocks. So it is as many blocks as leave enough."""

    threads: int = field(default=THREADS, kw_only=True)
    lanes: int = field(default=1, kw_only=True)
    staged: bool = field(default=False, kw_only=True)
    interleaved: bool = field(default=False, kw_only=True)
    forgets: bool = field(default=False, kw_only=True)
    blocks: int = field(default=0, kw_only=True)
    shares: tuple[Share, ...] = field(default=(), kw_only=True)
    dynamic: int = field(default=0, kw_only=True)
    strip: int = field(default=0, kw_only=True)
    tile: tuple[tuple[str, int], ...] = field(default=(), kw_only=True)
    room: int = field(default=0, kw_only=True)
    work: int = field(default=0, kw_only=True)

    @property
    def team(self) -> bool:
        """Whether several lanes share a matrix."""
        return self.lanes > 1 and self.form == "lane"

    @property
    def body_form(self) -> str:
        return "team" if self.team else self.form

    @property
    def matrices(self) -> int:
        """Those of a block."""
        return self.threads // self.lanes

    @property
    def mr(self) -> int:
        """Rows of a block's tile."""
        return self.tile[0][1]

    @property
    def nr(self) -> int:
        """Its columns."""
        return self.tile[1][1]

    @property
    def side(self) -> int:
        """Threads along a side of it."""
        return self.mr // self.rows

    @property
    def widest(self) -> int:
        """Its longer side."""
        return max(self.mr, self.nr)

    def plane(self, size: int) -> int:
        """Numbers of so many rows or columns in shared memory, real or imaginary parts."""
        return self.pitch(size) * self.unroll

    def pitch(self, size: int) -> int:
        """Numbers from one step of k to the next in shared memory: neighbours along either side meet no bank twice."""
        return size + WARP // self.unroll

    @property
    def warps(self) -> int:
        """The whole ones of a team."""
        return self.lanes // WARP

    @property
    def gathers(self) -> bool:
        return self.staged

    @property
    def gathers_all(self) -> bool:
        return self.team or self.interleaved

    @property
    def spread(self) -> int:
        """Odd: numbers of one matrix, and the same numbers of others, are in banks of their own."""
        return self.matrices | 1 if (self.staged and not self.team) or self.form == "copy" else 1

    def __str__(self) -> str:
        if self.form == "copy":
            return f"{self.threads} threads copy {self.kc} numbers of {self.matrices} matrices at a time"
        if self.form == "blocked":
            return f"{self.threads} threads do {self.mr} x {self.nr} elements, {self.unroll} steps of k at a time"
        tiles = " ".join(f"{x.rows} x {x.cols}{' beside the factor' if x.held else ''}" for x in self.tiles)
        where = ", staged in shared memory" if self.staged else ""
        return f"{self.lanes} of {self.threads} threads a matrix{where}, tiles {tiles}"
