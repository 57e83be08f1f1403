"""The table of targets: what differs between them is a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class CacheLevel:
    """A level of data caches: the bytes that are one core's share of it, and its ways."""

    bytes: int
    ways: int


CACHES = (CacheLevel(512 << 10, 8), CacheLevel(5 << 20, 16))
"""Levels 2 and 3 of a middling machine: what schedules assume where it is not known on which they will run."""
SCRATCH = 192 * 1024
"""Bytes of scratch of a vector of matrices, or of a packed panel, that are worth it: a part of a level-2 cache. Vectors
get narrower until they need no more."""


@dataclass(frozen=True)
class Isa:
    """What a schedule must know of an instruction set: bytes in a vector, and how many vector registers there are.

    ``filled``: those that a direct tile may take, with a column of its left factor and an element of the right one;
    ``looped``: the same where only run time knows sizes, and no loop is unrolled; ``blended``: the same where the
    diagonal of a left factor is blended in, step by step. ``unrolled``: most products of a tile in one iteration, of
    lane and of direct bodies. ``rows``: those that a lane tile may have where there are twice as many rows and columns
    or more; none where the model chooses freely. ``apart``: there, and in direct bodies, compilers forget before each
    tile what they have loaded, or they keep it in registers that they do not have. ``caches``: of the machine, levels
    2 and 3.
    """

    simd_bytes: int
    registers: int = 32
    filled: int = 26
    looped: int = 28
    blended: int = 26
    unrolled: tuple[int, int] = (64, 96)
    rows: tuple[int, ...] = ()
    apart: bool = False
    caches: tuple[CacheLevel, CacheLevel] = CACHES

    @classmethod
    def of(cls, simd_bytes: int) -> Isa:
        """AVX-512 has 32 registers. Others count as 16: NEON has 32, and is not hurt by the tiles of 16."""
        return replace(next(row for row in ISAS if simd_bytes <= row.simd_bytes), simd_bytes=simd_bytes)


ISAS = (
    Isa(16, registers=16, filled=13, looped=13, blended=13),
    Isa(32, registers=16, filled=16, looped=16, blended=13, unrolled=(60, 60), rows=(3, 5), apart=True),
    Isa(64),
)


@dataclass(frozen=True)
class Target:
    """A row of TARGETS.

    ``suffix`` is that of its sources, ``frames`` the template of the frame by form and family of layouts:
    "interleaved", or "separate" where some matrices lie by themselves; ``empty`` is that of kernels without output.
    ``isa`` is that of all its devices; None where it is the host's, or the one that is asked for. ``simd``: a lane is
    one of a vector, else a thread of its own. ``loads``: its kernels run in this process. ``last`` is the last C
    parameter, its name and type, and ``checks`` what entry points refuse of it. ``general``: all
    its kernels may have sizes that only run time knows, else those that are ``tiled`` alone. ``scalar`` and ``sqrt``
    are how a complex constant and a square root are written, ``address`` an address that is read from memory. Of what
    is emitted: ``notes`` are sentences of the header, on pointers and threads, on what is returned; ``headers`` are
    what programs include beside it, ``tested`` is how many matrices its tests have in a batch, at most.
    """

    name: str
    suffix: str
    frames: Mapping[tuple[str, str], str]
    empty: str
    isa: Isa | None
    simd: bool
    loads: bool
    last: tuple[str, str]
    checks: tuple[str, ...]
    general: bool
    scalar: str
    sqrt: str
    address: str
    notes: tuple[str, str]
    headers: tuple[str, ...]
    tested: int

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(form for form, _ in self.frames))


TARGETS = {
    row.name: row
    for row in (
        Target(
            name="cpu",
            suffix=".c",
            frames={
                ("lane", "interleaved"): "frame/cpu.c",
                ("lane", "separate"): "frame/cpu.c",
                ("direct", "separate"): "frame/cpu.c",
                ("flat", "separate"): "frame/cpu.c",
                ("across", "separate"): "frame/cpu.c",
                ("columns", "separate"): "frame/cpu.c",
                ("hybrid", "separate"): "frame/cpu.c",
                ("blocked", "separate"): "frame/cpu.c",
                ("recursive", "separate"): "frame/recursive.c",
                ("streamed", "separate"): "frame/cpu.c",
            },
            empty="frame/empty.c",
            isa=None,
            simd=True,
            loads=True,
            last=("num_threads", "int"),
            checks=("num_threads < 0",),
            general=True,
            scalar="((bb_scalar){(bb_real)(re), (bb_real)(im)})",
            sqrt="__builtin_sqrt{function}",
            address="{}",
            notes=(
                " num_threads = 0 leaves the number of threads to OpenMP, and takes one below a break-even size;"
                " without\n * OpenMP it is ignored.",
                " 1 says\n * that there is no memory on the heap; nothing is read or written then either, except by"
                " kernels for large\n * matrices: their outputs have no meaning then. A thread needs 8 KB of stack, and"
                " the scratch that the comment of\n * its kernel names. Compile with optimization.",
            ),
            headers=(),
            tested=37,  # more than two vectors, and a part of one
        ),
        Target(
            name="cuda",
            suffix=".cu",
            frames={
                ("lane", "interleaved"): "frame/cuda.cu",
                ("lane", "separate"): "frame/cuda.cu",
                ("copy", "separate"): "frame/cuda_copies.cu",
                ("blocked", "separate"): "frame/cuda_blocked.cu",
            },
            empty="frame/cuda_empty.cu",
            isa=Isa(16),
            simd=False,
            loads=False,
            last=("stream", "void *"),
            checks=(),
            general=False,
            scalar="bb_scalar{(bb_real)(re), (bb_real)(im)}",
            sqrt="sqrt",
            address="bb_global({})",
            notes=(
                " Pointers are device pointers, and so are arrays of them; stream is a cudaStream_t.",
                " A positive\n * value is the cudaError_t of a launch that failed.",
            ),
            headers=("cuda_runtime_api.h",),
            tested=161,  # more than a block, and a part of one
        ),
    )
}
