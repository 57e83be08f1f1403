"""A plugin of pytest: all tests of a run, NumPy's or SciPy's own, with our functions in place of theirs."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.util import find_spec

import pytest

_RUN = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    if find_spec("scipy"):
        import scipy.linalg  # noqa: F401 (so that its functions are replaced, too)

    from bblas_gen.linalg import accelerate

    _RUN.enter_context(accelerate(always=True))


def pytest_unconfigure(config: pytest.Config) -> None:
    _RUN.close()
