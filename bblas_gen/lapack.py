"""Factorizations of LAPACK, and what is solved and inverted with them, on batches.

Written from the catalogue by ``python -m bblas_gen.codegen.public``: change ``ir/catalog`` or ``ir/documentation``.
"""

from __future__ import annotations

from typing import Any, Literal, overload

from .arrays.host import Array
from .ir.catalog import OPS
from .runtime.interleaved import Batch, BatchLike
from .runtime.invoke import invoke

__all__ = [
    "lauum",
    "posv",
    "potrf",
    "potri",
    "potrs",
    "trtri",
]


@overload
def potrf(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def potrf(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def potrf(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] = "L",
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Factor A = L L*, or U* U with ``uplo`` "U"; A positive definite; the factor overwrites its triangle of A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric, or Hermitian, and positive definite. n x n. Overwritten in place, unless ``out`` is given: the
        triangle that ``uplo`` names; the other has no influence and keeps its values.
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    out : like ``a``, optional
        Has the result; ``a`` then keeps its values.
    check : {"raise", "nan", "ignore"}
        What is done about matrices that failed, once all others are finished: "raise" raises an error that names the
        first of them, "nan" fills what would have been written of them with NaN, "ignore" leaves them as LAPACK does:
        of a factorization the columns before the one at fault are factored, right-hand sides keep their values.
    return_info : bool
        Return info too. Then no error is raised about matrices that failed.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    a : as given
        The operand, or ``out``, overwritten.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's number, 0 for each matrix but those that are not positive definite.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.
    numpy.linalg.LinAlgError
        Where matrices are not positive definite and ``check`` is "raise".

    Notes
    -----
    The imaginary parts of the diagonal of A count as zero.

    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. Nothing is copied but arrays that are not aligned or whose strides are not a whole number
    of elements, and lists whose arrays have different strides.

    n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOTRF; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> bb.potrf(np.array([[[4.0, 0.0], [2.0, 5.0]]]))[0].tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    flags = {"uplo": uplo}
    operands = {"A": a}
    return invoke(
        OPS["potrf"], operands, flags=flags, num_threads=num_threads, out=out, check=check, return_info=return_info
    )


def potrs(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    num_threads: int | None = None,
) -> Batch:
    """Solve A X = B with the factor that potrf left in A; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factor that :func:`potrf` left. n x n. Only the triangle that ``uplo`` names is read.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``out`` is given.
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    out : like ``b``, optional
        Has the result; ``b`` then keeps its values.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    b : as given
        The operand, or ``out``, overwritten.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.

    Notes
    -----
    Matrices are read from memory and written to it once.

    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. An operand that is only read may be a 2-D array: one matrix for the whole batch. Nothing
    is copied but arrays that are not aligned or whose strides are not a whole number of elements, and lists whose
    arrays have different strides.

    2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOTRS; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> factor = np.array([[[2.0, 0.0], [1.0, 2.0]]])
    >>> bb.potrs(factor, np.array([[[8.0], [12.0]]]))[0].tolist()
    [[1.0], [2.0]]
    """
    flags = {"uplo": uplo}
    operands = {"A": a, "B": b}
    result: Batch = invoke(OPS["potrs"], operands, flags=flags, num_threads=num_threads, out=out)
    return result


@overload
def posv(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def posv(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def posv(
    a: BatchLike,
    b: BatchLike,
    *,
    uplo: Literal["L", "U"] = "L",
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Solve A X = B; A positive definite; X overwrites B, and the factor overwrites A as in potrf.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric, or Hermitian, and positive definite. n x n. Overwritten in place: the triangle that ``uplo`` names;
        the other has no influence and keeps its values.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``out`` is given.
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    out : like ``b``, optional
        Has the result; ``b`` then keeps its values.
    check : {"raise", "nan", "ignore"}
        What is done about matrices that failed, once all others are finished: "raise" raises an error that names the
        first of them, "nan" fills what would have been written of them with NaN, "ignore" leaves them as LAPACK does:
        of a factorization the columns before the one at fault are factored, right-hand sides keep their values.
    return_info : bool
        Return info too. Then no error is raised about matrices that failed.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    b : as given
        The operand, or ``out``, overwritten.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's number, 0 for each matrix but those that are not positive definite.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.
    numpy.linalg.LinAlgError
        Where matrices are not positive definite and ``check`` is "raise".

    Notes
    -----
    Matrices are read from memory and written to it once. With ``out`` A is overwritten all the same.

    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. Nothing is copied but arrays that are not aligned or whose strides are not a whole number
    of elements, and lists whose arrays have different strides.

    n**3 / 3 + 2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOSV; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a, b = np.array([[[4.0, 0.0], [2.0, 5.0]]]), np.array([[[8.0], [12.0]]])
    >>> bb.posv(a, b)[0].tolist()
    [[1.0], [2.0]]
    """
    flags = {"uplo": uplo}
    operands = {"A": a, "B": b}
    return invoke(
        OPS["posv"], operands, flags=flags, num_threads=num_threads, out=out, check=check, return_info=return_info
    )


@overload
def potri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def potri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def potri(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] = "L",
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """Invert A with the factor that potrf left in A; the inverse overwrites its triangle.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factor that :func:`potrf` left. n x n. Overwritten in place, unless ``out`` is given: the triangle that
        ``uplo`` names; the other has no influence and keeps its values.
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    out : like ``a``, optional
        Has the result; ``a`` then keeps its values.
    check : {"raise", "nan", "ignore"}
        What is done about matrices that failed, once all others are finished: "raise" raises an error that names the
        first of them, "nan" fills what would have been written of them with NaN, "ignore" leaves them as LAPACK does:
        of a factorization the columns before the one at fault are factored, right-hand sides keep their values.
    return_info : bool
        Return info too. Then no error is raised about matrices that failed.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    a : as given
        The operand, or ``out``, overwritten.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's number, 0 for each matrix but those that are singular.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.
    numpy.linalg.LinAlgError
        Where matrices are singular and ``check`` is "raise".

    Notes
    -----
    Matrices are read from memory and written to it once.

    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. Nothing is copied but arrays that are not aligned or whose strides are not a whole number
    of elements, and lists whose arrays have different strides.

    2 n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOTRI.

    Examples
    --------
    >>> bb.potri(np.array([[[2.0, 0.0], [1.0, 2.0]]]))[0].tolist()
    [[0.3125, 0.0], [-0.125, 0.25]]
    """
    flags = {"uplo": uplo}
    operands = {"A": a}
    return invoke(
        OPS["potri"], operands, flags=flags, num_threads=num_threads, out=out, check=check, return_info=return_info
    )


@overload
def trtri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    diag: Literal["N", "U"] = "N",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def trtri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    diag: Literal["N", "U"] = "N",
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def trtri(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] = "L",
    diag: Literal["N", "U"] = "N",
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] = "raise",
    return_info: bool = False,
    num_threads: int | None = None,
) -> Any:
    """A := A**-1; A triangular.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. n x n. Overwritten in place, unless ``out`` is given: the triangle that ``uplo`` names; the other
        has no influence and keeps its values. Its diagonal is not read with ``diag`` "U".
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    diag : {"N", "U"}
        "U": the diagonal is one.
    out : like ``a``, optional
        Has the result; ``a`` then keeps its values.
    check : {"raise", "nan", "ignore"}
        What is done about matrices that failed, once all others are finished: "raise" raises an error that names the
        first of them, "nan" fills what would have been written of them with NaN, "ignore" leaves them as LAPACK does:
        of a factorization the columns before the one at fault are factored, right-hand sides keep their values.
    return_info : bool
        Return info too. Then no error is raised about matrices that failed.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    a : as given
        The operand, or ``out``, overwritten.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's number, 0 for each matrix but those that are singular.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.
    numpy.linalg.LinAlgError
        Where matrices are singular and ``check`` is "raise".

    Notes
    -----
    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. Nothing is copied but arrays that are not aligned or whose strides are not a whole number
    of elements, and lists whose arrays have different strides.

    n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xTRTRI.

    Examples
    --------
    >>> bb.trtri(np.array([[[2.0, 0.0], [1.0, 4.0]]]))[0].tolist()
    [[0.5, 0.0], [-0.125, 0.25]]
    """
    flags = {"uplo": uplo, "diag": diag}
    operands = {"A": a}
    return invoke(
        OPS["trtri"], operands, flags=flags, num_threads=num_threads, out=out, check=check, return_info=return_info
    )


def lauum(
    a: Batch,
    *,
    uplo: Literal["L", "U"] = "L",
    out: Batch | None = None,
    num_threads: int | None = None,
) -> Batch:
    """A := L* L, or U U* with ``uplo`` "U", of the triangle in A; the product overwrites it.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. n x n. Overwritten in place, unless ``out`` is given: the triangle that ``uplo`` names; the other
        has no influence and keeps its values.
    uplo : {"L", "U"}
        The triangle that counts: the lower or the upper one.
    out : like ``a``, optional
        Has the result; ``a`` then keeps its values.
    num_threads : int, optional
        None leaves it to OpenMP; one below a break-even size. Results do not depend on it, bit by bit.

    Returns
    -------
    a : as given
        The operand, or ``out``, overwritten.

    Raises
    ------
    TypeError
        For the kind or dtype of an argument, which it names. Nothing is written then.
    ValueError
        For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.

    Notes
    -----
    Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows, columns)
    of any strides, row- or column-major or neither, lists of 2-D arrays of one shape, or :class:`Interleaved`, each
    operand in its own layout. Nothing is copied but arrays that are not aligned or whose strides are not a whole number
    of elements, and lists whose arrays have different strides.

    n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xLAUUM; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> bb.lauum(np.array([[[2.0, 0.0], [1.0, 2.0]]]))[0].tolist()
    [[5.0, 0.0], [2.0, 4.0]]
    """
    flags = {"uplo": uplo}
    operands = {"A": a}
    result: Batch = invoke(OPS["lauum"], operands, flags=flags, num_threads=num_threads, out=out)
    return result
