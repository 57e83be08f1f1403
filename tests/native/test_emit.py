"""Parcels, used as strangers use them: their tests, their build files, strict compilers, sanitizers, bare metal."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from functools import cache

import pytest
from support.kernels import native, quick

import bblas_gen as bb
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.recursion import divides
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import Layout
from bblas_gen.toolchain.compilers import find_cc, has_openmp

SCHUR = bb.sequence(
    [
        bb.step("potrf", "A"),
        bb.step("trsm", "A", "B"),
        bb.step("syrk", "B", "C", trans="T", alpha="weight", beta=0.9),
    ],
    name="schur",
)
NAMES = """
bb_dgemm_nn_st_m3n5k4 bb_zgemm_nr_pp_m3n2k2_ld bb_sgemm_nn_bi_m2n2k2 bb_dgemm_nt_st_m2n3k3_rs bb_ztrmm_lurn_il_mn
bb_zhemm_ru_pp_m3n2_rm bb_cherk_lc_bi12_n3k2 bb_zher2k_un_st_n3k2 bb_dtrmm_lunn_il_m3n2 bb_saxpy_st_n5 bb_cscal_il_n3
bb_dnrm2_pp_n5 bb_dposvk_l_st_n4nrhs2_rmld bb_zpotriks_u_bi_n3 bb_strtric_ln_st_n3 bb_dgesvk_bi_n3nrhs2 bb_zgetri_st_n3
bb_zgeadd_t_stbi_m3n2 bb_slascl_bi_m3n3 bb_cadddiag_st_n3_rs bb_dlogdet_st_n3 bb_dgetrf_bi_m1100n1
bb_slacpy_c_ppil_m4n3_ld bb_dpotrf_u_bu_n4 bb_dtrsm_llnu_il_m1n1 bb_dgetrs_t_il_n4nrhs2 bb_spotri_l_st_n
bb_zgetrfnp_bi_m6n5 bb_dsymm_ll_bi_m3n2_ld bb_cposv_u_bi_nnrhs_rmld bb_zsygv_2vu_bi_n3 bb_dsygv_1nl_bi_n2
bb_dsyev_vl_st_n3
"""
SPECS = [KernelSpec.make(SCHUR.row, "s", "st", m=3, n=2), *map(KernelSpec.parse, NAMES.split())]
"""Every operation that has loops of its own, every layout, the sorts of strides, a sequence, kernels for all sizes, one
with scratch on the heap."""
FEW = [spec for spec in SPECS if spec.op in ("gemm", "herk", "lacpy", "potrf", "lascl", "getrf", "gesvk")]
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic"]
THREADS = ["-fopenmp"] if has_openmp(find_cc()) else []


def run(*command, cwd, **environment):
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def good(*command, cwd, **environment):
    done = run(*command, cwd=cwd, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compiled(folder, *options):
    """The compiler, on C11."""
    return good(find_cc().path, "-std=c11", *native(), "-Iinclude", *options, cwd=folder)


@cache
def accepts(*options):
    command = [find_cc().path, *options, "-x", "c", "-", "-o", os.devnull]
    return subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All kernels, their tests as an object and as a program."""
    folder = tmp_path_factory.mktemp("parcel")
    bb.emit(SPECS, folder, simd_bytes=32)
    compiled(folder, *STRICT, *quick(), *THREADS, "-c", "bblas_kernels.c")
    compiled(folder, *STRICT, "-O1", "-c", "selftest.c")
    compiled(folder, *THREADS, "selftest.o", "bblas_kernels.o", "-lm", "-o", "selftest")
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Some that compile fast."""
    folder = tmp_path_factory.mktemp("few")
    bb.emit(FEW, folder, simd_bytes=32)
    return folder


def entries(specs):
    """How many tests there are: kernels for all sizes have four."""
    return sum(4 if spec.general else 1 for spec in specs)


def test_all_kernels_pass_their_tests(folder):
    assert good("./selftest", cwd=folder) == f"selftest: 0 of {entries(SPECS)} failed\n"


def test_valgrind_has_nothing_to_say(few):
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind")
    known = ["-march=x86-64-v2"] if platform.machine() == "x86_64" else []  # it lacks instructions of later ones
    compiled(few, *known, *quick(), "-DGUARD=0", "bblas_kernels.c", "selftest.c", "-lm", "-o", "known")
    assert "0 of" in good("valgrind", "-q", "--error-exitcode=3", "./known", cwd=few)


FAULTS = """
#include "bblas_kernels.h"
#include <stdlib.h>
#include <string.h>

