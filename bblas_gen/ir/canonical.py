"""The bodies that a kernel runs on each block, and the index views that turn all flags into a body's one case.

A body template knows one case: left, lower, not transposed. Transposing, conjugating and reversing the index views of
its operands gives all others; the reasons stand beside each reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .operation import Operand, Operation
from .sizes import Size
from .terms import Diag, Itype, Job, Letter, Side, Uplo
from .views import View

Views = dict[str, View]


@dataclass(frozen=True)
class Body:
    """One body with everything bound: ``operands`` and ``scalars`` tell what of the kernel stands at each of its own
    (a scalar may be a number), ``size`` holds all its sizes.

    ``offset`` is added to what it reports. ``sources`` tells which of the kernel's hold the old values of its own
    operands that it overwrites, where these are others; ``unread`` are those that nobody reads afterwards, and of
    those in ``diagonal`` nobody reads more. ``determinant``: the kernel's operand with factors of which nobody reads
    more than that, of the body that makes them and of those that read them.
    """

    row: Operation
    size: Mapping[str, Any]
    flag: Mapping[str, Letter]
    operands: tuple[str, ...]
    scalars: tuple[str | complex, ...]
    offset: Size = 0
    sources: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    diagonal: tuple[str, ...] = ()
    determinant: str = ""

    @property
    def uses(self) -> tuple[str, ...]:
        """The kernel's operands that it reads or writes."""
        return (*self.operands, *(name for _, name in self.sources))

    @property
    def writes(self) -> set[str]:
        """The kernel's operands that this body changes."""
        changed = {x.name for x in self.row.outputs}
        return {name for x, name in zip(self.row.matrices, self.operands, strict=True) if x.name in changed}


@dataclass(frozen=True)
class Named:
    """A step whose names are the kernel's."""

    row: Operation
    operands: tuple[str, ...]
    flag: Mapping[str, Letter]
    scalars: tuple[str | complex, ...]
    offset: str


@dataclass(frozen=True)
class Case:
    """What a body's template sees: the views of its operands in table order, its sizes, whether the diagonal is one,
    whether an output of which one triangle is wanted is seen transposed,
    whether a permutation is done ``backwards``, whether ``vectors`` are wanted beside values, and whether a triangle is
    ``inverted`` that may also be multiplied with.

    A lane body has one case: the triangle stands on the ``left`` and is the ``lower`` one. Direct bodies have more.
    """

    views: tuple[View, ...]
    size: Mapping[str, Any]
    unit: bool
    transposed_output: bool
    left: bool
    lower: bool
    backwards: bool
    vectors: bool
    inverted: bool


def canonical_lane(body: Body, stored: Mapping[str, View], *, is_complex: bool) -> Case:
    """The body's one case on operands that are stored as the views of ``stored`` tell."""
    views = _views(body, stored, is_complex)
    size = dict(body.size)
    if body.row.canonical_form:
        _CANONICAL[body.row.canonical_form](body, views, size)
    unit, turned = body.flag.get("diag") is Diag.U, body.flag.get("uplo") is Uplo.U
    seen = tuple(views[x.name] for x in body.row.matrices)
    vectors = body.flag.get("jobz") is Job.V
    inverted = body.flag.get("itype") is Itype.AX
    backwards = _backwards(body)
    return Case(seen, size, unit, turned, True, True, backwards=backwards, vectors=vectors, inverted=inverted)


def canonical_direct(body: Body, stored: Mapping[str, View], *, is_complex: bool, row_major: bool) -> Case:
    """The case of a direct body, whose vectors run along the columns of its output: C := alpha L R + beta C with all
    three as they are, or, where rows are contiguous instead, transposed. Its sizes are m, n and k."""
    views = _views(body, stored, is_complex)
    size = {"m": body.size["n"], "k": body.size.get("ka", 0)} | dict(body.size)
    left, lower = body.flag.get("side") is not Side.R, body.flag.get("uplo") is not Uplo.U
    if body.row.canonical_form == "triangular" and body.flag["transa"].transposes:  # type: ignore[union-attr]
        lower = not lower
    if row_major:
        lower = not lower
        if body.row.canonical_form == "rank_k":
            _transposed_rank_k(body, views)
        else:  # C' = B' A'
            views, left = {name: view.transposed() for name, view in views.items()}, not left
            _exchange(size)
    unit = body.flag.get("diag") is Diag.U
    found = tuple(views[x.name] for x in body.row.matrices)
    return Case(found, size, unit, row_major, left, lower, backwards=False, vectors=False, inverted=False)


def _backwards(body: Body) -> bool:
    """Whether of several things that are done one after another the last is the first. Q is a product of reflections,
    so the last comes first to what stands on its right."""
    transposes = "trans" in body.flag and body.flag["trans"].transposes  # type: ignore[union-attr]
    if body.row.canonical_form == "reflections":
        return transposes == (body.flag["side"] is Side.R)
    return transposes


def _views(body: Body, stored: Mapping[str, View], is_complex: bool) -> Views:
    """The body's operands after their op()."""
    return {
        x.name: _applied(x, body, stored[name], is_complex)
        for x, name in zip(body.row.matrices, body.operands, strict=True)
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
    goes for U U*, for inverses, and for what is multiplied by such factors from both sides."""
    if body.flag.get("uplo") is Uplo.U:
        views |= {x.name: views[x.name].transposed() for x in body.row.matrices if x.rows == x.cols}


def _permutation(body: Body, views: Views, size: dict[str, int]) -> None:
    """The columns of A are the rows of A'."""
    if body.flag["side"] is Side.R:
        views["A"] = views["A"].transposed()
        _exchange(size)


def _reflections(body: Body, views: Views, size: dict[str, int]) -> None:
    """C op(Q) is the transpose of op(Q)' C'. The transpose of I - tau v v* has conj(v), its adjoint has conj(tau)."""
    right, op = body.flag["side"] is Side.R, body.flag["trans"]
    if right:
        views["C"] = views["C"].transposed()
        _exchange(size)
    if op.conjugates:  # type: ignore[union-attr]
        views["TAU"] = views["TAU"].conjugated()
    if (op.transposes != right) != op.conjugates:  # type: ignore[union-attr]
        views["A"] = views["A"].conjugated()


_CANONICAL: dict[str, Callable[[Body, Views, dict[str, int]], None]] = {
    "triangular": _triangular,
    "symmetric": _symmetric,
    "rank_k": _rank_k,
    "square": _square,
    "permutation": _permutation,
    "reflections": _reflections,
}
