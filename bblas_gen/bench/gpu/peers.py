"""The peers on a GPU: NVIDIA's libraries, by shims in C as on a CPU, and Python packages. Each is used where it is
found, else a line says why not. Nobody is imported or loaded before.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np

from ...codegen.render import render_file
from ...errors import BblasError
from ...ir.terms import PRECISIONS, Kind
from ...runtime.device_storage import DeviceStorage
from ...runtime.library import load_c
from ..peers import Missing
from .limits import place
from .peer_python import PYTHON, Arrays, Ready
from .problem import GpuProblem

REALS = {"s": "float", "d": "double", "c": "float", "z": "double"}


@dataclass(frozen=True)
class Function:
    """One of a shim: what its name has behind the precision, and what it works in behind the operands it takes:
    "reports" and "pivots" (integers), or "result", which it writes in place of the first. ``natural``: of matrices that
    lie column-major."""

    name: str
    work: tuple[str, ...] = ()
    natural: bool = False


@dataclass(frozen=True)
class GpuPeer:
    """``make`` gives what runs a problem on arrays. ``get`` says where to find the peer."""

    name: str
    title: str
    get: str
    make: Callable[[GpuPeer, GpuProblem, Arrays], Ready]
    precisions: str = "sdcz"
    functions: Mapping[str, Function] = field(default_factory=dict)
    library: str = ""

    def does(self, op: str) -> bool:
        return op in self.functions or (op, self.name) in PYTHON

    def natural(self, op: str) -> bool:
        return op in self.functions and self.functions[op].natural

    def prepare(self, problem: GpuProblem, arrays: Arrays) -> Ready:
        """Raises Missing where the peer cannot do ``problem``."""
        if not self.does(problem.op):
            raise Missing(f"{self.title}: does not do {problem.op}")
        return self.make(self, problem, arrays)


def _python(peer: GpuPeer, problem: GpuProblem, arrays: Arrays) -> Ready:
    try:
        module = importlib.import_module(peer.library)
    except ImportError as error:
        raise Missing(f"{peer.title}: not installed ({peer.get})") from error
    try:
        return PYTHON[problem.op, peer.name](module, problem, arrays)
    except (AttributeError, RuntimeError) as error:  # without CUDA, or too old
        raise Missing(f"{peer.title}: cannot be used here: {str(error).splitlines()[0]}") from error


def _shim(peer: GpuPeer, problem: GpuProblem, arrays: Arrays) -> Ready:
    library, opened = _opened(peer.name, peer.library, peer.title, peer.get)
    known, row = peer.functions[problem.op], problem.spec.row
    gpu = next(iter(arrays.values())).gpu
    lists = not known.name.endswith("strided")
    given = [arrays[x.name] for x in row.matrices if x.kind is not Kind.INDEX]
    made = {what: _work(what, problem, given[0]) for what in known.work}
    results = {x.name: arrays[x.name] for x in row.outputs} | _results(problem, made)
    operands = [DeviceStorage.of(gpu, _list(x)) for x in given] if lists else given
    works = [DeviceStorage.of(gpu, _list(x)) if what == "result" else x for what, x in made.items()]
    ffi = library.ffi
    pointers = ffi.new("void *[]", [ffi.cast("void *", place(x)) for x in [*operands, *works]])
    sizes = ffi.new("int[]", list(problem.sizes))
    function = getattr(library.handle, f"bb_{problem.precision}{known.name}")
    keep = [operands, works, made]

    def run(_keep: Any = keep) -> None:
        if status := function(opened, pointers, sizes, problem.batch):
            raise Missing(f"{peer.title}: returns {status}")

    return Ready(run, results)


def _work(what: str, problem: GpuProblem, like: DeviceStorage) -> DeviceStorage:
    if what == "result":
        return like.beside(like.shape, like.dtype, False)
    shape = (problem.batch, problem.n) if what == "pivots" else (problem.batch,)
    return like.beside(shape, np.dtype(np.int32), True)


def _results(problem: GpuProblem, made: Mapping[str, Any]) -> dict[str, Any]:
    """Where results are that are not in the operands themselves."""
    first = problem.output.name
    pivots = [x.name for x in problem.spec.row.outputs if x.kind is Kind.INDEX]
    found = {name: made["pivots"] for name in pivots if "pivots" in made}
    return found | ({first: made["result"]} if "result" in made else {})


def _list(array: DeviceStorage) -> Any:
    """The addresses of the matrices of a batch."""
    each = array.nbytes // array.shape[0]
    return place(array) + each * np.arange(array.shape[0], dtype=np.uint64)


@cache
def _opened(name: str, library: str, title: str, get: str) -> tuple[Any, Any]:
    """A shim, and what its library calls a handle."""
    types = {letter: REALS[letter] for letter in PRECISIONS}
    text = render_file(f"bench/peer/{library}.c", types=types)
    names = sorted(
        {function.name for peer in PEERS.values() if peer.library == library for function in peer.functions.values()}
    )
    calls = [f"int bb_{x}{y}(void *, void *const *, const int *, int);" for x in types for y in names]
    try:
        path = located(library)
        found = load_c("bb_open", text, "\n".join(["int bb_open(void **);", *calls]), libraries=_link(path))
    except (BblasError, OSError) as error:
        raise Missing(f"{title}: found, but its shim does not load here") from error
    handle = found.ffi.new("void **")
    if status := found.function(handle):
        raise Missing(f"{title}: cannot be opened, status {status}")
    return found, handle[0]


def _link(path: str) -> tuple[str, ...]:
    return (path, f"-Wl,-rpath,{path.rpartition('/')[0]}", "-Wl,-z,nodelete")


def located(library: str) -> str:
    """Where one of NVIDIA's libraries is, loaded with all that it needs: of a wheel, a toolkit or the system."""
    from cuda.pathfinder import load_nvidia_dynamic_lib  # here: it comes with cuda-core

    try:
        return str(load_nvidia_dynamic_lib(library).abs_path)
    except RuntimeError as error:
        raise Missing(f"{library}: not found (pip install nvidia-{library})") from error