static int is(const char *fault)
{
    return !strcmp(getenv("FAULT"), fault);
}
"""


def broken(spec):
    """C text of a function that calls a kernel and then does what the variable FAULT says."""
    entry = signature_of(spec)
    names = [p.name for p in entry.parameters]
    layouts = {x.name: where for x, where in zip(spec.row.parameters, spec.layouts, strict=True)}
    real = spec.p.storage.name

    def number(name, at):
        base = f"((void *const *){name})[0]" if layouts[name] is Layout.PP else name
        return f"(({real} *){base})[{at}]"

    result = number(spec.row.returns[0], 0)
    inputs = [x.name for x in spec.row.parameters if str(x.role) == "in"]
    lines = [
        entry.declaration.replace(f"int {entry.symbol}", f"int broken_{entry.symbol}")[:-1],
        "{",
        '    const int64_t count = batch_count > 1 && is("last") ? batch_count - 1 : batch_count;',
        f"    int status = {entry.symbol}({', '.join('count' if x == 'batch_count' else x for x in names)});",
        "    if (status || batch_count < 1)",
        "        return status;",
        f'    if (is("value")) {result} *= ({real})(1 + {1e5 * spec.p.eps});',
        f'    if (is("outside")) {number(spec.row.returns[0], -1)} = 1;',
        *([f'    if (is("input")) {number(inputs[0], 0)} = 1;'] if inputs else []),
        *(['    if (is("info")) info[batch_count - 1] = 1;'] if spec.row.info else []),
        '    return is("status");',
        "}",
    ]
    return "\n".join(lines) + "\n"


def test_a_broken_kernel_does_not_pass(folder):
    """Whatever is wrong with it, each kernel is named."""
    (folder / "faults.c").write_text(FAULTS + "".join(map(broken, SPECS)))
    names = [f"-D{spec.symbol()}=broken_{spec.symbol()}" for spec in SPECS]
    compiled(folder, "-c", "faults.c")
    compiled(folder, *names, *THREADS, "selftest.c", "faults.o", "bblas_kernels.o", "-lm", "-o", "broken")
    with_inputs = [spec for spec in SPECS if any(str(x.role) == "in" for x in spec.row.parameters)]
    reporting = [spec for spec in SPECS if spec.row.info]
    some = {"value": SPECS, "outside": SPECS, "last": SPECS, "status": SPECS, "input": with_inputs, "info": reporting}
    for fault, specs in some.items():
        done = run("./broken", cwd=folder, FAULT=fault)
        assert done.returncode == 1
        found = {line.split(":")[0] for line in done.stdout.splitlines()[:-1] if line.startswith("bb_")}
        assert found == {spec.symbol() for spec in specs}, fault
        assert done.stdout.endswith(f"selftest: {entries(specs)} of {entries(SPECS)} failed\n")
    assert run("./broken", cwd=folder, FAULT="").returncode == 0


@pytest.mark.parametrize("compilers", [("clang", "clang++"), ("gcc", "g++")], ids=["clang", "gcc"])
def test_strict_compilers_say_nothing(compilers, folder):
    c, cxx = map(shutil.which, compilers)
    if not (c and cxx):
        pytest.skip(f"no {compilers[1]}")
    common = [*STRICT, "-Iinclude", "-I.", "-fsyntax-only"]
    good(c, "-std=c11", *common, "bblas_kernels.c", "selftest.c", "examples/example.c", cwd=folder)
    (folder / "use.cpp").write_text('#include "bblas_kernels.c"\n#include "include/bblas_kernels.h"\n')
    good(cxx, "-std=c++17", *common, "use.cpp", "examples/example.cpp", cwd=folder)


def test_kernels_are_cxx_too(few):
    """One file includes all, and has their results."""
    cxx = shutil.which("g++")
    if not cxx:
        pytest.skip("no g++")
    (few / "use.cpp").write_text(
        '#include "bblas_kernels.c"\nextern "C" int tests(void);\nint main() { return tests(); }\n'
    )
    good(cxx, "-std=c++17", "-I.", "-c", "use.cpp", cwd=few)
    compiled(few, "-Dmain=tests", "-c", "selftest.c")
    assert "0 of" in good(cxx, "use.o", "selftest.o", "-o", "use", cwd=few) + good("./use", cwd=few)


def test_programs_run_clean_under_the_sanitizers(few):
    options = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
    if not accepts(*options):
        pytest.skip("the compiler has no sanitizers: theirs are a package of its own")
    compiled(few, *options, *quick(), "-c", "bblas_kernels.c", "-o", "clean.o")
    compiled(few, *options, "-DGUARD=0", "selftest.c", "clean.o", "-lm", "-o", "clean")
    assert "0 of" in good("./clean", cwd=few)


CALLS = """
#include "bblas_kernels.h"
#include <pthread.h>

