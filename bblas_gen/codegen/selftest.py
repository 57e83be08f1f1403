"""The tests that a parcel brings along: which matrices its kernels work on, and the plain loops they are compared with.

A kernel is taken apart into operations of the table that are not made of others. For each there is a reference,
``templates/emit/reference/NAME.c``, which knows nothing of layouts, forms or vectors. Everything else is data: where
operands lie, what is read and written, the scalars.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, log2
from typing import Any

from ..ir.canonical import Body, Named
from ..ir.operation import Operand, Operation, Step, picked
from ..ir.program import bound_bodies, flat
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..ir.terms import FLAGS, Kind, Layout, Role
from .calls import Place, call_text
from .signature import declared

GAP = 3
"""Elements between matrices, columns and blocks that kernels must not touch."""
SIZES = (1, 4, 9, 17)
"""The smallest of the sizes that a kernel for all sizes is tested with."""
LARGE = 70
"""The same of kernels for large matrices, beyond the order from which they divide these."""
_PARAMETERS = "void *const *x, const double (*scalar)[2], int32_t *info, int64_t batch_count"
"""Of every call, before the last one."""
WORK = 20_000_000
"""Floating-point operations in a batch, about: large matrices come in smaller ones."""


def context(specs: Sequence[KernelSpec], *, large: bool = False) -> dict[str, Any]:
    """What the template of the tests sees; ``large``: kernels for all sizes are tested with larger ones, too."""
    target = TARGETS[specs[0].target]
    tests = [_Test(spec, one) for spec in specs for one in _sized(spec, large)]
    names = {reference(step.row): None for test in tests for step in test.steps}
    return {
        "kernels": [test.context() for test in tests],
        "references": sorted(names),
        "complex": any(spec.p.complex for spec in specs),
        "flags": tuple(FLAGS),
        "target": target.name,
        "headers": target.headers,
        "parameters": f"{_PARAMETERS}, {declared(*target.last)}",
        "most_operands": max(len(step.operands) for test in tests for step in test.steps),
        "most_matrices": max(len(test.spec.row.matrices) for test in tests),
    }


def reference(row: Operation) -> str:
    """The name of the reference of an operation: those that share a template share it."""
    return row.template or row.name


def _sized(spec: KernelSpec, large: bool) -> Iterator[KernelSpec]:
    """The spec with numbers for the sizes that only run time knows, larger ones first."""
    for least in (*SIZES, *[LARGE] * large) if spec.general else SIZES[:1]:
        larger = iter(range(least + len(spec.unknown) - 1, least - 1, -1))
        yield replace(spec, sizes=tuple(next(larger) if isinstance(x, str) else x for x in spec.sizes))


@dataclass(frozen=True)
class _Test:
    """A kernel, and what is to be done with it: ``spec`` has numbers for all sizes."""

    kernel: KernelSpec
    spec: KernelSpec

    @cached_property
    def steps(self) -> tuple[Named, ...]:
        row, letters = self.spec.row, tuple((name, str(value)) for name, value in self.spec.flag.items())
        itself = Step(row.name, tuple(x.name for x in row.matrices), letters, tuple((x, x) for x in row.scalars))
        return tuple(flat(row.steps_for(self.spec.flag) or (itself,), self.spec.flag, {}, halved=True))

    @property
    def _bound(self) -> Iterator[tuple[Named, Body]]:
        return zip(self.steps, bound_bodies(self.spec, halved=True), strict=True)

    @cached_property
    def batch(self) -> int:
        return max(2, min(TARGETS[self.spec.target].tested, WORK // max(1, self.spec.flops)))

    def context(self) -> dict[str, Any]:
        """What the template sees of it."""
        row, p = self.spec.row, self.spec.p
        cases = self._cases()
        numbers = [len(row.matrices), len(self.steps), len(row.scalars), len(cases), p.storage.bytes, p.parts]
        fails = row.info and not any(x.turns for x in row.matrices)  # any vectors are those of a zero matrix
        numbers += [int(row.info), int(fails), self.batch, max(1, *map(int, self.spec.sizes))]
        names = {"x": bool(row.parameters), "scalar": bool(row.scalars), "info": row.info}
        return {
            "symbol": self.kernel.symbol(),
            "call": self._call(),
            "unused": [name for name, used in names.items() if not used],
            "operands": [_c(self._operand(x)) for x in row.matrices],
            "steps": [_c(self._step(step) | {"offset": body.offset}) for step, body in self._bound],
            "scalars": ", ".join(f"{{{x.real}, {x.imag}}}" for case in cases for x in case) or "{0, 0}",
            "numbers": ", ".join(map(str, numbers)),
        }

    def _cases(self) -> list[tuple[complex, ...]]:
        """The scalars of each case: any, and those that kernels ask for."""
        row, p = self.spec.row, self.spec.p
        real = {name for name in row.scalars if not p.complex or name in row.real_scalars}
        some = tuple(complex(1.5 + i / 4, 0 if name in real else -0.5) for i, name in enumerate(row.scalars))
        if row.composed or not some:
            return [some]
        kinds = ((1 + 0j, 0j), (1 + 0j, 1 + 0j), (0j, some[-1]))
        return list(dict.fromkeys(case[: len(some)] for case in (some, *kinds)))

    def _call(self) -> str:
        """The C text of the call."""
        row, p = self.spec.row, self.spec.p
        given = {x.name: f"x[{i}]" for i, x in enumerate(row.matrices)}
        given |= {"info": "info", "batch_count": "batch_count"}
        last = TARGETS[self.spec.target].last[0]
        given[last] = last
        for i, name in enumerate(row.scalars):
            parts = [f"({p.storage.name})scalar[{i}][{part}]" for part in range(2)]
            pair = p.complex and name not in row.real_scalars
            given[name] = f"(const {p.storage.name}[2]){{{', '.join(parts)}}}" if pair else parts[0]
        places = {x.name: Place.of(self.spec, x, self.batch, GAP) for x in row.parameters}
        return call_text(self.kernel, self.spec.size, places, given)

    def _operand(self, x: Operand) -> dict[str, object]:
        rows, cols = self.spec.stored(x)
        row, stored = self.spec.row, x in self.spec.row.parameters
        place = Place.of(self.spec, x, self.batch, GAP) if stored else None
        factor = row.scalars.index(x.scaled_by) if x.scaled_by else -1
        where = self.spec.where(x)
        return {
            "name": x.name,
            "used": "".join(sorted(self._used(x.name))),
            "packed": _letter(where.triangle) if where and where.triangle else 0,
            "argument": int(stored),
            "read": int(x.role is not Role.OUT),
            "written": int(stored and x.role is not Role.IN),
            "index": int(x.kind is Kind.INDEX),
            "real": int(x.kind is Kind.REAL),
            "turns": int(x.turns),
            "pointers": int(where is Layout.PP),
            "scaled_by": factor,
            "rows": rows,
            "cols": cols,
            **{name: getattr(place, name) for name in ("rs", "cs", "nb", "distance", "elements") if place},
            "limit": self._limit(x.name),
            "shift": int(self._pivoted(x.name)),
            "scale": 2.0 ** -ceil(log2(max(rows, cols, 1)) / 2),
        }

    def _uses(self, name: str) -> Iterator[tuple[Named, int]]:
        """The steps that have an operand, and as which one of theirs."""
        for step in self.steps:
            yield from ((step, at) for at, own in enumerate(step.operands) if own == name)

    def _used(self, name: str) -> set[str]:
        """What is read or written of an operand, of the triangles and the diagonal."""
        found = [step.row.matrices[at].parts(_letters(step)) for step, at in self._uses(name)]
        return set().union(*found)

    def _pivoted(self, name: str) -> bool:
        """Whether rows of an operand, or of a copy of it, are exchanged before anything else is done with it."""
        copies = {name}
        for step in self.steps:
            if step.row.copies and step.operands[0] in copies:
                copies.add(step.operands[1])
            elif copies & {*step.operands}:
                return step.operands[0] in copies and "permutation" in picked(step.row.needs, _letters(step))
        return False

    def _limit(self, name: str) -> int:
        """The largest index that an operand of indices may have."""
        found = [0]
        for step, _ in self._uses(name):
            moved = self.spec.row.operand(step.operands[0])
            found.append(self.spec.stored(moved)[_letters(step).get("side") == "R"])
        return max(found)

    def _step(self, step: Named) -> dict[str, object]:
        row = self.spec.row
        names = [x.name for x in row.matrices]
        known = [row.scalars.index(x) if isinstance(x, str) else -1 for x in step.scalars]
        given = [complex(0 if isinstance(x, str) else x) for x in step.scalars]
        return {
            "run": f"ref_{reference(step.row)}",
            "operand": _c([names.index(name) for name in step.operands]),
            "scalar": _c([*known, -1, -1][:2]),
            "value": _c([_c([x.real, x.imag]) for x in [*given, 1j, 1j][:2]]),
            **{name: _letter(value) for name, value in step.flag.items()},
            "hermitian": int(step.row.hermitian),
        }


def _letters(step: Named) -> dict[str, str]:
    return {name: str(value) for name, value in step.flag.items()}


def _letter(value: object) -> str:
    return f"'{value}'"


def _c(values: Mapping[str, object] | Sequence[object]) -> str:
    """The C text of an initializer, designated where there are names."""
    if isinstance(values, Mapping):
        texts = {name: f'"{value}"' if name in ("name", "used") else str(value) for name, value in values.items()}
        return "{" + ", ".join(f".{name} = {text}" for name, text in texts.items()) + "}"
    return "{" + ", ".join(map(str, values)) + "}"
