"""Kernels and sequences that go to other processes, and sequences compiled ahead."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from click.testing import CliRunner
from support.extended import positive, random
from support.layouts import as_layout

import bblas_gen as bb
from bblas_gen.cli.main import main

SOLVE = bb.sequence([bb.step("potrf", "A"), bb.step("potrs", "A", "B")], name="solve")


def operands(rng, layout="st"):
    a, b = positive(rng, 5, 3, "float64"), random(rng, (5, 3, 2), "float64")
    return {"A": as_layout(a, layout), "B": as_layout(b, layout)}


@pytest.mark.parametrize("layout", ["st", "bi"])
def test_a_sequence_compiled_ahead_is_the_kernel_of_its_calls(layout, rng):
    kernel = bb.compile(SOLVE, "d", layout, m=3, n=2)
    assert bb.plan(SOLVE, **operands(rng, layout)).kernel is kernel
    assert kernel.spec.symbol() in kernel.source.text
    assert repr(kernel) == f"<Kernel {kernel.spec.symbol()}>"
    done = CliRunner().invoke(main, ["cache", "explain", kernel.spec.symbol()])
    assert kernel.library.key in done.output


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_kernels_pickle_as_what_was_wanted(protocol):
    plain = bb.compile(SOLVE, "d", "st", m=3, n=2)
    narrow = bb.compile("gemm", "d", "st", m=3, n=3, k=3, form="lane", width=1)
    for kernel in (plain, narrow):
        assert pickle.loads(pickle.dumps(kernel, protocol)) is kernel


def test_other_processes_run_them(rng):
    """A process that is started anew, as those of multiprocessing and joblib may be."""
    named = operands(rng)
    expected = np.linalg.solve(named["A"], named["B"])
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(SOLVE, num_threads=1, **named).result()
        kernel = pool.submit(bb.compile, SOLVE, "d", "st", m=3, n=2).result()
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert kernel is bb.compile(SOLVE, "d", "st", m=3, n=2)
