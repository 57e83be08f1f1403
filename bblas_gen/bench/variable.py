"""`bblas-gen bench variable`: batches of matrices of different sizes, against a loop and batches of one size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from ..arrays.ragged import Ragged, ragged
from ..blas import gemm
from ..lapack import posv
from ..plans import plan
from .contenders import Wrong
from .measure import Contender, Timing, cold, quiet

TOPS = (8, 32)
"""Sizes are 1 to one of these, all as often."""
FORMS = ("plan", "ragged", "list", "fixed")


@dataclass(frozen=True)
class Case:
    """An operation by its name and as ``call``, what it takes by name, the kinds of its operands, and what
    does ``one`` matrix in NumPy."""

    op: str
    kinds: tuple[str, ...]
    call: Callable[..., Any]
    named: dict[str, Any]
    one: Callable[..., Any]


CASES = (
    Case("gemm", ("square", "square", "square"), gemm, {}, lambda a, b, c: np.matmul(a, b, out=c)),
    Case("posv", ("definite", "column"), posv, {"overwrite": False}, np.linalg.solve),
)


def measure(tops: Sequence[int], batch: int, repetitions: int, num_threads: int) -> Iterator[dict[str, Any]]:
    """A row for every case, range of sizes and form; ``gain``: the speed over that of a loop of NumPy calls, ``fixed``:
    over that of a plan for each size, on the same matrices sorted by size."""
    for case in CASES:
        for top in tops:
            sizes = np.random.default_rng(top).integers(1, top + 1, batch)
            runs = _contenders(case, sizes, num_threads)
            with quiet():
                timings = dict(zip(runs, cold(list(runs.values()), repetitions, lambda _: None), strict=True))
            yield from (_row(case, top, batch, form, timings) for form in FORMS)


def _row(case: Case, top: int, batch: int, form: str, timings: dict[str, Timing]) -> dict[str, Any]:
    own = timings[form]
    return {
        "op": case.op,
        "sizes": top,
        "batch": batch,
        "form": form,
        "seconds": own.median,
        "ns_per_matrix": own.median / batch * 1e9,
        "spread": own.spread,
        "gain": own.ratio(timings["loop"]),
        "fixed": own.ratio(timings["fixed"]),
    }


def _contenders(case: Case, sizes: Any, num_threads: int) -> dict[str, Contender]:
    data = [_operand(sizes, kind) for kind in case.kinds]
    lists = [list(x) for x in data]
    named = case.named | {"num_threads": num_threads}
    whole = plan(case.op, *data, **named)
    parts = [plan(case.op, *[np.array([x[i] for i in index]) for x in lists], **named) for index in _by_size(sizes)]

    def loop() -> list[Any]:
        return [case.one(*operands) for operands in zip(*lists, strict=True)]

    found: dict[str, Callable[[], Any]] = {
        "plan": whole,
        "ragged": lambda: case.call(*data, **named),
        "list": lambda: case.call(*lists, **named),
        "fixed": lambda: [part() for part in parts],
        "loop": loop,
    }
    for form in ("plan", "ragged", "list"):
        results = [x.copy() for x in found[form]()]
        if any(not np.allclose(x, y, rtol=1e-9) for x, y in zip(results, loop(), strict=True)):
            raise Wrong(f"{case.op} of {form} is not what NumPy has")
    return {name: Contender(name, run, []) for name, run in found.items()}


def _by_size(sizes: Any) -> list[Any]:
    return [np.flatnonzero(sizes == n) for n in np.unique(sizes)]


def _operand(sizes: Any, kind: str) -> Ragged:
    """Matrices n x n, "square" or symmetric positive "definite", or n x 1, one after another."""
    shapes = np.stack([sizes, np.ones_like(sizes) if kind == "column" else sizes], axis=1)
    offsets = np.concatenate([[0], np.cumsum(shapes.prod(axis=1))])
    found = ragged(np.random.default_rng(1).standard_normal(int(offsets[-1])), offsets, shapes)
    definite = range(len(found) if kind == "definite" else 0)
    for x in map(found.__getitem__, definite):
        x[...] = x @ x.T + len(x) * np.eye(len(x))
    return found


def print_rows(rows: Sequence[dict[str, Any]]) -> None:
    click.echo("op    sizes  form     ns a matrix  over a loop of NumPy  over fixed batches")
    for row in rows:
        click.echo(
            f"{row['op']:<5} 1..{row['sizes']:<3} {row['form']:<8} {row['ns_per_matrix']:>10.0f} {row['gain']:>20.1f}x"
            f" {row['fixed']:>18.2f}x"
        )
