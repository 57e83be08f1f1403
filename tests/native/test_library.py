"""A C library: its functions for every layout, order and kind of batch, what they refuse, and what is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support import library
from support.library import (
    BATCH,
    COMBINATIONS,
    DIVIDED,
    LARGE,
    SCALARS,
    Call,
    Stored,
    family,
    flags_of,
    folder,
    loaded,
    made,
    number,
    operands_of,
    values,
)
from support.table import ORACLES

from bblas_gen.codegen.signature import signature_of
from bblas_gen.errors import SpecError
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import Layout
from bblas_gen.library.build import build
from bblas_gen.library.contents import LEVELS
from bblas_gen.runtime.library import generator
from bblas_gen.toolchain import compilers

ROOT = Path(__file__).resolve().parents[2]
KNOWN, ANY = "bb_zgemm_nc_st_m3n3k3_ld", "bb_zgemm_nc_st_mnk_ld"


def named(x):
    return x if isinstance(x, str) else None


@pytest.mark.parametrize("row_major", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize(("name", "layout", "sizes"), [*COMBINATIONS, *DIVIDED], ids=named)
def test_all_flags_of_every_family(name, layout, sizes, row_major):
    for flags in flags_of(name):
        operands = operands_of(name, sizes, flags, row_major)
        before = values(operands)
        around = {x: stored.outside() for x, stored in operands.items() if isinstance(stored, Stored)}
        assert Call(name, layout).run(layout, row_major, sizes, flags, operands) == 0
        after = values(operands)
        if OPS[name[1:]].info:
            assert (after["info"] == 0).all()
            before["INFO"], after["INFO"] = before["info"], after["info"]
        assert ORACLES[name[1:]].error(before, after, flags, SCALARS) < ORACLES[name[1:]].bound, flags
        for x, unchanged in around.items():
            assert operands[x].outside().tobytes() == unchanged.tobytes()


def test_a_shape_with_a_kernel_runs_it():
    """Complex products of one matrix by vectors down its columns have other bits than those of lanes."""
    sizes, flags = {"m": 3, "n": 3, "k": 3}, {"transa": "N", "transb": "C"}
    ffi, lib = loaded()
    matrix = "void *, int64_t, int64_t, "
    rest = f"void *, {matrix}{matrix}void *, {matrix}int64_t, int)"
    results = {}
    for symbol, first, size in (("", 0, ""), (KNOWN, 6, ""), (ANY, 3, "int64_t, int64_t, int64_t, ")):
        operands, call = operands_of("zgemm", sizes, flags, False), Call("zgemm", "st")
        if symbol:
            kernel = ffi.cast(f"int (*)({size}{rest}", lib.tt_kernel(symbol.encode()))
            call.function = lambda *given, run=kernel, skipped=first: run(*given[skipped:])
        assert call.run("st", False, sizes, flags, operands) == 0
        results[symbol] = operands["C"].array.tobytes()
    assert results[""] == results[KNOWN]
    assert results[""] != results[ANY]


def ran(name, layout, sizes, flags, threads=1):
    """The bits of a call, and of one that works in memory of its caller."""
    plain, other = (operands_of(name, sizes, flags, False) for _ in range(2))
    given = layout, False, sizes, flags
    assert Call(name, layout).run(*given, plain, {"num_threads": threads}) == 0
    call = Call(name, f"{layout}_work")
    work = np.zeros(call.run(*given, other, work=(call.ffi.NULL, -1)) + 1, np.uint8)
    assert call.run(*given, other, work=(call.pointer(work), len(work) - 1)) == 0
    return [bytes_of(operands) for operands in (plain, other)]


def bytes_of(operands):
    return [x.tobytes() for x in values(operands).values()]


def in_lanes(name, layout, sizes, flags):
    """The bits of the kernel for all sizes that is found by its name."""
    known = family(name).general(Layout(layout))
    spec = next(x for x in known if {k: str(v) for k, v in x.flag.items()} == flags and not x.strides.row_major)
    operands, call = operands_of(name, sizes, flags, False), Call(name, layout)
    types = ", ".join(p.ctype.strip() for p in signature_of(spec).parameters)
    kernel = call.ffi.cast(f"int (*)({types})", loaded()[1].tt_kernel(spec.symbol().encode()))
    call.function = lambda *given: kernel(*given[1 + len(flags) :])
    assert call.run(layout, False, sizes, flags, operands) == 0
    return bytes_of(operands)


@pytest.mark.parametrize(("name", "layout", "sizes"), DIVIDED, ids=named)
def test_large_matrices_are_divided(name, layout, sizes):
    """By any number of threads, in memory of the caller, too. The kernel that has lanes adds in another order but in
    triangular solves, where bits differ only if products are fused."""
    one, work = ran(name, layout, sizes, flags_of(name)[-1])
    two, _ = ran(name, layout, sizes, flags_of(name)[-1], threads=2)
    assert one == two == work
    assert (one != in_lanes(name, layout, sizes, flags_of(name)[-1])) == (name != "strsm")


@pytest.mark.parametrize(("side", "divided"), [("L", True), ("R", False)])
@pytest.mark.parametrize("name", ["strsm", "dsymm"])
def test_what_is_large_depends_on_the_side(name, side, divided):
    sizes, flags = {"m": LARGE, "n": 5}, next(x for x in flags_of(name) if x["side"] == side)
    plain, work = ran(name, "pp", sizes, flags)
    assert plain == work
    assert (plain != in_lanes(name, "pp", sizes, flags)) is divided


def test_a_matrix_that_fails_where_it_is_divided():
    """The first bad pivot is named, right-hand sides stay, other matrices are done."""
    sizes, flags = {"n": LARGE + 9, "nrhs": 2}, {"uplo": "L"}
    operands = operands_of("dposv", sizes, flags, False)
    at, b = LARGE + 5, operands["B"].matrices[4]
    operands["A"].array[4, at, at] = -1
    expected = operands_of("dposv", sizes, flags, False)
    assert Call("dposv", "st").run("st", False, sizes, flags, operands) == 0
    assert operands["info"].tolist() == [at + 1 if i == 4 else 0 for i in range(BATCH)]
    assert (operands["B"].matrices[4] == b).all()
    assert Call("dposv", "st").run("st", False, sizes, flags, expected) == 0
    assert np.delete(operands["B"].matrices, 4, 0).tobytes() == np.delete(expected["B"].matrices, 4, 0).tobytes()


def test_interleaved_matrices():
    """The library's kernels see the bytes of our containers."""
    import bblas_gen as bb

    sizes = {"m": 2, "n": 3, "k": 4}
    x = made("dgemm", sizes, {"transa": "T", "transb": "N"})
    packed = {name: bb.interleave(array) for name, array in x.items()}
    ffi, lib = loaded()
    pointers = {name: ffi.cast("double *", box.data.ctypes.data) for name, box in packed.items()}
    assert lib.tt_dgemm_bi(112, 111, 2, 3, 4, -0.5, pointers["A"], pointers["B"], 0.5, pointers["C"], BATCH, 1) == 0
    expected = -0.5 * x["A"].transpose(0, 2, 1) @ x["B"] + 0.5 * x["C"]
    assert np.allclose(packed["C"].deinterleave(), expected, rtol=1e-14)
    assert lib.tt_dgemm_bi(112, 113, 2, 3, -4, 1, ffi.NULL, ffi.NULL, 0, ffi.NULL, BATCH, 1) == -5


