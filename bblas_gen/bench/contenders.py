"""Who takes part: our layouts and the peers on the same numbers, each checked once before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from ..interleave import interleave
from ..ir.catalog import OPS
from ..runtime.interleaved import Interleaved
from .limits import ADD, OVERWRITE, PAST_CACHES, Peak, Stream
from .measure import Contender
from .peer_python import nothing
from .peers import PEERS, Missing, Peer
from .problem import ROWS, Problem, norm, storage

OURS = ("st", "pp", "bi", "il", "call")
TRIANGLE = "bl"
"""Where there is a triangular operand: ``bi``, but of that one only the triangle is stored."""
BESIDE = ("st", "bi")
"""The layouts of another operation that is timed beside."""
TOLERANCE = 10
"""Allowed difference of a contender's result from NumPy's, in units of eps of the row's scale."""
SAMPLE = 200
"""Matrices that are checked at either end of a batch."""


class Wrong(Exception):
    """A contender's result is not NumPy's, or is not a number any more."""


@dataclass(frozen=True)
class Entry(Contender):
    """A contender on ``problem``, which is not everyone's where it is there for comparison only.

    ``refill`` brings the problem's arrays into storage of its own, ``finish`` its result back, where it has any.
    """

    problem: Problem
    refill: Callable[[], Any] = nothing
    finish: Callable[[], Any] = nothing


def ours_of(op: str) -> tuple[str, ...]:
    """Our contenders for an operation."""
    beside = ROWS[op].beside
    packed = [TRIANGLE] if any(x.triangle for x in OPS[op].operands) else []
    return (*OURS, *packed, *(f"{beside}_{layout}" for layout in BESIDE if beside))


def contenders(
    problem: Problem,
    ours: Sequence[str],
    peers: Sequence[str],
    skipped: Callable[[str], None],
    *,
    hot: bool = False,
) -> list[Entry]:
    """The contenders for ``problem`` that are here, their data ready for the timing; ``skipped`` is told of the others,
    a line each. ``hot``: the problem is one in cache, so what is timed beside it is too."""
    arrays = problem.operands()
    expected = Expected(problem, arrays)
    found = []
    for name in peers:
        try:
            found.append(_peer(PEERS[name], problem, arrays, expected))
        except Missing as error:
            skipped(str(error))
    for name in ours:
        other, _, layout = name.rpartition("_")
        found.append(_beside(name, layout, problem, hot) if other else _ours(name, problem, arrays, expected))
    problem.fill(arrays, timed=True)
    for contender in found:
        contender.refill()
    return found


class Expected:
    """The results of the first and the last few matrices, by NumPy."""

    def __init__(self, problem: Problem, arrays: Mapping[str, Any]) -> None:
        count = problem.batch
        self.some = np.r_[: min(count, SAMPLE), max(count - SAMPLE, min(count, SAMPLE)) : count]
        sample = {name: array[self.some] for name, array in arrays.items()}
        row = problem.row
        self.scale = row.scale(sample) * problem.p.eps
        self.triangle = problem.output.triangle
        self.values = self._written(row.expected(sample))
        self.result = row.result or itemgetter(problem.output.name)
        self.symbol = problem.spec.symbol()
        self.given = {x.name: arrays[x.name].copy() for x in problem.spec.row.outputs}

    def _written(self, x: Any) -> Any:
        return np.tril(x) if self.triangle else x

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """What the contender before has overwritten, as it was."""
        for name, array in self.given.items():
            np.copyto(arrays[name], array)

    def check(self, name: str, outputs: Mapping[str, Any], tolerance: float = TOLERANCE) -> None:
        """Raise Wrong where a contender's result differs by more than rounding."""
        found = self.result({x: outputs[x][self.some] for x in self.given})
        error = float((norm(self._written(found) - self.values) / self.scale).max())
        if not error <= tolerance:
            raise Wrong(f"{name} is wrong on {self.symbol}: an error of {error:.3g} eps, expected {tolerance}")


def check_numbers(entry: Entry) -> None:
    """Raise Wrong where a contender's data is no longer finite, or so small that the timing was not of the usual."""
    entry.finish()
    for array in entry.arrays:
        if array.dtype.kind not in "fc":  # memory that is no matrices
            continue
        sizes = np.abs(array.view(array.real.dtype))
        if not np.isfinite(sizes).all() or ((sizes > 0) & (sizes < np.finfo(sizes.dtype).tiny)).any():
            raise Wrong(f"{entry.name} on {entry.problem.spec.symbol()} left numbers that are not finite, or subnormal")


def limits(problem: Problem) -> list[Stream | Peak]:
    """What bounds ``problem``: ways to stream through as many bytes, and the arithmetic."""
    ways = (ADD,) if problem.again else (OVERWRITE, PAST_CACHES)
    nbytes = problem.stored * problem.batch
    return [*(Stream.like(nbytes, way, problem.threads) for way in ways), Peak(problem.p)]


def _peer(peer: Peer, problem: Problem, arrays: Mapping[str, Any], expected: Expected) -> Entry:
    expected.restore(arrays)
    ready = peer.prepare(problem, arrays)
    ready.run()
    ready.finish()
    expected.check(peer.name, arrays)
    return Entry(peer.name, ready.run, [*arrays.values(), *ready.work], problem, ready.refill, ready.finish)


def _ours(name: str, problem: Problem, arrays: Mapping[str, Any], expected: Expected) -> Entry:
    expected.restore(arrays)
    layout = "st" if name == "call" else name
    operands = problem.laid_out(arrays, layout)
    scalars = {**problem.scalars, "num_threads": problem.threads}
    run: Callable[[], Any]
    if name == "call":  # what a user who plans nothing pays
        run = partial(problem.row.call, *operands.values(), **scalars)
    else:
        run = problem.planned(operands.values(), **scalars)
    run()
    outputs = {x.name: operands[x.name] for x in problem.spec.row.outputs}
    found = {x: y.deinterleave() if isinstance(y, Interleaved) else arrays[x] for x, y in outputs.items()}
    expected.check(name, found)
    pairs = [(arrays[x], operand) for x, operand in operands.items()]
    memory = [operand.data if isinstance(operand, Interleaved) else array for array, operand in pairs]
    return Entry(name, run, memory, problem, partial(_interleave, pairs))


def _interleave(pairs: Sequence[tuple[Any, Any]]) -> None:
    for array, operand in pairs:
        if isinstance(operand, Interleaved) and operand.dtype != np.int32:
            interleave(array, out=operand)


def _beside(name: str, layout: str, problem: Problem, hot: bool) -> Entry:
    """Another operation at the same n: not checked here, but in its own benchmark."""
    other = problem.beside().hot() if hot else problem.beside()
    operands = other.laid_out(other.operands(timed=True), layout).values()
    run = other.planned(operands, **other.scalars, num_threads=problem.threads)
    return Entry(name, run, list(map(storage, operands)), other)
