"""The peers: other ways to do the same. Each is used where it is installed, else a line says how to get it.

A peer is a Python function in ``peer_python``, or a C shim ``templates/bench/peer/OP.PEER.c`` that is compiled and
loaded like a kernel; either is found by the names of operation and peer alone. Libraries with the Fortran interface of
BLAS and LAPACK share the shims ``OP.blas.c``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from ..codegen.folder import template_folder
from ..codegen.render import has_template, render_file
from ..errors import CompileError
from ..ir.catalog import OPS
from ..ir.operation import Operation
from ..ir.sizes import evaluate
from ..ir.terms import PRECISIONS, Kind, Role
from ..runtime.library import Library, load_c
from ..runtime.marshal import address
from ..runtime.storage import aligned
from .peer_python import PYTHON, Arrays, Ready
from .problem import Problem

_OPTIONAL = ("bb_prepare", "bb_finish")


class Missing(Exception):
    """A peer that is not here, or does not do this problem; the text says why."""


@dataclass(frozen=True)
class Peer:
    """``make`` gives what runs the problem on strided arrays. ``get`` tells how to install the peer. ``interface`` is
    what its shims are named after, where other libraries have the same. ``natural``: whether storage of its own holds
    column-major copies of the matrices, which is the faster for the problem, rather than the row-major ones."""

    name: str
    title: str
    get: str
    make: Callable[[Peer, Problem, Arrays], Ready]
    precisions: str = "sdcz"
    language: tuple[str, ...] = ()
    libraries: Callable[[], tuple[str, ...]] = tuple
    interface: str = ""
    natural: Callable[[Problem], bool] = lambda problem: False

    def template(self, op: str) -> str:
        return f"bench/peer/{op}.{self.interface or self.name}.c"

    def does(self, op: str) -> bool:
        return (op, self.name) in PYTHON or has_template(self.template(op))

    def prepare(self, problem: Problem, arrays: Arrays) -> Ready:
        """Raises Missing where the peer cannot do ``problem``."""
        if not self.does(problem.op):
            raise Missing(f"{self.title}: does not do {problem.op}")
        if problem.precision not in self.precisions:
            raise Missing(f"{self.title}: does not do precision {problem.precision}")
        return self.make(self, problem, arrays)


def _python(peer: Peer, problem: Problem, arrays: Arrays) -> Ready:
    try:
        module = importlib.import_module(peer.name)
    except ImportError as error:
        raise Missing(f"{peer.title}: not installed ({peer.get})") from error
    return PYTHON[problem.op, peer.name](module, problem, arrays)


def _shim(peer: Peer, problem: Problem, arrays: Arrays) -> Ready:
    row, copies = problem.spec.row, {}
    library = _load(peer, problem.op, row, problem.precision, problem.sizes, problem.beta, peer.natural(problem))
    size = library.handle.bb_work(problem.batch) if _has(library, "bb_work") else 0
    work = aligned((max(1, size),), np.dtype("u1"))
    work[...] = 0
    given = {x.name: arrays[row.exchange.get(x.name, x.name)] for x in row.parameters}
    if peer.natural(problem):
        copies = {name: aligned(x.mT.shape, x.dtype) for name, x in given.items()}
    arguments = (*map(address, (copies or given).values()), address(work), problem.batch, problem.threads)

    def call(name: str) -> None:
        if _has(library, name) and getattr(library.handle, name)(*arguments):
            raise Missing(f"{peer.title}: cannot do this problem")

    def refill() -> None:
        for name, copy in copies.items():
            np.copyto(copy, given[name].mT)
        call("bb_prepare")

    def finish() -> None:
        call("bb_finish")
        for name in copies.keys() & {x.name for x in row.outputs}:
            np.copyto(given[name], copies[name].mT)

    def run(_keep: Any = (given, copies, work), _function: Any = library.function) -> None:
        if _function(*arguments):
            raise Missing(f"{peer.title}: cannot do this problem")

    refill()
    return Ready(run, finish, (work,), refill)


def _has(library: Library, name: str) -> bool:
    return hasattr(library.handle, name)


def _seen(row: Operation, sizes: dict[str, int], natural: bool) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Sizes and operands of row-major matrices as a column-major library sees them: of the mirrored problem, or, where
    there is none, each matrix transposed unless ``natural``. ``rows`` is the leading dimension."""
    if row.transposition:
        sizes = {name: sizes[row.exchange.get(name, name)] for name in sizes}
    extents = row.extents(sizes, dict.fromkeys(row.flags, "L"))
    operands = []
    for x in row.parameters:
        rows, cols = evaluate(x.rows, extents), evaluate(x.cols, extents)
        if not row.transposition and not natural:
            rows, cols = cols, rows
        operands.append({"name": x.name, "rows": rows, "cols": cols, "written": x.role is not Role.IN})
    return sizes, operands


