"""What a sequence gains: one kernel against the same steps as planned calls, which pass all data through memory, and
against NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..ir.catalog import OPS
from ..ir.sequence import step
from ..ir.sizes import evaluate
from ..ir.terms import PRECISIONS
from ..plans import plan
from ..runtime.call import by_user_names
from ..runtime.interleaved import Interleaved
from ..runtime.storage import aligned
from ..sequences import OperationSequence, sequence
from ..toolchain import machine
from .contenders import SAMPLE, TOLERANCE, Wrong
from .fills import POSITIVE, RANDOM, TALL, Fill
from .limits import flush
from .measure import Contender, cold, hot
from .problem import as_layout, forward, norm, storage

SIZES = (2, 3, 4, 6, 8, 12, 16)
LAYOUTS = ("st", "bi")
STATES = ("hot", "cold")
_DOUBLE = PRECISIONS["d"]

Arrays = Mapping[str, Any]
Shapes = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Case:
    """A sequence to measure in float64: the shapes of all its operands, intermediates too, for n; what operands hold
    that are not just random; the result of the last one, as NumPy computes it; and the scale of its error."""

    sequence: OperationSequence
    shapes: Callable[[int], Shapes]
    fills: Mapping[str, Fill]
    expected: Callable[[Arrays], Any]
    scale: Callable[[Arrays], Any]

    @property
    def name(self) -> str:
        return self.sequence.row.name

    @property
    def scratch(self) -> list[str]:
        return list(self.sequence.scratch)

    def made(self, name: str, shape: tuple[int, ...]) -> Any:
        """An array for an operand."""
        return aligned(shape, np.dtype(_DOUBLE.dtype_of(self.sequence.row.operand(name).kind)))

    def flops(self, n: int) -> int:
        """Operations per matrix."""
        sizes: dict[str, int] = {}
        for x in self.sequence.row.matrices:
            sizes |= dict(zip((x.rows, x.cols), self.shapes(n)[x.name], strict=True))
        return evaluate(self.sequence.row.flops, sizes)

    def fill(self, arrays: Arrays, *, timed: bool = False) -> None:
        rng = np.random.default_rng(0)
        for name, array in arrays.items():
            if array.dtype == np.int32:
                array[...] = 0
                continue
            array[...] = self.fills.get(name, RANDOM).numbers(rng, array.shape, _DOUBLE, timed=timed)


def _schur(x: Arrays) -> Any:
    return np.tril(x["C"] - x["B"].mT @ np.linalg.solve(x["A"], x["B"]))


def _of_filter(n: int, m: int) -> Shapes:
    """A state of n numbers, of which m combinations are measured."""
    return {"P": (n, n), "H": (m, n), "R": (m, m), "X": (n, 1), "Y": (m, 1), "W": (m, n), "S": (m, m), "V": (m, 1)}


def _kalman(x: Arrays) -> Any:
    gain = x["P"] @ x["H"].mT @ np.linalg.inv(x["H"] @ x["P"] @ x["H"].mT + x["R"])
    return np.tril(x["P"] - gain @ x["H"] @ x["P"])


CASES = (
    Case(
        sequence(
            [step("lacpy", "A", "F"), step("lacpy", "B", "X"), step("gesv", "F", "P", "X")],
            name="solve",
            scratch=["F", "P"],
        ),
        lambda n: {"A": (n, n), "B": (n, 1), "F": (n, n), "P": (n, 1), "X": (n, 1)},
        {},
        lambda x: np.linalg.solve(x["A"], x["B"]),
        lambda x: forward(x["A"], np.linalg.solve(x["A"], x["B"])),
    ),
    Case(
        sequence(
            [step("lacpy", "A", "X"), step("getrf", "X", "P"), step("getri", "X", "P")],
            name="inverse",
            scratch="P",
        ),
        lambda n: {"A": (n, n), "X": (n, n), "P": (n, 1)},
        {},
        lambda x: np.linalg.inv(x["A"]),
        lambda x: forward(x["A"], np.linalg.inv(x["A"])),
    ),
    Case(
        sequence(
            [
                step("syrk", "A", "G", trans="T"),
                step("gemm", "A", "B", "X", transa="T"),
                step("posv", "G", "X"),
            ],
            name="normal",
            scratch="G",
        ),
        lambda n: {"A": (2 * n, n), "B": (2 * n, 1), "G": (n, n), "X": (n, 1)},
        {"A": TALL},
        lambda x: np.linalg.solve(x["A"].mT @ x["A"], x["A"].mT @ x["B"]),
        lambda x: norm(x["A"]) ** 2 * norm(x["B"]),
    ),
    Case(
        sequence(
            [
                step("potrf", "A"),
                step("trsm", "A", "B"),
                step("syrk", "B", "C", trans="T", alpha=-1, beta=1),
            ],
            name="schur",
        ),
        lambda n: dict.fromkeys("ABC", (n, n)),
        {"A": POSITIVE},
        _schur,
        lambda x: norm(x["A"]) * norm(x["B"]) ** 2 + norm(x["C"]),
    ),
    Case(
        sequence(
            [
                step("symm", "P", "H", "W", side="R"),
                step("lacpy", "R", "S"),
                step("gemm", "W", "H", "S", transb="T", beta=1),
                step("potrf", "S"),
                step("trsm", "S", "W"),
                step("lacpy", "Y", "V"),
                step("trsm", "S", "V"),
                step("gemm", "W", "V", "X", transa="T", beta=1),
                step("syrk", "W", "P", trans="T", alpha=-1, beta=1),
            ],
            name="kalman",
            scratch=["W", "S", "V"],
        ),
        lambda n: _of_filter(n, -(-n // 2)),
        {"P": POSITIVE, "R": POSITIVE},
        _kalman,
        lambda x: norm(x["P"]) ** 2 * norm(x["H"]) ** 2 + norm(x["P"]),
    ),
)


def measure(
    batch: int,
    repetitions: int,
    *,
    sizes: Sequence[int] | None = None,
    layouts: Sequence[str] = LAYOUTS,
    states: Sequence[str] = STATES,
) -> Iterator[dict[str, Any]]:
    """A row for every sequence, size, layout and state; gains are medians of ratios, round by round: ``gain`` over the
    steps one by one, ``over_numpy`` over NumPy on arrays."""
    for case in CASES:
        for n in sizes or SIZES:
            for state in states:
                count = _in_cache(case, n, batch) if state == "hot" else batch
                runs = [run for layout in layouts for run in _contenders(case, n, count, layout)]
                runs.append(_numpy(case, n, count))
                timings = cold(runs, repetitions, flush) if state == "cold" else hot(runs, repetitions)
                for run in runs:
                    if not all(np.isfinite(array).all() for array in run.arrays):
                        raise Wrong(f"{case.name}, {run.name}: left numbers that are not finite")
                for layout, fused, unfused in zip(layouts, timings[:-1:2], timings[1::2], strict=True):
                    yield {
                        "sequence": case.name,
                        "n": n,
                        "layout": layout,
                        "state": state,
                        "batch": count,
                        "seconds": fused.median,
                        "spread": fused.spread,
                        "unfused_seconds": unfused.median,
                        "gflops": case.flops(n) * count / fused.median / 1e9,
                        "gain": fused.ratio(unfused),
                        "over_numpy": fused.ratio(timings[-1]),
                    }


def _in_cache(case: Case, n: int, batch: int) -> int:
    """Matrices of which all, intermediates too, fill half of the level-2 cache, in whole blocks."""
    unit = _DOUBLE.default_nb
    nbytes = sum(rows * cols for rows, cols in case.shapes(n).values()) * _DOUBLE.itemsize
    return max(min(machine.caches()["l2"] // 2 // nbytes // unit * unit, batch), unit)


def _contenders(case: Case, n: int, batch: int, layout: str) -> tuple[Contender, Contender]:
    """The sequence in one kernel, and in steps, each checked and then on data that calls leave as it is."""
    found = []
    for name, make in (("fused", _fused), ("unfused", _unfused)):
        shapes = {x: (batch, *shape) for x, shape in case.shapes(n).items() if name != "fused" or x not in case.scratch}
        arrays = {x: case.made(x, shape) for x, shape in shapes.items()}
        case.fill(arrays)
        operands = {x: as_layout(array, layout, nb=_DOUBLE.default_nb) for x, array in arrays.items()}
        output = case.sequence.row.parameters[-1]
        sample = {x: array[:SAMPLE].copy() for x, array in arrays.items()}
        make(case, operands)()
        result = operands[output.name]
        values = result.deinterleave() if isinstance(result, Interleaved) else np.asarray(result)
        written = np.tril(values[:SAMPLE]) if output.triangle else values[:SAMPLE]
        error = float((norm(written - case.expected(sample)) / case.scale(sample) / _DOUBLE.eps).max())
        if not error <= TOLERANCE:
            raise Wrong(f"{case.name}, {name}, is wrong in layout {layout}: an error of {error:.3g} eps")
        case.fill(arrays, timed=True)
        operands = {x: as_layout(array, layout, nb=_DOUBLE.default_nb) for x, array in arrays.items()}
        memory = [arrays[x] if layout == "pp" else storage(operand) for x, operand in operands.items()]
        found.append(Contender(f"{name}, {layout}", make(case, operands), memory))
    return found[0], found[1]


def _numpy(case: Case, n: int, batch: int) -> Contender:
    """NumPy on contiguous arrays, which makes new results."""
    shapes = {x: (batch, *shape) for x, shape in case.shapes(n).items() if x not in case.scratch}
    arrays = {x: case.made(x, shape) for x, shape in shapes.items()}
    case.fill(arrays)
    return Contender("numpy", partial(case.expected, arrays), list(arrays.values()))


def _fused(case: Case, operands: Arrays) -> Callable[[], Any]:
    return plan(case.sequence, **operands, num_threads=1)


def _unfused(case: Case, operands: Arrays) -> Callable[[], Any]:
    plans = []
    for one in case.sequence.steps:
        scalars = {name: complex(value).real for name, value in one.scalars}
        flags = one.letters({})
        given = by_user_names(OPS[one.op], (operands[x] for x in one.operands))
        plans.append(plan(one.op, **given, **flags, **scalars, num_threads=1))
    return partial(_each, plans)


def _each(plans: Sequence[Callable[[], Any]]) -> None:
    for run in plans:
        run()
