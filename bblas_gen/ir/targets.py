"""The table of targets: what differs between them is a column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .terms import Layout


@dataclass(frozen=True)
class Isa:
    """What a schedule must know of an instruction set: bytes in a vector, and how many vector registers there are."""

    simd_bytes: int
    registers: int

    @classmethod
    def of(cls, simd_bytes: int) -> Isa:
        """AVX-512 has 32 registers. Others count as 16: NEON has 32, and is not hurt by the tiles of 16."""
        return cls(simd_bytes, 32 if simd_bytes == 64 else 16)


@dataclass(frozen=True)
class Target:
    """A row of TARGETS.

    ``suffix`` is that of its sources, ``frames`` the template of the frame by form and family of layouts:
    "interleaved", or "separate" where some matrices lie by themselves; ``layouts`` are those it takes.
    ``isa`` is that of all its devices; None where it is the host's, or the one that is asked for. ``simd``: a lane is
    one of a vector, else a thread of its own. ``loads``: its kernels run in this process. ``last`` is the last C
    parameter, its name and type, and ``checks`` what entry points refuse of it. ``general``: its kernels may take sizes
    that only run time knows. ``linkage`` stands before an entry point; ``scalar`` and ``sqrt`` are how a complex
    constant and a square root are written. ``notes`` are sentences of an emitted header: on pointers and threads, on
    what is returned.
    """

    name: str
    suffix: str
    frames: Mapping[tuple[str, str], str]
    layouts: tuple[Layout, ...]
    isa: Isa | None
    simd: bool
    loads: bool
    last: tuple[str, str]
    checks: tuple[str, ...]
    general: bool
    linkage: str
    scalar: str
    sqrt: str
    notes: tuple[str, str]

    def takes(self, layout: Layout) -> bool:
        return layout in self.layouts

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
            },
            layouts=tuple(Layout),
            isa=None,
            simd=True,
            loads=True,
            last=("num_threads", "int"),
            checks=("num_threads < 0",),
            general=True,
            linkage="",
            scalar="((bb_scalar){re, im})",
            sqrt="__builtin_sqrt{function}",
            notes=(
                " num_threads = 0 leaves the number of threads to OpenMP, and takes one below a break-even size;"
                " without\n * OpenMP it is ignored.",
                " 1 says\n * that there is no memory for scratch on the heap; nothing is read or written then either."
                " Scratch is what each thread\n * works in: beside what is told of a kernel a thread needs"
                " 8 KB of stack. Compile with optimization.",
            ),
        ),
        Target(
            name="cuda",
            suffix=".cu",
            frames={("lane", "interleaved"): "frame/cuda.cu"},
            layouts=(Layout.IL, Layout.BI, Layout.BL, Layout.BU),
            isa=Isa(16, 32),
            simd=False,
            loads=False,
            last=("stream", "void *"),
            checks=(),
            general=False,
            linkage='extern "C" ',
            scalar="bb_scalar{re, im}",
            sqrt="sqrt",
            notes=(
                " Pointers are device pointers; stream is a cudaStream_t.",
                " A positive\n * value is the cudaError_t of a launch that failed.",
            ),
        ),
    )
}
