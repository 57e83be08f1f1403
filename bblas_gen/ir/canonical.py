"""The bodies that a kernel runs on each block, and the index views that turn all flags into a body's one case.

A body template knows one case: left, lower, not transposed. Transposing, conjugating and reversing the index views of
its operands gives all others; the reasons stand beside each reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ..errors import SpecError
from .catalog import OPS
from .operation import Operand, Operation, RowStep
from .spec import KernelSpec, letter, usual
from .terms import Diag, Letter, Side, Uplo
from .views import View

Views = dict[str, View]


@dataclass(frozen=True)
class Body:
    """One body with everything bound: ``operands`` and ``scalars`` tell what of the kernel stands at each of its own
    (a scalar may be a number), ``size`` holds all its sizes."""

    row: Operation
    size: Mapping[str, int]
    flag: Mapping[str, Letter]
    operands: tuple[str, ...]
    scalars: tuple[str | complex, ...]

    @property
    def writes(self) -> set[str]:
        """The kernel's operands that this body changes."""
        changed = {x.name for x in self.row.outputs}
        return {name for x, name in zip(self.row.operands, self.operands, strict=True) if x.name in changed}


@dataclass(frozen=True)
class Case:
    """What a body's template sees: the views of its operands in table order, its sizes, whether the diagonal is one,
    and whether an output of which one triangle is wanted is seen transposed.

    A lane body has one case: the triangle stands on the ``left`` and is the ``lower`` one. Direct bodies have more.
    """

    views: tuple[View, ...]
    size: Mapping[str, int]
    unit: bool
    turned: bool
    left: bool
    lower: bool


def bodies(spec: KernelSpec) -> tuple[Body, ...]:
    """The bodies of a kernel in their order. Raises SpecError where the operands of a step do not fit together."""
    row = spec.row
    if not row.steps:
        names = tuple(x.name for x in row.operands)
        return (Body(row, spec.extents, spec.flag, names, row.scalars),)
    stored = {x.name: spec.stored(x) for x in row.operands}
    return tuple(_bound(step, stored) for step in _flat(row.steps, spec.flag, {}))


def kept(spec: KernelSpec) -> tuple[str, ...]:
    """The operands that bodies behind one that reports change: what matrices that failed must get back."""
    found = bodies(spec)
    first = next((i for i, body in enumerate(found) if body.row.info), len(found))
    names = {name for body in found[first + 1 :] for name in body.writes}
    return tuple(x.name for x in spec.row.parameters if x.name in names)


@dataclass(frozen=True)
class _Named:
    """A step whose names are the kernel's."""

    row: Operation
    operands: tuple[str, ...]
    flag: Mapping[str, Letter]
    scalars: tuple[str | complex, ...]


def _flat(
    steps: tuple[RowStep, ...], flags: Mapping[str, Letter], names: Mapping[str, str | complex]
) -> Iterator[_Named]:
    """The steps, those of operations that are made of steps themselves in their place; ``names`` are the kernel's."""
    for step in steps:
        row = OPS[step.op]
        given = step.flags(flags)
        own = {name: letter(name, given.get(name, usual(name))) for name in row.flags}
        operands = tuple(str(names.get(name, name)) for name in step.operands)
        scalars = tuple(names.get(x, x) if isinstance(x, str) else x for x in step.scalars)
        if row.steps:
            own_names = (*(x.name for x in row.operands), *row.scalars)
            yield from _flat(row.steps, own, dict(zip(own_names, (*operands, *scalars), strict=True)))
        else:
            yield _Named(row, operands, own, scalars)


def _bound(step: _Named, stored: Mapping[str, tuple[int, int]]) -> Body:
    size: dict[str, int] = {}
    for x, name in zip(step.row.operands, step.operands, strict=True):
        rows, cols = stored[name]
        if x.flag and step.flag[x.flag].transposes:  # type: ignore[union-attr]
            rows, cols = cols, rows
        for key, value in ((x.rows, rows), (x.cols, cols)):
            own = step.row.size_name(key, step.flag)
            expected = 1 if own == "1" else size.setdefault(own, value)
            if expected != value:
                raise SpecError(f"{name} has {value} for {own} of {step.row.name}: expected {expected}")
    return Body(step.row, step.row.extents(size, step.flag), step.flag, step.operands, step.scalars)


