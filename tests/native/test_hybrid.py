"""Factorizations of which blocks on the diagonal alone go to lanes, and right-hand sides that go along: the bits and
reports of lane bodies, whatever is in the other triangle, which keeps its bytes as all around does."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

import numpy as np
import pytest
from support.extended import random
from support.layouts import placed
from support.walls import before_a_wall

import bblas_gen as bb
from bblas_gen.runtime import call, kernels
from bblas_gen.runtime.library import host_isa

WIDE = host_isa().simd_bytes


class Case(NamedTuple):
    """Matrices of so many ``blocks`` and rows ``beyond`` these; without right-hand sides they are factored only."""

    dtype: str
    layout: str
    order: str
    uplo: str
    blocks: int
    beyond: int
    nrhs: int

    @property
    def n(self):
        return self.blocks * max(8, WIDE // np.dtype(self.dtype).itemsize) + self.beyond

    @property
    def op(self):
        return "posv" if self.nrhs else "potrf"


CASES = [
    Case("float64", "st", "F", "L", 1, 1, 0),
    Case("float64", "ld", "C", "L", 2, 5, 0),
    Case("float64", "st", "F", "U", 2, 5, 3),
    Case("float32", "pp", "C", "U", 1, 3, 17),
    Case("float64", "ld", "F", "L", 2, 0, 1),
]
"""Columns that are contiguous, and rows; a first block of one row, of less than half a vector, of more and whole;
right-hand sides that are reduced with a block, and apart, in groups; that are copied, and not."""
pytestmark = pytest.mark.skipif(WIDE < 32, reason="vectors are not joined of halves")


def problem(case, batch):
    """Positive definite matrices, but for some that fail: at the first, at the last pivot, and for NaN. The other
    triangle is NaN."""
    rng, n = np.random.default_rng(case.n), case.n
    a = random(rng, (batch, n, n), case.dtype)
    a = a @ a.swapaxes(1, 2) / n + np.eye(n)
    if batch > 3:
        a[1, 0, 0], a[2, -1, -1], a[3, n // 2, n // 2] = 0, -1, np.nan
    own = np.tril(np.ones((n, n), bool))
    operands = [np.where(own if case.uplo == "L" else own.T, a, np.nan).astype(case.dtype)]
    return operands + [random(rng, (batch, n, case.nrhs), case.dtype)] * (case.nrhs > 0)


def planned(monkeypatch, form, case, operands):
    """The plan of a call in a form."""
    monkeypatch.setattr(call, "kernel", lambda spec, **_: kernels.kernel(spec, form=form))
    plan = bb.plan(case.op, *operands, uplo=case.uplo, check="ignore", num_threads=1)
    assert plan.kernel.source.schedule.form == form
    return plan


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_blocks_in_lanes_have_the_bits_of_lanes(case, monkeypatch):
    width = WIDE // np.dtype(case.dtype).itemsize
    for batch in (1, width - 1, 2 * width + 1):
        before, found = problem(case, batch), []
        for form in ("lane", "hybrid"):
            given = [placed(x, case.layout, case.order) for x in before]
            plan = planned(monkeypatch, form, case, [x.operand for x in given])
            plan()
            found.append(([np.array(x.values()) for x in given], np.array(plan.info)))
            assert all(x.untouched_around() for x in given), form
        ((lane, *x), expected), ((hybrid, *y), info) = found
        assert (info == expected).all()
        assert lane[info == 0].tobytes() == hybrid[info == 0].tobytes()
        assert (np.isnan(lane) == np.isnan(hybrid)).all()
        assert [some.tobytes() for some in x] == [some.tobytes() for some in y]
        assert all((some[info > 0] == old[info > 0]).all() for some, old in zip(y, before[1:], strict=True))
        other = np.isnan(before[0][0])
        assert hybrid[:, other].tobytes() == before[0][:, other].tobytes()


@pytest.mark.skipif(sys.platform != "linux", reason="forks, and protects pages")
@pytest.mark.parametrize("case", [CASES[0], CASES[2]], ids=lambda case: case.op)
def test_nothing_behind_the_matrices_is_read(case, monkeypatch):
    """In a child, which dies of it; kernels are those of the test above."""
    walls = [before_a_wall(np.ascontiguousarray(x.swapaxes(1, 2))) for x in problem(case, 3)]
    plan = planned(monkeypatch, "hybrid", case, [x.swapaxes(1, 2) for x, _memory in walls])
    child = os.fork()
    if not child:
        plan()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
