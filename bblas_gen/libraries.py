"""Kernels ahead of need: C libraries, as ``bblas-gen build`` makes them, and what is compiled and loaded here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from .arguments import check_device, check_flag, check_number
from .errors import SpecError
from .ir.operation import Operation
from .ir.spec import KernelSpec, operation, precision
from .ir.targets import TARGETS
from .ir.terms import Precision
from .runtime.kernels import prepare
from .sequences import OperationSequence
from .toolchain import machine


def build(
    specs: str | os.PathLike[str] | Iterable[KernelSpec | str],
    path: str | os.PathLike[str],
    *,
    ops: Iterable[str | OperationSequence] = (),
    dtypes: str | Iterable[Any] = "d",
    sizes: Iterable[int] = (),
    layouts: Sequence[str] = (),
    api: Sequence[str] = (),
    target: str = "cpu",
    arch: Sequence[str] = (),
    isa: Sequence[str] = (),
    name: str = "bblas",
    prefix: str = "",
    openmp: bool | None = None,
    jobs: int | None = None,
) -> list[Path]:
    """Build a C library: functions that do every shape, with kernels of their own for the shapes that are named; or a
    library of kernels for GPUs, in which Python finds them without a compiler.

    The C library needs no Python and no compiler where it is used. C programs find it by CMake or pkg-config; Python
    takes kernels from it where ``BBLAS_GEN_LIBRARY`` names the folder; from one for GPUs where
    ``BBLAS_GEN_CUDA_LIBRARY`` does. What was compiled before is not compiled again.

    Parameters
    ----------
    specs : path or list of KernelSpec or str
        Kernels for known sizes, with their names, or a file of kernels that :func:`bblas_gen.record` wrote. Their
        operations have functions. A kernel that no function runs is found by its name, ``NAME_kernel("bb_...")``.
    path : path
        The folder: ``include``, ``lib``, ``share`` and, for the next time, ``build``. For GPUs: ``cubins.json`` and
        cubins.
    ops : list of str or OperationSequence
        More operations that have functions.
    dtypes : str or list of dtype
        The precisions of ``ops``, such as "sd".
    sizes : list of int
        For which ``ops`` have kernels, all their sizes being equal but ``nrhs``, which is 1, with all flags in each
        layout.
    layouts : list of {"pp", "st", "bi"}, optional
        What functions take, by default "pp" and "st". For GPUs those of the kernels of ``ops``, "il" too, by default
        "st" and "bi".
    api : list of {"own", "standard", "vendor", "compact", "mkl_compact"}
        Interfaces; always our own. "standard" and "vendor" take arrays of pointers, so ``layouts`` must have "pp";
        "compact" and "mkl_compact" take interleaved matrices, and need "bi".
    target : {"cpu", "cuda"}
        For GPUs there are no functions in C, so ``sizes`` are wanted, and ``api``, ``isa``, ``name``, ``prefix`` and
        ``openmp`` are of no use.
    arch : list of str
        The architectures of GPUs, such as ["sm_80", "sm_90"]. Each is for later GPUs of its generation, too. By default
        that of ``BBLAS_GEN_CUDA_ARCH``.
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
        What was installed: the shared library first, or the index of cubins.

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
    A kernel takes a tenth of a second to some seconds, for each instruction set. Of ``specs`` those that GPUs have no
    kernels for, as only run time knows their sizes, are left out with a KernelWarning.

    Examples
    --------
    >>> import tempfile
    >>> files = bb.build(["bb_dscal_st_n4_ld"], tempfile.mkdtemp(), layouts=["st"], isa=["native"], name="small")
    >>> files[0].name
    'libsmall.so.1'
    """
    from .library import build as builder  # here: importing bblas_gen must stay fast
    from .library.wanted import plan_of
    from .runtime.library import generator

    check_target(target, {"arch": arch}, {"api": api, "isa": isa, "prefix": prefix, "openmp": openmp})
    several = {"ops": ops, "dtypes": dtypes, "sizes": sizes, "layouts": layouts, "api": api, "arch": arch, "isa": isa}
    for which, value in several.items():
        _check_several(which, value)
    team, threads = _team(jobs), None if openmp is None else check_flag("openmp", openmp)
    rows = [x.row if isinstance(x, OperationSequence) else operation(x) for x in ops]
    precisions = [precision(x) for x in (dtypes.replace(",", "") if isinstance(dtypes, str) else dtypes)]
    if not TARGETS[target].loads:
        wanted = cuda_architectures(arch, "arch")
        return build_cubins(_specs(specs), rows, precisions, [*sizes], layouts, wanted, Path(path), team, _quietly)
    plan = plan_of(
        _specs(specs),
        rows,
        precisions,
        sizes,
        layouts or ("pp", "st"),
        isa,
        name=name,
        prefix=prefix,
        openmp=threads,
        api=api,
    )
    built = builder.build(plan, Path(path), digest=generator("library"), jobs=team, done=_quietly)
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
        Compile for the processor, or for a GPU, whatever the specs say. Of a GPU's kernels those for all kinds of alpha
        and beta are compiled and loaded, so that a stream that captures a graph may call them.
    device : int
        Which GPU.
    jobs : int, optional
        Compilers at a time, by default one on each core.

    Returns
    -------
    specs : list of KernelSpec
        Those of the kernels that are ready now. What GPUs have no kernels for is left out, with a KernelWarning.

    Raises
    ------
    SpecError
        For what is no kernel, or no target.
    ValueError
        For a GPU that is not there.
    CompileError, NoCompilerError
        Where the compiler fails, or there is none.
    CudaUnavailable
        Where there is no GPU, and BBLAS_GEN_CUDA_ARCH does not say what to compile for either. Where it does, kernels
        are compiled into the cache alone.

    Notes
    -----
    Other processes find the compiled kernels in the cache: each kernel of a GPU; those of a processor if they warm up
    the same kernels together.

    Examples
    --------
    >>> [spec.op for spec in bb.warmup(["bb_dgemm_nn_st_m2n2k2", "bb_dpotrf_l_bi_n3"])]
    ['gemm', 'potrf']
    """
    check_target(target, {}, {})
    team, number = None if jobs is None else _team(jobs), check_device(device)
    if TARGETS[target].loads:
        wanted = [replace(spec, target=target) for spec in _specs(specs)]
        prepare(wanted, jobs=team)
    else:
        from .library.cubins import of_gpus  # here: importing bblas_gen must stay fast
        from .runtime.gpu import warm

        wanted = of_gpus(_specs(specs), stacklevel=3)
        warm(wanted, number, team)
    return wanted


