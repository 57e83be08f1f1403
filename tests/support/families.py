"""Cases of every family of CUDA kernels: a thread does a matrix, in registers or shared memory; some lanes of a warp,
or a block, share one."""

from __future__ import annotations

from dataclasses import replace

from .cases import TRIED, Case, typical

BATCHES = (1, 33, 70, 127)
SIZES = (6, 18)
LARGE = 34
LARGEST = ("gemm", "trsm", "potrf", "posv", "getrf", "gesv")
"""Operations that are tried at LARGE, too."""


BLOCKS = [
    Case("posv", "float64", {"n": 120, "nrhs": 2}, 3, {"uplo": "L"}, {}, ("st",)),
    Case("potrf", "float64", {"n": 160}, 2, {"uplo": "U"}, {}, ("pp",)),
    Case("potrf", "float64", {"n": 100}, 5, {"uplo": "L"}, {}, ("bi",)),
    Case("gesv", "complex64", {"n": 70, "nrhs": 1}, 3, {}, {}, ("st",)),
    Case("getrf", "float32", {"m": 130, "n": 120}, 2, {}, {}, ("st",)),
]
"""Matrices that a block has in shared memory, most of it, or what only some GPUs have."""


def everything() -> list[Case]:
    """All operations in all layouts and precisions, in turns, in the sizes of all families, each with all batches."""
    found = []
    for index, row in enumerate(TRIED):
        sizes = (*SIZES, LARGE) if row.name in LARGEST else SIZES
        some = [case for i, n in enumerate(sizes) for case in typical(row, index + i, n)]
        turns = (BATCHES[(i + i // 4 + index // 4) % len(BATCHES)] for i in range(len(some)))
        found += [replace(case, batch=batch) for case, batch in zip(some, turns, strict=True)]
    return found
