"""What a call costs beside its arithmetic: the Python side of every operation, of lists and of new batch sizes; the
first call of a shape, a warm start, the import."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from .. import blas, lapack
from ..arrays.host import Array
from ..arrays.pointers import pointers
from ..ir.catalog import OPS
from ..ir.documentation import FUNCTIONS
from ..ir.operation import Operand, Operation
from ..ir.sequence import step
from ..ir.sizes import evaluate
from ..ir.terms import Kind
from ..plans import plan
from ..sequences import sequence

CALLS = 200
ROUNDS = 25
ORDER = 4
"""Rows and columns of the matrices of single calls."""
BATCHES = range(1, 41)
"""Batch sizes that are new once."""
LISTED = 10_000
"""Matrices of 8 x 8 in a list."""
FIRST_SIZES = (4, 8, 16)
WARM_SIZES = (2, 3, 4, 5, 6)
STEPS = (step("potrf", "A"), step("trsm", "A", "B"), step("syrk", "B", "C", trans="T"))
_FIRST = """
import time, numpy as np, bblas_gen
a = np.ones((10, {n}, {n}), "{dtype}")
started = time.perf_counter()
bblas_gen.gemm(a, a)
print(time.perf_counter() - started)
"""
_WARM = """
import statistics, time, bblas_gen
times = []
for n in {sizes}:
    started = time.perf_counter()
    bblas_gen.compile("gemm", m=n, n=n, k=n)
    times.append(time.perf_counter() - started)
print(statistics.median(times[1:]))
"""
_IMPORT = "import numpy, time; t = time.perf_counter(); import bblas_gen; print(time.perf_counter() - t)"
Row = dict[str, Any]
Calls = dict[str, Callable[..., Any]]


def measure() -> list[Row]:
    """Rows of (what, value, unit). Of calls the least of some rounds, as others on the machine only add to it."""
    rows = [*_single_calls(), *_operations(), *_new_batches(), *_lists()]
    for n in FIRST_SIZES:
        rows.append(_row(f"first call, n = {n}, compile included", _cold_process(n), "s"))
    rows.append(_row("kernel in a new process, cached on disk", _warm_process() * 1e3, "ms"))
    rows.append(_row("import, beyond NumPy", median(_python(_IMPORT) for _ in range(5)), "s"))
    return rows


def _row(what: str, value: float, unit: str) -> Row:
    return {"what": what, "value": value, "unit": unit}


def _single_calls() -> Iterator[Row]:
    a, b, c = (np.ones((1, 2, 2)) for _ in range(3))
    ready = plan("gemm", a, b, c, num_threads=1)
    calls: Calls = {
        "C call": _c_call(ready),
        "plan()()": ready,
        "gemm, in place": partial(blas.gemm, a, b, c),
        "gemm, new output": partial(blas.gemm, a, b),
    }
    for name, value in _least(calls).items():
        yield _row(name, value * 1e6, "us")


def _operations() -> Iterator[Row]:
    """Of every operation, and of a sequence: the plain call beyond the call of its kernel."""
    for name in FUNCTIONS:
        op = OPS[name]
        found = {x.name.lower(): _operand(op, x) for x in op.parameters}
        scalars = dict.fromkeys(FUNCTIONS[name].required, 1.0)
        given = {x: value for x, value in found.items() if not (op.reduces and x == op.returns[0].lower())}
        call = partial(getattr(blas if hasattr(blas, name) else lapack, name), **given, **scalars)
        yield _beyond(f"{name}, plain call", call, plan(name, **found, **scalars))
    together = sequence(STEPS)
    named: dict[str, Any] = {name: _operand(together.row, together.row.operand(name)) for name in together.operands}
    yield _beyond("sequence of 3, plain call", partial(together, **named), plan(together, **named))


def _operand(op: Operation, x: Operand) -> Array:
    """Identities and ones: what stays as it is however often it is factored."""
    sizes = op.extents(dict.fromkeys(op.sizes, ORDER), dict.fromkeys(op.flags, "L"))
    rows, cols = evaluate(x.rows, sizes), evaluate(x.cols, sizes)
    if x.kind is Kind.INDEX:
        return np.arange(1, rows + 1, dtype=np.int32)[None].copy()
    if x.cols == "1" and not op.reduces:
        return np.ones((1, rows))
    return np.eye(rows, cols)[None].copy() if cols > 1 or x.rows == "1" else np.ones((1, rows))


def _beyond(what: str, call: Callable[[], Any], ready: Any) -> Row:
    found = _least({"call": call, "C": _c_call(ready)})
    return _row(what, (found["call"] - found["C"]) * 1e6, "us beyond C")


def _c_call(ready: Any) -> Callable[[], Any]:
    return partial(ready.kernel.library.function, *ready.arguments)


def _new_batches() -> Iterator[Row]:
    """The first call of a batch size, beyond the kernel's own time."""
    together = sequence(STEPS)
    calls: Calls = {"gemm": blas.gemm, "posv": lapack.posv, "sequence of 3": together}
    for name, call in calls.items():
        times = []
        for batch in BATCHES:
            many = [np.broadcast_to(np.eye(ORDER), (batch, ORDER, ORDER)).copy() for _ in range(3)]
            given = dict(zip("ABC" if call is together else ("a", "b", "c"), many, strict=True))
            if call is lapack.posv:
                del given["c"]
            started = perf_counter()
            call(**given)
            spent = perf_counter() - started
            ready = plan(together if call is together else name, **given)
            times.append(spent - min(_per_call(_c_call(ready), 1) for _ in range(5)))
        yield _row(f"{name}, new batch size", min(times[1:]) * 1e6, "us beyond C")


def _lists() -> Iterator[Row]:
    """A call on lists, and on pointers, beyond its plan."""
    arrays = [np.ones((LISTED, 8, 8)) for _ in range(3)]
    lists = [list(x) for x in arrays]
    index = np.arange(LISTED)
    tables = [pointers(x.ctypes.data + index * x.strides[0], x.shape[1:], x.dtype, owner=x) for x in arrays]
    calls: Calls = {
        "plan": plan("gemm", *lists),
        "lists": partial(blas.gemm, *lists),
        "pointers": partial(blas.gemm, *tables),
    }
    found = _least(calls, 1)
    for name in ("lists", "pointers"):
        yield _row(f"gemm of 3 {name}, a matrix", (found[name] - found["plan"]) / LISTED * 1e9, "ns beyond C")


def _least(calls: Calls, count: int | None = None) -> dict[str, float]:
    """Seconds for one call of each; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(ROUNDS):
        for name, call in calls.items():
            times[name].append(_per_call(call, count or CALLS))
    return {name: min(found) for name, found in times.items()}


def _per_call(call: Callable[[], Any], count: int) -> float:
    started = perf_counter()
    for _ in range(count):
        call()
    return (perf_counter() - started) / count


def _cold_process(n: int) -> float:
    """The first call in a new process with an empty cache: the slowest of the four precisions."""
    with tempfile.TemporaryDirectory() as folder:
        return max(_python(_FIRST.format(n=n, dtype=dtype), BBLAS_GEN_CACHE_DIR=folder) for dtype in "fdFD")


def _warm_process() -> float:
    """One kernel of several in a new process that finds them in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        times = [_python(_WARM.format(sizes=WARM_SIZES), BBLAS_GEN_CACHE_DIR=folder) for _ in range(4)]
    return min(times[1:])


def _python(code: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)
