"""No test here has a compiler: those that need a kernel to be refused get one that does nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import kernels
from support.said import asked

__all__ = ["asked"]


@pytest.fixture
def fake_kernels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with kernels.faked(monkeypatch):
        yield
