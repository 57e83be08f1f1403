"""The peers that are Python packages: for each operation and package a function that makes what runs the problem.

Arrays are row-major; libraries that want column-major matrices see them transposed, a lower triangle as an upper one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..runtime.storage import aligned
from .problem import Problem

Arrays = Mapping[str, Any]
Run = Callable[[], Any]


def nothing() -> None:
    pass


@dataclass(frozen=True)
class Ready:
    """``run`` does the problem. ``refill`` brings the arrays into storage of the peer's own, ``finish`` the result into
    the arrays, where it is elsewhere; ``work`` is memory that it uses beside them."""

    run: Run
    finish: Run = nothing
    work: tuple[Any, ...] = ()
    refill: Run = nothing


def _elsewhere(run: Run, out: Any, *work: Any) -> Ready:
    """What returns a result of its own and leaves its arguments alone."""

    def finish() -> None:
        np.copyto(out, np.asarray(run()))

    return Ready(run, finish, work)


def _like(array: Any) -> Any:
    return aligned(array.shape, array.dtype)


def _numpy_product(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    """matmul has no beta, and knows no triangles: where there are any it does less or more, and is shown as it is."""
    return Ready(partial(numpy.matmul, x["A"], x["B"], out=x["C"]))


def _numpy_rank(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    return Ready(partial(numpy.matmul, x["A"], x["A"].mT, out=x["C"]))


def _numpy_rank_conjugate(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    return Ready(lambda: numpy.matmul(x["A"], x["A"].mT.conj(), out=x["C"]))


def _numpy_rank_2k(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    product = _like(x["C"])

    def run() -> None:
        numpy.matmul(x["A"], x["B"].mT, out=product)
        numpy.add(product, product.mT, out=x["C"])

    return Ready(run, work=(product,))


def _numpy_trmm(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    out = _like(x["B"])
    return _elsewhere(partial(numpy.matmul, x["A"], x["B"], out=out), x["B"], out)


def _numpy_potrf(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    return _elsewhere(partial(numpy.linalg.cholesky, x["A"]), x["A"])


def _numpy_posv(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    """By LU, which takes twice the operations: NumPy has no solver for positive definite matrices."""
    return _elsewhere(partial(numpy.linalg.solve, x["A"], x["B"]), x["B"])


def _numpy_gesv(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    return _elsewhere(partial(numpy.linalg.solve, x["A0"], x["B0"]), x["B"])


def _numpy_inverse(numpy: Any, problem: Problem, x: Arrays) -> Ready:
    return _elsewhere(partial(numpy.linalg.inv, x["A0"]), x["A"])


def _scipy_each(call: Callable[..., Any], matrices: Sequence[tuple[Any, ...]]) -> Ready:
    """A Python loop over the BLAS, on transposed views, which are column-major: nothing is copied."""

    def run() -> None:
        for matrix in matrices:
            call(*matrix)

    return Ready(run)


def _transposed(x: Arrays, names: str) -> list[tuple[Any, ...]]:
    return list(zip(*([matrix.T for matrix in x[name]] for name in names), strict=True))


def _scipy_function(problem: Problem, op: str) -> Any:
    module = "lapack" if op.startswith("po") else "blas"
    return getattr(importlib.import_module(f"scipy.linalg.{module}"), problem.precision + op)


def _scipy_update(names: str, **flags: int) -> Callable[[Any, Problem, Arrays], Ready]:
    """C := alpha ... + beta C by the BLAS function of the same name, with its ``flags`` for transposed matrices."""

    def make(scipy: Any, problem: Problem, x: Arrays) -> Ready:
        call = partial(_scipy_function(problem, problem.op), overwrite_c=1, **flags)
        return _scipy_each(call, [(1.0, *given, problem.beta, c) for *given, c in _transposed(x, names)])

    return make


def _scipy_triangular(scipy: Any, problem: Problem, x: Arrays) -> Ready:
    call = partial(_scipy_function(problem, problem.op), 1.0, side=1, overwrite_b=1)
    return _scipy_each(call, _transposed(x, "AB"))


def _scipy_potrf(scipy: Any, problem: Problem, x: Arrays) -> Ready:
    call = partial(_scipy_function(problem, "potrf"), lower=0, clean=0, overwrite_a=1)
    return _scipy_each(call, _transposed(x, "A"))


def _scipy_posv(scipy: Any, problem: Problem, x: Arrays) -> Ready:
    """LAPACK's posv where B' is B and A' is A, else what it is made of."""
    if problem.rhs == 1 and not problem.p.complex:
        call = partial(_scipy_function(problem, "posv"), lower=0, overwrite_a=1, overwrite_b=1)
        return _scipy_each(call, [(a.T, b) for a, b in zip(x["A"], x["B"], strict=True)])
    factor = partial(_scipy_function(problem, "potrf"), lower=0, clean=0, overwrite_a=1)
    solve = partial(_scipy_function(problem, "trsm"), 1.0, side=1, overwrite_b=1)

    def call_both(a: Any, b: Any) -> None:
        factor(a)
        solve(a, b)
        solve(a, b, trans_a=2)

    return _scipy_each(call_both, _transposed(x, "AB"))


