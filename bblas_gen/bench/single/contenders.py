"""Who takes part in a problem on single operands, each checked before it is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from time import perf_counter
from typing import Any

import numpy as np

from ... import blas, lapack
from ...codegen.render import render_file
from ...ir.terms import Role
from ...plans import plan
from ...runtime.call import by_user_names
from ...runtime.library import Library, load_c
from ...runtime.marshal import address
from ...runtime.storage import aligned
from ...toolchain.compilers import find_cc
from ..contenders import Wrong
from ..limits import Peak
from ..peers import Missing
from . import columns
from .peers import PEERS, Again, repeat
from .problem import ADD_TO, MATRIX, READ_TWO, Arrays, Problem

OURS, CALL, LIMIT, PRODUCT = "ours", "call", "limit", "our gemm"
"""We, small problems by a plan; there a call of the public function, too; what bounds everyone; a product beside."""
WARM = 8
"""Calls, at most, until a last-level cache keeps what it will of data about as large, that others had pushed out."""
HALF_PAGE = 2048
"""Bytes by which vectors are apart in pages of memory: a load waits for a store before it whose address ends alike."""
LIMIT_WIDTH = 32
"""Bytes of a vector, at most, of loops through memory: longer ones take as long, or up to a fifth longer."""
TOLERANCE = 100
"""Allowed error of a result, in units of eps of what it is measured by."""


@dataclass(frozen=True)
class Entry:
    """``again`` does the work some times, on ``threads`` threads; ``before`` is done before each call, untimed, where
    calls cannot go on with what the last one left. ``first``: the first call, whose result is checked; its seconds.
    ``warm``: how many calls, at most, go before those of a turn that count."""

    name: str
    threads: int
    again: Again
    first: Callable[[], float]
    before: Callable[[], Any] | None = None
    warm: int = 1


def entries(
    problem: Problem,
    threads: Sequence[int],
    peers: Sequence[str],
    beside: Problem | None,
    skipped: Callable[[str], None],
) -> list[Entry]:
    """Everyone, those of one number of threads together; ``skipped`` is told who is not here. ``beside``: another
    problem, which we do."""
    arrays = problem.operands()
    given = {x.name: arrays[x.name].copy(order="K") for x in problem.spec.row.outputs}

    def restore() -> None:
        for name, values in given.items():
            np.copyto(arrays[name], values)

    def checked(name: str, again: Again) -> float:
        restore()
        return check(problem, name, again, arrays, given)

    before = restore if problem.kept and problem.row.stream is None else None
    warm = 1 if problem.row.stream is None else WARM
    found = []
    for count in threads:
        others = [(LIMIT, _limit(problem, count))]
        if beside:
            others.append((PRODUCT, _called(beside, beside.operands(), count)))
        found += [Entry(name, count, again, partial(_seconds, again), warm=warm) for name, again in others]
        for name, again in _everyone(problem, arrays, count, peers, skipped):
            found.append(Entry(name, count, again, partial(checked, name, again), before, warm))
    return found


def _everyone(
    problem: Problem, arrays: Arrays, threads: int, peers: Sequence[str], skipped: Callable[[str], None]
) -> list[tuple[str, Again]]:
    if problem.small:
        ours = [(OURS, _planned(problem, arrays, threads)), (CALL, _called(problem, arrays, threads))]
    else:
        ours = [(OURS, _called(problem, arrays, threads))]
    for name in peers:
        try:
            ours.append((PEERS[name].title, PEERS[name].prepare(problem, arrays)))
        except Missing as error:
            skipped(str(error))
    return ours


def prepared(problem: Problem, name: str, threads: int) -> Again:
    """The problem on operands of its own, by us (OURS) or a peer. Raises Missing."""
    arrays = problem.operands()
    return _called(problem, arrays, threads) if name == OURS else PEERS[name].prepare(problem, arrays)


def check(problem: Problem, name: str, again: Again, arrays: Arrays, given: Arrays) -> float:
    """Do the problem once; the seconds that it takes. Raises Wrong where the result differs by more than rounding from
    that of the operands, of which those that are written were ``given``."""
    started = perf_counter()
    result = again(1)
    took = perf_counter() - started
    after = dict(arrays) | ({} if result is None else {problem.output.name: result})
    difference, scale = problem.row.wrong(problem, {**arrays, **given}, after)
    error = float(np.linalg.norm(difference) / (scale * problem.p.eps))
    if not error <= TOLERANCE:
        raise Wrong(f"{name} is wrong on {problem.name}: an error of {error:.3g} eps, expected {TOLERANCE}")
    return took


def _seconds(again: Again) -> float:
    started = perf_counter()
    again(1)
    return perf_counter() - started


def _named(problem: Problem, threads: int) -> dict[str, Any]:
    """Of several threads as many as pay, as it is with everyone."""
    return {**problem.flags, **problem.scalars, "num_threads": 1 if threads == 1 else None}


def _called(problem: Problem, arrays: Arrays, threads: int) -> Again:
    """The function that users call."""
    function = getattr(blas, problem.op, None) or getattr(lapack, problem.op)
    named = _named(problem, threads)
    given = {x.name: arrays[x.name] for x in problem.spec.row.parameters if x.name != "R"}
    if "IPIV" in given and problem.spec.row.operand("IPIV").role is Role.OUT:
        named["ipiv"] = given.pop("IPIV")
    run = partial(function, *given.values(), **named)
    return lambda times: _result(repeat(run, times))


def _result(value: Any) -> Any:
    """A number, where that is what is returned; matrices are in their operands."""
    return value if isinstance(value, (float, np.generic, np.ndarray)) and np.ndim(value) == 0 else None


def _planned(problem: Problem, arrays: Arrays, threads: int) -> Again:
    """A plan; its calls follow one another in C where one call of a kernel is all that it does."""
    ready = plan(problem.op, **by_user_names(problem.spec.row, arrays.values()), **_named(problem, threads))
    if not ready.arguments or problem.spec.row.info:
        return lambda times: _result(repeat(ready, times))
    kernel = ready.kernel.library
    types = kernel.ffi.typeof(kernel.function)
    again = _again(types.result.cname, tuple(x.cname for x in types.args)).function
    return partial(_calls, again, int(kernel.ffi.cast("uintptr_t", kernel.function)), ready)


def _calls(again: Any, function: int, ready: Any, times: int) -> Any:
    again(times, function, *ready.arguments)
    return _result(ready.output)


@cache
def _again(result: str, parameters: tuple[str, ...]) -> Library:
    """What calls a kernel with these parameters some times."""
    text = render_file("bench/again.c", result=result, parameters=parameters)
    return load_c("bb_again", text, f"void bb_again(int64_t, uintptr_t, {', '.join(parameters)});", openmp=False)


@cache
def _streams() -> Library:
    simd = min(find_cc().simd_bytes, LIMIT_WIDTH)
    text = render_file("bench/streams.c", simd_bytes=simd, width=simd // 8)
    return load_c("bb_streams", text, "void bb_streams(int64_t, void *, void *, int64_t, int, int);")


def _limit(problem: Problem, threads: int) -> Again:
    """What bounds everyone: the multiplications of one core, or reading and writing what the problem does."""
    how = problem.row.stream
    if how is None:
        return partial(repeat, Peak(problem.p))
    if how == MATRIX:
        return columns.fastest(columns.ways(problem, threads))
    reals = sum(x.elements(problem.spec.extents) for x in problem.spec.row.parameters) * problem.p.itemsize // 8
    count = reals // 2 if how in (READ_TWO, ADD_TO) else reals
    half = HALF_PAGE // 8
    second = count + (half - count) % (2 * half)
    both = aligned((second + count,), np.dtype(float))
    both[...] = 1e-3
    x, y = both[:count], both[second:]

    function = _streams().function
    return lambda times: function(times, address(x), address(y), count, how, threads)