enum {{ BATCH = 40 }};
static double a[4][BATCH * 1100];
static int32_t pivots[4][BATCH], info[4][BATCH];

static void *work(void *number)
{{
    const int t = *(int *)number;
    for (int i = 0; i < BATCH * 1100; i++)
        a[t][i] = 1 + i % 7;
    return {symbol}(a[t], pivots[t], info[t], BATCH, 1) ? number : (void *)0;
}}

int main(void)
{{
    pthread_t threads[4];
    int numbers[4] = {{0, 1, 2, 3}}, failed = 0;
    for (int t = 0; t < 4; t++)
        pthread_create(&threads[t], (void *)0, work, &numbers[t]);
    for (int t = 0; t < 4; t++) {{
        void *status;
        pthread_join(threads[t], &status);
        failed |= status != (void *)0;
    }}
    return failed;
}}
"""


def test_threads_share_nothing(tmp_path):
    """Those of a caller, each with operands of its own; OpenMP's own memory is no part of what the sanitizer knows."""
    if not accepts("-fsanitize=thread"):
        pytest.skip("the compiler has no thread sanitizer")
    symbol = "bb_dgetrf_bi_m1100n1"
    bb.emit(symbol, tmp_path, simd_bytes=32)
    (tmp_path / "main.c").write_text(CALLS.format(symbol=symbol))
    compiled(tmp_path, "-fsanitize=thread", "-O1", "main.c", "bblas_kernels.c", "-lpthread", "-o", "main")
    good("./main", cwd=tmp_path)


@pytest.mark.parametrize("target", ["", "aarch64-none-elf"])
def test_kernels_need_no_c_library(target, few):
    """Beside what compilers call themselves; no header but those of the compiler, here and on bare metal."""
    cc = "clang" if target else find_cc().path
    bare = [cc, f"--target={target}", "-nostdlibinc"] if target else [cc, *native(), "-nostdinc"]
    bare += ["-ffreestanding", "-std=c11", "-fno-math-errno", "-O1"]
    known = shutil.which(cc) and run(*bare, "-x", "c", "-c", os.devnull, "-o", os.devnull, cwd=few).returncode == 0
    if not known:
        pytest.skip(f"no compiler for {target or 'this machine'}")
    headers = good(cc, "-print-file-name=include", cwd=few).strip()
    symbols = [spec.symbol() for spec in FEW if spec.op != "getrf"]  # whose scratch is on the heap
    good(*bare, *STRICT, "-isystem", headers, "-c", *(f"src/{symbol}.c" for symbol in symbols), cwd=few)
    if nm := shutil.which("nm"):
        lines = good(nm, "-u", *(f"{symbol}.o" for symbol in symbols), cwd=few).splitlines()
        wanted = {line.split()[-1] for line in lines if line.startswith(" ")}
        assert wanted <= {"memcpy", "memset", "memmove", "sqrt", "sqrtf", "_GLOBAL_OFFSET_TABLE_"}


CONSUMER = """cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(kernels 0.1 REQUIRED)
add_executable(consumer ${example})
target_link_libraries(consumer PRIVATE kernels::kernels)
"""


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    bb.emit("bb_dposv_l_st_n3nrhs1", folder, name="kernels", simd_bytes=16)
    return folder


