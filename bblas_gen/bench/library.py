"""`bblas-gen bench library`: a C library, called as a C program would, against loops of a BLAS and calls of kernels."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from ..codegen.render import render_file
from ..errors import CompileError
from ..ir.catalog import OPS
from ..ir.spec import KernelSpec, precision
from ..ir.terms import Layout
from ..library.build import build
from ..library.contents import Family, Level
from ..library.plan import Plan
from ..runtime.library import functions_of, generator, host_isa, load_c
from ..runtime.marshal import address, ffi
from ..toolchain import compilers, machine
from .contenders import Wrong
from .measure import Contender, Timing, cold, hot, quiet
from .peers import PEERS, Missing

TOPS = (8, 32)
"""Sizes are 1 to one of these, all as often."""
GROUPS = (2, 3, 4, 8, 16, 32)
"""Sizes of groups of one matrix."""
LOOPS = ("openblas", "mkl_loop")
_LOOPS = """void bb_loop_gemm(void *, void *, void *, void *, int64_t);
void bb_loop_posv(void *, void *, void *, int64_t);"""
_CALLS = "void bb_calls(void *, void *, void *, int64_t); void bb_direct(void *, void *, void *, int64_t);"
_OURS = """
int bench_dgemm_variable(int, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *, int64_t, int);
int bench_dposv_variable(int, void *, void *, void *, void *, void *, void *, void *, void *, int64_t, int);
int bench_dgemm_pp(int, int, int, int64_t, int64_t, int64_t, double, void *, int64_t, void *, int64_t, double, void *,
                   int64_t, int64_t, int);
int bench_dgemm_st(int, int, int, int64_t, int64_t, int64_t, double, void *, int64_t, int64_t, void *, int64_t, int64_t,
                   double, void *, int64_t, int64_t, int64_t, int);
int bench_dposv_st(int, int, int64_t, int64_t, void *, int64_t, int64_t, void *, int64_t, int64_t, void *, int64_t,
                   int);