_LU = ("pivots", "reports")
_WHEEL = "pip install nvidia-cublas nvidia-cusolver, for CUDA 12 with -cu12 behind each, or the CUDA toolkit"
PEERS = {
    peer.name: peer
    for peer in (
        GpuPeer(
            "cublas_strided",
            "cuBLAS gemmStridedBatched",
            _WHEEL,
            _shim,
            functions={"gemm": Function("gemm_strided")},
            library="cublas",
        ),
        GpuPeer(
            "cublas",
            "cuBLAS batched",
            _WHEEL,
            _shim,
            functions={
                "gemm": Function("gemm_lists"),
                "trsm": Function("trsm_lists"),
                "getrf": Function("getrf_lists", _LU, natural=True),
                "gesv": Function("gesv_lists", _LU, natural=True),
                "getri": Function("inverse_lists", ("result", "reports")),
            },
            library="cublas",
        ),
        GpuPeer(
            "cusolver",
            "cuSOLVER batched",
            _WHEEL,
            _shim,
            functions={
                "potrf": Function("potrf_lists", ("reports",), natural=True),
                "potrs": Function("potrs_lists", ("reports",), natural=True),
                "posv": Function("posv_lists", ("reports",), natural=True),
            },
            library="cusolver",
        ),
        GpuPeer("torch", "PyTorch", "pip install torch", _python, library="torch"),
        GpuPeer("torch_magma", "PyTorch, MAGMA", "a PyTorch with MAGMA", _python, library="torch"),
        GpuPeer("cupy", "CuPy", "pip install cupy-cuda13x, or cupy-cuda12x", _python, library="cupy"),
        GpuPeer("triton", "Triton", "pip install triton torch", _python, library="triton"),
    )
}


def versions() -> dict[str, str]:
    """Of those that are packages."""
    names = {x.name.lower(): x.version for x in metadata.distributions() if x.name}
    wanted = ("torch", "triton", "cuda-core", "cuda-bindings")
    return {
        x: v
        for x, v in sorted(names.items())
        if x in wanted or x.startswith(("cupy", "nvidia-cublas", "nvidia-cusolver"))
    }
