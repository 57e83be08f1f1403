"""A plugin of pytest: NumPy's and SciPy's own tests, with our functions in place of theirs.

    PYTHONPATH=tests python -m pytest -p support.accelerated --pyargs numpy.linalg.tests.test_linalg

Kernels do all that they can, single matrices too. ``accelerated.txt`` has the tests that are known to fail, and why.
"""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

KNOWN = dict(
    line.split(maxsplit=1)
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines()
    if line and not line.startswith("#")
)
"""Tests that fail, by class and name, and the reason."""
_RUN = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    if find_spec("scipy"):
        import scipy.linalg  # noqa: F401 (so that its functions are replaced, too)

    from bblas_gen.linalg import accelerate

    _RUN.enter_context(accelerate(always=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    import numpy as np

    from bblas_gen.linalg.products import matmul

    for item in items:
        owner = getattr(item, "cls", None)
        if getattr(owner, "matmul", None) is np.matmul:
            owner.matmul = staticmethod(matmul)
        name = f"{owner.__name__}::{item.name}" if owner else item.name
        if reason := KNOWN.get(name.split("[")[0]):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=False))


def pytest_unconfigure(config: pytest.Config) -> None:
    _RUN.close()