def reduced(body: Body, stored: Mapping[str, View], *, is_complex: bool) -> Case:
    """The body's one case on operands that are stored as the views of ``stored`` tell."""
    views = _views(body, stored, is_complex)
    size = dict(body.size)
    if body.row.reduction:
        _REDUCTIONS[body.row.reduction](body, views, size)
    unit, turned = body.flag.get("diag") is Diag.U, body.flag.get("uplo") is Uplo.U
    return Case(tuple(views[x.name] for x in body.row.operands), size, unit, turned, left=True, lower=True)


def oriented(body: Body, stored: Mapping[str, View], *, is_complex: bool, row_major: bool) -> Case:
    """The case of a direct body, whose vectors run along the columns of its output: C := alpha L R + beta C with all
    three as they are, or, where rows are contiguous instead, transposed. Its sizes are m, n and k."""
    views = _views(body, stored, is_complex)
    size = {"m": body.size["n"], "k": body.size.get("ka", 0)} | dict(body.size)
    left, lower = body.flag.get("side") is not Side.R, body.flag.get("uplo") is not Uplo.U
    if body.row.reduction == "triangular" and body.flag["transa"].transposes:  # type: ignore[union-attr]
        lower = not lower
    if row_major:
        lower = not lower
        if body.row.reduction == "rank_k":
            _transposed_rank_k(body, views)
        else:  # C' = B' A'
            views, left = {name: view.transposed() for name, view in views.items()}, not left
            _exchange(size)
    unit = body.flag.get("diag") is Diag.U
    return Case(tuple(views[x.name] for x in body.row.operands), size, unit, row_major, left, lower)


def _views(body: Body, stored: Mapping[str, View], is_complex: bool) -> Views:
    """The body's operands after their op()."""
    return {
        x.name: _applied(x, body, stored[name], is_complex)
        for x, name in zip(body.row.operands, body.operands, strict=True)
    }


def _applied(x: Operand, body: Body, view: View, is_complex: bool) -> View:
    if x.flag is None:
        return view
    flag = body.flag[x.flag]
    view = view.transposed() if flag.transposes else view  # type: ignore[union-attr]
    return view.conjugated() if flag.conjugates and is_complex else view  # type: ignore[union-attr]


def _exchange(size: dict[str, int]) -> None:
    size["m"], size["n"] = size["n"], size["m"]


def _triangular(body: Body, views: Views, size: dict[str, int]) -> None:
    """B op(A) is the transpose of op(A)' B'. An upper triangle read from its end is a lower one."""
    lower = (body.flag["uplo"] is Uplo.L) != body.flag["transa"].transposes  # type: ignore[union-attr]
    if body.flag["side"] is Side.R:
        views |= {name: view.transposed() for name, view in views.items()}
        lower = not lower
        _exchange(size)
    if not lower:
        views["A"] = views["A"].reversed(size["m"], size["m"])
        views["B"] = views["B"].reversed(size["m"], None)


def _symmetric(body: Body, views: Views, size: dict[str, int]) -> None:
    """The transpose of a symmetric A is A itself, that of a Hermitian one its conjugate."""
    conjugates = False
    if body.flag["uplo"] is Uplo.U:
        views["A"] = views["A"].transposed()
        conjugates = body.row.hermitian
    if body.flag["side"] is Side.R:  # C' = A' B'
        views["B"], views["C"] = views["B"].transposed(), views["C"].transposed()
        conjugates = conjugates != body.row.hermitian
        _exchange(size)
    if conjugates:
        views["A"] = views["A"].conjugated()


def _rank_k(body: Body, views: Views, _: dict[str, int]) -> None:
    """The upper triangle of C is the lower one of C'."""
    if body.flag["uplo"] is Uplo.U:
        _transposed_rank_k(body, views)


def _transposed_rank_k(body: Body, views: Views) -> None:
    """C' of a symmetric C is made of the same A and B, that of a Hermitian one of conj(A) and conj(B), with
    conj(alpha)."""
    views["C"] = views["C"].transposed()
    if body.row.hermitian:
        views |= {name: view.conjugated() for name, view in views.items() if name != "C"}


def _square(body: Body, views: Views, _: dict[str, int]) -> None:
    """A = U* U means A' = U' conj(U): the transpose of the upper triangle holds a lower factor, of conj(A). The same
    goes for U U* and for inverses."""
    if body.flag.get("uplo") is Uplo.U:
        views["A"] = views["A"].transposed()


_REDUCTIONS: dict[str, Callable[[Body, Views, dict[str, int]], None]] = {
    "triangular": _triangular,
    "symmetric": _symmetric,
    "rank_k": _rank_k,
    "square": _square,
}
