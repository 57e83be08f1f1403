"""Every name of ``numpy.linalg`` for stacks of small matrices, and what ``scipy.linalg`` has beside it."""

from __future__ import annotations

from numpy.linalg import LinAlgError

from . import spectral
from .accelerate import accelerate
from .factors import cho_factor, cho_solve, lu, lu_factor, lu_solve
from .least_squares import lstsq
from .numpy_names import function, without_kernels
from .reflected import qr
from .scipy_names import expm, solve_triangular
from .spectral import pinvh, polar, sqrtm, with_pairs

__all__ = [
    "LinAlgError",
    "accelerate",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "pinvh",
    "polar",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "sqrtm",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vecmat",
    "vector_norm",
]

cholesky = function("cholesky")
cond = function("cond")
det = function("det")
eig = function("eig")
eigh = with_pairs(function("eigh"), spectral.eigh)
eigvals = function("eigvals")
eigvalsh = with_pairs(function("eigvalsh"), spectral.eigvalsh)
inv = function("inv")
matmul = function("matmul")
matrix_norm = function("matrix_norm")
matrix_power = function("matrix_power")
matrix_rank = function("matrix_rank")
matvec = function("matvec")
norm = function("norm")
pinv = function("pinv")
slogdet = function("slogdet")
solve = function("solve")
svd = function("svd")
svdvals = function("svdvals")
tensorinv = function("tensorinv")
tensorsolve = function("tensorsolve")
vecdot = function("vecdot")
vecmat = function("vecmat")

cross = without_kernels("cross")
diagonal = without_kernels("diagonal")
matrix_transpose = without_kernels("matrix_transpose")
multi_dot = without_kernels("multi_dot")
outer = without_kernels("outer")
tensordot = without_kernels("tensordot")
trace = without_kernels("trace")
vector_norm = without_kernels("vector_norm")
