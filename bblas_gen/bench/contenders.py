"""Who takes part: our layouts and the peers on the same numbers, each checked once before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..api import gemm, plan
from ..interleaved import Interleaved
from ..terms import Role
from .limits import ADD, OVERWRITE, PAST_CACHES, Peak, Stream
from .measure import Contender
from .peers import PEERS, Missing, Peer
from .problem import Problem, as_layout, storage

OURS = ("st", "pp", "bi", "il", "call")
TOLERANCE = 10
"""Allowed difference of a contender's result from NumPy's, in units of eps, in MAGMA's form."""


SAMPLE = 200


class Wrong(Exception):
    """A contender's result is not NumPy's."""


def contenders(
    problem: Problem, ours: Sequence[str], peers: Sequence[str], skipped: Callable[[str], None]
) -> list[Contender]:
    """The contenders for ``problem`` that are here; ``skipped`` is told of the others, a line each."""
    arrays = problem.operands()
    some = _sample(problem.batch)
    expected = np.matmul(arrays["A"][some], arrays["B"][some])
    found = []
    for name in peers:
        try:
            found.append(_peer(PEERS[name], problem, arrays, expected))
        except Missing as error:
            skipped(str(error))
    return [*found, *(_ours(name, problem, arrays, expected) for name in ours)]


def _sample(batch: int) -> Any:
    """The matrices that are checked: the first and the last few hundred."""
    return np.r_[: min(batch, SAMPLE), max(batch - SAMPLE, SAMPLE) : batch] if batch > SAMPLE else np.arange(batch)


def limits(problem: Problem) -> list[Stream | Peak]:
    """What bounds ``problem``: ways to stream through as many bytes, and the arithmetic."""
    ways = (ADD,) if problem.beta else (OVERWRITE, PAST_CACHES)
    nbytes = problem.spec.bytes * problem.batch
    return [*(Stream.like(nbytes, way, problem.threads) for way in ways), Peak(problem.p)]


def _peer(peer: Peer, problem: Problem, arrays: dict[str, Any], expected: Any) -> Contender:
    arrays["C"][...] = 0
    ready = peer.prepare(problem, arrays)
    ready.run()
    ready.finish()
    _check(peer.name, problem, arrays, arrays["C"], expected)
    return Contender(peer.name, ready.run, [*arrays.values(), *ready.work])


def _ours(name: str, problem: Problem, arrays: dict[str, Any], expected: Any) -> Contender:
    arrays["C"][...] = 0
    layout = "st" if name == "call" else name
    operands = [as_layout(arrays[x.name], layout) for x in problem.spec.row.operands]
    output = next(o for o, x in zip(operands, problem.spec.row.operands, strict=True) if x.role is not Role.IN)
    if name == "call":  # what a user who plans nothing pays
        run: Callable[[], Any] = lambda: gemm(*operands, beta=problem.beta, num_threads=problem.threads)  # noqa: E731
    else:
        run = plan(problem.op, *operands, beta=problem.beta, num_threads=problem.threads)
    run()
    found = output.deinterleave() if isinstance(output, Interleaved) else np.asarray(output)
    _check(name, problem, arrays, found, expected)
    return Contender(name, run, [storage(operand) for operand in operands])


def _check(name: str, problem: Problem, arrays: dict[str, Any], found: Any, expected: Any) -> None:
    def norm(x: Any) -> Any:
        return np.sqrt((np.abs(x) ** 2).sum(axis=(1, 2)))

    some = _sample(problem.batch)
    a, b = arrays["A"][some], arrays["B"][some]
    scale = np.sqrt(a.shape[2] + 2) * norm(a) * norm(b) * problem.p.eps
    error = float((norm(found[some] - expected) / scale).max())
    if not error <= TOLERANCE:
        raise Wrong(f"{name} is wrong on {problem.spec.symbol()}: an error of {error:.3g} eps, expected {TOLERANCE}")
