"""Parcels for GPUs, built by their own files and run: nvcc and the GPU are emulated."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from support import emulated_programs

import bblas_gen as bb
from bblas_gen.ir.spec import KernelSpec

SEQUENCE = bb.sequence([bb.step("lascl", "A", alpha="weight"), bb.step("potrf", "A")], name="scaled")
NAMES = ["bb_zgemm_cn_pp_m3n2k4_ld", "bb_dposv_l_st_n4nrhs1_rm", "bb_sgetrf_il_m3n3", "bb_ctrsm_llnn_bi_m3n2"]
SPECS = [
    *(KernelSpec.parse(name, "cuda") for name in NAMES),
    KernelSpec.make(SEQUENCE.row, "d", "bi", m=3, target="cuda"),
]
"""Layouts, pointers and indices, kinds of scalars, what is staged in shared memory, a sequence."""
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic"]


def run(*command, cwd, **environment):
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def good(*command, cwd, **environment):
    done = run(*command, cwd=cwd, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def nvcc(tmp_path_factory):
    return emulated_programs.compiler(tmp_path_factory.mktemp("nvcc"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parcel")
    bb.emit(SPECS, folder)
    return folder


def test_one_file_has_all_kernels_and_they_pass_their_tests(folder, nvcc):
    good(nvcc, "-c", "bblas_kernels.cu", "-o", "all.o", cwd=folder)
    good(nvcc, "-Iinclude", "selftest.c", "all.o", "-o", "selftest", cwd=folder)
    assert good("./selftest", cwd=folder) == f"selftest: 0 of {len(SPECS)} failed\n"
    done = run("./selftest", cwd=folder, EMU_NO_GPU="1")
    assert (done.returncode, done.stderr) == (2, "the GPU says: out of memory\n")


def test_a_broken_kernel_does_not_pass(folder, nvcc):
    text = (folder / "bblas_kernels.cu").read_text()
    (folder / "broken.cu").write_text(text.replace("left = batch_count - first", "left = batch_count - 1 - first"))
    good(nvcc, "-c", "broken.cu", "-o", "broken.o", cwd=folder)
    good(nvcc, "-Iinclude", "selftest.c", "broken.o", "-o", "broken", cwd=folder)
    done = run("./broken", cwd=folder)
    assert done.returncode == 1
    assert {line.split(":")[0] for line in done.stdout.splitlines()} >= {spec.symbol() for spec in SPECS}


@pytest.mark.parametrize("compilers", [("clang", "clang++"), ("gcc", "g++")], ids=["clang", "gcc"])
def test_strict_compilers_say_nothing(compilers, folder):
    c, cxx = map(shutil.which, compilers)
    if not (c and cxx):
        pytest.skip(f"no {compilers[1]}")
    common = [*STRICT, "-Iinclude", "-isystem", emulated_programs.HOST, "-fsyntax-only"]
    good(c, "-std=c11", *common, "selftest.c", "examples/example.c", cwd=folder)
    good(cxx, "-std=c++17", *common, "examples/example.cpp", cwd=folder)


def test_a_makefile(tmp_path, nvcc):
    make = shutil.which("make")
    if not make:
        pytest.skip("no make")
    bb.emit(SPECS[1], tmp_path, name="kernels")
    said = good(make, "test", "examples", "install", f"NVCC={nvcc}", "ARCH=80 100", "PREFIX=there", cwd=tmp_path)
    assert "-gencode arch=compute_100,code=sm_100 -gencode arch=compute_100,code=compute_100" in said
    assert "0 of 1 failed" in said
    assert said.count("B begins with 1") == 2
    assert (tmp_path / "there" / "lib" / "libkernels.a").is_file()