def _tensors(torch: Any, problem: Problem, *arrays: Any) -> list[Any]:
    torch.set_num_threads(problem.threads)
    return [torch.from_numpy(array) for array in arrays]


def _torch_gemm(torch: Any, problem: Problem, x: Arrays) -> Ready:
    a, b, c = _tensors(torch, problem, x["A"], x["B"], x["C"])
    if problem.beta:
        return Ready(partial(torch.baddbmm, c, a, b, out=c))
    return Ready(partial(torch.bmm, a, b, out=c))


def _torch_trsm(torch: Any, problem: Problem, x: Arrays) -> Ready:
    new = _like(x["B"])
    a, b, out = _tensors(torch, problem, x["A"], x["B"], new)
    return _elsewhere(partial(torch.linalg.solve_triangular, a, b, upper=False, out=out), x["B"], new)


def _torch_potrf(torch: Any, problem: Problem, x: Arrays) -> Ready:
    new = _like(x["A"])
    a, out = _tensors(torch, problem, x["A"], new)
    return _elsewhere(partial(torch.linalg.cholesky, a, out=out), x["A"], new)


def _torch_posv(torch: Any, problem: Problem, x: Arrays) -> Ready:
    factor, new = _like(x["A"]), _like(x["B"])
    a, b, f, out = _tensors(torch, problem, x["A"], x["B"], factor, new)

    def run() -> Any:
        return torch.cholesky_solve(b, torch.linalg.cholesky(a, out=f), out=out)

    return _elsewhere(run, x["B"], factor, new)


PYTHON: dict[tuple[str, str], Callable[[Any, Problem, Arrays], Ready]] = {
    ("gemm", "numpy"): _numpy_product,
    ("symm", "numpy"): _numpy_product,
    ("hemm", "numpy"): _numpy_product,
    ("syrk", "numpy"): _numpy_rank,
    ("herk", "numpy"): _numpy_rank_conjugate,
    ("syr2k", "numpy"): _numpy_rank_2k,
    ("trmm", "numpy"): _numpy_trmm,
    ("potrf", "numpy"): _numpy_potrf,
    ("posv", "numpy"): _numpy_posv,
    ("gesv", "numpy"): _numpy_gesv,
    ("getri", "numpy"): _numpy_inverse,
    ("gemm", "scipy"): _scipy_update("BAC"),
    ("symm", "scipy"): _scipy_update("ABC", side=1),
    ("hemm", "scipy"): _scipy_update("ABC", side=1),
    ("syrk", "scipy"): _scipy_update("AC", trans=1),
    ("herk", "scipy"): _scipy_update("AC", trans=2),
    ("syr2k", "scipy"): _scipy_update("ABC", trans=1),
    ("trmm", "scipy"): _scipy_triangular,
    ("trsm", "scipy"): _scipy_triangular,
    ("potrf", "scipy"): _scipy_potrf,
    ("posv", "scipy"): _scipy_posv,
    ("gemm", "torch"): _torch_gemm,
    ("trsm", "torch"): _torch_trsm,
    ("potrf", "torch"): _torch_potrf,
    ("posv", "torch"): _torch_posv,
}
