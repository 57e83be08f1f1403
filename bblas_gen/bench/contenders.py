"""Who takes part: our layouts and the peers on the same numbers, each checked once before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..api import plan
from ..interleaved import Interleaved
from .limits import ADD, OVERWRITE, PAST_CACHES, Peak, Stream
from .measure import Contender
from .peers import PEERS, Missing, Peer
from .problem import ROWS, Problem, as_layout, norm, storage

OURS = ("st", "pp", "bi", "il", "call")
TOLERANCE = 10
"""Allowed difference of a contender's result from NumPy's, in units of eps of the row's scale."""
SAMPLE = 200
"""Matrices that are checked at either end of a batch."""


class Wrong(Exception):
    """A contender's result is not NumPy's."""


def contenders(
    problem: Problem, ours: Sequence[str], peers: Sequence[str], skipped: Callable[[str], None]
) -> list[Contender]:
    """The contenders for ``problem`` that are here; ``skipped`` is told of the others, a line each."""
    arrays = problem.operands()
    expected = _Expected(problem, arrays)
    found = []
    for name in peers:
        try:
            found.append(_peer(PEERS[name], problem, arrays, expected))
        except Missing as error:
            skipped(str(error))
    return [*found, *(_ours(name, problem, arrays, expected) for name in ours)]


class _Expected:
    """The results of the first and the last few matrices, by NumPy."""

    def __init__(self, problem: Problem, arrays: dict[str, Any]) -> None:
        count = problem.batch
        self.some = np.r_[: min(count, SAMPLE), max(count - SAMPLE, min(count, SAMPLE)) : count]
        sample = {name: array[self.some] for name, array in arrays.items()}
        row = ROWS[problem.op]
        self.values, self.scale = row.expected(sample), row.scale(sample) * problem.p.eps
        self.output = problem.spec.row.operands[-1].name
        self.symbol = problem.spec.symbol()

    def check(self, name: str, found: Any) -> None:
        """Raise Wrong where a contender's output differs by more than rounding."""
        error = float((norm(found[self.some] - self.values) / self.scale).max())
        if not error <= TOLERANCE:
            raise Wrong(f"{name} is wrong on {self.symbol}: an error of {error:.3g} eps, expected {TOLERANCE}")


def limits(problem: Problem) -> list[Stream | Peak]:
    """What bounds ``problem``: ways to stream through as many bytes, and the arithmetic."""
    ways = (ADD,) if problem.beta else (OVERWRITE, PAST_CACHES)
    nbytes = problem.spec.bytes * problem.batch
    return [*(Stream.like(nbytes, way, problem.threads) for way in ways), Peak(problem.p)]


def _peer(peer: Peer, problem: Problem, arrays: dict[str, Any], expected: _Expected) -> Contender:
    arrays[expected.output][...] = 0
    ready = peer.prepare(problem, arrays)
    ready.run()
    ready.finish()
    expected.check(peer.name, arrays[expected.output])
    return Contender(peer.name, ready.run, [*arrays.values(), *ready.work])


def _ours(name: str, problem: Problem, arrays: dict[str, Any], expected: _Expected) -> Contender:
    arrays[expected.output][...] = 0
    layout = "st" if name == "call" else name
    operands = [as_layout(arrays[x.name], layout) for x in problem.spec.row.operands]
    scalars = {"beta": problem.beta, "num_threads": problem.threads}
    run: Callable[[], Any]
    if name == "call":  # what a user who plans nothing pays
        run = partial(ROWS[problem.op].call, *operands, **scalars)
    else:
        run = plan(problem.op, *operands, **scalars)
    run()
    output = operands[-1]
    expected.check(name, output.deinterleave() if isinstance(output, Interleaved) else np.asarray(output))
    return Contender(name, run, [storage(operand) for operand in operands])
