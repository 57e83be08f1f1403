"""What is measured: one operation on one batch, with operands in every layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import blas, lapack
from ..blas import gemm
from ..interleave import interleave
from ..ir.catalog import OPS
from ..ir.operation import Operand, Step
from ..ir.sequence import step
from ..ir.spec import KernelSpec, default_flag
from ..ir.terms import PRECISIONS, Layout, Precision, Role
from ..plans import Plan, plan
from ..runtime.call import by_user_names
from ..runtime.interleaved import Interleaved
from ..runtime.storage import aligned
from ..sequences import OperationSequence, sequence
from ..toolchain import machine
from .fills import GENERAL, HERMITIAN, LOWER, PIVOTS, POSITIVE, RANDOM, SYMMETRIC, Fill

Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """An operation in the benchmarks, every flag the first of its letters; what the peers do is in peer_python.py and
    templates/bench/peer.

    ``formula`` for titles. ``call``, the user's function, unplanned; ``expected``, the last operand for operands by
    name, and ``scale``, by which its error is measured in units of eps: one number for a matrix. ``result``: what of
    the outputs is compared with ``expected``, where that is not the last one. ``fills``: what operands hold that are
    not just random. ``rhs``: which of the sizes is a number of right-hand sides; all others are n. ``beside``: another
    operation of ours, of the same n, to be timed beside it.

    ``copying``: what everyone does instead where the operation in place would not leave itself numbers to go on with: a
    sequence that copies operands X0 to X first, so that every call begins with the same numbers. Its sizes are those of
    the operation, in the same order.
    """

    op: str
    formula: str
    call: Callable[..., Any]
    expected: Callable[[Arrays], Any]
    scale: Callable[[Arrays], Any]
    result: Callable[[Arrays], Any] | None = None
    fills: Mapping[str, Fill] = field(default_factory=dict)
    rhs: str = ""
    beside: str = ""
    precisions: str = "sdcz"
    copying: OperationSequence | None = None

    def sizes(self, n: int, rhs: int = 1) -> dict[str, int]:
        """The sizes by name of the case ``n``."""
        return {name: rhs if name == self.rhs else n for name in OPS[self.op].sizes}


def norm(x: Any) -> Any:
    """The Frobenius norms of a batch of matrices."""
    return np.sqrt((np.abs(x) ** 2).sum(axis=(1, 2)))


def _by(*names: str) -> Callable[[Arrays], Any]:
    """What rounding errors of sums of products of these operands are measured by."""

    def scale(x: Arrays) -> Any:
        return np.sqrt(x[names[0]].shape[2] + 2) * np.prod([norm(x[name]) for name in names], axis=0)

    return scale


def _rank_2k(x: Arrays) -> Any:
    product = x["A"] @ x["B"].mT
    return product + product.mT


def forward(a: Any, x: Any) -> Any:
    """What errors of a solution X of A X = B are measured by: its norm times the condition of A, which may be large."""
    return norm(a) * norm(np.linalg.inv(a)) * norm(x)


def _permuted_product(x: Arrays) -> Any:
    """P L U of what LU with partial pivoting leaves: factors differ where two pivots are almost alike, A does not."""
    factors, pivots = x["A"], x["IPIV"][..., 0] - 1
    rows, rank = factors.shape[1], pivots.shape[1]
    product = (np.tril(factors[..., :rank], -1) + np.eye(rows, rank)) @ np.triu(factors[:, :rank])
    each = np.arange(len(product))
    for k in reversed(range(rank)):
        one, other = product[:, k].copy(), product[each, pivots[:, k]]
        product[:, k], product[each, pivots[:, k]] = other, one
    return product


def _copying(name: str, copied: str, *steps: Step) -> OperationSequence:
    """``steps`` on copies A of A0 and so on."""
    return sequence([*(step("lacpy", f"{x}0", x) for x in copied), *steps], name=name)


def _by_place(called: OperationSequence) -> Callable[..., Any]:
    """A sequence as a function of its operands in their order."""

    def call(*operands: Any, **named: Any) -> Any:
        return called(**dict(zip(called.operands, operands, strict=True)), **named)

    return call


_GETRF = _copying("copygetrf", "A", step("getrf", "A", "IPIV"))
_GESV = _copying("copygesv", "AB", step("gesv", "A", "IPIV", "B"))
_GETRI = _copying("copygetri", "A", step("getrf", "A", "IPIV"), step("getri", "A", "IPIV"))


ROWS = {
    row.op: row
    for row in (
        Row("gemm", "C := A B", gemm, lambda x: x["A"] @ x["B"], _by("A", "B")),
        Row("syrk", "C := A A'", blas.syrk, lambda x: x["A"] @ x["A"].mT, _by("A", "A"), beside="gemm"),
        Row("syr2k", "C := A B' + B A'", blas.syr2k, _rank_2k, _by("A", "B"), beside="gemm"),
        Row(
            "herk",
            "C := A A*",
            blas.herk,
            lambda x: x["A"] @ x["A"].mT.conj(),
            _by("A", "A"),
            beside="gemm",
            precisions="cz",
        ),
        Row(
            "symm",
            "C := A B, A symmetric",
            blas.symm,
            lambda x: x["A"] @ x["B"],
            _by("A", "B"),
            fills={"A": SYMMETRIC},
            beside="gemm",
        ),
        Row(
            "hemm",
            "C := A B, A Hermitian",
            blas.hemm,
            lambda x: x["A"] @ x["B"],
            _by("A", "B"),
            fills={"A": HERMITIAN},
            beside="gemm",
            precisions="cz",
        ),
        Row(
            "trmm",
            "B := A B, A triangular",
            blas.trmm,
            lambda x: x["A"] @ x["B"],
            _by("A", "B"),
            fills={"A": LOWER},
            beside="gemm",
        ),
        Row(
            "trsm",
            "A X = B, A triangular",
            blas.trsm,
            lambda x: np.linalg.solve(x["A"], x["B"]),
            _by("A", "B"),
            fills={"A": LOWER},
            rhs="n",
        ),
        Row("potrf", "A = L L*", lapack.potrf, lambda x: np.linalg.cholesky(x["A"]), _by("A"), fills={"A": POSITIVE}),
        Row(
            "getrf",
            "A = P L U, on copies",
            _by_place(_GETRF),
            lambda x: x["A0"],
            _by("A0"),
            result=_permuted_product,
            fills={"A": GENERAL},
            copying=_GETRF,
        ),
        Row(
            "gesv",
            "A X = B by LU, on copies",
            _by_place(_GESV),
            lambda x: np.linalg.solve(x["A0"], x["B0"]),
            lambda x: forward(x["A0"], np.linalg.solve(x["A0"], x["B0"])),
            fills={"A": GENERAL},
            rhs="nrhs",
            copying=_GESV,
        ),
        Row(
            "getri",
            "A := A^-1 by LU, on copies",
            _by_place(_GETRI),
            lambda x: np.linalg.inv(x["A0"]),
            lambda x: forward(x["A0"], np.linalg.inv(x["A0"])),
            fills={"A": GENERAL, "IPIV": PIVOTS},
            copying=_GETRI,
        ),
        Row(
            "posv",
            "A X = B, A positive definite",
            lapack.posv,
            lambda x: np.linalg.solve(x["A"], x["B"]),
            _by("A", "B"),
            fills={"A": POSITIVE},
            rhs="nrhs",
        ),
    )
}


@dataclass(frozen=True)
class Problem:
    """An operation on ``batch`` row-major matrices with alpha = 1 and ``beta``, for ``threads`` threads.

    ``flops`` and ``bytes`` (read or written, the least a call out of cache moves) are per matrix. ``alone``: the
    operation itself, on what it leaves alike, even where its row has a sequence for everyone (see ``Row.copying``).
    """

    op: str
    precision: str
    sizes: tuple[int, ...]
    beta: int
    batch: int
    threads: int = 1
    alone: bool = False

    @property
    def p(self) -> Precision:
        return PRECISIONS[self.precision]

    @property
    def row(self) -> Row:
        return ROWS[self.op]

    @cached_property
    def size(self) -> dict[str, int]:
        return dict(zip(OPS[self.op].sizes, self.sizes, strict=True))

    @property
    def rhs(self) -> int:
        """The number of right-hand sides; 0 where there is nothing of the kind."""
        return self.size[self.row.rhs] if self.row.rhs else 0

    @property
    def called(self) -> str | OperationSequence:
        """What our contenders plan."""
        return self.op if self.alone else self.row.copying or self.op

    @cached_property
    def spec(self) -> KernelSpec:
        row = OPS[self.called] if isinstance(self.called, str) else self.called.row
        flags = tuple(map(default_flag, row.flags))
        layouts = tuple(x.kind.layout(Layout.ST) for x in row.parameters)
        return KernelSpec(row.name, self.precision, self.sizes, flags, layouts, sequence=row if row.composed else None)

    @property
    def output(self) -> Operand:
        """The operand that is checked."""
        return self.spec.row.operand(self.spec.row.returns[0])

    @property
    def scalars(self) -> dict[str, int]:
        """The scalars of a call that are not 1."""
        return {"beta": self.beta} if "beta" in self.spec.row.scalars else {}

    @property
    def flops(self) -> int:
        return self.spec.flops

    @property
    def again(self) -> int:
        """Bytes that are both read and written."""
        both = [x for x in self.spec.row.parameters if x.role is Role.INOUT and (self.beta or x.scaled_by != "beta")]
        return sum(x.elements(self.spec.extents) for x in both) * self.p.itemsize

    @property
    def bytes(self) -> int:
        return self.spec.bytes + self.again

    @property
    def stored(self) -> int:
        """Bytes that the operands of a matrix occupy, both triangles of them."""
        return sum(int(np.prod(self.spec.stored(x))) for x in self.spec.row.parameters) * self.p.itemsize

    @property
    def shape(self) -> str:
        """The sizes as people write them: ``8`` where square, ``4x4x16`` elsewhere (m x n x k), ``8x1`` with one
        right-hand side."""
        square = len(set(self.sizes)) == 1 and not self.rhs
        return str(self.sizes[0]) if square else "x".join(map(str, self.sizes))

    def hot(self) -> Problem:
        """The same with a batch that fills half of every thread's level-2 cache, in whole blocks."""
        unit = self.p.default_nb
        wanted = machine.caches()["l2"] * self.threads // 2 // self.stored // unit * unit
        return self.with_batch(max(min(wanted, self.batch), unit))

    def with_batch(self, batch: int) -> Problem:
        return replace(self, batch=batch)

    def beside(self) -> Problem:
        """The row's other operation at the same n."""
        sizes = ROWS[self.row.beside].sizes(self.sizes[0])
        return replace(self, op=self.row.beside, sizes=tuple(sizes.values()))

    def operands(self, *, timed: bool = False) -> dict[str, Any]:
        """Filled operands as contiguous arrays (batch, rows, columns), each beginning on a cache line."""
        found = {
            x.name: aligned((self.batch, *self.spec.stored(x)), np.dtype(self.p.dtype_of(x.kind)))
            for x in self.spec.row.parameters
        }
        self.fill(found, timed=timed)
        return found

    def laid_out(self, arrays: Arrays, layout: str) -> dict[str, Any]:
        """The operands in ``layout``, in their order."""
        nb = self.p.default_nb
        return {x.name: as_layout(arrays[x.name], layout, triangle=x.triangle, nb=nb) for x in self.spec.row.parameters}

    def planned(self, operands: Iterable[Any], **named: Any) -> Plan:
        """A plan on operands in the order of the table."""
        return plan(self.called, **by_user_names(self.spec.row, operands), **named)

    def fill(self, arrays: Arrays, *, timed: bool = False) -> None:
        """Fill the operands, for the check or for the timing; what is added to or only written is zero."""
        rng = np.random.default_rng(self.sizes)
        for x in self.spec.row.parameters:
            array = arrays[x.name]
            if x.role is Role.OUT or (x.role is Role.INOUT and x.scaled_by):
                array[...] = 0
            else:
                array[...] = self.row.fills.get(x.name, RANDOM).numbers(rng, array.shape, self.p, timed=timed)


def as_layout(array: Any, layout: str, *, triangle: bool = False, nb: int | None = None) -> Any:
    """The batch ``array`` as an operand in ``layout``; ``st`` and ``pp`` share its memory. ``bi24`` asks for nb, ``bl``
    for the lower triangle alone where the operand is a ``triangle``. Of indices ``nb`` is that of the matrices."""
    if array.dtype == np.int32:
        if layout in ("st", "pp"):
            return array[..., 0]
        indices = Interleaved.empty(array.shape, np.int32, nb="full" if layout == "il" else int(layout[2:] or nb or 0))
        for place, matrix in enumerate(array):
            indices[place] = matrix
        return indices
    if layout == "st":
        return array
    if layout == "pp":
        return list(array)
    if layout == "bl":
        return interleave(array, triangle="L" if triangle else "")
    return interleave(array, nb="full" if layout == "il" else int(layout[2:]) if layout[2:] else None)


def storage(operand: Any) -> Any:
    """The memory that an operand occupies."""
    if isinstance(operand, list):
        return operand[0].base
    return operand.data if isinstance(operand, Interleaved) else operand
