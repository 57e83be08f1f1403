"""Functions of stacks of matrices: what each Python library calls for them, on which operands, and what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ...arrays.host import Array
from ...ir.terms import PRECISIONS, Precision

Function = Callable[..., Any]
"""Of a module of linear algebra, and operands."""
SIDES: Mapping[str, Callable[[int], int]] = {"n": lambda n: n, "m": lambda n: 2 * n, "k": lambda n: 1}
"""Sides of operands by their letters, for matrices of order n."""


@dataclass(frozen=True)
class Operand:
    """A stack: small letters are real in all precisions, S is symmetric and positive definite."""

    name: str
    sides: tuple[str, ...]

    @property
    def real(self) -> bool:
        return self.name.islower()

    def shape(self, n: int) -> tuple[int, ...]:
        """Of one matrix."""
        return tuple(SIDES[side](n) for side in self.sides)

    def dtype(self, p: Precision) -> np.dtype[Any]:
        kind = np.dtype(p.dtype)
        return np.empty(0, kind).real.dtype if self.real else kind


@dataclass(frozen=True)
class Call:
    """``signature``: operands and results, as of a gufunc. ``by``: what contenders in Python do. ``compared``: what of
    the results is determined, as arrays. ``slow``: whether peers take so long for large orders that they are given
    fewer matrices; where memory may be the limit these would be in other caches than ours."""

    name: str
    signature: str
    by: Mapping[str, Function]
    compared: Callable[[Sequence[Array]], Sequence[Array]] = lambda results: results
    slow: bool = False

    @property
    def operands(self) -> list[Operand]:
        return _listed(self.signature.partition(" -> ")[0])

    @property
    def results(self) -> list[Operand]:
        return _listed(self.signature.partition(" -> ")[2])


def _listed(text: str) -> list[Operand]:
    found = re.findall(r"(\w+)\(([\w,]*)\)", text)
    return [Operand(name, tuple(sides.split(",")) if sides else ()) for name, sides in found]


def _plain(name: str, **named: Any) -> Function:
    return lambda module, *operands, **more: getattr(module, name)(*operands, **named, **more)


def _everyone(name: str, **named: Any) -> dict[str, Function]:
    """The function of one name in all of the libraries."""
    return dict.fromkeys(("ours", "numpy", "scipy", "torch", "jax"), _plain(name, **named))


def _numpy_loop_lstsq(module: Any, a: Array, b: Array) -> Array:
    return np.stack([module.lstsq(*x)[0] for x in zip(a, b, strict=True)])


def _numpy_lstsq(module: Any, a: Array, b: Array) -> Any:
    """What there is for stacks: Q and R, and a solver that does not know of triangles."""
    q, r = module.qr(a)
    return module.solve(r, q.conj().mT @ b)


def _jax_lstsq(module: Any, a: Any, b: Any) -> Any:
    return import_module("jax").vmap(lambda x, y: module.lstsq(x, y)[0])(a, b)


def _raw(module: Any, a: Any, **more: Any) -> tuple[Any, Any]:
    """As LAPACK has them: NumPy transposes the vectors of reflections."""
    h, tau = module.qr(a, mode="raw", **more)
    return h.mT, tau


def _columns(module: Any, a: Any, x: Any) -> Any:
    return module.matmul(a, x[..., None])[..., 0]


def _gram(r: Array) -> Array:
    """R* R, which does not depend on the signs of rows."""
    upper = np.triu(r)
    found: Array = upper.conj().mT @ upper
    return found


def _of_vectors(found: Sequence[Array]) -> Sequence[Array]:
    """Eigenvalues, and the matrices of these values and vectors."""
    values, vectors = found
    return values, (vectors * values[:, None]) @ vectors.conj().mT


def _of_singular_vectors(found: Sequence[Array]) -> Sequence[Array]:
    u, s, vh = found
    return s, (u * s[:, None]) @ vh


_LSTSQ = {
    "ours": lambda module, a, b, **more: module.lstsq(a, b, driver="gels", **more)[0],
    "numpy": _numpy_lstsq,
    "numpy_loop": _numpy_loop_lstsq,
    "scipy": lambda module, a, b: module.lstsq(a, b)[0],
    "torch": lambda module, a, b: module.lstsq(a, b, driver="gels").solution,
    "jax": _jax_lstsq,
}


def _as_scipy(name: str) -> Function:
    """Ours in the precision that A has, as SciPy's."""
    return lambda module, a, dtype=None, **more: getattr(module, name)(a, **more)


