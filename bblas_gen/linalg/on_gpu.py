"""Arrays on a GPU, which NumPy and SciPy cannot read: what to call instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from itertools import zip_longest
from typing import Any

INSTEAD = {
    "solve": "a call of bblas_gen.gesv",
    "inv": "calls of bblas_gen.getrf and getri",
    "cholesky": "a call of bblas_gen.potrf",
    "cho_factor": "a call of bblas_gen.potrf",
    "cho_solve": "a call of bblas_gen.potrs",
    "lu_factor": "a call of bblas_gen.getrf",
    "lu_solve": "a call of bblas_gen.getrs",
    "solve_triangular": "a call of bblas_gen.trsm",
    "qr": "calls of bblas_gen.geqrf and orgqr",
    "lstsq": "a call of bblas_gen.gels",
    "eigh": "a call of bblas_gen.syev",
    "eigvalsh": "a call of bblas_gen.syev",
    "svd": "a call of bblas_gen.gesvd",
    "svdvals": "a call of bblas_gen.gesvdvals",
    "matmul": "a call of bblas_gen.gemm",
    "matvec": "a call of bblas_gen.gemv",
    "vecdot": "a call of bblas_gen.dotc",
}
"""What takes such arrays, by the functions here."""


def refusal(own: Callable[..., Any], operands: Sequence[Any], named: Mapping[str, Any], found: Any) -> TypeError:
    """What is wrong with an argument of ``own`` that was ``found`` to be on a GPU."""
    names = dict(zip_longest(signature(own).parameters, operands)) | {**named}
    name = next(name for name, value in names.items() if value is found)
    instead = INSTEAD.get(own.__name__)
    others = f", or {instead}, for arrays on GPUs" if instead else ""
    return TypeError(f"{name} is on a GPU ({type(found).__name__}): expected an array in host memory{others}")
