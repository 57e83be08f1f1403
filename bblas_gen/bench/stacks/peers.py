"""The peers on stacks of matrices: each is used where it is installed, else a line says how to get it.

Everyone begins with arrays of its own and makes new ones, as plain calls of NumPy do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from ...arrays.host import Array
from ..peers import PEERS as ELSEWHERE
from ..peers import Missing
from . import shims
from .calls import CALLS, Function, Problem
from .shims import Ready

WORK = 2**26
"""Of slow functions peers are given so many matrices that these have no more cubes of their order: of large ones fewer
than ours."""


@dataclass(frozen=True)
class Peer:
    """``make`` gives what runs a problem. ``get`` tells how to install the peer; ``calls``: what it does; ``most``: the
    matrices that loops in Python are given."""

    name: str
    title: str
    get: str
    make: Callable[[Problem, Sequence[Array], tuple[str, ...]], Ready]
    calls: tuple[str, ...]
    most: int | None = None

    def matrices(self, problem: Problem) -> int:
        """How many it is given."""
        slow = WORK // problem.n**3 if problem.call.slow else problem.batch
        return max(1, min(problem.batch, slow, problem.batch if self.most is None else self.most))

    def prepare(self, problem: Problem, arrays: Sequence[Array]) -> Ready:
        """Raises Missing where the peer is not here."""
        try:
            return self.make(problem, arrays, self.calls)
        except ImportError as error:
            raise Missing(f"{self.title}: not installed ({self.get})") from error


@dataclass(frozen=True)
class Package:
    """A library of Python: its module of linear algebra, how it takes NumPy's arrays, and what is timed of a function
    of operands."""

    module: Any
    take: Callable[[Array], Any] = lambda x: x
    timed: Callable[[Function], Function] = lambda function: function


def _numpy(threads: int) -> Package:
    return Package(np.linalg)


def _scipy(threads: int) -> Package:
    return Package(import_module("scipy.linalg"))


def _torch(threads: int) -> Package:
    torch = import_module("torch")
    torch.set_num_threads(threads)
    return Package(torch.linalg, torch.from_numpy, torch.inference_mode())


def _jax(threads: int) -> Package:
    """Compiled by jit. JAX has as many threads as the process has processors."""
    jax, numpy = import_module("jax"), import_module("jax.numpy")
    jax.config.update("jax_enable_x64", True)

    def timed(function: Function) -> Function:
        compiled = jax.jit(function)
        return lambda *operands: jax.block_until_ready(compiled(*operands))

    return Package(numpy.linalg, numpy.asarray, timed)


def _python(
    name: str, package: Callable[[int], Package], problem: Problem, arrays: Sequence[Array], calls: Sequence[str]
) -> Ready:
    found = package(problem.threads)
    function = found.timed(partial(problem.call.by[name], found.module))
    return partial(function, *map(found.take, arrays)), _as_arrays


def _as_arrays(results: Any) -> list[Array]:
    return [np.asarray(x) for x in (results if isinstance(results, tuple | list) else [results])]


def _in_python(name: str, title: str, get: str, package: Callable[[int], Package], **more: int) -> Peer:
    calls = tuple(call.name for call in CALLS.values() if name in call.by)
    return Peer(name, title, get, partial(_python, name, package), calls, **more)


_COMPACT = ("solve", "inv", "cholesky", "qr_raw", "matmul")
_MKL_GET, _EIGEN_GET = ELSEWHERE["mkl_compact"].get, ELSEWHERE["eigen"].get
PEERS = {
    peer.name: peer
    for peer in (
        _in_python("numpy", "NumPy", "pip install numpy", _numpy),
        _in_python("numpy_loop", "NumPy, loop", "pip install numpy", _numpy, most=300),
        _in_python("scipy", "SciPy", "pip install scipy", _scipy, most=300),
        _in_python("torch", "PyTorch", "pip install torch", _torch),
        _in_python("jax", "JAX", "pip install jax", _jax),
        Peer("eigen", "Eigen, fixed size", _EIGEN_GET, shims.eigen, tuple(CALLS)),
        Peer("mkl_compact", "MKL compact", _MKL_GET, shims.mkl_compact, _COMPACT),
        Peer("mkl_compact_st", "MKL compact, pack and unpack", _MKL_GET, shims.mkl_converting, _COMPACT),
    )
}