def check_target(target: str, gpus: Mapping[str, object], cpus: Mapping[str, object]) -> None:
    """SpecError where a target is none, or what is given is of the other one."""
    if not isinstance(target, str) or target not in TARGETS:
        raise SpecError(f"target = {target!r}: expected one of {', '.join(map(repr, TARGETS))}")
    for name, value in (gpus if TARGETS[target].loads else cpus).items():
        if value:
            raise SpecError(f"{name} = {value!r}: expected none for target {target!r}")


def cuda_architectures(names: Sequence[str], argument: str) -> list[str]:
    """Those of GPUs that an ``argument`` has, else the one that is set. ValueError where that is none."""
    from .toolchain.cuda import architecture, named  # here: importing bblas_gen must stay fast

    return [named(one, argument) for one in names] or [architecture(argument=argument)]


def build_cubins(
    specs: Iterable[KernelSpec],
    rows: Iterable[Operation],
    precisions: Sequence[Precision],
    sizes: Sequence[int],
    layouts: Sequence[str],
    architectures: Sequence[str],
    path: Path,
    jobs: int,
    done: Callable[[int, int], None],
) -> list[Path]:
    """Build a library of cubins, see :func:`build`; ``done`` is told how many are compiled, of how many."""
    from .library import cubins  # here: importing bblas_gen must stay fast
    from .runtime.cubins import compile_for, functions_of
    from .runtime.device_texts import device_texts
    from .runtime.library import generator
    from .toolchain.cuda import find_cuda_compiler

    wanted = cubins.wanted(specs, rows, precisions, sizes, layouts or ("st", "bi"))
    texts, units = device_texts(dict.fromkeys(spec.p for spec in wanted)), list[cubins.Unit]()
    for arch in architectures:
        units += cubins.units(arch, [one for spec in wanted for one in functions_of(spec, arch)], compile_for)
        units += [cubins.Unit(arch, x.functions, partial(x.compiled, arch, library=False)) for x in texts]
    return cubins.build(
        units,
        path,
        compiler=find_cuda_compiler().version,
        digest=generator(),
        jobs=jobs,
        done=done,
    )


def _specs(given: str | os.PathLike[str] | Iterable[KernelSpec | str]) -> list[KernelSpec]:
    if isinstance(given, (str, os.PathLike)):
        from .ir.kernel_set import specs_in  # here: importing bblas_gen must stay fast

        return specs_in(Path(given).read_text(encoding="utf-8"))
    if not isinstance(given, Iterable):
        raise SpecError(f"specs = {given!r}: expected a path, or names of kernels or KernelSpec")
    return [_spec(x) for x in given]


def _spec(one: Any) -> KernelSpec:
    return one if isinstance(one, KernelSpec) else KernelSpec.parse(one)


def _team(jobs: Any) -> int:
    """Compilers at a time."""
    return machine.cores() if jobs is None else check_number("jobs", jobs, 1, "None or an int of 1 or more")


def _check_several(name: str, value: Any) -> None:
    if not isinstance(value, Iterable):
        raise SpecError(f"{name} = {value!r}: expected a list")


def _quietly(_done: int, _of: int) -> None:
    """Nobody is told how far it is."""
