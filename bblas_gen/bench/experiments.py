"""The papers' experiments with our code in them: block size, groups of one, conversion, size of the batch, fusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..blas import gemm
from ..interleave import deinterleave, interleave
from ..plans import plan
from . import fusion
from .limits import flush
from .measure import Contender, Timing, cold, hot, quiet
from .peers import PEERS, Missing
from .problem import Problem, as_layout, storage

BLOCK_SIZES = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
BLOCK_MATRICES = (2, 4, 8)
BATCH_SIZES = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000)
BATCH_MATRICES = (2, 4, 8, 16)
GROUP_MATRICES = (2, 4, 8, 16)
CONVERSION_MATRICES = (2, 4, 8, 16)


@dataclass(frozen=True)
class Experiment:
    """One figure of a paper: ``run`` measures its points, for a batch and repetitions."""

    name: str
    title: str
    source: str
    run: Callable[[int, int], Iterator[dict[str, Any]]]


def _point(problem: Problem, timing: Timing, **named: Any) -> dict[str, Any]:
    return {
        "n": problem.size["n"],
        "batch": problem.batch,
        "seconds": timing.median,
        "spread": timing.spread,
        "gflops": problem.flops * problem.batch / timing.median / 1e9,
        **named,
    }


def _operands(problem: Problem, layout: str) -> list[Any]:
    return [as_layout(array, layout) for array in problem.operands().values()]


def block_size(batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """GF/s of layout bi by its block size, data cold and hot."""
    for n in BLOCK_MATRICES:
        whole = _square(n, batch)
        for state, problem in (("cold", whole), ("hot", whole.hot())):
            runs = []
            for nb in (nb for nb in BLOCK_SIZES if nb <= problem.batch):
                operands = _operands(problem, f"bi{nb}")
                runs.append(Contender(str(nb), plan("gemm", *operands, num_threads=1), list(map(storage, operands))))
            timings = cold(runs, repetitions, flush) if state == "cold" else hot(runs, repetitions)
            for contender, timing in zip(runs, timings, strict=True):
                yield _point(problem, timing, nb=int(contender.name), state=state)


def groups(batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """One group of N matrices against N groups of one: the price of a call for each matrix."""
    count = min(batch, 1000)
    for n in GROUP_MATRICES:
        problem = _square(n, count)
        arrays = problem.operands()
        a, b, c = arrays.values()
        singles = [plan("gemm", a[i : i + 1], b[i : i + 1], c[i : i + 1], num_threads=1) for i in range(count)]
        runs = [
            Contender("ours, one group", plan("gemm", a, b, c, num_threads=1), []),
            Contender("ours, groups of one", partial(_each, singles), []),
        ]
        for name in ("mkl_batch", "mkl_groups"):
            try:
                ready = PEERS[name].prepare(problem, arrays)
            except Missing:
                continue
            runs.append(Contender({"mkl_batch": "MKL, one group"}.get(name, "MKL, groups of one"), ready.run, []))
        for contender, timing in zip(runs, hot(runs, repetitions), strict=True):
            yield _point(problem, timing, contender=contender.name)


def _each(runs: Sequence[Callable[[], Any]]) -> None:
    for run in runs:
        run()


def conversion(batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """What a product costs from strided to strided arrays: with conversion to a layout and back, part by part."""
    for n in CONVERSION_MATRICES:
        problem = _square(n, batch)
        a, b, c = problem.operands().values()
        parts = [("st", "compute", Contender("", plan("gemm", a, b, c, num_threads=1), [a, b, c]))]
        for layout, nb in (("bi", None), ("il", "full")):
            x, y = interleave(a, nb=nb), interleave(b, nb=nb)
            z = gemm(x, y)
            compute = plan("gemm", x, y, z, num_threads=1)
            back = partial(deinterleave, z, c, num_threads=1)
            parts += [
                (layout, "allocate and convert", Contender("", partial(_convert, a, b, nb), [a, b])),
                (layout, "compute", Contender("", compute, [x.data, y.data, z.data])),
                (layout, "convert back", Contender("", back, [z.data, c])),
            ]
        timings = cold([contender for _, _, contender in parts], repetitions, flush)
        for (layout, part, _), timing in zip(parts, timings, strict=True):
            yield _point(problem, timing, layout=layout, part=part)


def _convert(a: Any, b: Any, nb: Any) -> None:
    interleave(a, nb=nb, num_threads=1)
    interleave(b, nb=nb, num_threads=1)


def batch_size(batch: int, repetitions: int) -> Iterator[dict[str, Any]]:
    """GF/s by the number of matrices, called again and again."""
    for n in BATCH_MATRICES:
        for count in (count for count in BATCH_SIZES if count <= 3 * batch):
            problem = _square(n, count)
            arrays = problem.operands()
            runs = [
                Contender(layout, plan("gemm", *(as_layout(x, layout) for x in arrays.values()), num_threads=1), [])
                for layout in ("st", "bi")
            ]
            runs.append(Contender("numpy", partial(np.matmul, arrays["A"], arrays["B"], out=arrays["C"]), []))
            for contender, timing in zip(runs, hot(runs, repetitions), strict=True):
                yield _point(problem, timing, contender=contender.name)


def _square(n: int, batch: int) -> Problem:
    return Problem("gemm", "d", (n, n, n), 0, batch)


EXPERIMENTS = {
    row.name: row
    for row in (
        Experiment("block_size", "Effect of the block size of layout bi", "ICCS 2017, Fig. 4b", block_size),
        Experiment("groups", "One group of N matrices, or N groups of one", "ICCS 2017, Fig. 2", groups),
        Experiment("conversion", "Cost of allocation and conversion by layout", "ICCS 2017, Fig. 3", conversion),
        Experiment("batch_size", "Scaling with the size of the batch", "Euro-Par 2017, Fig. 4", batch_size),
        Experiment("fusion", "Gain of sequences in one kernel", "Euro-Par 2017, algorithm 2", fusion.measure),
    )
}


def measure(batch: int, repetitions: int, step: Callable[[], None] = lambda: None) -> dict[str, list[dict[str, Any]]]:
    """The points of all experiments, by their names; ``step`` is called after each."""
    found = {}
    with quiet():
        for experiment in EXPERIMENTS.values():
            found[experiment.name] = list(experiment.run(batch, repetitions))
            step()
    return found