void *bench_kernel(const char *);
"""


def library(folder: Path, top: int) -> Any:
    """A library with the kernels that are measured, for this machine, and its functions."""
    names = [f"bb_dgemm_nn_{x}_m{n}n{n}k{n}_ld" for x in ("pp", "st") for n in range(1, top + 1)]
    names += [f"bb_dposv_l_{x}_n{n}nrhs1_ld" for x in ("pp", "st") for n in range(1, top + 1)]
    kernels = [KernelSpec.parse(name) for name in names]
    layouts = (Layout.PP, Layout.ST)
    families = [
        Family(OPS[op], precision("d"), layouts, tuple(x for x in kernels if x.op == op)) for op in ("gemm", "posv")
    ]
    level, openmp = Level("native", host_isa().simd_bytes), compilers.has_openmp(compilers.find_cc())
    plan = Plan("bench", "bench_", tuple(families), (), (level,), openmp)
    build(plan, folder, digest=generator("library"), jobs=machine.cores(), done=lambda *_: None)
    return functions_of(folder / "lib" / "libbench.so", _OURS)


def measure(tops: Sequence[int], batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """Rows of three kinds: ``variable`` batches against a loop of a BLAS and against fixed batches of the same work,
    ``groups`` of one matrix against one group of all, and what a ``call`` costs beside its kernel."""
    with tempfile.TemporaryDirectory(prefix="bblas_gen-bench-") as folder, quiet():
        ours = library(Path(folder), max(*tops, *GROUPS))
        for op in ("gemm", "posv"):
            for top in tops:
                yield _variable(ours, op, top, batch, repetitions)
        yield from (_groups(ours, n, repetitions) for n in GROUPS)
        yield _calls(ours, repetitions)


class Batch:
    """Square matrices of ``sizes``, by columns, one after another; ``width`` columns where it is given."""

    def __init__(self, sizes: Any, width: int = 0, *, definite: bool = False) -> None:
        cols = np.full_like(sizes, width) if width else sizes
        offsets = np.concatenate([[0], np.cumsum(sizes * cols)])
        self.values = np.random.default_rng(1).random(int(offsets[-1]))
        if definite:  # a heavy diagonal
            for n in np.unique(sizes):
                starts = offsets[:-1][sizes == n]
                self.values[starts[:, None] + np.arange(n) * (n + 1)] += n
        self.first = self.values.copy()
        self.pointers = (self.values.ctypes.data + 8 * offsets[:-1]).astype(np.uintp)

    def refill(self) -> None:
        np.copyto(self.values, self.first)


def _variable(ours: Any, op: str, top: int, batch: int, repetitions: int) -> dict[str, Any]:
    sizes = np.random.default_rng(top).integers(1, top + 1, batch)
    data = _operands(op, sizes)
    mixed = _caller(ours, op, sizes, data)
    parts = [np.full(count, n) for n, count in zip(*np.unique(sizes, return_counts=True), strict=True)]
    alike = [_operands(op, part) for part in parts]
    fixed = [_fixed(ours, op, part, some) for part, some in zip(parts, alike, strict=True)]
    runs: dict[str, Callable[[], Any]] = {"library": mixed, "fixed": partial(_all, fixed)}
    expected: dict[str, Any] = {}
    for name in LOOPS:
        try:
            runs[name] = _loop(name, op, sizes, data)
        except Missing:
            continue
    for name in runs.keys() - {"fixed"}:
        _refill(data)
        runs[name]()
        expected[name] = data[-1].values.copy()
    if any(not np.allclose(x, expected["library"], rtol=1e-9) for x in expected.values()):
        raise Wrong(f"{op} of a library is not what the peers have")
    used = {"fixed": [x for some in alike for x in some]}
    contenders = [Contender(name, run, used.get(name, data)) for name, run in runs.items()]
    timings = dict(zip(runs, cold(contenders, repetitions, _refill), strict=True))
    ratios = {f"over_{name}": timings["library"].ratio(timings[name]) for name in runs if name != "library"}
    return _row("variable", timings["library"], batch, op=op, sizes=top, **ratios)


def _refill(data: Sequence[Batch]) -> None:
    """What a call overwrites is what it was, which is not timed."""
    for x in data:
        x.refill()


def _operands(op: str, sizes: Any) -> list[Batch]:
    if op == "posv":
        return [Batch(sizes, definite=True), Batch(sizes, 1)]
    return [Batch(sizes), Batch(sizes), Batch(sizes)]


def _caller(ours: Any, op: str, sizes: Any, data: Sequence[Batch]) -> Callable[[], None]:
    """One call for the whole batch."""
    count, lists = len(sizes), [address(x.pointers) for x in data]
    kept: list[Any] = [np.full(count, 122, np.intc), np.full(count, 111, np.intc), np.ones(count), np.zeros(count)]
    lower, plain, ones, zeros = (address(x) for x in kept)
    info, n = np.zeros(count, np.int32), np.ascontiguousarray(sizes)
    single = np.ones(count, np.int64)

    def gemm(_keep: Any = (kept, n, data)) -> None:
        a, b, c = lists
        at = address(n)
        ours.bench_dgemm_variable(102, plain, plain, at, at, at, ones, a, at, b, at, zeros, c, at, count, 1)

    def posv(_keep: Any = (kept, n, data)) -> None:
        a, b = lists
        at = address(n)
        ours.bench_dposv_variable(102, lower, at, address(single), a, at, b, at, address(info), count, 1)

    return gemm if op == "gemm" else posv


def _fixed(ours: Any, op: str, sizes: Any, data: Sequence[Batch]) -> Callable[[], None]:
    n, count, info = int(sizes[0]), len(sizes), np.zeros(len(sizes), np.int32)
    at = [address(x.values) for x in data]

    def gemm() -> None:
        a, b, c = at
        square = n * n
        ours.bench_dgemm_st(102, 111, 111, n, n, n, 1.0, a, n, square, b, n, square, 0.0, c, n, square, count, 1)

    def posv() -> None:
        ours.bench_dposv_st(102, 122, n, 1, at[0], n, n * n, at[1], n, n, address(info), count, 1)

    return gemm if op == "gemm" else posv


def _all(runs: Sequence[Callable[[], None]]) -> None:
    for run in runs:
        run()


def _loop(name: str, op: str, sizes: Any, data: Sequence[Batch]) -> Callable[[], None]:
    peer = PEERS[name]
    text = render_file("bench/loops.c", library=peer.name.partition("_")[0])
    try:
        handle = load_c(f"bb_loop_{op}", text, _LOOPS, libraries=("-Wl,-z,nodelete", *peer.libraries())).handle
    except CompileError as error:
        raise Missing(peer.title) from error
    function, n = getattr(handle, f"bb_loop_{op}"), np.ascontiguousarray(sizes)

    def run(_keep: Any = (handle, data)) -> None:
        function(address(n), *(address(x.pointers) for x in data), len(n))

    return run


def _groups(ours: Any, n: int, repetitions: int) -> dict[str, Any]:
    """As many groups of one matrix as level 2 holds, against one group of all; in cache."""
    count = max(64, machine.caches()["l2"] // 4 // (24 * n * n))
    data = _operands("gemm", np.full(count, n))
    a, b, c = (address(x.pointers) for x in data)

    def one(_keep: Any = data) -> None:
        ours.bench_dgemm_pp(102, 111, 111, n, n, n, 1.0, a, n, b, n, 0.0, c, n, count, 1)

    many = _caller(ours, "gemm", np.full(count, n), data)
    together, single = hot([Contender("one", one, []), Contender("many", many, [])], repetitions)
    return _row("groups", single, count, n=n, over_one_group=1 / single.ratio(together))


def _calls(ours: Any, repetitions: int, calls: int = 100_000) -> dict[str, Any]:
    """What a function takes beside the kernel that it runs, a call with one matrix of n = 1 to 8."""
    data, out = np.ones(64), np.zeros(64)
    text = render_file("bench/loops.c", library="")
    handle = load_c("bb_calls", text, _CALLS).handle
    names = [f"bb_dgemm_nn_pp_m{n}n{n}k{n}_ld" for n in range(1, 9)]
    kernels = np.array([address_of(ours.bench_kernel(name.encode())) for name in names], np.uintp)
    a, c = np.array([data.ctypes.data], np.uintp), np.array([out.ctypes.data], np.uintp)
    function = ffi().cast("void *", address_of(ours.bench_dgemm_pp))
    given = (address(a), address(c), calls)
    contenders = [
        Contender("function", lambda: handle.bb_calls(function, *given), []),
        Contender("kernels", lambda: handle.bb_direct(address(kernels), *given), []),
    ]
    whole, direct = hot(contenders, repetitions)
    beside = (whole.best - direct.best) / calls * 1e9
    return _row("calls", whole, calls, ns_beside_the_kernel=beside)


def address_of(function: Any) -> int:
    return int(ffi().cast("uintptr_t", function))


def _row(kind: str, timing: Timing, count: int, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "ns": timing.median / count * 1e9, "spread": timing.spread, **more}


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    for row in rows:
        rest = [
            f"{name}: {value:.2f}" if isinstance(value, float) else f"{name}: {value}"
            for name, value in row.items()
            if name not in ("kind", "spread")
        ]
        click.echo(f"{row['kind']:<9} {', '.join(rest)}")
