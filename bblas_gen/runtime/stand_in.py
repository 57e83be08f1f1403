"""Stand-ins: what does the work of a kernel that is not there and cannot be made, by general kernels of a library.

A stand-in is called as the kernel would be. A general kernel for the same layouts does it where there is one. Else it
goes body by body, by the kernels of ``ir/general``: each operand becomes a table of addresses; what has none is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from ..arrays.host import Array
from ..codegen.signature import signature_of
from ..errors import SpecError
from ..ir.canonical import Body
from ..ir.general import Look, Task, task_of
from ..ir.program import bound_bodies
from ..ir.spec import KernelSpec
from ..ir.terms import INDEX_DTYPE, Role, Strides
from .marshal import address, ffi
from .stored import Alone, Stored, at, shape_of, stored

Find = Callable[[KernelSpec], Any]
"""The C function of a kernel of the library, None where it has none."""
WINDOW = 1024
"""Matrices that several bodies do before they go on to the next: copies and intermediates stay in the cache."""
_WIDER = {
    Strides.PACKED: (Strides.PACKED, Strides.LD, Strides.RS),
    Strides.LD: (Strides.LD, Strides.RS),
    Strides.RM: (Strides.RM, Strides.RMLD, Strides.RS),
    Strides.RMLD: (Strides.RMLD, Strides.RS),
    Strides.RS: (Strides.RS,),
}
"""Kernels that take the strides of others, those first that know most."""
_CONSTANT = (Strides.PACKED, Strides.RM)
"""Strides that follow from sizes."""


def stand_in(spec: KernelSpec, find: Find) -> Callable[..., int] | None:
    """What does what the kernel of ``spec`` would do; None where the library lacks a kernel for it."""
    for general in _for_any_size(spec):
        if function := find(general):
            return partial(_rearranged, function, _picks(spec, general))
    looks = tuple((x.name, Look(1, 1)) for x in spec.row.matrices)
    possible = all(find(task.kernel) for task in _tasks(spec.at(1), looks))
    return BodyByBody(spec, find) if possible else None


def _for_any_size(spec: KernelSpec) -> Iterator[KernelSpec]:
    """The kernels for any size that take the operands as they are."""
    fixed = all(where.interleaved for where in spec.layouts) or (spec.general and spec.strides in _CONSTANT)
    with suppress(SpecError):  # of a triangle in storage of its own two sizes must be known to be one
        for strides in (spec.strides,) if fixed else _WIDER[spec.strides]:
            yield replace(spec.any_size, strides=strides)


def _picks(spec: KernelSpec, general: KernelSpec) -> list[tuple[int, Any]]:
    """For each argument of a general kernel where that of ``spec`` has it, or -1 and its value."""
    places = {p.name: i for i, p in enumerate(signature_of(spec).parameters)}
    known: dict[str, tuple[int, Any]] = {name: (-1, size) for name, size in spec.size.items()}
    for x in spec.row.parameters:
        letter, far = x.name.lower(), places.get(f"ld{x.name.lower()}", -1)
        ld = (far, max(1, spec.stored(x)[spec.strides.row_major]) if far < 0 else None)
        rs, cs = (ld, (-1, 1)) if spec.strides.row_major else ((-1, 1), ld)
        known |= {f"ld{letter}": ld, f"rs{letter}": rs, f"cs{letter}": cs}
    known |= {name: (i, None) for name, i in places.items()}
    return [known[p.name] for p in signature_of(general).parameters]


def _rearranged(function: Any, picks: Sequence[tuple[int, Any]], *arguments: Any) -> int:
    return int(function(*[value if i < 0 else arguments[i] for i, value in picks]))


_bodies = lru_cache(1024)(bound_bodies)


@lru_cache(1024)
def _tasks(spec: KernelSpec, looks: tuple[tuple[str, Look], ...]) -> tuple[Task, ...]:
    known = dict(looks)
    return tuple(task_of(body, known, spec.p) for body in _bodies(spec))


@dataclass(frozen=True)
class BodyByBody:
    """Does what the kernel of ``spec`` does, by kernels that ``find`` knows."""

    spec: KernelSpec
    find: Find

    @cached_property
    def names(self) -> list[str]:
        return [p.name for p in signature_of(self.spec).parameters]

    def __call__(self, *arguments: Any) -> int:
        given = dict(zip(self.names, arguments, strict=True))
        spec, batch = self._known(given), int(given["batch_count"])
        operands = {x.name: stored(spec, x, given, batch) for x in spec.row.parameters}
        reports = at(given["info"], (batch,), (4,), np.dtype(INDEX_DTYPE)) if spec.row.info else np.empty(0, np.int32)
        reports[:] = 0
        looks = {name: operand.look for name, operand in operands.items()}
        looks |= {x.name: Look(1, max(1, shape_of(spec, x)[0])) for x in spec.row.matrices if x.name not in operands}
        steps = list(zip(_bodies(spec), _tasks(spec, tuple(looks.items())), strict=True))
        size = WINDOW if len(steps) > 1 or any(operand.copied for operand in operands.values()) else max(1, batch)
        for first in range(0, batch, size):
            window = range(first, min(batch, first + size))
            if status := self._window(spec, steps, given, operands, window, reports[first : window.stop]):
                return status
        return 0

    def _known(self, given: Mapping[str, Any]) -> KernelSpec:
        """The spec with the sizes of a call."""
        if not self.spec.general:
            return self.spec
        return replace(self.spec, sizes=tuple(int(given.get(str(x), x)) for x in self.spec.sizes))

    def _window(
        self,
        spec: KernelSpec,
        steps: Sequence[tuple[Body, Task]],
        given: Mapping[str, Any],
        operands: Mapping[str, Stored],
        window: range,
        reports: Array,
    ) -> int:
        """All bodies on some of the matrices. One that could not be done is left by later bodies as it is."""
        here = {x.name: Alone.made(spec, x, len(window)) for x in spec.row.matrices if x.role is Role.SCRATCH}
        here |= {name: operand.taken(window) for name, operand in operands.items()}
        todo = np.arange(len(window))
        for body, task in steps:
            info = np.zeros(len(todo), np.int32)
            if status := self._run(body, task, given, here, todo, info):
                return status
            if body.row.info:
                reports[todo] = info + body.offset * (info != 0)
                todo = todo[info == 0]
        for x in spec.row.outputs:
            operands[x.name].put(window, here[x.name])
        return 0

    def _run(
        self, body: Body, task: Task, given: Mapping[str, Any], here: Mapping[str, Alone], todo: Array, info: Array
    ) -> int:
        """One body on the matrices ``todo``."""
        row, indices = body.row, []
        values: list[Any] = [*task.sizes]
        operands = dict(zip((x.name for x in row.matrices), zip(body.operands, task.looks, strict=True), strict=True))
        scalars = dict(zip(row.scalars, body.scalars, strict=True))
        for name in row.arguments:
            if name in scalars:
                number = scalars[name]
                value = given[number] if isinstance(number, str) else number
                values.append(self._scalar(value, name in row.real_scalars, task.conjugates))
                continue
            operand, look = operands[name]
            table = here[operand].table(todo, look)
            if (own := here[operand].indices) is not None:
                values += [address(table), table.shape[1]]
                indices += [(own, table)] if row.operand(name).role is not Role.IN else []
            else:
                values += [address(table), look.rs, look.cs]
        values += [address(info)] if row.info else []
        status = int(self.find(task.kernel)(*values, len(todo), given["num_threads"]))
        for own, table in indices:
            own[todo] = table
        return status

    def _scalar(self, value: Any, real: bool, conjugates: bool) -> Any:
        """The C argument for a number, or for what a caller gave."""
        p = self.spec.p
        if not p.complex or real:
            return value.real if isinstance(value, complex) else value
        if not isinstance(value, (int, float, complex)):
            pair = ffi().cast(f"{p.storage.name} *", value)
            value = complex(pair[0], pair[1])
        imag = -value.imag if conjugates else value.imag
        return ffi().new(f"{p.storage.name}[2]", (value.real, imag))
