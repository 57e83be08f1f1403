"""The thread pool is there before any test looks at what is compiled; and how well that is optimized."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import c_library as libraries
from support.kernels import optimized, quick

from bblas_gen import linalg
from bblas_gen.runtime import route, threads

AS_SHIPPED = ("test_compilers", "test_contraction", "test_machine_code")
"""Modules of which all kernels are compiled as users have them. The others ask what kernels compute, not how fast: the
same text optimized less has the same bits, which test_one_arithmetic shows, and compiles faster."""


@pytest.fixture(scope="session", autouse=True)
def _pool() -> None:
    threads.start_pool()


@pytest.fixture(scope="module", autouse=True)
def _optimization(request: pytest.FixtureRequest) -> Iterator[None]:
    shipped = request.config.getoption("--as-shipped") or request.path.stem in AS_SHIPPED
    with nullcontext() if shipped else optimized(quick()):
        yield


@pytest.fixture(params=["ours", "foreign"])
def copied(request: pytest.FixtureRequest, device: str) -> Callable[..., Any]:
    """Copies an operand to the GPU: as an array of ours, and on the emulated one also as one of another library."""
    from support import device_operands  # here: it needs packages for GPUs

    if request.param == "foreign":
        request.getfixturevalue("emulated")
    found: Callable[..., Any] = getattr(device_operands, request.param)
    return found


@pytest.fixture(scope="session")
def c_library() -> Path:
    """The folder of a library built ahead of time."""
    return libraries.built()


@pytest.fixture
def always() -> Iterator[None]:
    """Kernels do stacks of any size."""
    with linalg.accelerate(always=True):
        yield


@pytest.fixture
def stack(rng: np.random.Generator) -> Any:
    """Regular matrices, but for one of zeros."""
    a = rng.standard_normal((2, 3, 3, 3))
    a[1, 1] = 0
    return a


@pytest.fixture
def long_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operations that took the long way."""
    seen, bind = list[str](), route.bind

    def note(op: Any, *others: Any) -> Any:
        seen.append(op.name)
        return bind(op, *others)

    monkeypatch.setattr(route, "bind", note)
    return seen
