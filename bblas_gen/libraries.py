"""Kernels ahead of need: C libraries, as ``bblas-gen build`` makes them, and what is compiled and loaded here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import SpecError
from .ir.kernel_set import specs_in
from .ir.spec import KernelSpec, operation, precision
from .ir.targets import TARGETS
from .runtime.gpu import warm
from .runtime.kernels import prepare
from .runtime.library import generator
from .sequences import OperationSequence
from .toolchain import machine


def build(
    specs: str | os.PathLike[str] | Iterable[KernelSpec | str],
    path: str | os.PathLike[str],
    *,
    ops: Iterable[str | OperationSequence] = (),
    dtypes: str | Iterable[Any] = "d",
    sizes: Iterable[int] = (),
    layouts: Sequence[str] = ("pp", "st"),
    api: Sequence[str] = (),
    isa: Sequence[str] = (),
    name: str = "bblas",
    prefix: str = "",
    openmp: bool | None = None,
    jobs: int | None = None,
) -> list[Path]:
    """Build a C library: functions that do every shape, with kernels of their own for the shapes that are named.

    The library needs no Python and no compiler where it is used. C programs find it by CMake or pkg-config; Python
    takes kernels from it where ``BBLAS_GEN_LIBRARY`` names the folder. What was compiled before is not compiled again.

    Parameters
    ----------
    specs : path or list of KernelSpec or str
        Kernels for known sizes, with their names, or a file of kernels that :func:`bblas_gen.record` wrote. Their
        operations have functions. A kernel that no function runs is found by its name, ``NAME_kernel("bb_...")``.
    path : path
        The folder: ``include``, ``lib``, ``share`` and, for the next time, ``build``.
    ops : list of str or OperationSequence
        More operations that have functions.
    dtypes : str or list of dtype
        The precisions of ``ops``, such as "sd".
    sizes : list of int
        For which ``ops`` have kernels, all their sizes being equal but ``nrhs``, which is 1, with all flags in each
        layout.
    layouts : list of {"pp", "st", "bi"}
        What functions take.
    api : list of {"own", "standard", "vendor", "compact", "mkl_compact"}
        Interfaces; always our own. "standard" and "vendor" take arrays of pointers, so ``layouts`` must have "pp";
        "compact" and "mkl_compact" take interleaved matrices, and need "bi".
    isa : list of str
        Instruction sets, of "x86-64", "x86-64-v2", "x86-64-v3" and "x86-64-v4", or "native" alone. Where it is empty,
        those for all processors. The best that a processor has is chosen when the library is loaded.
    name : str
        The library is ``libNAME``, its header ``NAME.h``.
    prefix : str
        Begins all names in C, by default ``NAME_``.
    openmp : bool, optional
        Whether functions use threads; where the compiler can, if it is left out.
    jobs : int, optional
        Compilers at a time, by default one on each core.

    Returns
    -------
    files : list of Path
        What was installed: the shared library first.

    Raises
    ------
    SpecError
        For what is no kernel, operation, layout, instruction set or name in C, and where there is nothing to build.
    CompileError, NoCompilerError
        Where the compiler fails, or there is none.
    OSError
        Where the folder cannot be written. What was compiled stays for the next time.

    Notes
    -----
    A kernel takes a tenth of a second to some seconds, for each instruction set.

    Examples
    --------
    >>> import tempfile
    >>> files = bb.build(["bb_dscal_st_n4_ld"], tempfile.mkdtemp(), layouts=["st"], isa=["native"], name="small")
    >>> files[0].name
    'libsmall.so.1'
    """
    from .library import build as builder  # here: importing bblas_gen must stay fast
    from .library.wanted import plan_of

    rows = [x.row if isinstance(x, OperationSequence) else operation(x) for x in ops]
    precisions = [precision(x) for x in (dtypes.replace(",", "") if isinstance(dtypes, str) else dtypes)]
    plan = plan_of(
        _specs(specs), rows, precisions, sizes, layouts, isa, name=name, prefix=prefix, openmp=openmp, api=api
    )
    built = builder.build(plan, Path(path), digest=generator("library"), jobs=jobs or machine.cores(), done=_quietly)
    return list(built.files)


def warmup(
    specs: str | os.PathLike[str] | Iterable[KernelSpec | str],
    *,
    target: str = "cpu",
    device: int = 0,
    jobs: int | None = None,
) -> list[KernelSpec]:
    """Compile and load kernels before they are called, many of them by one call of a compiler.

    Parameters
    ----------
    specs : path or list of KernelSpec or str
        Kernels, with their names, or a file of kernels that :func:`bblas_gen.record` wrote.
    target : {"cpu", "cuda"}
        For which they are compiled, whatever the specs say: for the processor, or for a GPU. Of a GPU's kernels all
        kinds of alpha and beta are compiled, and loaded, so that a stream that captures a graph may call them.
    device : int
        Which GPU.
    jobs : int, optional
        Compilers at a time, by default one on each core.

    Returns
    -------
    specs : list of KernelSpec
        Those of the kernels that are ready now.

    Raises
    ------
    SpecError
        For what is no kernel, or no target.
    CompileError, NoCompilerError
        Where the compiler fails, or there is none.
    CudaUnavailable
        Where there is no GPU, and BBLAS_GEN_CUDA_ARCH does not say what to compile for either. Where it does, kernels
        are compiled into the cache alone.

    Notes
    -----
    Other processes find what is compiled in the cache: of GPUs each kernel, of processors those that are warmed up
    together in the same way.

    Examples
    --------
    >>> [spec.op for spec in bb.warmup(["bb_dgemm_nn_st_m2n2k2", "bb_dpotrf_l_bi_n3"])]
    ['gemm', 'potrf']
    """
    if target not in TARGETS:
        raise SpecError(f"target = {target!r}: expected one of {', '.join(map(repr, TARGETS))}")
    wanted = [replace(spec, target=target) for spec in _specs(specs)]
    if TARGETS[target].loads:
        prepare(wanted, jobs=jobs)
    else:
        warm(wanted, device, jobs)
    return wanted


def _specs(given: str | os.PathLike[str] | Iterable[KernelSpec | str]) -> list[KernelSpec]:
    if isinstance(given, (str, os.PathLike)):
        return specs_in(Path(given).read_text(encoding="utf-8"))
    return [KernelSpec.parse(x) if isinstance(x, str) else x for x in given]


def _quietly(_done: int, _of: int) -> None:
    """Nobody is told how far it is."""
