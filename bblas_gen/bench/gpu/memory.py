"""Operands of a problem on a GPU: a few matrices, and batches of any size that repeat these.

The large ones are sets, and calls go round them: as many as it takes to go beyond all caches, but MOST_SETS at most, as
each takes the host its time. So those of few small matrices may lie in a cache, which their rows say. Before each round
they are brought back to what they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays.device import header
from ...arrays.pointers import Pointers, indexed
from ...runtime.device_interleaved import DeviceInterleaved
from ...runtime.device_storage import DeviceStorage, fetched
from ...runtime.gpu import Gpu
from ...runtime.interleaved import Interleaved
from .limits import Tools
from .problem import GpuProblem

PERIOD = 960
"""Matrices that are not alike: whole blocks of every layout, and no power of two."""
MOST_SETS = 640


@dataclass(frozen=True)
class Placed:
    """An operand on a GPU, ``small`` and in ``sets``; ``rows``: in how many rows of the memory the batch goes on."""

    small: Any
    first: Any
    sets: tuple[Any, ...]
    rows: int

    def words(self, batch: int) -> int:
        """Of a row, those of whole blocks of so many matrices."""
        each = memory(self.small).nbytes // 4 // self.rows
        block = self.small.nb if isinstance(self.small, DeviceInterleaved) and self.rows == 1 else 1
        return int(each * (batch // block * block) // PERIOD)


@dataclass(frozen=True)
class Operands:
    """All operands of a problem in one layout, in their order."""

    problem: GpuProblem
    layout: str
    tools: Tools
    placed: Mapping[str, Placed]

    @property
    def sets(self) -> int:
        return len(next(iter(self.placed.values())).sets)

    def small(self) -> list[Any]:
        return [x.small for x in self.placed.values()]

    def set(self, number: int) -> list[Any]:
        return [x.sets[number] for x in self.placed.values()]

    def restore(self, count: int | None = None) -> None:
        """Bring the first ``count`` sets back to what they were; None: the small ones."""
        for x in self.placed.values():
            for large in [x.small] if count is None else x.sets[:count]:
                self.tools.repeat(memory(large), memory(x.first), x.rows)

    def results(self) -> dict[str, Any]:
        """The small outputs, as arrays in host memory, (matrices, rows, columns)."""
        shapes = {x.name: (PERIOD, *self.problem.spec.stored(x)) for x in self.problem.spec.row.outputs}
        return {name: host(self.placed[name].small).reshape(shape) for name, shape in shapes.items()}

    def differ(self) -> bool:
        """Whether a large output is another one than the small ones, after a call on each."""
        found = []
        for x in self.problem.spec.row.outputs:
            own = self.placed[x.name]
            large, words = memory(own.sets[0]), own.words(self.problem.batch)
            found.append(self.tools.differ(large, memory(own.small), own.rows, words))
        return any(found)


def memory(operand: Any) -> Any:
    """The array on the GPU that an operand is, or in which it lies."""
    if isinstance(operand, Pointers):
        return operand.owner
    return operand.data if isinstance(operand, DeviceInterleaved) else operand


def host(operand: Any) -> Any:
    """The numbers of an operand on a GPU, in host memory."""
    if isinstance(operand, DeviceInterleaved):
        return operand.to("cpu").deinterleave()
    array = memory(operand)
    return fetched(header("operand", array), array.gpu.stream(None))


def numbers(problem: GpuProblem) -> dict[str, Any]:
    """PERIOD filled matrices of each operand in host memory."""
    return problem.with_batch(PERIOD).operands()


def sets_for(problem: GpuProblem, nbytes: int) -> int:
    """How many sets go beyond ``nbytes``, or as many as there may be."""
    return int(min(MOST_SETS, max(1, -(-nbytes // (problem.stored * problem.batch)))))


def operands(problem: GpuProblem, layout: str, tools: Tools, arrays: Mapping[str, Any], sets: int) -> Operands:
    """Those with the numbers ``arrays``."""
    laid = problem.with_batch(PERIOD).laid_out(arrays, layout)
    placed = {name: _placed(tools.gpu, x, problem.batch, sets) for name, x in laid.items()}
    found = Operands(problem, layout, tools, placed)
    found.restore(sets)
    return found


def _placed(gpu: Gpu, given: Any, batch: int, sets: int) -> Placed:
    if not isinstance(given, Interleaved):
        array = np.ascontiguousarray(given)
        small, first = (DeviceStorage.of(gpu, array) for _ in range(2))
        large = [DeviceStorage(gpu, (batch, *array.shape[1:]), array.dtype) for _ in range(sets)]
        lists = isinstance(given, list)
        return Placed(_matrices(small) if lists else small, first, tuple(map(_matrices, large) if lists else large), 1)
    full = str(given.layout) == "il"
    like = Interleaved.empty((batch, *given.shape[1:]), given.dtype, nb="full" if full else given.nb)
    rows = given.data.size // PERIOD if full else 1
    blocks = tuple(DeviceInterleaved(DeviceStorage(gpu, like.data.shape, like.data.dtype), like) for _ in range(sets))
    return Placed(given.to("cuda"), given.to("cuda"), blocks, rows)


def _matrices(batch: DeviceStorage) -> Pointers:
    """As the list of its matrices."""
    return indexed(batch, np.arange(batch.shape[0]))
