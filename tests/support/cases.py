"""Cases of operations, derived from their rows: letters, layouts, sizes, scalars; and what running one leaves behind.

A new row has cases without being named here.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.terms import BY_DTYPE, FLAGS, Role
from bblas_gen.runtime import kernels
from bblas_gen.runtime.call import by_user_names

from .covering import covering
from .extended import DTYPES, NAN, is_complex
from .kernels import Choice, available, exchanged, lanes, spec_of
from .layouts import Placed, is_interleaved, placed
from .oracles import Oracle
from .table import ORACLES

WITHOUT_ORACLE = {
    "checkdiag": "writes nothing but its report, which is tested as that of trtri and potri",
    "laset": "is tested in test_variants, where potrf and trtri have it as a step",
    "triu": "is tested in test_linalg_qr, where qr has it as a step",
    "lasym": "is tested in test_variants, where potri and lauum have it as a step",
    "sygst": "is tested as what sygv leaves in A without vectors, and as a step of it",
}
UNPIVOTED = {"getrsnp": "getrs", "getrinp": "getri"}
"""Operations that are others without an exchange of rows: test_lu_without_pivoting tries them."""
TRIED = [OPS[name] for name in OPS if name not in {*WITHOUT_ORACLE, *UNPIVOTED}]
"""The rows that the contract is held against."""
TWINS = {"hemm": "symm", "herk": "syrk", "her2k": "syr2k", "gerc": "ger", "dotc": "dot"}
"""Operations that conjugate, and those whose kernels are the same, but for names, where elements are real, as
unit/test_twins proves: of these only the complex kernels are tried."""
LONG = {"sygv"}
"""Operations of many others, which are tried as such: their pairs of choices are for --thorough."""
SELDOM = {*TWINS, *LONG, *(row.name for row in OPS.values() if row.hidden or row.name.endswith("np"))}
"""Twins, LU without pivoting, which is LU but for it, steps of other operations, which are tested as such, and what is
made of many: some tests are for --thorough."""


def tried(turn: int = 0, turns: int = 1) -> list[Any]:
    """The names of operations as parameters of a test. Those of SELDOM are for --thorough; so are, of
    tests that take turns, those of other turns."""
    rare = [row.name in SELDOM or i % turns != turn for i, row in enumerate(TRIED)]
    marked = ([pytest.mark.thorough] if x else [] for x in rare)
    return [pytest.param(row.name, marks=marks) for row, marks in zip(TRIED, marked, strict=True)]


def half(*choices: Sequence[Any]) -> list[Any]:
    """Combinations as parameters of a test. Every other one is for --thorough: each choice meets half of the others."""
    places = [*itertools.product(*map(enumerate, choices))]
    marked = ([pytest.mark.thorough] if sum(i for i, _ in place) % 2 else [] for place in places)
    return [pytest.param(*(x for _, x in place), marks=marks) for place, marks in zip(places, marked, strict=True)]


SIZES = ("0", "1", "v-1", "v", "v+1")
"""Where vectors lie along columns. For one size also 3v+3: two tiles, the last vector of which overlaps another."""
TILED = ("0", "1", "whole", "rest")
"""Where vectors run across matrices: a multiple of the tile in registers, and one with remainders."""
BATCHES = ("1", "v-1", "v+1", "2v+3")
ALPHAS = (1, 0, -0.5)
BETAS = (1, 0, 0.5)
TILES: list[dict[str, object]] = [{}, {"rows": 1, "cols": 2}, {"rows": 2, "cols": 4}, {"rows": 3, "cols": 1}]


class Storage(NamedTuple):
    layouts: tuple[str, ...]
    orders: tuple[str, ...] = ("C",)
    schedule: Mapping[str, object] = {}


def number(text: str, v: int) -> int:
    """A size or a batch in which v stands for what is in a vector."""
    some = {"v-1": v - 1, "v": v, "v+1": v + 1, "2v+3": 2 * v + 3, "3v+3": 3 * v + 3}
    return some[text] if "v" in text else int(text)


def size(text: str, dtype: str) -> int:
    """A size; v stands for the elements in a vector."""
    if text in TILED[2:]:
        return {"whole": 4, "rest": 5}[text] if is_complex(dtype) else {"whole": 5, "rest": 7}[text]
    return number(text, lanes(dtype) // BY_DTYPE[dtype].parts)


def letters(row: Operation, flag: str) -> list[str]:
    """The letters of BLAS: a Hermitian update has no T, a symmetric one no C; R is ours, and not for updates."""
    without = ("T" if row.hermitian else "C") + "R" if row.canonical_form == "rank_k" and flag == "trans" else ""
    return [str(letter) for letter in FLAGS[flag] if letter not in without]


def dtypes(row: Operation) -> list[str]:
    """The precisions in which a row has kernels of its own."""
    return [dtype for dtype in DTYPES if is_complex(dtype) or row.name not in TWINS]


def scalars_of(row: Operation) -> list[tuple[float, ...]]:
    """Choices of each scalar: one, zero, and a number that kernels must multiply by."""
    return [ALPHAS, BETAS][: len(row.scalars)]


def storages(row: Operation) -> list[Storage]:
    """Layouts and memory orders of the operands, and what is set of the schedule. Mixed orders need general strides."""
    alone = "alone" if any(x.triangle for x in row.parameters) and "uplo" in row.flags else "bi3"
    found = [Storage((x,)) for x in ("st", "bi", "il-", alone)]
    if "direct" in row.algorithms:
        some = [("st", "F"), ("pp", "C"), ("ld", "F"), ("ld", "C")]
        found += [Storage((x,), (o,), {"form": "direct", **t}) for (x, o), t in zip(some, TILES, strict=True)]
        found.append(Storage(("st",), ("F",), {"form": "lane"}))
    else:
        found += [Storage(("pp",), ("F",)), Storage(("ld",))]
    if len(row.parameters) > 1:
        found += [Storage(("bi", "st", "pp"), ("F",)), Storage(("st", "ld", "st"), ("C", "F", "C"))]
    return found


@dataclass(frozen=True)
class Case:
    """One call: an operation, its operands by the oracle's making, and how they lie. ``schedule`` is what the kernel's
    must have where there is such a kernel."""

    op: str
    dtype: str
    sizes: Mapping[str, int]
    batch: int
    flags: Mapping[str, str]
    scalars: Mapping[str, complex] = field(default_factory=dict)
    layouts: tuple[str, ...] = ("st",)
    orders: tuple[str, ...] = ("C",)
    schedule: Mapping[str, object] = field(default_factory=dict)

    @property
    def row(self) -> Operation:
        return OPS[self.op]

    @property
    def oracle(self) -> Oracle:
        return ORACLES[self.op]

    def make(self) -> dict[str, Any]:
        """Operands by name, the same ones every time."""
        rng = np.random.default_rng([*self.sizes.values(), self.batch])
        return self.oracle.make(rng, self.batch, dict(self.sizes), dict(self.flags), self.dtype)

    def unread(self) -> list[str]:
        """The operands whose values count for nothing, as a scalar is zero."""
        zero = [name for name, value in self.scalars.items() if value == 0]
        found = [x.name for x in self.row.parameters if x.scaled_by in zero or x.role is Role.OUT]
        return found + [self.oracle.scaled] * (self.oracle.scaled != "" and "alpha" in zero)

    def layout(self, position: int) -> str:
        """Of the operand at ``position``: those beyond the last one named lie as it does."""
        chosen = self.layouts[min(position, len(self.layouts) - 1)]
        alone = self.row.parameters[position].triangle and "uplo" in self.flags
        return "bi" if chosen == "alone" and not alone else chosen

    def place(self, operands: Mapping[str, Any]) -> dict[str, Placed]:
        order, line = dict(enumerate(self.orders)), BY_DTYPE[self.dtype].default_nb
        return {
            name: placed(x, self.layout(i), order.get(i, self.orders[-1]), self.flags.get("uplo", ""), line)
            for i, (name, x) in enumerate(operands.items())
        }

    def plan(self, given: Mapping[str, Placed], **named: Any) -> Any:
        named = {**self.flags, **self.scalars, **named, **({"check": "ignore"} if self.row.info else {})}
        return bb.plan(self.op, **by_user_names(self.row, (x.operand for x in given.values())), **named)

    def wanted(self) -> tuple[Any, Mapping[str, object]] | None:
        """The kernel that the case runs: its spec and what is set of its schedule."""
        given = self.place(self.make())
        named = {**self.flags, **self.scalars}
        spec = spec_of(self.op, [x.operand for x in given.values()], **named)
        return None if spec is None else (spec, available(spec, self.schedule) if self.schedule else {})


@dataclass(frozen=True)
class Outcome:
    """Operands after a call, by name; what each matrix reports; and where they lay."""

    after: dict[str, Any]
    info: Any
    given: dict[str, Placed]


def run(
    case: Case, operands: Mapping[str, Any] | None = None, *, choice: Choice | None = None, **named: Any
) -> Outcome:
    """Run a case, on its own operands or on others like them, with its kernel or another ``choice``."""
    given = case.place(case.make() if operands is None else operands)
    with exchanged(choice or (lambda spec: kernels.kernel(spec, **available(spec, case.schedule)))):
        plan = case.plan(given, **named)
    plan()
    return Outcome({name: x.values() for name, x in given.items()}, plan.info, given)


def prepared(cases: Sequence[Case]) -> Sequence[Case]:
    """The cases, their kernels compiled together."""
    kernels.prepare(wanted for wanted in map(Case.wanted, cases) if wanted)
    return cases


def along_columns(row: Operation, storage: Storage) -> bool:
    """Whether vectors may lie along the columns of matrices: else they run across matrices, as in all lane forms."""
    lane = storage.schedule.get("form") == "lane" or any(map(is_interleaved, storage.layouts))
    strided = len(storage.orders) > 1
    return "direct" in row.algorithms and not lane and not (strided and row.canonical_form)


def pairwise(row: Operation) -> list[Case]:
    """Cases in which every pair of precision, storage, batch, letters, scalars and sizes occurs."""
    along = [storage for storage in storages(row) if along_columns(row, storage)]
    across = [storage for storage in storages(row) if not along_columns(row, storage)]
    sizes = [(*SIZES, "3v+3") if i == 0 else SIZES for i, _ in enumerate(row.sizes)]
    return _pairs(row, along, sizes) + _pairs(row, across, [TILED] * len(row.sizes))


def _pairs(row: Operation, some: list[Storage], sizes: list[tuple[str, ...]]) -> list[Case]:
    flags = [letters(row, flag) for flag in row.flags]
    cases = []
    choices = dtypes(row), BATCHES, *scalars_of(row), *flags, *sizes
    for storage, dtype, batch, *rest in covering(11, some, *choices) if some else []:
        scalars, rest = rest[: len(row.scalars)], rest[len(row.scalars) :]
        chosen = dict(zip(row.flags, rest, strict=False))
        numbers = dict(zip(row.sizes, (size(text, dtype) for text in rest[len(flags) :]), strict=True))
        scaled = complexes(row, dtype, scalars)
        cases.append(Case(row.name, dtype, numbers, number(batch, lanes(dtype)), chosen, scaled, *storage))
    return cases


def complexes(row: Operation, dtype: str, scalars: Sequence[float]) -> dict[str, complex]:
    """Scalars by name; of complex types with imaginary parts, where these may have them. Zeros and ones stay, and
    whatever stands beside a zero alpha, so that results are exact there."""
    turned = is_complex(dtype) and scalars and scalars[0] not in (0, 1)
    pairs = zip(row.scalars, scalars, strict=True)
    return {n: x + 0.25j if turned and x not in (0, 1) and n not in row.real_scalars else x for n, x in pairs}


def typical(row: Operation, index: int, n: int = 6) -> list[Case]:
    """A few cases of one size, of several tiles, in which each layout and each precision occurs; another pairing for
    each ``index``, so that over the table all pairs do."""
    flags = [letters(row, flag) for flag in row.flags]
    layouts = ["st", "bi", "il", "pp"]
    cases = []
    for i, layout in enumerate(layouts):
        chosen = {name: some[(i + index) % len(some)] for name, some in zip(row.flags, flags, strict=True)}
        dtype = dtypes(row)[(i + index) % len(dtypes(row))]
        sizes = {name: n - 2 * (name not in ("m", "n")) for name in row.sizes}
        numbers = complexes(row, dtype, (0.75, -1.5)[: len(row.scalars)])
        cases.append(Case(row.name, dtype, sizes, 70, chosen, numbers, (layout,)))
    return cases


__all__ = ["NAN", "TRIED", "WITHOUT_ORACLE", "Case", "Outcome", "is_interleaved", "pairwise", "prepared", "replace"]
