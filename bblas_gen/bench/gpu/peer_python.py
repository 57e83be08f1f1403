"""The peers on a GPU that are Python packages: for each operation and package a function that makes what runs it.

What they return is elsewhere; they allocate it in every call, from memory that they keep.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..peers import Missing
from .problem import GpuProblem

Arrays = Mapping[str, Any]
Make = Callable[[Any, GpuProblem, Arrays], "Ready"]


@dataclass(frozen=True)
class Ready:
    """``run`` queues the problem on the default stream, and then ``results`` has the outputs by their names: arrays on
    the GPU, or a function without arguments that gives such an array, or one in host memory."""

    run: Callable[[], Any]
    results: Mapping[str, Any]


def _torch(work: Callable[..., Any], names: str, outputs: str) -> Make:
    """``work`` takes torch and the operands ``names`` as tensors, and returns the ``outputs``."""

    def make(torch: Any, problem: GpuProblem, x: Arrays) -> Ready:
        tensors = [torch.as_tensor(x[name], device="cuda") for name in names]
        return _kept(lambda: work(torch, *tensors), outputs, lambda value: value.cpu().numpy())

    return make


def _cupy(work: Callable[..., Any], names: str, outputs: str) -> Make:
    """The same of CuPy."""

    def make(cupy: Any, problem: GpuProblem, x: Arrays) -> Ready:
        arrays = [cupy.asarray(x[name]) for name in names]
        return _kept(lambda: work(cupy, *arrays), outputs, cupy.asnumpy)

    return make


def _triton(triton: Any, problem: GpuProblem, x: Arrays) -> Ready:
    """The module, which needs Triton, is imported here; arrays are PyTorch's, which Triton wants."""
    if problem.p.complex:
        raise Missing("Triton: has no complex numbers")
    torch = importlib.import_module("torch")
    product = importlib.import_module(".peer_triton", __package__).product
    a, b, c = (torch.as_tensor(x[name], device="cuda") for name in "ABC")
    return _kept(_once(product(a, b, c), c), "C", lambda value: value.cpu().numpy())


def _once(run: Callable[[], Any], result: Any) -> Callable[[], Any]:
    def work() -> Any:
        run()
        return result

    return work


def _magma(make: Make) -> Make:
    """The same by MAGMA, where PyTorch has it. Only while it is called: others go on with PyTorch's own choice."""

    def other(torch: Any, problem: GpuProblem, x: Arrays) -> Ready:
        if not getattr(torch.cuda, "has_magma", False):
            raise Missing("PyTorch, MAGMA: this PyTorch has none")
        ready = make(torch, problem, x)

        def run() -> None:
            before = torch.backends.cuda.preferred_linalg_library()
            torch.backends.cuda.preferred_linalg_library("magma")
            try:
                ready.run()
            finally:
                torch.backends.cuda.preferred_linalg_library(before)

        return Ready(run, ready.results)

    return other


def _kept(work: Callable[[], Any], outputs: str, read: Callable[[Any], Any]) -> Ready:
    last: list[Any] = []

    def run() -> None:
        found = work()
        last[:] = found if isinstance(found, (tuple, list)) else [found]

    names = outputs.split()
    return Ready(run, {name: (lambda i=i: read(last[i])) for i, name in enumerate(names)})


_TORCH = {
    "gemm": _torch(lambda torch, a, b, c: torch.bmm(a, b, out=c), "ABC", "C"),
    "trsm": _torch(lambda torch, a, b: torch.linalg.solve_triangular(a, b, upper=False), "AB", "B"),
    "potrf": _torch(lambda torch, a: torch.linalg.cholesky_ex(a)[0], "A", "A"),
    "potrs": _torch(lambda torch, a, b: torch.cholesky_solve(b, a), "AB", "B"),
    "posv": _torch(lambda torch, a, b: torch.cholesky_solve(b, torch.linalg.cholesky_ex(a)[0]), "AB", "B"),
    "getrf": _torch(lambda torch, a: torch.linalg.lu_factor_ex(a)[:2], "A", "A IPIV"),
    "gesv": _torch(lambda torch, a, b: torch.linalg.solve_ex(a, b)[0], "AB", "B"),
    "getri": _torch(lambda torch, a: torch.linalg.inv_ex(a)[0], "A", "A"),
}
_CUPY = {
    "gemm": _cupy(lambda cupy, a, b, c: cupy.matmul(a, b, out=c), "ABC", "C"),
    "potrf": _cupy(lambda cupy, a: cupy.linalg.cholesky(a), "A", "A"),
    "gesv": _cupy(lambda cupy, a, b: cupy.linalg.solve(a, b), "AB", "B"),
    "getri": _cupy(lambda cupy, a: cupy.linalg.inv(a), "A", "A"),
}
PYTHON: dict[tuple[str, str], Make] = {
    **{(op, "torch"): make for op, make in _TORCH.items()},
    **{(op, "torch_magma"): _magma(_TORCH[op]) for op in ("potrf", "potrs", "posv", "getrf", "gesv", "getri")},
    ("gemm", "triton"): _triton,
    **{(op, "cupy"): make for op, make in _CUPY.items()},
}
