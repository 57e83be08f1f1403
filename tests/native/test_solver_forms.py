"""Solvers without lanes: bits of lane bodies, whatever is in the triangle that is not read; nothing else is written."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from support.extended import random
from support.layouts import placed
from support.walls import before_a_wall

import bblas_gen as bb
from bblas_gen.ir.program import Program
from bblas_gen.runtime import call, kernels
from bblas_gen.runtime.library import host_isa
from bblas_gen.schedule.choose import alternatives

BATCH = 7
CASES = [
    # (operation, dtype, layout, order, order of A, right-hand sides, flags, scalars)
    ("trsm", "float64", "st", "F", 5, 9, {"side": "R", "uplo": "L", "transa": "T"}, {"alpha": 0.75}),
    ("trsm", "float64", "ld", "C", 10, 4, {"side": "L", "uplo": "U", "diag": "U"}, {"alpha": 1.0}),
    ("trsm", "float32", "st", "C", 9, 13, {"side": "L", "uplo": "L", "transa": "T"}, {"alpha": 1.0}),
    ("trsm", "float64", "pp", "F", 9, 6, {"side": "L", "uplo": "U", "transa": "T"}, {"alpha": -2.0}),
    ("trsm", "float32", "st", "F", 17, 3, {"side": "L", "uplo": "L", "diag": "U"}, {"alpha": 1.0}),
    ("trsm", "float64", "st", "F", 9, 27, {"side": "L", "uplo": "L"}, {"alpha": 1.0}),
    ("trsm", "float64", "st", "F", 4, 2, {"side": "L", "uplo": "L"}, {"alpha": 0.0}),
    ("trsv", "float64", "st", "F", 7, None, {"uplo": "L"}, {}),
    ("trsv", "float32", "pp", "F", 10, None, {"uplo": "U"}, {}),
    ("trsv", "float64", "st", "C", 9, None, {"uplo": "U", "trans": "T"}, {}),
    ("potrs", "float64", "st", "C", 6, 5, {"uplo": "L"}, {}),
]
"""Tails, tiles that overlap, panels and none, both directions, all kinds of alpha."""


def operands(case):
    """A with NaN where it is not read, and right-hand sides; a dominant diagonal."""
    _, dtype, _, _, m, n, flags, _ = case
    rng = np.random.default_rng(m)
    a = random(rng, (BATCH, m, m), dtype) / m
    a[:, np.arange(m), np.arange(m)] += np.asarray(2, dtype)
    read = np.tril(np.ones((m, m), bool)) if flags["uplo"] == "L" else np.triu(np.ones((m, m), bool))
    if flags.get("diag") == "U":
        read &= ~np.eye(m, dtype=bool)
    a = np.where(read, a, np.asarray(np.nan, dtype))
    shape = (BATCH, m) if n is None else (BATCH, n, m) if flags.get("side") == "R" else (BATCH, m, n)
    return a, random(rng, shape, dtype)


def solved(case, monkeypatch, form):
    """The solutions, and whether nothing around them was written; None where there is no such kernel."""
    op, _, layout, order, _, n, flags, scalars = case
    a, b = operands(case)
    a = placed(a, layout, order)
    b = placed(b if n else b[..., None], layout, order)
    given = b.operand if n else [x[:, 0] for x in b.operand] if layout == "pp" else b.operand[..., 0]
    monkeypatch.setattr(call, "kernel", lambda spec, **_: kernels.kernel(spec, form=form))
    plan = bb.plan(op, a.operand, given, **flags, **scalars, num_threads=1)
    plan()
    assert plan.kernel.source.schedule.form == form
    bits = [np.ascontiguousarray(x).tobytes() for x in b.elements]
    return plan.kernel.spec, bits, np.array(b.values(), float), b.untouched_around()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}{case[3]}-{case[4]}x{case[5]}")
def test_solvers_without_lanes_have_the_bits_of_lanes(case, monkeypatch):
    spec, expected, x, _ = solved(case, monkeypatch, "lane")
    assert np.isfinite(x).all()
    forms = {plan.form for _, plan in alternatives(Program.of(spec), host_isa())} - {"lane"}
    if host_isa().simd_bytes > 16:
        assert forms, spec
    for form in forms:
        _, bits, _, untouched = solved(case, monkeypatch, form)
        assert bits == expected, form
        assert untouched, form


@pytest.mark.skipif(sys.platform != "linux", reason="forks, and protects pages")
def test_nothing_behind_the_matrices_is_read(monkeypatch):
    """In a child, which dies of it; kernels are those of the test above."""
    plans, kept = [], []
    for case in (case for case in CASES if case[2] == "st"):
        op, *_, n, flags, scalars = case
        order = case[3]
        a, b = operands(case)
        b = b if n else b[..., None]
        lying = [x.transpose(0, 2, 1) if order == "F" else x for x in (a, b)]
        walled = [before_a_wall(np.ascontiguousarray(x)) for x in lying]
        kept.append(walled)
        a, b = (x.transpose(0, 2, 1) if order == "F" else x for x, _ in walled)
        given = (a, b if n else b[..., 0])
        for form in ("across", "columns"):
            choice = lambda spec, form=form, **_: kernels.kernel(spec, form=form)  # noqa: E731
            monkeypatch.setattr(call, "kernel", choice)
            try:
                plans.append(bb.plan(op, *given, **flags, **scalars, num_threads=1))
            except ValueError:
                continue
    child = os.fork()
    if not child:
        for plan in plans:
            plan()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(plans) > 5 or host_isa().simd_bytes == 16