@pytest.mark.parametrize("uplo", "LU")
def test_interleaved_matrices_have_no_memory_order(uplo):
    """Other layouts of this operation have kernels for either."""
    import bblas_gen as bb

    x = made("dposv", {"n": 3, "nrhs": 2}, {"uplo": uplo})
    packed = {name: bb.interleave(array) for name, array in x.items()}
    ffi, lib = loaded()
    pointers = [ffi.cast("double *", box.data.ctypes.data) for box in packed.values()]
    info = ffi.new("int32_t[]", BATCH)
    assert lib.tt_dposv_bi(number("uplo", uplo), 3, 2, *pointers, info, BATCH, 1) == 0
    after = {name: box.deinterleave() for name, box in packed.items()}
    assert ORACLES["posv"].error(x, after, {"uplo": uplo}, {}) < ORACLES["posv"].bound


def test_nothing_to_do_needs_no_pointers():
    call = Call("dgemm", "st")
    null = call.ffi.NULL
    assert call.function(102, 111, 111, 0, 0, 3, 1.0, null, 1, 0, null, 3, 0, 0.0, null, 1, 0, 5, 0) == 0
    assert call.function(102, 111, 111, 3, 3, 3, 1.0, null, 3, 0, null, 3, 0, 0.0, null, 3, 0, 0, 0) == 0


