"""Kernels that are compiled together: loaded once, the same bits as each alone, through the same cache."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from support.cases import TRIED, prepared, run, typical
from support.kernels import forget
from support.layouts import bits

import bblas_gen as bb
from bblas_gen.errors import CompileError, SpecError
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels, library
from bblas_gen.toolchain import compilers

GEMM = KernelSpec.parse("bb_dgemm_nn_st_m3n3k4")
POTRF = KernelSpec.parse("bb_dpotrf_l_bi_n3")


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache with nothing in it, and nothing loaded."""
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    forget()
    yield library.default_cache()
    monkeypatch.undo()
    forget()


@pytest.fixture
def compiles(monkeypatch):
    """The names of what is compiled."""
    found, before = [], compilers.run

    def noted(argv, *, what, **named):
        found.append(what)
        return before(argv, what=what, **named)

    monkeypatch.setattr(compilers, "run", noted)
    return found


def test_a_kernel_in_a_unit_gives_the_bits_that_it_gives_alone(empty):
    cases = [typical(row, 1, n=4)[i % 4] for i, row in enumerate(TRIED)][::3]
    alone = [run(case) for case in cases]
    forget()
    prepared(cases)
    for case, found in zip(cases, alone, strict=True):
        again = run(case)
        assert [bits(x) for x in again.after.values()] == [bits(x) for x in found.after.values()], case


def test_one_call_of_the_compiler_for_many_and_none_for_what_is_loaded(empty, compiles):
    wanted = [GEMM, POTRF, (GEMM, {"form": "lane"}), GEMM]
    found = kernels.prepare(wanted, jobs=1)
    assert compiles == ["bb_dgemm_nn_st_m3n3k4 and 2 more"]
    assert found[0] is found[3] is kernels.kernel(GEMM)
    assert found[2] is kernels.kernel(GEMM, form="lane") is not found[0]
    assert found[2].source.schedule.form == "lane"
    assert len({x.library.path for x in found}) == 1
    assert kernels.prepare(wanted) == found
    kernels.reset()
    kernels.prepare(wanted, jobs=1)
    assert len(compiles) == len(empty.entries()) == 1


def test_each_core_has_its_unit(empty, compiles):
    specs = [KernelSpec.parse(f"bb_dscal_st_n{n}") for n in range(1, 6)]
    kernels.prepare(specs, jobs=3)
    assert len(compiles) == 3
    assert {x.library.path for x in map(kernels.kernel, specs)} == {
        entry.path / "kernel.so" for entry in empty.entries()
    }


def test_compilers_run_at_the_same_time(empty, monkeypatch):
    """Two units meet inside the compiler: neither waits for the other to end."""
    meet, before = threading.Barrier(2, timeout=60), compilers.run

    def slow(*arguments, **named):
        meet.wait()
        return before(*arguments, **named)

    monkeypatch.setattr(compilers, "run", slow)
    kernels.prepare([GEMM, POTRF], jobs=2)


def test_prepared_kernels_are_those_that_calls_find(empty, compiles, rng):
    a, b = rng.standard_normal((5, 3, 4)), rng.standard_normal((5, 4, 3))
    kernels.prepare([bb.KernelSpec.make("gemm", m=3, n=3, k=4)])
    assert len(compiles) == 1
    np.testing.assert_allclose(bb.gemm(a, b), a @ b)
    assert len(compiles) == 1


def test_nothing_to_prepare():
    assert kernels.prepare([]) == []


def test_what_cannot_be_prepared_is_named(empty, monkeypatch):
    with pytest.raises(SpecError, match="cannot be loaded"):
        kernels.prepare([GEMM, KernelSpec.parse("bb_dgemm_nn_bi_m2n2k2", "cuda")])
    monkeypatch.setattr(compilers, "kernel_flags", lambda _: ("-shared", "-no-such-flag"))
    with pytest.raises(CompileError, match="bb_dgemm_nn_st_m3n3k4 and 1 more"):
        kernels.prepare([GEMM, POTRF], jobs=1)
