"""A kernel that finds no memory to work in returns 1: an error in Python, whichever way a call takes."""

from __future__ import annotations

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.runtime import library


@pytest.mark.usefixtures("fake_kernels")
def test_a_call_without_memory_is_an_error(monkeypatch):
    load = library.load_kernel

    def failing(spec, named):
        return type(found := load(spec, named))(**{**vars(found), "function": lambda *_: 1})

    monkeypatch.setattr("bblas_gen.runtime.library.load_kernel", failing)
    a, b = np.ones((2, 3, 3)), np.ones((2, 3, 1))
    for _ in range(2):  # the long way, then the short one
        with pytest.raises(MemoryError, match="posv: there is no memory"):
            bb.posv(a, b)
    with pytest.raises(MemoryError, match="trsm: there is no memory"):
        bb.trsm(a, b, out=np.empty_like(b))
    for op, operands in (("posv", (a, b)), ("trsm", (a, b)), ("trsm", (a, np.ones((2, 3, 2))[:, :, ::-2]))):
        with pytest.raises(MemoryError, match="there is no memory"):
            bb.plan(op, *operands)()
    with pytest.raises(MemoryError, match="lacpy: there is no memory"):
        bb.interleave(a)
