"""bblas_gen: batched linear algebra on thousands of small matrices, by kernels generated for their exact size.

``gemm`` on NumPy batches compiles a kernel for the shape on first use and runs it on all cores; ``interleave`` gives
the layout in which it is fastest; ``plan`` validates once and calls often; ``compile`` builds ahead of need.
"""

from .arrays.pointers import Pointers, indexed, pointers
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
    CompileError,
    JitDisabledError,
    NoCompilerError,
    SpecError,
    TuneWarning,
)
from .interleave import deinterleave, interleave
from .ir.sequence import step
from .ir.spec import KernelSpec
from .lapack import gesv, getrf, getri, getrs, lauum, posv, potrf, potri, potrs, trtri
from .plans import Plan, compile, plan
from .runtime.interleaved import Interleaved
from .runtime.kernels import Kernel
from .sequences import OperationSequence, sequence
from .version import __version__

__all__ = [
    "BblasError",
    "CacheError",
    "CacheWarning",
    "CompileError",
    "Interleaved",
    "JitDisabledError",
    "Kernel",
    "KernelSpec",
    "NoCompilerError",
    "OperationSequence",
    "Plan",
    "Pointers",
    "SpecError",
    "TuneWarning",
    "__version__",
    "axpy",
    "compile",
    "deinterleave",
    "dot",
    "dotc",
    "gemm",
    "gemv",
    "ger",
    "gerc",
    "gesv",
    "getrf",
    "getri",
    "getrs",
    "hemm",
    "her2k",
    "herk",
    "indexed",
    "interleave",
    "lauum",
    "nrm2",
    "plan",
    "pointers",
    "posv",
    "potrf",
    "potri",
    "potrs",
    "scal",
    "sequence",
    "step",
    "symm",
    "syr2k",
    "syrk",
    "trmm",
    "trsm",
    "trsv",
    "trtri",
]
