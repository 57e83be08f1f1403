"""The peers: other ways to do the same. Each is used where it is installed, else a line says how to get it.

A peer is a Python function here, or a C shim ``templates/bench/peer/OP.PEER.c`` that is compiled and loaded like a
kernel; either is found by the names of operation and peer alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from ..build import Library, load_c
from ..call import address
from ..errors import CompileError
from ..interleaved import aligned
from ..ops import OPS
from ..render import has_template, render_file, template_folder
from ..terms import PRECISIONS
from .problem import Problem

Arrays = Mapping[str, Any]
Run = Callable[[], Any]

_SHIM = "(void *, void *, void *, char *, int64_t, int)"
_OPTIONAL = ("bb_prepare", "bb_finish")


class Missing(Exception):
    """A peer that is not here, or does not do this problem; the text says why."""


def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Ready:
    """``run`` does the problem; ``finish`` brings the result into the arrays where it is elsewhere; ``work`` is memory
    that it uses beside them."""

    run: Run
    finish: Run = _nothing
    work: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Peer:
    """``make`` gives what runs the problem on strided arrays. ``get`` tells how to install the peer."""

    name: str
    title: str
    get: str
    make: Callable[[Peer, Problem, Arrays], Ready]
    precisions: str = "sdcz"
    language: tuple[str, ...] = ()
    libraries: Callable[[], tuple[str, ...]] = tuple

    def prepare(self, problem: Problem, arrays: Arrays) -> Ready:
        """Raises Missing where the peer cannot do ``problem``."""
        if problem.precision not in self.precisions:
            raise Missing(f"{self.title} does not do precision {problem.precision}")
        return self.make(self, problem, arrays)


def _python(peer: Peer, problem: Problem, arrays: Arrays) -> Ready:
    maker = _PYTHON.get((problem.op, peer.name))
    if maker is None:
        raise Missing(f"{peer.title} does not do {problem.op}")
    try:
        module = importlib.import_module(peer.name)
    except ImportError as error:
        raise Missing(f"{peer.title} is not installed: {peer.get}") from error
    return Ready(maker(module, problem, arrays))


def _numpy_gemm(numpy: Any, problem: Problem, x: Arrays) -> Run:
    """matmul has no beta: where there is one it does less than the others, and is shown as it is."""
    return partial(numpy.matmul, x["A"], x["B"], out=x["C"])


def _scipy_gemm(scipy: Any, problem: Problem, x: Arrays) -> Run:
    """A Python loop over the BLAS, on transposed views, which are column-major: nothing is copied."""
    blas = importlib.import_module("scipy.linalg.blas")
    call = partial(getattr(blas, f"{problem.precision}gemm"), 1.0, beta=problem.beta, overwrite_c=1)
    matrices = [(b.T, a.T, c.T) for a, b, c in zip(x["A"], x["B"], x["C"], strict=True)]

    def run() -> None:
        for b, a, c in matrices:
            call(b, a, c=c)

    return run


def _torch_gemm(torch: Any, problem: Problem, x: Arrays) -> Run:
    torch.set_num_threads(problem.threads)
    a, b, c = (torch.from_numpy(x[name]) for name in "ABC")
    if problem.beta:
        return partial(torch.baddbmm, c, a, b, out=c)
    return partial(torch.bmm, a, b, out=c)


_PYTHON: dict[tuple[str, str], Callable[[Any, Problem, Arrays], Run]] = {
    ("gemm", "numpy"): _numpy_gemm,
    ("gemm", "scipy"): _scipy_gemm,
    ("gemm", "torch"): _torch_gemm,
}


def _shim(peer: Peer, problem: Problem, arrays: Arrays) -> Ready:
    library = _load(peer, problem.op, problem.precision, problem.sizes, problem.beta)
    size = library.handle.bb_work(problem.batch) if _has(library, "bb_work") else 0
    work = aligned((max(1, size),), np.dtype("u1"))
    operands = [address(x) for x in (arrays["B"], arrays["A"], arrays["C"], work)]  # row-major: C' = B' A'
    arguments = (*operands, problem.batch, problem.threads)

    def call(name: str) -> Run:
        if name in _OPTIONAL and not _has(library, name):
            return _nothing
        function = getattr(library.handle, name)

        def run(_keep: Any = (arrays, work)) -> None:
            if function(*arguments):
                raise Missing(f"{peer.title} cannot do this problem")

        return run

    call("bb_prepare")()
    return Ready(call("bb_peer"), call("bb_finish"), (work,))


def _has(library: Library, name: str) -> bool:
    return hasattr(library.handle, name)


@cache
def _load(peer: Peer, op: str, precision: str, sizes: tuple[int, ...], beta: int) -> Library:
    template = f"bench/peer/{op}.{peer.name}.c"
    if not has_template(template):
        raise Missing(f"{peer.title} does not do {op}")
    if peer.name in _absent:
        raise Missing(_absent[peer.name])
    p = PRECISIONS[precision]
    n, m, k = (sizes[OPS[op].sizes.index(name)] for name in "mnk")
    text = render_file(
        template,
        peer=peer.title,
        letter=precision,
        real=p.real,
        parts=p.parts,
        complex=p.complex,
        scalar="const void *" if p.complex else f"{p.real} ",
        one="(bb_real[]){1, 0}" if p.complex else "1",
        beta_value=f"(bb_real[]){{{beta}, 0}}" if p.complex else str(beta),
        beta=beta,
        m=m,
        n=n,
        k=k,
    )
    declarations = f"int64_t bb_work(int64_t); int bb_peer{_SHIM}; " + " ".join(f"int {x}{_SHIM};" for x in _OPTIONAL)
    try:
        libraries = (*_LINK, *peer.libraries())
        return load_c("bb_peer", text, declarations, language=peer.language, libraries=libraries)
    except (CompileError, Missing) as error:
        _absent[peer.name] = f"{peer.title} was not found, or does not compile here: {peer.get}"
        raise Missing(_absent[peer.name]) from error


_absent: dict[str, str] = {}
_LINK = ("-Wl,-z,nodelete",)  # many of them do not survive being unloaded


def _mkl() -> tuple[str, ...]:
    """The linker flags for the library in the wheel."""
    try:
        names = metadata.files("mkl") or []
    except metadata.PackageNotFoundError as error:
        raise Missing("no package mkl") from error
    found = [Path(str(name.locate())).resolve() for name in names if name.name.startswith("libmkl_rt.so")]
    if not found:
        raise Missing("the package mkl has no libmkl_rt.so")
    return (str(found[0]), f"-Wl,-rpath,{found[0].parent}")


_MKL_GET = "pip install mkl"
PEERS = {
    peer.name: peer
    for peer in (
        Peer("numpy", "NumPy", "pip install numpy", _python),
        Peer("scipy", "SciPy, loop over BLAS", "pip install scipy", _python),
        Peer("torch", "PyTorch", "pip install torch", _python),
        Peer("mkl_strided", "MKL gemm_batch_strided", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_batch", "MKL gemm_batch", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_groups", "MKL gemm_batch, groups of one", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_compact", "MKL compact", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_compact_st", "MKL compact, pack and unpack", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_loop", "MKL, loop", _MKL_GET, _shim, libraries=_mkl),
        Peer(
            "libxsmm",
            "LIBXSMM",
            "apt-get install libxsmm-dev",
            _shim,
            precisions="sd",
            libraries=lambda: ("-lxsmm", "-lxsmmnoblas"),
        ),
        Peer(
            "eigen",
            "Eigen, fixed size",
            "apt-get install libeigen3-dev g++",
            _shim,
            language=("-x", "c++", "-std=gnu++17", "-I/usr/include/eigen3"),
            libraries=lambda: ("-x", "none", "-lstdc++"),
        ),
        Peer("openblas", "OpenBLAS, loop", "apt-get install libopenblas-dev", _shim, libraries=lambda: ("-lopenblas",)),
        Peer("plain", "plain C", "", _shim),
    )
}


def shims() -> list[Path]:
    """The shims that there are."""
    return sorted(path for path in (template_folder() / "bench" / "peer").iterdir() if path.name.count(".") == 2)


def versions() -> dict[str, str]:
    """The versions of those peers that are Python packages."""
    found = {}
    for name in ("numpy", "scipy", "torch", "mkl"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
