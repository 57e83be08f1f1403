"""The thread pool is there before any test looks at what is compiled."""

from __future__ import annotations

import pytest

from bblas_gen.runtime import threads


@pytest.fixture(scope="session", autouse=True)
def _pool() -> None:
    threads.start_pool()
