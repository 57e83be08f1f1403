"""Cholesky and LU factorizations, what is solved and inverted with them, and triangular inverses, on batches.

Operands, ``uplo``, ``diag``, ``num_threads``, ``out`` and errors are as in ``blas``. A matrix that cannot be done is
told by ``info``, an int32 for each, 0 where all went well (LAPACK's numbers: the first leading minor that is not
positive definite, the first zero on a diagonal), and disturbs no other. ``check`` says what then: "raise" raises
numpy.linalg.LinAlgError, which names the first failing matrices, once all others are done; "nan" fills what would have
been written of them with NaN; "ignore" leaves them as LAPACK does: in a factorization that broke off the columns before
the one at fault are factored and the others unspecified, right-hand sides and matrices to invert are as they were. With
``return_info`` info is returned beside the result, and "raise" does not raise.

The pivots of LU are ``ipiv``, int32 for each matrix: row i was exchanged with row ipiv[i], which counts from 1, one
exchange after another. They are an array (batch, n), or an Interleaved of shape (batch, n, 1) where the matrices are.
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


def getrf(
    a: Any,
    ipiv: Any = None,
    *,
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Factor A = P L U with partial pivoting, A any m x n; L and U overwrite A.

    Parameters
    ----------
    a : array (batch, m, n), list of 2-D arrays, or Interleaved
        Float32, float64, complex64 or complex128. Overwritten by U and, below its diagonal, by L without the ones on
        its own.
    ipiv : int32 array (batch, min(m, n)), or Interleaved of shape (batch, min(m, n), 1), optional
        Overwritten by the pivots; made where it is None, interleaved as ``a`` is.
    out : like ``a``, optional
        Has the factors instead of ``a``, which stays as it was.
    check : {"raise", "nan", "ignore"}
        What is done about singular matrices. They are factored to the end all the same; "nan" overwrites ``a``.
    return_info : bool
        Whether info is returned too, and nothing raised.
    num_threads : int, optional
        None leaves it to OpenMP.

    Returns
    -------
    a, ipiv : the operands
        The factors (``out`` where that is given) and the pivots.
    info : int32 array (batch,)
        With ``return_info``: 0, or the position from 1 of the first pivot that is zero.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where ``check`` is "raise" and a matrix is singular, once all are done.
    TypeError, ValueError
        For operands that do not fit together; nothing is written then.

    Notes
    -----
    Pivots are chosen as LAPACK does, of complex numbers by abs(re) + abs(im); what is no number is never larger.
    2 n**3 / 3 operations of a square matrix. Source: LAPACK xGETRF; Dongarra et al., Euro-Par 2017,
    doi:10.1007/978-3-319-64203-1_37.
    """
    return invoke(
        OPS["getrf"], {"A": a, "IPIV": ipiv}, num_threads=num_threads, out=out, check=check, return_info=return_info
    )


def getrs(a: Any, ipiv: Any, b: Any, *, trans: str = "N", out: Any = None, num_threads: int | None = None) -> Any:
    """Solve op(A) X = B with the factors of :func:`getrf`; X overwrites B.

    Parameters
    ----------
    a : array (batch, n, n) or (n, n), list of 2-D arrays, or Interleaved
        The factors; read.
    ipiv : int32 array (batch, n) or (n,), or Interleaved of shape (batch, n, 1)
        The pivots; read. What :func:`getrf` cannot have written has no meaning.
    b : array (batch, n, nrhs), list of 2-D arrays, or Interleaved
        The right-hand sides, overwritten by X.
    trans : {"N", "T", "C", "R"}
        op(A): A, its transpose, its conjugate transpose, its conjugate.
    out : like ``b``, optional
        Has X instead of ``b``, which stays as it was.
    num_threads : int, optional
        None leaves it to OpenMP.

    Returns
    -------
    b : the operand
        X; ``out`` where that is given.

    Raises
    ------
    TypeError, ValueError
        For operands that do not fit together; nothing is written then.

    Notes
    -----
    A singular factor is not noticed: its X is infinite or no number. 2 n n nrhs operations, one pass over memory.
    Source: LAPACK xGETRS.
    """
    return invoke(OPS["getrs"], {"A": a, "IPIV": ipiv, "B": b}, {"trans": trans}, {}, num_threads, out=out)


def gesv(
    a: Any,
    b: Any,
    *,
    ipiv: Any = None,
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Solve A X = B by LU with partial pivoting; X overwrites B, and the factors overwrite A as in :func:`getrf`.

    Parameters
    ----------
    a : array (batch, n, n), list of 2-D arrays, or Interleaved
        Overwritten by the factors.
    b : array (batch, n, nrhs), list of 2-D arrays, or Interleaved
        The right-hand sides, overwritten by X; those of singular matrices stay as they were.
    ipiv : int32 array (batch, n), or Interleaved of shape (batch, n, 1), optional
        Overwritten by the pivots, for those who want them.
    out : like ``b``, optional
        Has X instead of ``b``; A is overwritten all the same.
    check : {"raise", "nan", "ignore"}
        What is done about singular matrices; "nan" overwrites their ``a`` and X.
    return_info : bool
        Whether info is returned too, and nothing raised.
    num_threads : int, optional
        None leaves it to OpenMP.

    Returns
    -------
    b : the operand
        X; ``out`` where that is given.
    info : int32 array (batch,)
        With ``return_info``: 0, or the position from 1 of the first pivot that is zero.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where ``check`` is "raise" and a matrix is singular, once all others are done.
    TypeError, ValueError
        For operands that do not fit together; nothing is written then.

    Notes
    -----
    2 n**3 / 3 + 2 n n nrhs operations, one pass over memory. Source: LAPACK xGESV; Dongarra et al., Euro-Par 2017,
    doi:10.1007/978-3-319-64203-1_37.
    """
    return invoke(
        OPS["gesv"],
        {"A": a, "IPIV": ipiv, "B": b},
        num_threads=num_threads,
        out=out,
        check=check,
        return_info=return_info,
    )


def getri(
    a: Any,
    ipiv: Any,
    *,
    out: Any = None,
    check: str = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Invert A with the factors of :func:`getrf`, which the inverse overwrites.

    Parameters
    ----------
    a : array (batch, n, n), list of 2-D arrays, or Interleaved
        The factors, overwritten by the inverse; those of singular matrices stay as they were.
    ipiv : int32 array (batch, n) or (n,), or Interleaved of shape (batch, n, 1)
        The pivots; read. What :func:`getrf` cannot have written has no meaning.
    out : like ``a``, optional
        Has the inverse instead of ``a``, which stays as it was.
    check : {"raise", "nan", "ignore"}
        What is done about singular matrices; "nan" overwrites their ``a``.
    return_info : bool
        Whether info is returned too, and nothing raised.
    num_threads : int, optional
        None leaves it to OpenMP.

    Returns
    -------
    a : the operand
        The inverse; ``out`` where that is given.
    info : int32 array (batch,)
        With ``return_info``: 0, or the position from 1 of the first zero on the diagonal of U.

    Raises
    ------
    numpy.linalg.LinAlgError
        Where ``check`` is "raise" and a matrix is singular, once all others are done.
    TypeError, ValueError
        For operands that do not fit together; nothing is written then.

    Notes
    -----
    4 n**3 / 3 operations, one pass over memory. Source: LAPACK xGETRI.
    """
    return invoke(
        OPS["getri"], {"A": a, "IPIV": ipiv}, num_threads=num_threads, out=out, check=check, return_info=return_info
    )