@cache
def _load(
    peer: Peer, op: str, row: Operation, precision: str, given: tuple[int, ...], beta: int, natural: bool
) -> Library:
    """The shim for ``op``, on the operands of ``row``: the operation, or the sequence that is measured."""
    if (op, peer.name) in _absent:
        raise Missing(_absent[op, peer.name])
    p = PRECISIONS[precision]
    seen, operands = _seen(row, dict(zip(row.sizes, given, strict=True)), natural)
    sizes = dict(zip(OPS[op].sizes, seen.values(), strict=True))
    text = render_file(
        peer.template(op),
        op=op,
        peer=peer.title,
        library=peer.name.partition("_")[0],
        letter=precision,
        real=p.storage.name,
        parts=p.parts,
        complex=p.complex,
        scalar="const void *" if p.complex else f"{p.storage.name} ",
        one="(bb_real[]){1, 0}" if p.complex else "1",
        beta_value=f"(bb_real[]){{{beta}, 0}}" if p.complex else str(beta),
        beta=beta,
        sizes=sizes,
        operands=operands,
        natural=natural,
        **sizes,
    )
    arguments = f"({'void *, ' * len(operands)}char *, int64_t, int)"
    names = "; int ".join(f"{name}{arguments}" for name in ("bb_peer", *_OPTIONAL))
    declarations = f"int64_t bb_work(int64_t); int {names};"
    try:
        return compiled(peer, "bb_peer", text, declarations)
    except Missing as error:
        _absent[op, peer.name] = str(error)
        raise


def compiled(peer: Peer, symbol: str, text: str, declarations: str) -> Library:
    """A shim of a peer. Raises Missing where the peer is not here."""
    try:
        libraries = (*_LINK, *peer.libraries())
        return load_c(symbol, text, declarations, language=peer.language, libraries=libraries)
    except (CompileError, Missing) as error:
        raise Missing(f"{peer.title}: {_why(error)} ({peer.get})") from error


def _why(error: Exception) -> str:
    """Whether a library is not there, or is there and cannot be used."""
    absent = isinstance(error, Missing) or any(sign in str(error) for sign in ("cannot find -l", "No such file"))
    return "not found" if absent else "found, but its shim does not compile here"


_absent: dict[tuple[str, str], str] = {}
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


def _mkl_natural(problem: Problem) -> bool:
    """Measured: factorizations and solutions in compact form are up to a third faster so, but small ones of both."""
    return problem.op in ("potrf", "trsm") or (problem.op == "posv" and problem.size["n"] >= 16)


def _pivoted(problem: Problem) -> bool:
    """LU of a transpose is no transpose of the LU."""
    return any(x.kind is Kind.INDEX for x in problem.spec.row.parameters)


_MKL_GET = "pip install mkl"
PEERS = {
    peer.name: peer
    for peer in (
        Peer("numpy", "NumPy", "pip install numpy", _python),
        Peer("scipy", "SciPy, loop", "pip install scipy", _python),
        Peer("torch", "PyTorch", "pip install torch", _python),
        Peer("mkl_strided", "MKL batch_strided", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_batch", "MKL batch", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_groups", "MKL batch, groups of one", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_compact", "MKL compact", _MKL_GET, _shim, libraries=_mkl, natural=_mkl_natural),
        Peer("mkl_compact_st", "MKL compact, pack and unpack", _MKL_GET, _shim, libraries=_mkl),
        Peer("mkl_loop", "MKL, loop", _MKL_GET, _shim, libraries=_mkl, interface="blas", natural=_pivoted),
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
        Peer(
            "openblas",
            "OpenBLAS, loop",
            "apt-get install libopenblas-dev",
            _shim,
            libraries=lambda: ("-lopenblas",),
            interface="blas",
            natural=_pivoted,
        ),
        Peer("plain", "plain C", "", _shim),
    )
}


def peers_of(op: str) -> list[str]:
    """The peers that do an operation, installed or not."""
    return [peer.name for peer in PEERS.values() if peer.does(op)]


def shims() -> list[Path]:
    """The shims that there are."""
    return sorted(path for path in (template_folder() / "bench" / "peer").iterdir() if path.name.count(".") == 2)


def versions() -> dict[str, str]:
    """The versions of those peers that are Python packages."""
    found = {}
    for name in ("numpy", "scipy", "torch", "jax", "mkl"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