_EXPM = {
    "ours": _as_scipy("expm"),
    "scipy": _plain("expm"),
    "torch": _plain("matrix_exp"),
    "jax": lambda module, a: import_module("jax.scipy.linalg").expm(a),
}
_MATVEC = {
    "ours": _plain("matvec"),
    "numpy": lambda module, a, x: np.matvec(a, x),
    "torch": _columns,
    "jax": _columns,
}
_FOR_NUMPY = ("ours", "numpy", "torch", "jax")
CALLS = {
    call.name: call
    for call in (
        Call("solve", "S(n,n) B(n,k) -> X(n,k)", _everyone("solve")),
        Call("inv", "S(n,n) -> X(n,n)", _everyone("inv")),
        Call("det", "S(n,n) -> D()", _everyone("det")),
        Call("slogdet", "S(n,n) -> D() l()", dict.fromkeys(_FOR_NUMPY, _plain("slogdet"))),
        Call(
            "cholesky",
            "S(n,n) -> L(n,n)",
            _everyone("cholesky") | {"scipy": _plain("cholesky", lower=True)},
            lambda found: [np.tril(found[0])],
        ),
        Call(
            "qr",
            "A(n,n) -> Q(n,n) R(n,n)",
            _everyone("qr") | {"scipy": _plain("qr", mode="economic")},
            lambda found: (found[0] @ found[1], _gram(found[1])),
            slow=True,
        ),
        Call(
            "qr_raw",
            "A(n,n) -> H(n,n) T(n)",
            dict.fromkeys(_FOR_NUMPY, _raw) | {"torch": lambda module, a: import_module("torch").geqrf(a)},
            lambda found: [_gram(found[0])],
            slow=True,
        ),
        Call("lstsq", "A(m,n) B(m,k) -> X(n,k)", _LSTSQ, slow=True),
        Call("eigh", "S(n,n) -> w(n) V(n,n)", _everyone("eigh"), _of_vectors, slow=True),
        Call("eigvalsh", "S(n,n) -> w(n)", _everyone("eigvalsh"), slow=True),
        Call(
            "svd",
            "A(n,n) -> U(n,n) s(n) V(n,n)",
            _everyone("svd", full_matrices=False),
            _of_singular_vectors,
            slow=True,
        ),
        Call("svdvals", "A(n,n) -> s(n)", _everyone("svdvals"), slow=True),
        Call("expm", "A(n,n) -> X(n,n)", _EXPM, slow=True),
        Call("sqrtm", "S(n,n) -> X(n,n)", {"ours": _as_scipy("sqrtm"), "scipy": _plain("sqrtm")}, slow=True),
        Call("matmul", "A(n,n) B(n,n) -> C(n,n)", dict.fromkeys(_FOR_NUMPY, _plain("matmul"))),
        Call("matvec", "A(n,n) X(n) -> Y(n)", _MATVEC),
        Call("vecdot", "X(n) Y(n) -> Z()", dict.fromkeys(_FOR_NUMPY, _plain("vecdot"))),
    )
}


@dataclass(frozen=True)
class Problem:
    """A call on stacks of ``batch`` matrices of order ``n``, for ``threads`` threads."""

    call: Call
    precision: str
    n: int
    batch: int
    threads: int

    @property
    def p(self) -> Precision:
        return PRECISIONS[self.precision]

    @property
    def name(self) -> str:
        return f"{self.call.name} {self.p.dtype} {self.n}"

    def operands(self) -> list[Array]:
        """Row-major, and of good condition."""
        rng = np.random.default_rng(self.n)
        return [_filled(rng, x, (self.batch, *x.shape(self.n)), x.dtype(self.p)) for x in self.call.operands]


def _filled(rng: np.random.Generator, x: Operand, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    numbers: Array = rng.standard_normal(shape)
    if dtype.kind == "c":
        numbers = (numbers + 1j * rng.standard_normal(shape)) / np.sqrt(2)
    if x.name == "S":
        numbers = numbers @ numbers.conj().mT / shape[-1] + np.eye(shape[-1])
    elif x.name == "A":
        numbers = numbers / np.sqrt(shape[-2]) + 3 * np.eye(shape[-2], shape[-1])
    return np.ascontiguousarray(numbers, dtype)