@pytest.mark.parametrize("row_major", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize(("name", "layout"), [("dgemm", "st"), ("dgemm", "pp"), ("strsm", "pp"), ("dposv", "st")])
def test_every_argument_at_fault_is_named(name, layout, row_major):
    sizes, flags = {"m": 2, "n": 3, "k": 4, "nrhs": 2}, flags_of(name)[0]
    call = Call(name, layout)
    declared = re.search(rf"int tt_{name}_{layout}\((.*)\);", (folder() / "include" / "tested.h").read_text())
    names = [text.split()[-1].lstrip("*") for text in declared[1].split(",")]
    wrong = {"layout": 103, "batch_count": -1, "num_threads": -1, "info": call.ffi.NULL}
    wrong |= dict.fromkeys(flags, 110) | dict.fromkeys(OPS[name[1:]].sizes, -1)
    wrong |= {x: call.ffi.NULL for x in "ABC" if x in names} | {f"ld{x}": 1 for x in "abc" if f"ld{x}" in names}
    written = {x.name.lower() for x in OPS[name[1:]].outputs}
    wrong |= {f"stride_{x}": 0 for x in written if f"stride_{x}" in names}
    for argument in wrong.keys() & set(names):
        operands = operands_of(name, sizes, flags, row_major, pad=0)
        before = {x: v.array.tobytes() for x, v in operands.items() if isinstance(v, Stored)}
        info = call.run(layout, row_major, sizes, flags, operands, {argument: wrong[argument]})
        assert info == -(names.index(argument) + 1), argument
        assert before == {x: v.array.tobytes() for x, v in operands.items() if isinstance(v, Stored)}


def test_kernels_by_name():
    ffi, lib = loaded()
    listed = json.loads((folder() / "share" / "tested" / "manifest.json").read_text())["kernels"]
    assert {library.BY_NAME, *library.NAMED} <= set(listed)
    assert all(lib.tt_kernel(name.encode()) != ffi.NULL for name in listed)
    assert lib.tt_kernel(b"bb_dgemm_nn_st_m2n2k3") == ffi.NULL


def test_only_its_own_names_are_seen():
    text = subprocess.run(
        ["nm", "-D", "--defined-only", folder() / "lib" / "libtested.so"], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[-1] for line in text.splitlines()]
    assert {name[:3] for name in names if not name.startswith("_")} == {"tt_"}
    assert not [name for name in names if "bb_" in name or name.endswith("level")]


def test_what_was_compiled_is_not_compiled_again(tmp_path):
    small = library.plan(names=["dpotrf"], openmp=False)
    first = build(small, tmp_path, digest=generator("library"), jobs=1, done=lambda *_: None)
    told = []
    again = build(small, tmp_path, digest=generator("library"), jobs=1, done=lambda *given: told.append(given))
    assert first.compiled == len(told) > 0
    assert again.compiled == 0
    assert again.files == first.files
    assert told[-1] == (len(told), len(told))
    with pytest.raises(SpecError, match="prefix = 'a-b' is no name in C"):
        build(library.Plan("x", "a-b", (), (), small.levels, False), tmp_path, digest="", jobs=1, done=print)


STRICT = ("-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror")


def documented():
    """The program of the documentation, for the library of the tests."""
    (program,) = re.findall(r"```c\n(.*?)```", (ROOT / "docs" / "library.md").read_text(), re.DOTALL)
    return program.replace("bblas_", "tt_").replace("BBLAS_", "TT_").replace("bblas.h", "tested.h")


def linked(way):
    """The options that link with the library."""
    lib, cc = folder() / "lib", compilers.find_cc()
    if way == "static":
        return [lib / "libtested.a", *(["-fopenmp"] if compilers.has_openmp(cc) else []), "-lm"]
    if way == "shared":
        return ["-I", folder() / "include", "-L", lib, "-ltested", f"-Wl,-rpath,{lib}"]
    asked = ["pkg-config", "--cflags", "--libs", str(lib / "pkgconfig" / "tested.pc")]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return [*said.split(), f"-Wl,-rpath,{lib}"]


@pytest.mark.parametrize("way", ["shared", "static", "pkg-config"])
def test_the_program_of_the_documentation(way, tmp_path):
    if way == "pkg-config" and not shutil.which(way):
        pytest.skip("pkg-config is not installed")
    (tmp_path / "program.c").write_text(documented())
    command = [compilers.find_cc().path, *STRICT, "-std=c11", "-I", folder() / "include", "program.c", "-o", "program"]
    subprocess.run([*map(str, command + linked(way))], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout
    assert said == "argument 0, info 0 and 3, x = 1 1 1\n"


def test_the_header_is_cpp_too(tmp_path):
    (tmp_path / "program.cpp").write_text(documented())
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        pytest.skip("no C++ compiler is installed")
    command = [compiler, *STRICT, "-std=c++17", "-fsyntax-only", "-I", str(folder() / "include"), "program.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True)


@pytest.mark.skipif(not shutil.which("cmake"), reason="CMake is not installed")
def test_cmake_finds_it(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("""
cmake_minimum_required(VERSION 3.16)
project(use C)
find_package(tested 0.1 REQUIRED)
foreach(kind tested tested_static)
  add_executable(use_${kind} use.c)
  target_link_libraries(use_${kind} tested::${kind})
endforeach()
""")
    (tmp_path / "use.c").write_text("#include <tested.h>\nint main(void) { return !*tt_isa(); }\n")
    for command in (
        ["cmake", "-B", "build", f"-Dtested_DIR={folder() / 'lib' / 'cmake' / 'tested'}"],
        ["cmake", "--build", "build"],
        ["build/use_tested"],
        ["build/use_tested_static"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="instruction sets of x86-64")
def test_the_instructions_are_those_of_the_processor_or_older(tmp_path):
    """Code for the oldest processors has no newer instruction, and the environment chooses it."""
    levels = tuple(x for x in LEVELS if x.march in ("x86-64", "x86-64-v3"))
    plan = library.plan(levels, openmp=False, names=["dpotrf"])
    build(plan, tmp_path, digest=generator("library"), jobs=1, done=lambda *_: None)
    text = subprocess.run(
        ["objdump", "-d", tmp_path / "lib" / "libtested.so"], capture_output=True, text=True, check=True
    ).stdout
    newer = {}
    for function in re.split(r"\n(?=[0-9a-f]+ <)", text):
        name = re.match(r"[0-9a-f]+ <(\S+)>", function)
        if name:
            newer[name[1]] = bool(re.search(r"\t(v[a-z0-9]+|[a-z0-9]*lzcnt|andn|sh[lr]x|mulx) ", function))
    assert any(new for name, new in newer.items() if name.endswith("_x86_64_v3"))
    assert not [name for name, new in newer.items() if new and "v3" not in name and not name.startswith("bb")]
    program = """
import sys, cffi
ffi = cffi.FFI(); ffi.cdef("const char *tt_isa(void);")
print(ffi.string(ffi.dlopen(sys.argv[1]).tt_isa()).decode())
"""
    said = []
    for wanted in ("x86-64", "x86-64-v4", ""):
        run = subprocess.run(
            [shutil.which("python3") or "python3", "-c", program, tmp_path / "lib" / "libtested.so"],
            env=os.environ | {"BBLAS_GEN_CPU": wanted},
            capture_output=True,
            text=True,
        )
        said.append(run.stdout.strip())
    assert said[0] == "x86-64"
    assert said[1] == said[2] != ""
