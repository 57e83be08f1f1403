"""bblas_gen: batched linear algebra on thousands of small matrices, by kernels generated for their exact size.

``gemm`` on NumPy batches compiles a kernel for the shape on first use and runs it on all cores; ``interleave`` gives
the layout in which it is fastest; ``plan`` validates once and calls often; ``compile`` builds ahead of need.
"""

from types import FunctionType

from .arrays.pointers import Pointers, indexed, pointers
from .arrays.ragged import Ragged, ragged
from .asynchronous import (
    Started,
    gemm_async,
    hemm_async,
    herk_async,
    lauum_async,
    posv_async,
    potrf_async,
    potri_async,
    potrs_async,
    start,
    symm_async,
    syrk_async,
    trmm_async,
    trsm_async,
    trtri_async,
)
from .blas import (
    axpy,
    dot,
    dotc,
    gemm,
    gemv,
    ger,
    gerc,
    hemm,
    her2k,
    herk,
    nrm2,
    scal,
    symm,
    syr2k,
    syrk,
    trmm,
    trsm,
    trsv,
)
from .errors import (
    BblasError,
    CacheError,
    CacheWarning,
    CaptureError,
    CompileError,
    CudaUnavailable,
    JitDisabledError,
    KernelWarning,
    LibraryError,
    NoCompilerError,
    SpecError,
    TuneWarning,
)
from .interleave import deinterleave, interleave
from .ir.sequence import step
from .ir.spec import KernelSpec
from .lapack import (
    adddiag,
    geadd,
    gels,
    geqp3,
    geqrf,
    gesv,
    gesvd,
    gesvdvals,
    gesvnp,
    getrf,
    getrfnp,
    getri,
    getrinp,
    getrs,
    getrsnp,
    lascl,
    lauum,
    logdet,
    orgqr,
    ormqr,
    posv,
    potrf,
    potri,
    potrs,
    syev,
    sygv,
    trtri,
)
from .libraries import build, warmup
from .parcels import emit
from .plans import Plan, compile, plan, stream
from .runtime.interleaved import Interleaved
from .runtime.kernels import Kernel
from .runtime.record import record
from .sequences import OperationSequence, sequence
from .version import __version__

__all__ = [
    "BblasError",
    "CacheError",
    "CacheWarning",
    "CaptureError",
    "CompileError",
    "CudaUnavailable",
    "Interleaved",
    "JitDisabledError",
    "Kernel",
    "KernelSpec",
    "KernelWarning",
    "LibraryError",
    "NoCompilerError",
    "OperationSequence",
    "Plan",
    "Pointers",
    "Ragged",
    "SpecError",
    "Started",
    "TuneWarning",
    "__version__",
    "adddiag",
    "axpy",
    "build",
    "compile",
    "deinterleave",
    "dot",
    "dotc",
    "emit",
    "geadd",
    "gels",
    "gemm",
    "gemm_async",
    "gemv",
    "geqp3",
    "geqrf",
    "ger",
    "gerc",
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
    "hemm",
    "hemm_async",
    "her2k",
    "herk",
    "herk_async",
    "indexed",
    "interleave",
    "lascl",
    "lauum",
    "lauum_async",
    "logdet",
    "nrm2",
    "orgqr",
    "ormqr",
    "plan",
    "pointers",
    "posv",
    "posv_async",
    "potrf",
    "potrf_async",
    "potri",
    "potri_async",
    "potrs",
    "potrs_async",
    "ragged",
    "record",
    "scal",
    "sequence",
    "start",
    "step",
    "stream",
    "syev",
    "sygv",
    "symm",
    "symm_async",
    "syr2k",
    "syrk",
    "syrk_async",
    "trmm",
    "trmm_async",
    "trsm",
    "trsm_async",
    "trsv",
    "trtri",
    "trtri_async",
    "warmup",
]


class _Unquoted(str):
    """The text of an annotation, which `help` would show in quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _show_types(thing: object) -> None:
    """Take the quotes off the types that `help` shows of a function, or of those of a class."""
    if isinstance(thing, FunctionType):
        thing.__annotations__ = {name: _Unquoted(text) for name, text in thing.__annotations__.items()}
    elif isinstance(thing, type):
        for member in vars(thing).values():
            _show_types(getattr(member, "__func__", member))


for _name in __all__:
    _show_types(globals()[_name])


def __dir__() -> list[str]:
    return __all__
