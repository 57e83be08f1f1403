"""What programs gain that call NumPy's and SciPy's functions on stacks: plain calls from NumPy arrays, one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import click
import numpy as np

from ..arrays.host import Array
from . import options
from .progress import measuring
from .result import as_json, report

SIZES = (2, 3, 4, 8, 16, 32)
LOOPED = 300
"""Matrices that loops in Python, ours or SciPy's, are given; their time is that of each."""


def _one(name: str) -> Callable[..., Any]:
    return lambda module, a, b, **more: getattr(module, name)(a, **more)


def _least_squares(module: Any, a: Array, b: Array, **more: Any) -> Array:
    """NumPy's function takes one matrix."""
    if module is not np.linalg:
        return np.asarray(module.lstsq(a, b, driver="gels", **more)[0])
    return np.stack([module.lstsq(x, y)[0] for x, y in zip(a, b, strict=True)])


CALLS: dict[str, Callable[..., Any]] = {
    "solve": lambda module, a, b, **more: module.solve(a, b, **more),
    "svd": lambda module, a, b, **more: module.svd(a, full_matrices=False, **more),
    "matmul": lambda module, a, b, **more: module.matmul(a, a, **more),
    **{name: _one(name) for name in ("inv", "det", "slogdet", "cholesky", "expm", "qr", "eigh", "eigvalsh", "svdvals")},
    "lstsq": _least_squares,
}
"""Calls of functions of a module on a stack of positive definite matrices, with a right-hand side for each."""
CHECKED: dict[str, Callable[[Any], Sequence[Array]]] = {
    "eigh": lambda found: (found[0], _product(*found)),
    "svd": lambda found: (found.S, (found.U * found.S[:, None]) @ found.Vh),
}
"""What is compared of results of which not all is determined."""


def _product(values: Array, vectors: Array) -> Array:
    """The matrices that have these values and vectors."""
    found: Array = (vectors * values[:, None]) @ vectors.swapaxes(1, 2)
    return found


def measure(batch: int, repetitions: int, sizes: Sequence[int] | None = None) -> Iterator[dict[str, Any]]:
    """Seconds of NumPy or SciPy, and ours, in turns; results are compared."""
    linalg = import_module("bblas_gen.linalg")
    rng = np.random.default_rng(1)
    for n in sizes or SIZES:
        x = rng.standard_normal((batch, n, n))
        a = (x @ x.swapaxes(1, 2)) / n + np.eye(n)
        b = rng.standard_normal((batch, n, 1))
        for name, call in CALLS.items():
            theirs, count = _theirs(name, batch)
            if theirs is None:
                continue
            some, before, after = (a[:count], b[:count]), [], []
            with linalg.accelerate(always=True):
                ours = call(linalg, a, b, num_threads=1)
            of = CHECKED.get(name, _all)
            _check(name, [x[:count] for x in of(ours)], of(call(theirs, *some)))
            for _ in range(repetitions):
                before.append(_seconds(lambda: call(theirs, *some)) * batch / count)  # noqa: B023
                after.append(_seconds(lambda: call(linalg, a, b, num_threads=1)))  # noqa: B023
            found = {"theirs": median(before), "ours": median(after)}
            yield {"call": name, "n": n, "batch": batch, **found, "gain": found["theirs"] / found["ours"]}


def _theirs(name: str, batch: int) -> tuple[Any, int]:
    if name != "expm":
        return np.linalg, min(batch, LOOPED) if name == "lstsq" else batch
    try:
        import scipy.linalg
    except ImportError:
        return None, 0
    return scipy.linalg, min(batch, LOOPED)


def _all(found: Any) -> Sequence[Array]:
    return found if isinstance(found, tuple) else [found]


def _check(name: str, ours: Sequence[Array], theirs: Sequence[Array]) -> None:
    for x, y in zip(ours, theirs, strict=True):
        if not np.allclose(x, y, rtol=1e-8, atol=1e-8 * abs(y).max()):
            raise ValueError(f"{name} is wrong")


def _seconds(run: Callable[[], Any]) -> float:
    started = perf_counter()
    run()
    return perf_counter() - started


@click.command("linalg")
@options.batch()
@options.repetitions()
@options.json_output()
def command(batch: int, repetitions: int, output: Path | None) -> None:
    """Measure bblas_gen.linalg against NumPy and SciPy, which OPENBLAS_NUM_THREADS=1 keeps to one thread."""
    rows = []
    with measuring(1):
        for row in measure(batch, repetitions):
            rows.append(row)
            per = 1e9 / row["batch"]
            name = f"{row['call']} {row['n']}"
            click.echo(f"{name:<14}{row['theirs'] * per:>9.1f} ns{row['ours'] * per:>9.1f} ns{row['gain']:>8.1f}x")
    if output:
        output.write_text(as_json(report(rows)), encoding="utf-8")
