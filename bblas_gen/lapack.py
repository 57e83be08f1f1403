"""Factorizations of LAPACK, what is solved and inverted with them, sums of matrices, on batches.

Written from the catalogue by ``python -m bblas_gen.codegen.public``: change ``ir/catalog`` or ``ir/documentation``.
"""

from __future__ import annotations

from typing import Any, Literal, Never, overload

from .arrays.host import Array
from .ir.catalog import OPS
from .runtime.interleaved import Batch, BatchLike, Number
from .runtime.invoke import invoke, reduce, refuse, vector, vectors

__all__ = [
    "adddiag",
    "geadd",
    "gels",
    "geqp3",
    "geqrf",
    "gesv",
    "gesvd",
    "gesvdvals",
    "gesvnp",
    "getrf",
    "getrfnp",
    "getri",
    "getrinp",
    "getrs",
    "getrsnp",
    "lascl",
    "lauum",
    "logdet",
    "orgqr",
    "ormqr",
    "posv",
    "potrf",
    "potri",
    "potrs",
    "syev",
    "sygv",
    "trtri",
]


@overload
def potrf(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def potrf(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def potrf(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: BatchLike | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Factor A = L L*, or U* U with ``uplo`` "U"; A positive definite; the factor overwrites its triangle of A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric, or Hermitian, and positive definite. n x n. Overwritten in place, unless ``overwrite`` is False or
        ``out`` is given: the triangle that ``uplo`` names; the other is not used and keeps its values.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    clean : bool
        True: the strict triangle of the result that ``uplo`` does not name is zero.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not positive definite.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not positive definite, and ``check`` is "raise".

    Notes
    -----
    The imaginary parts of the diagonal of A count as zero.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOTRF; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> bb.potrf(np.array([[[4.0, 2.0], [2.0, 5.0]]]), overwrite=False, clean=True)[0].tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    flags = {"uplo": uplo}
    if unknown:
        refuse(potrf, unknown)
    operands = {"A": a}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["potrf"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        fills=clean,
        check=check,
        return_info=return_info,
    )
    return result


def potrs(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """Solve A X = B with the factor that potrf left in A; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factor that :func:`potrf` left. n x n. Only the triangle that ``uplo`` names is read.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
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

    Notes
    -----
    Each matrix is read from memory once and written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

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
    if unknown:
        refuse(potrs, unknown)
    operands = {"A": a, "B": b}
    result: Batch = invoke(OPS["potrs"], operands, flags=flags, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


@overload
def posv(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def posv(
    a: BatchLike,
    b: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def posv(
    a: BatchLike,
    b: BatchLike,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: BatchLike | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Solve A X = B; A positive definite; X overwrites B, and the factor overwrites A as in potrf.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric, or Hermitian, and positive definite. n x n. Overwritten in place, unless ``overwrite`` is False or
        ``out`` is given: the triangle that ``uplo`` names; the other is not used and keeps its values.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    refine : bool
        True: one step of iterative refinement, X := X + A^-1 (B - A X), as LAPACK's gerfs and porfs do it. Then B - A X
        is small relative to each row of A and B, even if the rows differ much in scale. It takes 4 n**2 more operations
        for each right-hand side. The factors are those of a call without it.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not positive definite.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not positive definite, and ``check`` is "raise".

    Notes
    -----
    Each matrix is read from memory once and written once. With ``overwrite=False`` or ``out``, the factor is not
    returned.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    n**3 / 3 + 2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOSV; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a, b = np.array([[[4.0, 0.0], [2.0, 5.0]]]), np.array([[[8.0], [12.0]]])
    >>> bb.posv(a, b, overwrite=False)[0].tolist()
    [[1.0], [2.0]]
    """
    flags = {"uplo": uplo}
    if unknown:
        refuse(posv, unknown)
    operands = {"A": a, "B": b}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["posv"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        refines=refine,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def potri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    symmetric: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def potri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    symmetric: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def potri(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: BatchLike | None = None,
    symmetric: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Invert A with the factor that potrf left in A; the inverse overwrites its triangle.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factor that :func:`potrf` left. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is
        given: the triangle that ``uplo`` names; the other is not used and keeps its values.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    symmetric : bool
        True: the whole result is stored, symmetric or Hermitian, not only the triangle that ``uplo`` names.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    Each matrix is read from memory once and written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xPOTRI.

    Examples
    --------
    >>> bb.potri(np.array([[[2.0, 0.0], [1.0, 2.0]]]), overwrite=False, symmetric=True)[0].tolist()
    [[0.3125, -0.125], [-0.125, 0.25]]
    """
    flags = {"uplo": uplo}
    if unknown:
        refuse(potri, unknown)
    operands = {"A": a}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["potri"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        fills=symmetric,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def trtri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def trtri(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def trtri(
    a: BatchLike,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    diag: Literal["N", "U"] | list[str] = "N",
    overwrite: bool = True,
    out: BatchLike | None = None,
    clean: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """A := A**-1; A triangular.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given: the triangle that
        ``uplo`` names; the other is not used and keeps its values. Its diagonal is not read with ``diag`` "U".
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    diag : {"N", "U"}, or a list
        "U": the diagonal counts as ones; "N": it is used as it is. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    clean : bool
        True: the strict triangle of the result that ``uplo`` does not name is zero.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

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
    if unknown:
        refuse(trtri, unknown)
    operands = {"A": a}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["trtri"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        fills=clean,
        check=check,
        return_info=return_info,
    )
    return result


def lauum(
    a: Batch,
    *,
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    symmetric: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """A := L* L, or U U* with ``uplo`` "U", of the triangle in A; the product overwrites it.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Triangular. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given: the triangle that
        ``uplo`` names; the other is not used and keeps its values.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    symmetric : bool
        True: the whole result is stored, symmetric or Hermitian, not only the triangle that ``uplo`` names.
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

    Notes
    -----
    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

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
    if unknown:
        refuse(lauum, unknown)
    operands = {"A": a}
    result: Batch = invoke(
        OPS["lauum"], operands, flags=flags, num_threads=num_threads, out=out, overwrite=overwrite, fills=symmetric
    )
    return result


@overload
def getrf(
    a: Batch,
    ipiv: BatchLike | None = None,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> tuple[Batch, Any]: ...


@overload
def getrf(
    a: Batch,
    ipiv: BatchLike | None = None,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Any, Array]: ...


def getrf(
    a: BatchLike,
    ipiv: BatchLike | None = None,
    *,
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Factor A = P L U with partial pivoting; L and U overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    ipiv : batch of int32 indices, optional
        The exchanges of rows. Of length min(m, n). Overwritten. None: a new batch is made.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    ipiv : as given
        The operand, or the new one.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    Row i was exchanged with row ``ipiv[i]``, for i = 1, 2, ... in turn. The ones on the diagonal of L are not stored.
    Pivots are those of LAPACK: the largest element of a column, of complex numbers by abs(re) + abs(im). NaN is never
    chosen as larger. A singular matrix is factored to the end.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Indices are int32 and count from 1: an array (batch, n), or an Interleaved of
    one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole
    number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**3 / 3, where A is square, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRF; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> lu, ipiv = bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]]))
    >>> lu[0].tolist(), ipiv.tolist()
    ([[4.0, 6.0], [0.25, 0.5]], [[2, 2]])
    """
    if unknown:
        refuse(getrf, unknown)
    operands = {"A": a, "IPIV": ipiv}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["getrf"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return result


def getrs(
    a: BatchLike,
    ipiv: BatchLike,
    b: Batch,
    *,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """Solve op(A) X = B with the factors and pivots that getrf left; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factors that :func:`getrf` left. n x n. Read.
    ipiv : batch of int32 indices
        The pivots that :func:`getrf` left. Of length n. Read.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
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

    Notes
    -----
    Singularity is not tested: with a singular factor X is infinite or NaN. Each matrix is read from memory once and
    written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Indices are int32 and count from 1: an array (batch, n), or an Interleaved of
    one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all operands are
    single matrices or vectors, without an axis for the batch, the call is one problem, and its result has no such axis
    either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole
    number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRS; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> lu, ipiv = bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]]))
    >>> bb.getrs(lu, ipiv, np.array([[[3.0], [10.0]]]))[0].tolist()
    [[1.0], [1.0]]
    """
    flags = {"trans": trans}
    if unknown:
        refuse(getrs, unknown)
    operands = {"A": a, "IPIV": ipiv, "B": b}
    result: Batch = invoke(OPS["getrs"], operands, flags=flags, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


@overload
def gesv(
    a: BatchLike,
    b: Batch,
    *,
    ipiv: BatchLike | None = None,
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gesv(
    a: BatchLike,
    b: Batch,
    *,
    ipiv: BatchLike | None = None,
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def gesv(
    a: BatchLike,
    b: BatchLike,
    *,
    ipiv: BatchLike | None = None,
    overwrite: bool = True,
    out: BatchLike | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Solve A X = B by LU with partial pivoting; X overwrites B, and the factors overwrite A as in getrf.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    ipiv : batch of int32 indices, optional
        The exchanges of rows. Of length n. Overwritten. None: a new batch is made.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    refine : bool
        True: one step of iterative refinement, X := X + A^-1 (B - A X), as LAPACK's gerfs and porfs do it. Then B - A X
        is small relative to each row of A and B, even if the rows differ much in scale. It takes 4 n**2 more operations
        for each right-hand side. The factors are those of a call without it.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    Right-hand sides of singular matrices keep their values. Each matrix is read from memory once and written once. With
    ``overwrite=False`` or ``out`` the factors are not returned, and ``ipiv`` must be left out.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Indices are int32 and count from 1: an array (batch, n), or an Interleaved of
    one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole
    number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**3 / 3 + 2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGESV; Dongarra et al., Euro-Par 2017, doi:10.1007/978-3-319-64203-1_37.

    Examples
    --------
    >>> a, b = np.array([[[1.0, 2.0], [4.0, 6.0]]]), np.array([[[3.0], [10.0]]])
    >>> bb.gesv(a, b, overwrite=False)[0].tolist()
    [[1.0], [1.0]]
    """
    if unknown:
        refuse(gesv, unknown)
    operands = {"A": a, "IPIV": ipiv, "B": b}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["gesv"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        refines=refine,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def getri(
    a: Batch,
    ipiv: BatchLike,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def getri(
    a: Batch,
    ipiv: BatchLike,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def getri(
    a: BatchLike,
    ipiv: BatchLike,
    *,
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Invert A with the factors and pivots that getrf left; the inverse overwrites A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factors that :func:`getrf` left. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is
        given.
    ipiv : batch of int32 indices
        The pivots that :func:`getrf` left. Of length n. Read.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    Singular matrices keep their factors. Each matrix is read from memory once and written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Indices are int32 and count from 1: an array (batch, n), or an Interleaved of
    one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all operands are
    single matrices or vectors, without an axis for the batch, the call is one problem, and its result has no such axis
    either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole
    number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRI.

    Examples
    --------
    >>> bb.getri(*bb.getrf(np.array([[[1.0, 2.0], [4.0, 6.0]]])))[0].tolist()
    [[-3.0, 1.0], [2.0, -0.5]]
    """
    if unknown:
        refuse(getri, unknown)
    operands = {"A": a, "IPIV": ipiv}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["getri"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def getrfnp(
    a: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def getrfnp(
    a: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def getrfnp(
    a: BatchLike,
    *,
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Factor A = L U without pivoting; L and U overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that have a pivot that is zero.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices have a pivot that is zero, and ``check`` is "raise".

    Notes
    -----
    No rows are exchanged. So a pivot may be zero although the matrix is not singular, which is reported; or it may be
    small, which makes results inaccurate. Matrices that are diagonally dominant, by rows or columns, need no pivoting.
    L has ones on its diagonal, which are not stored. Where :func:`getrf` would exchange no rows the factors have the
    same bits.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**3 / 3, where A is square, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRF without exchanges of rows.

    Examples
    --------
    >>> bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]]))[0].tolist()
    [[4.0, 6.0], [0.25, 0.5]]
    """
    if unknown:
        refuse(getrfnp, unknown)
    operands = {"A": a}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["getrfnp"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return result


def getrsnp(
    a: BatchLike,
    b: Batch,
    *,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """Solve op(A) X = B with the factors that getrfnp left; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factors that :func:`getrfnp` left. n x n. Read.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
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

    Notes
    -----
    Singularity is not tested: with a singular factor X is infinite or NaN. Each matrix is read from memory once and
    written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRS without exchanges of rows.

    Examples
    --------
    >>> lu = bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]]))
    >>> bb.getrsnp(lu, np.array([[[10.0], [3.0]]]))[0].tolist()
    [[1.0], [1.0]]
    """
    flags = {"trans": trans}
    if unknown:
        refuse(getrsnp, unknown)
    operands = {"A": a, "B": b}
    result: Batch = invoke(OPS["getrsnp"], operands, flags=flags, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


@overload
def gesvnp(
    a: BatchLike,
    b: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gesvnp(
    a: BatchLike,
    b: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def gesvnp(
    a: BatchLike,
    b: BatchLike,
    *,
    overwrite: bool = True,
    out: BatchLike | None = None,
    refine: bool = False,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Solve A X = B by LU without pivoting; X overwrites B, and the factors overwrite A as in getrfnp.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    b : batch of matrices
        n x nrhs. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    refine : bool
        True: one step of iterative refinement, X := X + A^-1 (B - A X), as LAPACK's gerfs and porfs do it. Then B - A X
        is small relative to each row of A and B, even if the rows differ much in scale. It takes 4 n**2 more operations
        for each right-hand side. The factors are those of a call without it.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that have a pivot that is zero.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices have a pivot that is zero, and ``check`` is "raise".

    Notes
    -----
    No rows are exchanged. So a pivot may be zero although the matrix is not singular, which is reported; or it may be
    small, which makes results inaccurate. Matrices that are diagonally dominant, by rows or columns, need no pivoting.
    Right-hand sides of matrices with such a pivot keep their values. Each matrix is read from memory once and written
    once. With ``overwrite=False`` or ``out`` the factors are not returned.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**3 / 3 + 2 n**2 nrhs operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGESV without exchanges of rows.

    Examples
    --------
    >>> a, b = np.array([[[4.0, 6.0], [1.0, 2.0]]]), np.array([[[10.0], [3.0]]])
    >>> bb.gesvnp(a, b, overwrite=False)[0].tolist()
    [[1.0], [1.0]]
    """
    if unknown:
        refuse(gesvnp, unknown)
    operands = {"A": a, "B": b}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["gesvnp"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        refines=refine,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def getrinp(
    a: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def getrinp(
    a: Batch,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def getrinp(
    a: BatchLike,
    *,
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Invert A with the factors that getrfnp left; the inverse overwrites A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factors that :func:`getrfnp` left. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is
        given.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are singular.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are singular, and ``check`` is "raise".

    Notes
    -----
    Singular matrices keep their factors. Each matrix is read from memory once and written once.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 n**3 / 3 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGETRI without exchanges of rows.

    Examples
    --------
    >>> bb.getrinp(bb.getrfnp(np.array([[[4.0, 6.0], [1.0, 2.0]]])))[0].tolist()
    [[1.0, -3.0], [-0.5, 2.0]]
    """
    if unknown:
        refuse(getrinp, unknown)
    operands = {"A": a}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["getrinp"],
        operands,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return result


def geqrf(
    a: Batch,
    tau: BatchLike | None = None,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> tuple[Batch, Any]:
    """Factor A = Q R by Householder reflections; R and the vectors of the reflections overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    tau : batch of vectors, optional
        The factors of the reflections. Of length min(m, n). Overwritten. None: a new batch is made.
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
    tau : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    Q = H_1 H_2 ... with H_i = I - tau_i v_i v_i*. R is on and above the diagonal, v_i below it in column i; its leading
    one is not stored. Signs are those of LAPACK, so the diagonal of R is real. Entries may be of any magnitude: a
    column whose squares would overflow or underflow is scaled.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides
    are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 n**3 / 3, where A is square, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGEQRF.

    Examples
    --------
    >>> qr, tau = bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
    >>> qr[0].round(12).tolist(), tau.round(12).tolist()
    ([[-5.0, -11.0], [0.5, 2.0]], [[1.6, 0.0]])
    """
    if unknown:
        refuse(geqrf, unknown)
    operands = {"A": a, "TAU": vector("tau", tau)}
    a, new_tau = invoke(OPS["geqrf"], operands, num_threads=num_threads, out=out, overwrite=overwrite)
    return a, vectors(new_tau, tau)


def ormqr(
    a: BatchLike,
    tau: BatchLike,
    c: Batch,
    *,
    side: Literal["L", "R"] | list[str] = "L",
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """C := op(Q) C, or C op(Q) with ``side`` "R", with the reflections that geqrf left.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The vectors of the reflections that :func:`geqrf` left, below the diagonal. Of order m with ``side`` "L", n with
        ``side`` "R". Read.
    tau : batch of vectors
        The factors of the reflections that :func:`geqrf` left. Of length k. Read.
    c : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    side : {"L", "R"}, or a list
        A is on the left or on the right of the other factor. A list has one for each matrix.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``c``, optional
        The result is written here; operands keep their values.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    c : as given
        The operand, or the new one, or ``out``.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    For complex dtypes this is LAPACK's unmqr.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 m n k operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xORMQR, xUNMQR.

    Examples
    --------
    >>> qr, tau = bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
    >>> bb.ormqr(qr, tau, np.array([[[3.0], [4.0]]]), trans="C")[0].round(12).tolist()
    [[-5.0], [0.0]]
    """
    flags = {"side": side, "trans": trans}
    if unknown:
        refuse(ormqr, unknown)
    operands = {"A": a, "TAU": vector("tau", tau), "C": c}
    result: Batch = invoke(OPS["ormqr"], operands, flags=flags, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


def orgqr(
    a: Batch,
    tau: BatchLike,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """The first columns of Q, from the reflections that geqrf left in A; they overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The vectors of the reflections that :func:`geqrf` left, below the diagonal. m x n. Overwritten in place, unless
        ``overwrite`` is False or ``out`` is given.
    tau : batch of vectors
        The factors of the reflections that :func:`geqrf` left. Of length k. Read.
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

    Notes
    -----
    A may have more columns than there are reflections: with as many columns as rows it becomes all of Q. For complex
    dtypes this is LAPACK's ungqr.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 m n k operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xORGQR, xUNGQR.

    Examples
    --------
    >>> q = bb.orgqr(*bb.geqrf(np.array([[[3.0, 5.0], [4.0, 10.0]]])))
    >>> q[0].round(12).tolist()
    [[-0.6, -0.8], [-0.8, 0.6]]
    """
    if unknown:
        refuse(orgqr, unknown)
    operands = {"A": a, "TAU": vector("tau", tau)}
    result: Batch = invoke(OPS["orgqr"], operands, num_threads=num_threads, out=out, overwrite=overwrite)
    return result


def geqp3(
    a: Batch,
    jpvt: BatchLike | None = None,
    tau: BatchLike | None = None,
    *,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> tuple[Batch, Any, Any]:
    """Factor A P = Q R with pivoting of columns; R and the vectors of the reflections overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    jpvt : batch of int32 indices, optional
        The columns of A, in their new order. Of length n. Overwritten. None: a new batch is made.
    tau : batch of vectors, optional
        The factors of the reflections. Of length min(m, n). Overwritten. None: a new batch is made.
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
    jpvt : as given
        The operand, or the new one.
    tau : as given
        The operand, or the new one.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.

    Notes
    -----
    Column j of A P is column ``jpvt[j]`` of A. Each step takes the remaining column with the largest norm below the
    rows that are done; of equal ones the first, and NaN is never larger. So the diagonal of R descends in magnitude,
    and except for rare matrices the rank is the number of elements before it becomes negligible. Norms are updated from
    step to step, as in LAPACK, and computed anew where too few digits are left. No columns are fixed: ``jpvt`` is only
    written. R, the vectors of the reflections and ``tau`` are as in :func:`geqrf`.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. Indices are int32 and count from 1: an array (batch, n), or an Interleaved of one column.
    Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole number of
    elements, and lists of one shape whose arrays differ in strides are copied.

    4 n**3 / 3, where A is square, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGEQP3.

    Examples
    --------
    >>> qr, jpvt, tau = bb.geqp3(np.array([[[3.0, 5.0], [4.0, 10.0]]]))
    >>> jpvt.tolist(), abs(np.diagonal(qr[0])).round(6).tolist()
    ([[2, 1]], [11.18034, 0.894427])
    """
    if unknown:
        refuse(geqp3, unknown)
    operands = {"A": a, "JPVT": jpvt, "TAU": vector("tau", tau)}
    a, jpvt, new_tau = invoke(OPS["geqp3"], operands, num_threads=num_threads, out=out, overwrite=overwrite)
    return a, jpvt, vectors(new_tau, tau)


@overload
def gels(
    a: BatchLike,
    b: Batch,
    *,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gels(
    a: BatchLike,
    b: Batch,
    *,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def gels(
    a: BatchLike,
    b: BatchLike,
    *,
    trans: Literal["N", "T", "C", "R"] | list[str] = "N",
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Least squares: X of least norm among those of least norm(B - op(A) X), A of full rank; X overwrites B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is m x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    b : batch of matrices
        Right-hand sides, which X overwrites. max(m, n) x nrhs. Overwritten in place, unless ``overwrite`` is False or
        ``out`` is given.
    trans : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``b``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, or the new one, or ``out``.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that do not have full rank.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices do not have full rank, and ``check`` is "raise".

    Notes
    -----
    op(A) is m x n. B has max(m, n) rows: the right-hand sides are the first m of them, X is in the first n. If m > n,
    the sum of squares of the rows below X is that of B - op(A) X. If m < n, the rows from m on are not read. The
    factors that overwrite A are those of geqrf, or, if A has fewer rows than columns, of its transpose; tau is not
    returned. A matrix fails if an element on the diagonal of R is exactly zero: its right-hand sides keep their values.
    Rounding often leaves another number there; :func:`geqp3` determines ranks. All letters of ``trans`` are allowed for
    complex dtypes, too.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    2 n**2 (m - n / 3), where m >= n, and 4 m n - 2 n**2 for each right-hand side, operations per matrix; complex dtypes
    take four times as many.

    References
    ----------
    LAPACK xGELS.

    Examples
    --------
    >>> a, b = np.array([[[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]]), np.array([[[1.0], [3.0], [5.0]]])
    >>> bb.gels(a, b, overwrite=False)[0, :2].round(12).tolist()
    [[1.0], [2.0]]
    """
    flags = {"trans": trans}
    if unknown:
        refuse(gels, unknown)
    operands = {"A": a, "B": b}
    result: BatchLike | tuple[Any, ...] = invoke(
        OPS["gels"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return result


@overload
def gesvd(
    a: BatchLike,
    u: Batch | None = None,
    s: BatchLike | None = None,
    vt: BatchLike | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> tuple[Batch, Any, Any]: ...


@overload
def gesvd(
    a: BatchLike,
    u: Batch | None = None,
    s: BatchLike | None = None,
    vt: BatchLike | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Any, Any, Array]: ...


def gesvd(
    a: BatchLike,
    u: BatchLike | None = None,
    s: BatchLike | None = None,
    vt: BatchLike | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Singular values and vectors, A = U S VT, the thin form: min(m, n) of each.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Read.
    u : batch of matrices, optional
        The left singular vectors. m x min(m, n). Overwritten. None: a new batch is made.
    s : batch of vectors, optional
        The singular values: real, in descending order. Of length min(m, n). Overwritten. None: a new batch is made.
    vt : batch of matrices, optional
        The right ones, conjugated, as rows. min(m, n) x n. Overwritten. None: a new batch is made.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    u : as given
        The operand, or the new one.
    s : as given
        The operand, or the new one.
    vt : as given
        The operand, or the new one.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not finite, or have
        singular values that did not converge.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not finite, or have singular values that did not converge, and ``check`` is "raise".

    Notes
    -----
    Entries may be of any magnitude. A matrix with NaN or Inf has info 1, and its results are NaN. If the iteration does
    not converge, info is the number of pairs of columns that are left. Rows of VT are conjugated singular vectors, as
    NumPy returns them. Signs of vectors are not determined, but the same in every batch.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    14 max(m, n) k**2 + 8 k**3 with k = min(m, n), about, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xGESVD with JOBU = JOBVT = S.

    Examples
    --------
    >>> u, s, vt = bb.gesvd(np.array([[[3.0, 0.0], [4.0, 5.0]]]))
    >>> (s**2).round(12).tolist(), (u * s[:, None] @ vt).round(12).tolist()
    ([[45.0, 5.0]], [[[3.0, 0.0], [4.0, 5.0]]])
    """
    if unknown:
        refuse(gesvd, unknown)
    operands = {"A": a, "S": vector("s", s), "U": u, "VT": vt}
    u, new_s, vt, *info = invoke(OPS["gesvd"], operands, num_threads=num_threads, check=check, return_info=return_info)
    return u, vectors(new_s, s), vt, *info


@overload
def gesvdvals(
    a: BatchLike,
    s: Batch | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> Batch: ...


@overload
def gesvdvals(
    a: BatchLike,
    s: Batch | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Array]: ...


def gesvdvals(
    a: BatchLike,
    s: BatchLike | None = None,
    *,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Singular values S without vectors.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        m x n. Read.
    s : batch of vectors, optional
        The singular values: real, in descending order. Of length min(m, n). Overwritten. None: a new batch is made.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    s : as given
        The operand, or the new one.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not finite, or have
        singular values that did not converge.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not finite, or have singular values that did not converge, and ``check`` is "raise".

    Notes
    -----
    Entries may be of any magnitude. A matrix with NaN or Inf has info 1, and its results are NaN. If the iteration does
    not converge, info is the number of pairs of columns that are left.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. An operand that is only read may be a 2-D array: one matrix for the whole batch. If all
    operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its result has
    no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose strides are
    not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    4 max(m, n) k**2 - 4 k**3 / 3 with k = min(m, n), about, operations per matrix; complex dtypes take four times as
    many.

    References
    ----------
    LAPACK xGESVD with JOBU = JOBVT = N.

    Examples
    --------
    >>> (bb.gesvdvals(np.array([[[3.0, 0.0], [4.0, 5.0]]])) ** 2).round(12).tolist()
    [[45.0, 5.0]]
    """
    if unknown:
        refuse(gesvdvals, unknown)
    operands = {"A": a, "S": vector("s", s)}
    found = invoke(OPS["gesvdvals"], operands, num_threads=num_threads, check=check, return_info=return_info)
    result: BatchLike | tuple[Any, ...] = vectors(found, s)
    return result


@overload
def syev(
    a: Batch,
    w: BatchLike | None = None,
    *,
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> tuple[Batch, Any]: ...


@overload
def syev(
    a: Batch,
    w: BatchLike | None = None,
    *,
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Any, Array]: ...


def syev(
    a: BatchLike,
    w: BatchLike | None = None,
    *,
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Eigenvalues of symmetric or Hermitian A; with ``jobz`` "V" also eigenvectors, which overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    w : batch of vectors, optional
        The eigenvalues; real for complex dtypes, too. Of length n. Overwritten. None: a new batch is made.
    jobz : {"N", "V"}, or a list
        "N": eigenvalues only; "V": eigenvectors, too. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    w : as given
        The operand, or the new one.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not finite, or have
        eigenvalues that did not converge.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not finite, or have eigenvalues that did not converge, and ``check`` is "raise".

    Notes
    -----
    Eigenvalues are in ascending order. Column j of the result is an eigenvector of norm 1 of value j; its sign, or
    complex phase, is not determined. With ``jobz`` "N" A keeps its values. Of A only the triangle that ``uplo`` names
    is read, and the real part of the diagonal. For complex dtypes this is LAPACK's heev. A matrix with NaN or infinity
    has info 1, and its results are NaN. If iterations do not converge, info is the number of off-diagonal elements that
    are left.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides
    are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    9 n**3, without vectors 4 n**3 / 3, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xSYEV, xHEEV.

    Examples
    --------
    >>> v, w = bb.syev(np.array([[[2.0, 1.0], [1.0, 2.0]]]), jobz="V")
    >>> w.round(12).tolist(), abs(v[0]).round(6).tolist()
    ([[1.0, 3.0]], [[0.707107, 0.707107], [0.707107, 0.707107]])
    """
    flags = {"jobz": jobz, "uplo": uplo}
    if unknown:
        refuse(syev, unknown)
    operands = {"A": a, "W": vector("w", w)}
    a, new_w, *info = invoke(
        OPS["syev"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return a, vectors(new_w, w), *info


@overload
def sygv(
    a: Batch,
    b: BatchLike,
    w: BatchLike | None = None,
    *,
    itype: Literal["1", "2", "3"] | list[str] = "1",
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[False] = False,
    num_threads: int | None = None,
) -> tuple[Batch, Any]: ...


@overload
def sygv(
    a: Batch,
    b: BatchLike,
    w: BatchLike | None = None,
    *,
    itype: Literal["1", "2", "3"] | list[str] = "1",
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: Batch | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: Literal[True],
    num_threads: int | None = None,
) -> tuple[Batch, Any, Array]: ...


def sygv(
    a: BatchLike,
    b: BatchLike,
    w: BatchLike | None = None,
    *,
    itype: Literal["1", "2", "3"] | list[str] = "1",
    jobz: Literal["N", "V"] | list[str] = "N",
    uplo: Literal["L", "U"] | list[str] = "L",
    overwrite: bool = True,
    out: BatchLike | None = None,
    check: Literal["raise", "nan", "ignore"] | None = None,
    return_info: bool = False,
    num_threads: int | None = None,
    **unknown: Never,
) -> BatchLike | tuple[Any, ...]:
    """Generalized eigenvalues of A and positive definite B; with ``jobz`` "V" also eigenvectors, which overwrite A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        Symmetric or Hermitian. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given.
    b : batch of matrices
        Positive definite. n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given: the triangle
        that ``uplo`` names; the other is not used and keeps its values.
    w : batch of vectors, optional
        The eigenvalues; real for complex dtypes, too. Of length n. Overwritten. None: a new batch is made.
    itype : {"1", "2", "3"}, or a list
        What is solved: 1 A x = w B x, 2 A B x = w x, 3 B A x = w x. A list has one for each matrix.
    jobz : {"N", "V"}, or a list
        "N": eigenvalues only; "V": eigenvectors, too. A list has one for each matrix.
    uplo : {"L", "U"}, or a list
        The triangle that is used: the lower or the upper one. A list has one for each matrix.
    overwrite : bool
        False: operands keep their values, and a new result is returned, with the bits that a call on copies would give.
        Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before.
    out : like ``a``, optional
        The result is written here; operands keep their values.
    check : {"raise", "nan", "ignore"}, optional
        What happens to matrices that fail; all others are finished first. "raise": an error names the first failing
        matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them: of a
        factorization the columns before the failing one are done, right-hand sides keep their values. None means
        "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.
    return_info : bool
        True: info is returned, too, and no error is raised for failing matrices.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    a : as given
        The operand, or the new one, or ``out``.
    w : as given
        The operand, or the new one.
    info : int32 array (batch,)
        With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that are not finite, have a B that
        is not positive definite, or have eigenvalues that did not converge.

    Raises
    ------
    TypeError
        An argument is of the wrong kind or dtype; the message names it. Nothing is written.
    ValueError
        Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.
    numpy.linalg.LinAlgError
        Some matrices are not finite, have a B that is not positive definite, or have eigenvalues that did not converge,
        and ``check`` is "raise".

    Notes
    -----
    With ``itype`` 1 column x_j of the result and value w_j are such that A x = w B x, with 2 that A B x = w x, with 3
    that B A x = w x. The vectors X have X* B X = I, with 3 X* B^-1 X = I. Eigenvalues are in ascending order; signs of
    vectors are not determined. The Cholesky factor of B overwrites it as in :func:`potrf`. It reduces the problem to
    :func:`syev`, so values are as accurate as B is well-conditioned. With ``jobz`` "N" the triangle of A becomes that
    of the reduced problem. Only the triangles that ``uplo`` names are read, and real parts of diagonals. For complex
    dtypes this is LAPACK's hegv. Where B is not positive definite info is n + i, i that of :func:`potrf`; otherwise it
    is that of :func:`syev`.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an
    Interleaved of one column. Operands are used where they are. Only arrays that are not aligned, arrays whose strides
    are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    11 n**3, without vectors 8 n**3 / 3, operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xSYGV, xHEGV.

    Examples
    --------
    >>> a, b = np.array([[[2.0, 1.0], [1.0, 2.0]]]), np.array([[[4.0, 0.0], [0.0, 1.0]]])
    >>> bb.sygv(a, b)[1].round(6).tolist()
    [[0.348612, 2.151388]]
    """
    flags = {"itype": itype, "jobz": jobz, "uplo": uplo}
    if unknown:
        refuse(sygv, unknown)
    operands = {"A": a, "B": b, "W": vector("w", w)}
    a, new_w, *info = invoke(
        OPS["sygv"],
        operands,
        flags=flags,
        num_threads=num_threads,
        out=out,
        overwrite=overwrite,
        check=check,
        return_info=return_info,
    )
    return a, vectors(new_w, w), *info


def geadd(
    a: BatchLike,
    b: Batch,
    *,
    alpha: Number = 1.0,
    beta: Number,
    transa: Literal["N", "T", "C", "R"] | list[str] = "N",
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """B := alpha op(A) + beta B.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        op(A) is m x n. Read; nothing of it if ``alpha`` is 0.
    b : batch of matrices
        m x n. Overwritten in place. Not read if ``beta`` is 0.
    alpha : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    beta : number, or a list
        NaN is refused. A list or 1-D array has one for each matrix.
    transa : {"N", "T", "C", "R"}, or a list
        op(A): "N" A itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate. A list has one for each
        matrix.
    num_threads : int, optional
        None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number.

    Returns
    -------
    b : as given
        The operand, overwritten.

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

    3 m n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    PBLAS PxGEADD.

    Examples
    --------
    >>> bb.geadd(np.ones((1, 1, 2)), np.full((1, 1, 2), 4.0), alpha=2.0, beta=0.5).tolist()
    [[[4.0, 4.0]]]
    """
    flags = {"transa": transa}
    scalars = {"alpha": alpha, "beta": beta}
    if unknown:
        refuse(geadd, unknown)
    operands = {"A": a, "B": b}
    result: Batch = invoke(OPS["geadd"], operands, flags=flags, scalars=scalars, num_threads=num_threads)
    return result


def lascl(
    a: Batch,
    *,
    alpha: Number,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """A := alpha A.

    For every matrix of a batch.

    Parameters
    ----------
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
    alpha = 0 writes zeros, over NaN too. :func:`scal` does the same with vectors.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    m n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    LAPACK xLASCL, with a factor in place of a quotient.

    Examples
    --------
    >>> bb.lascl(np.array([[[1.0, 2.0]]]), alpha=3.0).tolist()
    [[[3.0, 6.0]]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(lascl, unknown)
    operands = {"A": a}
    result: Batch = invoke(
        OPS["lascl"], operands, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite
    )
    return result


def adddiag(
    a: Batch,
    *,
    alpha: Number,
    overwrite: bool = True,
    out: Batch | None = None,
    num_threads: int | None = None,
    **unknown: Never,
) -> Batch:
    """A := alpha I + A.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        n x n. Overwritten in place, unless ``overwrite`` is False or ``out`` is given: the diagonal; the rest is not
        used and keeps its values.
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
    flags have one for each group then. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    n operations per matrix; complex dtypes take four times as many.

    References
    ----------
    BLIS shiftd.

    Examples
    --------
    >>> bb.adddiag(np.array([[[1.0, 2.0], [3.0, 4.0]]]), alpha=0.5)[0].tolist()
    [[1.5, 2.0], [3.0, 4.5]]
    """
    scalars = {"alpha": alpha}
    if unknown:
        refuse(adddiag, unknown)
    operands = {"A": a}
    result: Batch = invoke(
        OPS["adddiag"], operands, scalars=scalars, num_threads=num_threads, out=out, overwrite=overwrite
    )
    return result


def logdet(a: BatchLike, *, num_threads: int | None = None, **unknown: Never) -> Array:
    """log(det(A)) with the factor that potrf left in A: twice the sum of the logarithms of its diagonal.

    For every matrix of a batch.

    Parameters
    ----------
    a : batch of matrices
        The factor that :func:`potrf` left. n x n. Only the diagonal is read.
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
    Signs and imaginary parts of the diagonal do not count, so half of it is log(abs(det(A))) with the real factors that
    :func:`getrf` left. A zero gives -Inf, Inf gives Inf, both give NaN. The diagonal is multiplied to twice the
    precision, exponents apart, and one logarithm taken: the error is below 1 ulp, or (n eps)**2 where that is more.

    All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,
    rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in shape;
    or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches for each
    operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists of scalars and
    flags have one for each group then. An operand that is only read may be a 2-D array: one matrix for the whole batch.
    If all operands are single matrices or vectors, without an axis for the batch, the call is one problem, and its
    result has no such axis either. Operands are used where they are. Only arrays that are not aligned, arrays whose
    strides are not a whole number of elements, and lists of one shape whose arrays differ in strides are copied.

    20 n + 30 operations per matrix; complex dtypes take four times as many.

    References
    ----------
    NumPy linalg.slogdet.

    Examples
    --------
    >>> bb.logdet(bb.potrf(np.array([[[4.0, 0.0], [2.0, 5.0]]]))).tolist()  # log(16)
    [2.772588722239781]
    """
    if unknown:
        refuse(logdet, unknown)
    operands = {"A": a}
    result: Array = reduce(OPS["logdet"], operands, num_threads=num_threads, real=True)
    return result
