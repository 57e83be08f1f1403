"""Which problems are measured, and in which turn: some of every operation first, the sizes between them later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.catalog import OPS
from .contest import Case
from .operations import ROWS
from .problem import Problem


@dataclass(frozen=True)
class Sizes:
    """``products``: orders of products by precision; ``long`` and ``short``: sides of those with one short side;
    ``squares``: orders of everything else, the last of which has our product beside it; ``variants``: of all flags;
    ``few``: numbers of right-hand sides; ``vectors``: lengths; ``sides``: of the matrices of ger and gemv."""

    products: dict[str, tuple[int, ...]]
    long: int
    short: tuple[int, ...]
    squares: tuple[int, ...]
    variants: int
    few: tuple[int, ...]
    vectors: tuple[int, ...]
    sides: tuple[int, ...]


_SOME = (32, 64, 127, 256, 512, 1000, 1024, 2048)
_MANY = (32, 48, 63, 64, 96, 127, 128, 192, 255, 256, 384, 511, 512, 768, 1000, 1024, 1536, 2047, 2048, 4096)
FULL = Sizes(
    products={"d": _MANY, "s": (*_SOME, 4096), "c": _SOME, "z": _SOME},
    long=2048,
    short=(2, 7, 8, 17, 32),
    squares=(256, 511, 1000, 1024, 2048, 4096),
    variants=1024,
    few=(1, 8, 32),
    vectors=tuple(n for k in range(5, 25) for n in ((1 << k), 3 * (1 << k) // 2 + 1) if n <= 1 << 24),
    sides=(32, 47, 64, 95, 128, 191, 256, 383, 512, 767, 1000, 1024, 1535, 2048, 3001, 4096),
)
QUICK = Sizes(
    products={"d": (32, 127, 256, 512), "s": (256,), "c": (256,), "z": (256,)},
    long=512,
    short=(2, 32),
    squares=(256, 512),
    variants=256,
    few=(1, 32),
    vectors=tuple(1 << k for k in range(5, 23, 3)),
    sides=(32, 128, 512, 1023),
)
PARTS = ("products", "vectors", "triangular", "factorizations")
FACTORIZATIONS = ("potrf", "posv", "potri", "getrf")
OTHERS = ("gesv", "syrk", "symm")
"""Of these the largest order is left out: they take long, and nothing is asked of them."""
BESIDE_PEERS = ("gemm", "trsm", "potrf", "getrf")
"""The operations whose memory is measured of peers, too: each measurement is a process."""
LETTERS = tuple(side + uplo + trans for side in "LR" for uplo in "LU" for trans in "NT")


def cases(parts: Sequence[str], sizes: Sizes) -> list[Case]:
    """The cases of the parts."""
    makers = {"products": products, "triangular": triangular, "factorizations": factorizations, "vectors": vectors}
    return [case for part in parts for case in makers[part](sizes)]


def in_turn(found: Sequence[Case]) -> list[Case]:
    """Of each series of problems that differ in size the one in the middle, then those in the middle of each half, and
    so on, what is least work first: who stops early has all operations, of fewer sizes. Of vectors, which take little
    time, both ends of the range come with the second."""
    series: dict[tuple[Any, ...], list[Case]] = {}
    for case in found:
        series.setdefault(_series(case), []).append(case)
    turns: dict[int, int] = {}
    for some in series.values():
        turns |= zip(map(id, some), _turns(len(some)), strict=True)
        if some[0].part == "vectors":
            turns |= {id(case): min(1, turns[id(case)]) for case in (some[0], some[-1])}
    return sorted(found, key=lambda case: (turns[id(case)], case.problem.flops))


def _series(case: Case) -> tuple[Any, ...]:
    """What problems have in common that differ in size; all other flags are one, and so are precisions of one order."""
    x = case.problem
    if not x.plain and x.op != "gemv":
        return case.part, x.op, "flags"
    long = max(x.sizes)
    short = tuple(n if n < long else 0 for n in x.sizes) if case.part == "triangular" else [n < long for n in x.sizes]
    return case.part, x.op, x.letters, x.precision if x.op == "gemm" else x.precision == "d", *short


def _turns(count: int) -> list[int]:
    """How often a range is halved until each of its numbers is in the middle of a part."""
    if not count:
        return []
    before = count // 2
    return [*(x + 1 for x in _turns(before)), 0, *(x + 1 for x in _turns(count - before - 1))]


def products(sizes: Sizes) -> Iterator[Case]:
    for precision, orders in sizes.products.items():
        for n in orders:
            yield _case("products", "gemm", precision, (n, n, n))
    for letters in ("NT", "TN", "TT"):
        yield _case("products", "gemm", "d", (sizes.variants,) * 3, letters)
    for short in sizes.short:
        for place in range(3):
            shape = tuple(short if i == place else sizes.long for i in range(3))
            yield _case("products", "gemm", "d", shape)


def triangular(sizes: Sizes) -> Iterator[Case]:
    for op in ("trsm", "trmm"):
        for n in sizes.squares:
            beside = Problem(ROWS["gemm"], "d", (n, n, n)) if n == sizes.squares[-1] else None
            yield _case("triangular", op, "d", (n, n), beside=beside)
        for letters in LETTERS[1:]:
            yield _case("triangular", op, "d", (sizes.variants,) * 2, letters)
        for precision in "scz":
            yield _case("triangular", op, precision, (sizes.variants,) * 2)
        for n in sizes.squares:
            for few in sizes.few:
                yield _case("triangular", op, "d", (n, few))


def factorizations(sizes: Sizes) -> Iterator[Case]:
    for op in (*FACTORIZATIONS, *OTHERS):
        for n in sizes.squares[:-1] if op in OTHERS else sizes.squares:
            yield _case("factorizations", op, "d", tuple(1 if name == "nrhs" else n for name in OPS[op].sizes))


def vectors(sizes: Sizes) -> Iterator[Case]:
    for op in ("dot", "nrm2", "axpy", "scal"):
        for n in sizes.vectors:
            yield _case("vectors", op, "d", (n,))
    for op, letters in (("gemv", ""), ("gemv", "T"), ("ger", "")):
        for n in sizes.sides:
            yield _case("vectors", op, "d", (n, n), letters)


def memory(sizes: Sizes) -> Iterator[tuple[Problem, bool]]:
    """The problems whose calls are looked at for the memory that they take, and whether those of peers are, too."""
    n = sizes.long
    for op, row in ROWS.items():
        if row.stream is None:
            precision = "z" if OPS[op].hermitian else "d"
            yield Problem(row, precision, (n,) * len(OPS[op].sizes)), op in BESIDE_PEERS
    yield Problem(ROWS["gemv"], "d", (n, n)), True
    yield Problem(ROWS["dot"], "d", (n * n,)), True


def _case(
    part: str, op: str, precision: str, shape: tuple[int, ...], letters: str = "", beside: Problem | None = None
) -> Case:
    return Case(part, Problem(ROWS[op], precision, shape, letters), beside)
