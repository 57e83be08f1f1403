"""Source for other programs: what `bblas-gen emit` writes, from Python."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .arguments import check_flag
from .codegen.names import PARCEL
from .errors import NoCompilerError, SpecError
from .ir.spec import KernelSpec
from .ir.targets import ISAS, Isa
from .runtime.kernels import Kernel
from .sequences import OperationSequence

DEFAULT_ISA = Isa.of(32)
"""What emitted code is for where no compiler is here to say what this machine has."""

Wanted = str | KernelSpec | Kernel | OperationSequence


def emit(
    specs: Wanted | Iterable[Wanted],
    path: str | os.PathLike[str],
    *,
    name: str = PARCEL,
    simd_bytes: int | None = None,
    large: bool = False,
    force: bool = False,
) -> list[Path]:
    """Write kernels as C that needs no Python and nothing of ours, with all that it takes to build and test them.

    The folder gets ``src`` (a file for each kernel), ``include`` (a header), all of it in one file that can be compiled
    or included, tests that compare each kernel with plain loops, examples in C and C++, files for CMake and make, a
    licence (0BSD), a README and ``metadata.json``. Of kernels for GPUs sources are CUDA, built with nvcc; the tests and
    examples, in C, need a GPU to run.

    Parameters
    ----------
    specs : str, KernelSpec, Kernel or OperationSequence, or several
        Names as in ``"bb_dgemm_nn_bi_m8n8k8"``; a sequence stands for its kernel for all sizes, in double precision and
        layout ``st``. Others are made by ``KernelSpec.make(sequence.row, "d", "bi", m=4, n=1)``.
    path : str or path
        The folder. It is made where there is none.
    name : str
        Of the header, the library and the CMake package.
    simd_bytes : {16, 32, 64}, optional
        Bytes in a vector; by default those of this machine. It is the only thing by which files of two machines differ.
    large : bool
        Kernels for any size of matrices by themselves are for large ones: they divide their problem, pack blocks, or
        read long vectors once. The products that they call have files of their own.
    force : bool
        Overwrite files that differ.

    Returns
    -------
    paths : list of Path
        Of the files.

    Raises
    ------
    SpecError
        Where ``specs`` has none, what is no kernel, or kernels of several targets; for a name that C does not take.
    FileExistsError
        For a file that exists and differs, without ``force``. Nothing is written then.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> paths = bb.emit(["bb_dgemm_nn_bi_m8n8k8", "bb_dposv_l_st_n8nrhs1"], folder, simd_bytes=32)
    >>> [path.name for path in paths[:3]]
    ['bb_dgemm_nn_bi_m8n8k8.c', 'bb_dposv_l_st_n8nrhs1.c', 'bblas_kernels.h']
    """
    from .codegen import emit as files  # here: importing bblas_gen must stay fast
    from .codegen.parcel import Parcel

    large, force = check_flag("large", large), check_flag("force", force)
    several = [specs] if isinstance(specs, Wanted) else specs
    if not isinstance(several, Iterable):
        raise SpecError(f"specs = {specs!r}: {_EXPECTED}")
    if simd_bytes is not None and simd_bytes not in [isa.simd_bytes for isa in ISAS]:
        raise SpecError(f"simd_bytes = {simd_bytes!r}: expected one of {', '.join(str(x.simd_bytes) for x in ISAS)}")
    found = tuple(dict.fromkeys(map(_spec, several)))
    isa = Isa.of(simd_bytes) if simd_bytes else isa_here()
    return files.emit(Parcel(found, isa, name, large), Path(path), force=force)


_EXPECTED = "expected names of kernels, KernelSpec, Kernel or OperationSequence"


def _spec(one: Wanted) -> KernelSpec:
    if isinstance(one, OperationSequence):
        named: dict[str, Any] = dict.fromkeys(one.row.sizes)
        return KernelSpec.make(one.row, "d", "st", **named)
    if isinstance(one, Kernel):
        return one.spec
    if not isinstance(one, (str, KernelSpec)):
        raise SpecError(f"specs has {one!r}: {_EXPECTED}")
    return KernelSpec.parse(one) if isinstance(one, str) else one


def isa_here() -> Isa:
    """The instruction set of this machine, or the default one."""
    from .runtime.library import host_isa  # here: importing bblas_gen must stay fast

    try:
        return host_isa()
    except NoCompilerError:
        return DEFAULT_ISA