def test_a_package_for_cmake(one, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("no cmake")
    good("cmake", "-S", one, "-B", "build", f"-DCMAKE_C_FLAGS={' '.join(STRICT)}", cwd=tmp_path)
    good("cmake", "--build", "build", "--parallel", "2", cwd=tmp_path)
    assert "100% tests passed" in good("ctest", "--test-dir", "build", cwd=tmp_path)
    good("cmake", "--install", "build", "--prefix", tmp_path / "there", cwd=tmp_path)
    (tmp_path / "consumer").mkdir()
    (tmp_path / "consumer" / "CMakeLists.txt").write_text(CONSUMER)
    places = [f"-DCMAKE_PREFIX_PATH={tmp_path / 'there'}", f"-Dexample={one / 'examples' / 'example.c'}"]
    good("cmake", "-S", "consumer", "-B", "used", *places, cwd=tmp_path)
    good("cmake", "--build", "used", cwd=tmp_path)
    assert "B begins with 1" in good(tmp_path / "used" / "consumer", cwd=tmp_path)


def test_a_makefile(one):
    make = shutil.which("make")
    if not make:
        pytest.skip("no make")
    options = [f"CC={find_cc().path}", "OPENMP="]
    assert "0 of 1 failed" in good(make, "test", *options, cwd=one)
    good(make, "install", *options, "PREFIX=there", cwd=one)
    assert (one / "there" / "lib" / "libkernels.a").is_file()
    assert "B begins with 1" in good(make, "build/example_c", *options, cwd=one) + good("build/example_c", cwd=one)


def test_large_kernels_bring_what_they_call(tmp_path):
    """Two that share a product, which is there once; both are tested with sizes that they divide. One for vectors."""
    wanted = ["bb_ztrsv_lnn_st_n_rm", "bb_ztrsv_unu_pp_n_rm", "bb_ddot_st_n"]
    paths = bb.emit(wanted, tmp_path, large=True)
    kernels = [path.name for path in paths if path.parent.name == "src"]
    assert kernels == [f"{name}.c" for name in (*wanted, "bb_zgemm_nn_st_mnk_ld")]
    assert "streamed" in (tmp_path / "src" / "bb_ddot_st_n.c").read_text().split("\n */")[0]
    compiled(tmp_path, *THREADS, "-O1", *STRICT, "bblas_kernels.c", "selftest.c", "-lm", "-o", "selftest")
    assert "0 of " in good("./selftest", cwd=tmp_path)


def test_strict_compilers_say_nothing_of_large_kernels(tmp_path):
    """Of each operation that is divided, or has a step that is; with the last letter of each flag, where a function may
    have nothing to do."""
    last = {"side": "R", "uplo": "U", "diag": "U", "trans": "C", "transa": "C", "transb": "C"}
    rows = [row for row in LISTED if last.keys() >= {*row.flags}]
    specs = [
        KernelSpec.make(row, "c", **dict.fromkeys(row.sizes), **{flag: last[flag] for flag in row.flags})
        for row in rows
    ]
    wanted = [spec for spec in specs if divides(spec.row, spec.flag)]
    assert {"trtri", "potri", "getri"} < {spec.op for spec in wanted}
    bb.emit(wanted, tmp_path, large=True)
    compiled(tmp_path, *STRICT, "-fsyntax-only", *(f"src/{path.name}" for path in (tmp_path / "src").iterdir()))


def test_large_kernels_are_cxx_too(tmp_path):
    cxx = shutil.which("g++")
    if not cxx:
        pytest.skip("no g++")
    bb.emit(["bb_cgemv_n_st_mn_ld", "bb_sgemm_nn_st_mnk_ld"], tmp_path, large=True)
    good(cxx, "-xc++", "-std=c++17", *STRICT, "-fsyntax-only", "bblas_kernels.c", cwd=tmp_path)


@pytest.mark.thorough
def test_large_kernels_run_clean_under_the_sanitizers(tmp_path):
    """Streamed, divided, packed and direct ones."""
    options = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
    if not accepts(*options):
        pytest.skip("the compiler has no sanitizers: theirs are a package of its own")
    wanted = ["bb_dtrsm_llnn_st_mn_ld", "bb_cposv_u_st_nnrhs_rm", "bb_dnrm2_st_n", "bb_dgemv_n_st_mn_ld"]
    bb.emit(wanted, tmp_path, large=True)
    compiled(tmp_path, *options, "-O1", "-DGUARD=0", "bblas_kernels.c", "selftest.c", "-lm", "-o", "clean")
    assert "0 of" in good("./clean", cwd=tmp_path)
