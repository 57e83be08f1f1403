"""Level 1, 2 and 3 of the BLAS on batches.

Written from the catalogue by ``python -m bblas_gen.codegen.public``: change ``ir/catalog`` or ``ir/documentation``.
"""

from __future__ import annotations

from typing import Literal, Never, overload

from .arrays.host import Array
from .ir.catalog import OPS
from .runtime.interleaved import Batch, BatchLike, Number, Real
from .runtime.invoke import invoke, reduce, refuse, vector, vectors

__all__ = [
    "axpy",
    "dot",
    "dotc",
    "gemm",
    "gemv",
    "ger",
    "gerc",
    "hemm",
    "her2k",
    "herk",
    "nrm2",
    "scal",
    "symm",
    "syr2k",
    "syrk",
    "trmm",
    "trsm",
    "trsv",
]


@overload
def gemm(
    a: Batch,
    b: BatchLike,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    transb: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gemm(
    a: BatchLike,
    b: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    transb: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def gemm(
    a: BatchLike,
    b: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    transb: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha op(A) op(B) + beta C.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is m x k. Read; nothing of it if ``alpha`` is 0.
    b : batch of matrices
        op(B) is k x n. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        m x n. Overwritten in place. Not read if ``beta`` is 0. None: a new one is made, of the kind (array, list,
        Interleaved) of the first batch among the operands.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    transa : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    transb : {"N", "T", "C", "R"}, or a list
        op(B): "N" B itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    For alpha and beta of 0 and 1 there is faster code.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n k operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xGEMM; Dongarra et al., ICCS 2017, doi:10.1016/j.procs.2017.05.138.

    Examples
    --------
    >>> a = np.arange(12.0).reshape(3, 2, 2)
    >>> bb.gemm(a, a)[1].tolist()
    [[46.0, 55.0], [66.0, 79.0]]
    """
    flags = {"transa": transa, "transb": transb}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(gemm, unknown)
    operands = {"A": a, "B": b, "C": c}
    result: BatchLike = invoke(OPS["gemm"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def symm(
    a: Batch,
    b: BatchLike,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def symm(
    a: BatchLike,
    b: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
) -> Batch: ...


def symm(
    a: BatchLike,
    b: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha A B + beta C, or alpha B A + beta C with ``side`` "R"; A symmetric.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric. Of order m with ``side`` "L", n with ``side`` "R". Only the triangle that ``uplo`` names is read;
        nothing of it if ``alpha`` is 0.
    b : batch of matrices
        m x n. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        m x n. Overwritten in place. Not read if ``beta`` is 0. None: a new one is made, of the kind (array, list,
        Interleaved) of the first batch among the operands.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    side : {"L", "R"}, or a list
        A is on the left or on the right of the other factor. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n m (``side`` "L") or 2 m n n (``side`` "R") operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xSYMM.

    Examples
    --------
    >>> a = np.array([[[2.0, np.nan], [1.0, 3.0]]])
    >>> bb.symm(a, np.ones((1, 2, 1)))[0].tolist()
    [[3.0], [4.0]]
    """
    flags = {"side": side, "uplo": uplo}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(symm, unknown)
    operands = {"A": a, "B": b, "C": c}
    result: BatchLike = invoke(OPS["symm"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def hemm(
    a: Batch,
    b: BatchLike,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def hemm(
    a: BatchLike,
    b: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
) -> Batch: ...


def hemm(
    a: BatchLike,
    b: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha A B + beta C, or alpha B A + beta C with ``side`` "R"; A Hermitian.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Hermitian. Of order m with ``side`` "L", n with ``side`` "R". Only the triangle that ``uplo`` names is read;
        nothing of it if ``alpha`` is 0.
    b : batch of matrices
        m x n. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        m x n. Overwritten in place. Not read if ``beta`` is 0. None: a new one is made, of the kind (array, list,
        Interleaved) of the first batch among the operands.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    side : {"L", "R"}, or a list
        A is on the left or on the right of the other factor. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    The imaginary parts of the diagonal of A count as zero. For real dtypes this is :func:`symm`.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n m (``side`` "L") or 2 m n n (``side`` "R") operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xHEMM.

    Examples
    --------
    >>> a = np.array([[[2, np.nan], [1j, 3]]])
    >>> bb.hemm(a, np.ones((1, 2, 1), complex))[0].tolist()
    [[(2-1j)], [(3+1j)]]
    """
    flags = {"side": side, "uplo": uplo}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(hemm, unknown)
    operands = {"A": a, "B": b, "C": c}
    result: BatchLike = invoke(OPS["hemm"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def syrk(
    a: Batch,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def syrk(
    a: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def syrk(
    a: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha op(A) op(A)' + beta C; one triangle of C.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is n x k. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        n x n. Overwritten in place: the triangle that ``uplo`` names; the other is not used and keeps its values. Not
        read if ``beta`` is 0. None: a new one is made, of the kind (array, list, Interleaved) of the first batch among
        the operands, zero in the other triangle.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    k n (n + 1) operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xSYRK.

    Examples
    --------
    >>> bb.syrk(np.array([[[1.0], [2.0]]]))[0].tolist()
    [[1.0, 0.0], [2.0, 4.0]]
    """
    flags = {"uplo": uplo, "trans": trans}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(syrk, unknown)
    operands = {"A": a, "C": c}
    result: BatchLike = invoke(OPS["syrk"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def herk(
    a: Batch,
    c: None = None,
    *,
    alpha: Real = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def herk(
    a: BatchLike,
    c: Batch,
    *,
    alpha: Real = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def herk(
    a: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Real = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha op(A) op(A)* + beta C; one triangle of C; alpha and beta real.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is n x k. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        n x n. Overwritten in place: the triangle that ``uplo`` names; the other is not used and keeps its values. Not
        read if ``beta`` is 0. None: a new one is made, of the kind (array, list, Interleaved) of the first batch among
        the operands, zero in the other triangle.
    alpha : real number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : real number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    The imaginary parts of the diagonal of C count as zero and become zero.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    k n (n + 1) operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xHERK.

    Examples
    --------
    >>> bb.herk(np.array([[[1], [2j]]]))[0].tolist()
    [[(1+0j), 0j], [2j, (4+0j)]]
    """
    flags = {"uplo": uplo, "trans": trans}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(herk, unknown)
    operands = {"A": a, "C": c}
    result: BatchLike = invoke(OPS["herk"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def syr2k(
    a: Batch,
    b: BatchLike,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def syr2k(
    a: BatchLike,
    b: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def syr2k(
    a: BatchLike,
    b: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha (op(A) op(B)' + op(B) op(A)') + beta C; one triangle of C.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is n x k. Read; nothing of it if ``alpha`` is 0.
    b : batch of matrices
        op(B) is n x k. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        n x n. Overwritten in place: the triangle that ``uplo`` names; the other is not used and keeps its values. Not
        read if ``beta`` is 0. None: a new one is made, of the kind (array, list, Interleaved) of the first batch among
        the operands, zero in the other triangle.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(X): "N" X itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. X is A and B. A list has
        one for each matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 k n (n + 1) operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xSYR2K.

    Examples
    --------
    >>> a, b = np.array([[[1.0], [2.0]]]), np.array([[[3.0], [4.0]]])
    >>> bb.syr2k(a, b)[0].tolist()
    [[6.0, 0.0], [10.0, 16.0]]
    """
    flags = {"uplo": uplo, "trans": trans}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(syr2k, unknown)
    operands = {"A": a, "B": b, "C": c}
    result: BatchLike = invoke(OPS["syr2k"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


@overload
def her2k(
    a: Batch,
    b: BatchLike,
    c: None = None,
    *,
    alpha: Number = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def her2k(
    a: BatchLike,
    b: BatchLike,
    c: Batch,
    *,
    alpha: Number = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def her2k(
    a: BatchLike,
    b: BatchLike,
    c: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Real = 0.0,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """C := alpha op(A) op(B)* + conj(alpha) op(B) op(A)* + beta C; one triangle of C; beta real.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is n x k. Read; nothing of it if ``alpha`` is 0.
    b : batch of matrices
        op(B) is n x k. Read; nothing of it if ``alpha`` is 0.
    c : batch of matrices, optional
        n x n. Overwritten in place: the triangle that ``uplo`` names; the other is not used and keeps its values. Not
        read if ``beta`` is 0. None: a new one is made, of the kind (array, list, Interleaved) of the first batch among
        the operands, zero in the other triangle.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : real number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(X): "N" X itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. X is A and B. A list has
        one for each matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    The imaginary parts of the diagonal of C count as zero and become zero.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 k n (n + 1) operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xHER2K.

    Examples
    --------
    >>> a, b = np.array([[[1], [1j]]]), np.ones((1, 2, 1), complex)
    >>> bb.her2k(a, b)[0].tolist()
    [[(2+0j), 0j], [(1+1j), 0j]]
    """
    flags = {"uplo": uplo, "trans": trans}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(her2k, unknown)
    operands = {"A": a, "B": b, "C": c}
    result: BatchLike = invoke(OPS["her2k"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


def trmm(
    a: BatchLike,
    b: Batch,
    *,
    alpha: Number = 1.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """B := alpha op(A) B, or alpha B op(A) with ``side`` "R"; A triangular.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. Of order m with ``side`` "L", n with ``side`` "R". Only the triangle that ``uplo`` names is read;
        nothing of it if ``alpha`` is 0. Its diagonal is not read with ``diag`` "U".
    b : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    side : {"L", "R"}, or a list
        A is on the left or on the right of the other factor. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    transa : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    diag : {"N", "U"}, or a list
        "U": the diagonal counts as ones; "N": it is used as it is. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    m n m (``side`` "L") or m n n (``side`` "R") operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xTRMM; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
    >>> bb.trmm(a, np.ones((1, 2, 1)))[0].tolist()
    [[2.0], [5.0]]
    """
    flags = {"side": side, "uplo": uplo, "transa": transa, "diag": diag}
    scalars = {"alpha": alpha}
    if unknown:
        refuse(trmm, unknown)
    operands = {"A": a, "B": b}
    result: Batch = invoke(
        OPS["trmm"], operands, flags=flags, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite
    )
    return result


def trsm(
    a: BatchLike,
    b: Batch,
    *,
    alpha: Number = 1.0,
    side: Literal["L", "R"] | list[str] = "L",
    uplo: Literal["L", "U"] | list[str] = "L",
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """Solve op(A) X = alpha B, or X op(A) = alpha B with ``side`` "R"; A triangular; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. Of order m with ``side`` "L", n with ``side`` "R". Only the triangle that ``uplo`` names is read;
        nothing of it if ``alpha`` is 0. Its diagonal is not read with ``diag`` "U".
    b : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    side : {"L", "R"}, or a list
        A is on the left or on the right of the other factor. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    transa : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    diag : {"N", "U"}, or a list
        "U": the diagonal counts as ones; "N": it is used as it is. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    Singularity is not tested, as in the BLAS: a zero on the diagonal gives Inf and NaN. The solve multiplies by
    inverses of the diagonal, so none of its elements may be subnormal.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    m n m (``side`` "L") or m n n (``side`` "R") operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xTRSM; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
    >>> bb.trsm(a, np.array([[[2.0], [9.0]]]))[0].tolist()
    [[1.0], [2.0]]
    """
    flags = {"side": side, "uplo": uplo, "transa": transa, "diag": diag}
    scalars = {"alpha": alpha}
    if unknown:
        refuse(trsm, unknown)
    operands = {"A": a, "B": b}
    result: Batch = invoke(
        OPS["trsm"], operands, flags=flags, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite
    )
    return result


@overload
def gemv(
    a: Batch,
    x: BatchLike,
    y: None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gemv(
    a: BatchLike,
    x: BatchLike,
    y: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
) -> Batch: ...


def gemv(
    a: BatchLike,
    x: BatchLike,
    y: BatchLike | None = None,
    *,
    alpha: Number = 1.0,
    beta: Number = 0.0,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike:
    """y := alpha op(A) x + beta y.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is m x n. Read; nothing of it if ``alpha`` is 0.
    x : batch of vectors
        Of length n. Read; nothing of it if ``alpha`` is 0.
    y : batch of vectors, optional
        Of length m. Overwritten in place. Not read if ``beta`` is 0. None: a new one is made, of the kind (array, list,
        Interleaved) of the first batch among the operands.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    y : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xGEMV.

    Examples
    --------
    >>> a = np.array([[[1.0, 2.0], [3.0, 4.0]]])
    >>> bb.gemv(a, np.ones((1, 2))).tolist()
    [[3.0, 7.0]]
    """
    flags = {"trans": trans}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(gemv, unknown)
    operands = {"A": a, "X": vector("x", x), "Y": vector("y", y)}
    found = invoke(OPS["gemv"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    result: BatchLike = vectors(found, y)
    return result


def ger(
    x: BatchLike,
    y: BatchLike,
    a: Batch,
    *,
    alpha: Number = 1.0,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """A := alpha x y' + A.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length m. Read; nothing of it if ``alpha`` is 0.
    y : batch of vectors
        Of length n. Read; nothing of it if ``alpha`` is 0.
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    Nothing is conjugated.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xGER, xGERU, xGERC.

    Examples
    --------
    >>> bb.ger(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]), np.zeros((1, 2, 2)))[0].tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(ger, unknown)
    operands = {"X": vector("x", x), "Y": vector("y", y), "A": a}
    result: Batch = invoke(OPS["ger"], operands, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


def gerc(
    x: BatchLike,
    y: BatchLike,
    a: Batch,
    *,
    alpha: Number = 1.0,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """A := alpha x y* + A.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length m. Read; nothing of it if ``alpha`` is 0.
    y : batch of vectors
        Of length n. Read; nothing of it if ``alpha`` is 0.
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 m n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xGER, xGERU, xGERC.

    Examples
    --------
    >>> bb.gerc(np.array([[1, 2]], complex), np.array([[1j, 1]]), np.zeros((1, 2, 2), complex))[0].tolist()
    [[-1j, (1+0j)], [-2j, (2+0j)]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(gerc, unknown)
    operands = {"X": vector("x", x), "Y": vector("y", y), "A": a}
    result: Batch = invoke(
        OPS["gerc"], operands, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite
    )
    return result


def trsv(
    a: BatchLike,
    x: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """Solve op(A) z = x; A triangular; z overwrites x.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. n x n. Only the triangle that ``uplo`` names is read. Its diagonal is not read with ``diag`` "U".
    x : batch of vectors
        Of length n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    diag : {"N", "U"}, or a list
        "U": the diagonal counts as ones; "N": it is used as it is. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``x``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    x : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    Singularity is not tested, as in the BLAS: a zero on the diagonal gives Inf and NaN. The solve multiplies by
    inverses of the diagonal, so none of its elements may be subnormal.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    n**2 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xTRSV.

    Examples
    --------
    >>> a = np.array([[[2.0, np.nan], [1.0, 4.0]]])
    >>> bb.trsv(a, np.array([[2.0, 9.0]])).tolist()
    [[1.0, 2.0]]
    """
    flags = {"uplo": uplo, "trans": trans, "diag": diag}
    if unknown:
        refuse(trsv, unknown)
    operands = {"A": a, "X": vector("x", x)}
    into = None if out is x else vector("out", out)
    found = invoke(OPS["trsv"], operands, flags=flags, num_threads=num_threads, out=into, overwrite=overwrite)
    result: Batch = vectors(found, out, x if overwrite else None)
    return result


def dot(x: BatchLike, y: BatchLike, *, num_threads: int | None = None, **unknown: Never) -> Array:
    """x' y of every pair of vectors; nothing is conjugated.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length n. Read.
    y : batch of vectors
        Of length n. Read.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    result : array (batch,)
        New, of the dtype of the operands.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xDOT, xDOTU, xDOTC.

    Examples
    --------
    >>> bb.dot(np.array([[1.0, 2.0, 3.0]]), np.ones((1, 3))).tolist()
    [6.0]
    """
    if unknown:
        refuse(dot, unknown)
    operands = {"X": vector("x", x), "Y": vector("y", y)}
    result: Array = reduce(OPS["dot"], operands, num_threads=num_threads)
    return result


def dotc(x: BatchLike, y: BatchLike, *, num_threads: int | None = None, **unknown: Never) -> Array:
    """x* y of every pair of vectors; x is conjugated.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length n. Read.
    y : batch of vectors
        Of length n. Read.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    result : array (batch,)
        New, of the dtype of the operands.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xDOT, xDOTU, xDOTC.

    Examples
    --------
    >>> x = np.array([[1j, 1]])
    >>> bb.dotc(x, x).tolist()
    [(2+0j)]
    """
    if unknown:
        refuse(dotc, unknown)
    operands = {"X": vector("x", x), "Y": vector("y", y)}
    result: Array = reduce(OPS["dotc"], operands, num_threads=num_threads)
    return result


def nrm2(x: BatchLike, *, num_threads: int | None = None, **unknown: Never) -> Array:
    """The 2-norm of every vector.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length n. Read.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    result : array (batch,)
        New, real.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    Squares neither overflow nor underflow where the norm does not.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xNRM2.

    Examples
    --------
    >>> bb.nrm2(np.array([[3.0, 4.0]])).tolist()
    [5.0]
    """
    if unknown:
        refuse(nrm2, unknown)
    operands = {"X": vector("x", x)}
    result: Array = reduce(OPS["nrm2"], operands, num_threads=num_threads, real=True)
    return result


def axpy(
    x: BatchLike,
    y: Batch,
    *,
    alpha: Number = 1.0,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """y := alpha x + y.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length n. Read; nothing of it if ``alpha`` is 0.
    y : batch of vectors
        Of length n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``y``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    y : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xAXPY.

    Examples
    --------
    >>> bb.axpy(np.array([[1.0, 2.0]]), np.array([[10.0, 10.0]]), alpha=2.0).tolist()
    [[12.0, 14.0]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(axpy, unknown)
    operands = {"X": vector("x", x), "Y": vector("y", y)}
    into = None if out is y else vector("out", out)
    found = invoke(OPS["axpy"], operands, scalars=scalars, num_threads=num_threads, out=into, overwrite=overwrite)
    result: Batch = vectors(found, out, y if overwrite else None)
    return result


def scal(
    x: Batch,
    *,
    alpha: Number,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """x := alpha x.

    For every matrix of a batch.

    Parameters
    ----------
    x : batch of vectors
        Of length n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``x``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    x : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    OverflowError
        A scalar is too large for the dtype of the operands. (One so small that it would round to 0 becomes the smallest
        number that is not 0.)

    Notes
    -----
    alpha = 0 writes zeros, over NaN too.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides
    are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLAS xSCAL.

    Examples
    --------
    >>> bb.scal(np.array([[1.0, 2.0]]), alpha=3.0).tolist()
    [[3.0, 6.0]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(scal, unknown)
    operands = {"X": vector("x", x)}
    into = None if out is x else vector("out", out)
    found = invoke(OPS["scal"], operands, scalars=scalars, num_threads=num_threads, out=into, overwrite=overwrite)
    result: Batch = vectors(found, out, x if overwrite else None)
    return result
