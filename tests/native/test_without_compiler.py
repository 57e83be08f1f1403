"""Python without a compiler: kernels of a library by their names, and all others done by its few general ones."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from support import fuzz
from support import library as for_c
from support.kernels import forget
from support.layouts import bits

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import PRECISIONS
from bblas_gen.library.build import build
from bblas_gen.library.python import plan_for_python
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import Library, generator, library_here, load_kernel
from bblas_gen.runtime.marshal import address
from bblas_gen.runtime.stand_in import BodyByBody, stand_in
from bblas_gen.toolchain import compilers

HERE = Path(__file__).resolve().parent
OPERATIONS = {"d": ("gemm", "posv", "getrf", "getrs"), "z": ("hemm", "her2k")}
"""What the library has: products, solvers that report, pivots, and what conjugates without a letter for it."""
SET = ("bb_dgemm_nn_st_m3n3k3", "bb_dgemm_nn_bi_mnk", "bb_dgemm_nn_pp_m2n2k2")


@cache
def folder():
    """Where the library of these tests is, built by whichever process of the session comes first."""
    where = Path(os.environ["BBLAS_GEN_CACHE_DIR"]) / "tested-prebuilt"
    where.mkdir(parents=True, exist_ok=True)
    with (where / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        specs = [KernelSpec.parse(name) for name in SET]
        for p, names in OPERATIONS.items():
            specs += plan_for_python([OPS[name] for name in names], [PRECISIONS[p]], []).more
        plan = plan_for_python([], [], specs)
        build(plan, where, digest=generator("library"), jobs=1, done=lambda *_: None)
    return where


@pytest.fixture
def library(monkeypatch):
    """The library, in use; there is no compiler."""
    yield from used(folder(), monkeypatch)


def used(where, monkeypatch):
    forget()
    monkeypatch.setenv("BBLAS_GEN_LIBRARY", str(where))
    monkeypatch.setenv("PATH", str(where / "share"))
    monkeypatch.delenv("BBLAS_GEN_CC", raising=False)
    found = library_here()
    assert found is not None
    yield found
    monkeypatch.undo()
    forget()


def test_a_process_without_a_compiler_runs_everything(tmp_path):
    """Products, solvers, a sequence, matrices of different shapes, blocks; only what is not there is refused."""
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BBLAS_GEN_")}
    environment |= {"PATH": str(empty), "BBLAS_GEN_LIBRARY": str(folder()), "BBLAS_GEN_CACHE_DIR": str(tmp_path / "c")}
    command = [sys.executable, str(HERE.parent / "programs" / "without_compiler.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "bblas-gen prebuild --ops syrk --dtypes d" in done.stdout


def test_a_kernel_is_taken_by_its_name(library):
    spec = KernelSpec.parse(SET[0])
    found = kernels.kernel(spec).library
    assert found.path == library.found.path
    assert found.function is library.function(spec)
    with pytest.raises(bb.NoCompilerError):
        bb.compile("gemm", m=3, n=3, k=3, prefetch=0)  # another schedule is another kernel
    with pytest.raises(bb.NoCompilerError, match=r"bblas-gen prebuild --ops gemm --dtypes s "):
        kernels.kernel(KernelSpec.parse("bb_sgemm_nn_st_m3n3k3"))


def test_variable_batches_are_one_call(library):
    a = [x[None] for x in np.random.default_rng(1).standard_normal((20, 2, 2))]
    plan = bb.plan("gemm", a, a)
    assert plan.kernel.library.path == library.found.path
    ((function, _),) = plan._run.args[0]
    assert (function is not plan.kernel.library.function) == compilers.POOLED
    assert np.allclose(plan(), np.array(a) @ np.array(a))


@pytest.mark.parametrize("name", ["bb_dgemm_nn_bi_m3n4k5", "bb_dgemm_tn_st_m3n4k5_ld", "bb_dgemm_nt_stbist_m3n4k5_rs"])
def test_the_bits_are_those_of_the_kernel(library, monkeypatch, name):
    spec = KernelSpec.parse(name)
    replaced = stand_in(spec, library.function)
    assert isinstance(replaced, BodyByBody) == (name != "bb_dgemm_nn_bi_m3n4k5"), "whose kernel for any size is there"
    monkeypatch.undo()
    forget()
    assert list(map(bits, outcome(spec, replaced))) == list(map(bits, outcome(spec, kernels.kernel(spec))))


def outcome(spec, function):
    """All operands after a call; some of the matrices are not positive definite."""
    rng, arrays, values = np.random.default_rng(7), [], []
    numbers = {"batch_count": 13, "num_threads": 1, "alpha": 0.5, "beta": -1.0}
    steps = {"ld": 5, "rs": 1, "cs": 5, "st": 25}
    for p in signature_of(spec).parameters:
        if "*" in p.ctype:
            arrays.append((rng.standard_normal(1024) + 1).astype(np.int32 if p.name == "info" else float))
            table = arrays[-1].ctypes.data + 8 * 25 * np.arange(13)
            values.append(address(table if p.ctype.endswith("*const *") else arrays[-1]))
        else:
            values.append(numbers.get(p.name) or steps[p.name[:2]])
    assert function(*values) == 0
    return arrays


@pytest.mark.parametrize("name", ["bb_dgemm_nn_st_m3n4k5", "bb_dposv_l_st_n3nrhs2_rm", "bb_dgemm_tt_pp_m5n4k3_ld"])
def test_a_library_for_c_programs_does_other_sizes(monkeypatch, name):
    """Its kernels take leading dimensions, in both memory orders."""
    spec = KernelSpec.parse(name)
    (found,) = used(for_c.folder(), monkeypatch)
    replaced = stand_in(spec, found.function)
    assert replaced is not None
    assert not isinstance(replaced, BodyByBody)
    for x, y in zip(outcome(spec, replaced), outcome(spec, kernels.kernel(spec)), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-6)


def test_random_calls_are_right(library):
    """Against the oracles, every layout, stride, flag and size, failing matrices, threads."""

    def choice(spec):
        replaced = BodyByBody(spec, library.function)
        return kernels.Kernel(spec, Library(Path(), "", None, None, replaced), lambda: None)

    known = {(p, name) for p, names in OPERATIONS.items() for name in names}
    letter = {row.dtype: p for p, row in PRECISIONS.items()}
    cases = [case for case in map(fuzz.drawn, range(1200)) if (letter[case.dtype], case.op) in known]
    assert len(cases) > 40
    for case in cases:
        print(case)
        fuzz.check(case, choice)


def test_prebuilt_where_python_looks_and_shown(monkeypatch, tmp_path):
    """For one operation: nothing needs to be set to find it."""
    forget()
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    done = CliRunner().invoke(main, ["prebuild", "--ops", "axpy", "--dtypes", "d", "-j", "1"])
    assert done.exit_code == 0, done.output
    assert str(tmp_path / "cache" / "library") in done.output
    forget()
    found = library_here()
    assert found is not None
    assert found.found.kernels == {"bb_daxpy_pp_n_rs", "bb_dlacpy_n_pp_mn_rs"}
    assert str(found.found.path) in CliRunner().invoke(main, ["info"]).output
    monkeypatch.setenv("PATH", "")
    x, y = np.ones((3, 5)), np.zeros((3, 5))
    assert load_kernel(KernelSpec.parse("bb_daxpy_st_n5"), {}).path == found.found.path
    assert bb.axpy(x, y, alpha=2.0).sum() == 30
    monkeypatch.setenv("BBLAS_GEN_LIBRARY", "/nowhere")
    forget()
    assert "No such file" in CliRunner().invoke(main, ["info"]).output
    with pytest.raises(bb.LibraryError, match="/nowhere"):
        bb.axpy(x[:, :4], y[:, :4], alpha=2.0)
    monkeypatch.undo()
    forget()
