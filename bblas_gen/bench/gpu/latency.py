"""What a call on a GPU costs the host, and how long a small batch takes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ...plans import Plan
from ...runtime.device_interleaved import DeviceInterleaved
from ...runtime.device_storage import DeviceStorage
from .clock import Clock
from .contest import Contest
from .memory import Operands, memory
from .problem import GpuProblem

PROBLEM = "posv", "d", 8
LAYOUTS = ("bi", "st")
FEW = 16
"""Matrices in a batch of which only the call counts."""


@dataclass(frozen=True)
class OnStream:
    """An array on a GPU that is worked on in a stream of its user's."""

    array: DeviceStorage
    stream: int

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.array.__cuda_array_interface__, "stream": self.stream}

    def beside(self, shape: tuple[int, ...], dtype: np.dtype[Any], zero: bool) -> DeviceStorage:
        """A new array on the same GPU."""
        return self.array.beside(shape, dtype, zero)


def latency(make: Callable[[GpuProblem], Contest], batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """Rows: what, in which layout, seconds."""
    op, letter, n = PROBLEM
    for layout in LAYOUTS:
        few = make(GpuProblem.of(op, letter, n, FEW))
        one = few.ours(layout)
        given = one.operands.set(0)
        run: Any = one.runs[0]
        yield _row("host time of a planned call", layout, few.clock.on_host(run, repetitions), FEW)
        yield _row("host time of its launch", layout, few.clock.on_host(launched(run), repetitions), FEW)
        call = partial(few.problem.row.call, *given)
        yield _row("host time of a call", layout, few.clock.on_host(call, repetitions), FEW)
        contest = make(GpuProblem.of(op, letter, n, batch))
        contender = contest.ours(layout)
        (found,) = contest.measured([contender], repetitions)
        yield _row("stream time, calls", layout, found.timing.median, batch)
        yield _row("stream time, graph", layout, in_graph(contest, contender.operands, repetitions), batch)


def launched(run: Plan) -> Callable[[], Any]:
    """What of a planned call is the driver's, and its binding's."""
    stream, _, launch, function, blocks, threads, dynamic, arguments, _ = run.arguments
    return partial(launch, function, blocks, 1, 1, threads, 1, 1, dynamic, stream, arguments, 0)


def _row(what: str, layout: str, seconds: float, batch: int) -> dict[str, Any]:
    op, letter, n = PROBLEM
    return {"what": what, "op": op, "dtype": letter, "n": n, "layout": layout, "batch": batch, "seconds": seconds}


def in_graph(contest: Contest, given: Operands, repetitions: int) -> float:
    """Seconds per call of a graph that has one for each set, which are what they were before each round."""
    clock, stream = contest.clock, contest.tools.gpu.device.create_stream()
    handle = int(stream.handle)
    clock.wait()
    sets = [given.set(i) for i in range(given.sets)]
    runs = [contest.problem.planned(_on_stream(x, handle) for x in one) for one in sets]
    graph = captured(clock, handle, runs)
    found = []
    for _ in range(1 + repetitions):  # the first one warms up
        given.restore(given.sets)
        clock.wait()  # for another stream
        found.append(clock.seconds(graph, handle) / len(runs))
    return median(found[1:])


def captured(clock: Clock, stream: int, runs: Sequence[Callable[[], Any]]) -> Callable[[], None]:
    """What is queued on a stream by ``runs``, as a graph that is launched there."""
    mode = clock.driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    where = clock.driver.CUstream(stream)
    clock.called("cuStreamBeginCapture", where, mode)
    for run in runs:
        run()
    ready = clock.called("cuGraphInstantiate", clock.called("cuStreamEndCapture", where), 0)
    return lambda: clock.called("cuGraphLaunch", ready, where)


def _on_stream(operand: Any, stream: int) -> Any:
    own = OnStream(memory(operand), stream)
    return DeviceInterleaved(own, operand.head) if isinstance(operand, DeviceInterleaved) else own
