"""Cholesky factorizations, what is solved and inverted with them, and triangular inverses, on batches.

Operands, ``uplo``, ``diag``, ``num_threads``, ``out`` and errors are as in ``blas``. A matrix that cannot be done is
told by ``info``, an int32 for each, 0 where all went well (LAPACK's numbers: the first leading minor that is not
positive definite, the first zero on a diagonal), and disturbs no other. ``check`` says what then: "raise" raises
numpy.linalg.LinAlgError, which names the first failing matrices, once all others are done; "nan" fills what would have
been written of them with NaN; "ignore" leaves them as LAPACK does: in a factorization that broke off the columns before
the one at fault are factored and the others unspecified, right-hand sides and matrices to invert are as they were. With
``return_info`` info is returned beside the result, and "raise" does not raise.
"""

from __future__ import annotations

from typing import Any

from .ir.catalog import OPS
from .runtime.invoke import invoke


def potrf(
    a: Any,
    *,
    uplo: str = "L",
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """A = L L*, or U* U with ``uplo`` "U", A positive definite, n x n: the factor overwrites its triangle of A.

    Of A one triangle is read; imaginary parts of its diagonal count as zero. n**3 / 3 operations. Source: LAPACK
    xPOTRF; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.
    """
    return invoke(
        OPS["potrf"], {"A": a}, {"uplo": uplo}, {}, num_threads, out=out, check=check, return_info=return_info
    )


def potrs(a: Any, b: Any, *, uplo: str = "L", out: Any = None, num_threads: int | None = None) -> Any:
    """X with A X = B, from the factor that :func:`potrf` left in ``a``, overwrites B, n x nrhs.

    2 n n nrhs operations, one pass over memory. Source: LAPACK xPOTRS.
    """
    return invoke(OPS["potrs"], {"A": a, "B": b}, {"uplo": uplo}, {}, num_threads, out=out)


def posv(
    a: Any,
    b: Any,
    *,
    uplo: str = "L",
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """X with A X = B, A positive definite, overwrites B, n x nrhs; A is overwritten by its factor as in :func:`potrf`.

    n**3 / 3 + 2 n n nrhs operations, one pass over memory. ``out`` has X instead of B; A is overwritten all the same.
    Source: LAPACK xPOSV; algorithm 2 of Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.
    """
    return invoke(
        OPS["posv"], {"A": a, "B": b}, {"uplo": uplo}, {}, num_threads, out=out, check=check, return_info=return_info
    )


def potri(
    a: Any,
    *,
    uplo: str = "L",
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """The inverse of A = L L* or U* U, from the factor that :func:`potrf` left in ``a``, overwrites its triangle.

    2 n**3 / 3 operations, one pass over memory. Source: LAPACK xPOTRI.
    """
    return invoke(
        OPS["potri"], {"A": a}, {"uplo": uplo}, {}, num_threads, out=out, check=check, return_info=return_info
    )


def trtri(
    a: Any,
    *,
    uplo: str = "L",
    diag: str = "N",
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """A := A**-1, A triangular, n x n; n**3 / 3 operations. Source: LAPACK xTRTRI."""
    return invoke(
        OPS["trtri"],
        {"A": a},
        {"uplo": uplo, "diag": diag},
        {},
        num_threads,
        out=out,
        check=check,
        return_info=return_info,
    )


def lauum(a: Any, *, uplo: str = "L", out: Any = None, num_threads: int | None = None) -> Any:
    """A := L* L, or U U* with ``uplo`` "U", of the triangle in A; n**3 / 3 operations. Source: LAPACK xLAUUM."""
    return invoke(OPS["lauum"], {"A": a}, {"uplo": uplo}, {}, num_threads, out=out)
