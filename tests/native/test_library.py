"""A C library: its functions for every layout, order and kind of batch, what they refuse, and what is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support import library
from support.library import BATCH, FAMILIES, Stored, folder, indices, loaded, made, number
from support.table import ORACLES

from bblas_gen.errors import SpecError
from bblas_gen.ir.catalog import OPS
from bblas_gen.library.build import build
from bblas_gen.library.contents import LEVELS
from bblas_gen.runtime.library import generator
from bblas_gen.toolchain import compilers

ROOT = Path(__file__).resolve().parents[2]
GIVEN = {"m": 2, "n": 3, "k": 4, "nrhs": 2}
"""Sizes that have kernels of their own in some families; others run the kernel for all sizes."""
KNOWN, ANY = "bb_zgemm_nc_st_m3n3k3_ld", "bb_zgemm_nc_st_mnk_ld"
SCALARS = {"alpha": -0.5, "beta": 0.5}
COMBINATIONS = [
    (name, layout, sizes)
    for name in FAMILIES
    for layout in ("pp", "st")
    if layout in FAMILIES[name]
    for sizes in (GIVEN, {"m": 3, "n": 3, "k": 3, "nrhs": 2}, {"m": 5, "n": 9, "k": 1, "nrhs": 1})
]


def flags_of(name):
    """All letters of all flags that the BLAS has."""
    family = library.family(name)
    return [dict(zip(family.row.flags, map(str, letters), strict=True)) for letters in product(*family.letters)]


class Call:
    """A call of a function with arrays that must outlive it."""

    def __init__(self, name, kind):
        self.ffi, lib = loaded()
        self.function, self.row, self.name = getattr(lib, f"tt_{name}_{kind}"), OPS[name[1:]], name
        self.complex, self.kept = name[0] in "cz", []

    def scalar(self, name, value):
        real = np.array([value.real, value.imag], library.reals(self.name))
        self.kept.append(real)
        plain = not self.complex or name in self.row.real_scalars
        return value.real if plain else self.ffi.cast("void *", real.ctypes.data)

    def pointer(self, array):
        self.kept.append(array)
        return self.ffi.cast("void *", array.ctypes.data)

    def pointers(self, stored):
        found = np.array([matrix.ctypes.data for matrix in stored.array], np.uintp)
        self.kept.append(stored.array)
        return self.pointer(found)

    def run(self, layout, row_major, sizes, flags, operands, other=None):
        """``operands``: Stored, or plain arrays of indices; ``other`` replaces arguments by their names."""
        given = {} if layout == "bi" else {"layout": 101 if row_major else 102}
        given |= {name: number(name, letter) for name, letter in flags.items()}
        given |= {name: sizes[name] for name in self.row.sizes}
        for name in self.row.arguments:
            if name in self.row.scalars:
                given[name] = self.scalar(name, complex(SCALARS[name]))
                continue
            x, letter = operands[name], name.lower()
            if isinstance(x, Stored):
                given[name] = self.pointers(x) if layout == "pp" else self.pointer(x.array)
                given[f"ld{letter}"] = x.ld
                given |= {f"stride_{letter}": x.stride} if layout == "st" else {}
            else:
                given[name] = self.pointer(x)
                given |= {f"stride_{letter}": x.shape[1]} if layout != "bi" and x.ndim == 2 else {}
        if self.row.info:
            given["info"] = self.pointer(operands["info"])
        given |= {"batch_count": BATCH, "num_threads": 1} | (other or {})
        return self.function(*given.values())


def operands_of(name, sizes, flags, row_major, pad=2):
    operands = made(name, sizes, flags).items()
    found = {x: array if x in indices(name) else Stored.of(array, row_major, pad) for x, array in operands}
    return found | {"info": np.full(BATCH, -7, np.int32)}


def values(operands):
    return {name: x.matrices if isinstance(x, Stored) else x for name, x in operands.items()}


@pytest.mark.parametrize("row_major", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize(("name", "layout", "sizes"), COMBINATIONS, ids=lambda x: x if isinstance(x, str) else None)
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


def each(ctype, numbers):
    return loaded()[0].new(f"{ctype}[]", [int(x) if "int" in ctype else float(x) for x in numbers])


def pointers_to(arrays):
    ffi = loaded()[0]
    return ffi.new("double *[]", [ffi.cast("double *", x.ctypes.data) for x in arrays])


def products(rng, count, top):
    """Operands of products of different sizes, in C order, that is, of the transposed product by columns."""
    sizes = rng.integers(1, top + 1, (count, 3))
    a = [rng.standard_normal((k, m)) for m, n, k in sizes]
    b = [rng.standard_normal((n, k)) for m, n, k in sizes]
    c = [rng.standard_normal((n, m)) for m, n, k in sizes]
    return sizes, a, b, c


@pytest.mark.parametrize("count", [1, 50, 3000])
@pytest.mark.parametrize("threads", [1, 3])
def test_each_matrix_its_own_sizes_and_scalars(count, threads):
    """Also where some do not change for a while, and then are others."""
    rng = np.random.default_rng(count)
    sizes, a, b, c = products(rng, count, 3)
    alpha, beta = rng.integers(0, 3, count) * 0.5, rng.integers(0, 3, count) * 0.5
    alpha[: count // 2] = 1
    alpha[count // 4 : count // 2], beta[: count // 3] = 0.5, 2
    expected = [alpha[i] * b[i] @ a[i] + beta[i] * c[i] for i in range(count)]
    m, n, k = (each("int64_t", sizes[:, i]) for i in range(3))
    plain = each("int", [111] * count)
    lists = (each("double", alpha), pointers_to(a), m, pointers_to(b), k, each("double", beta), pointers_to(c), m)
    assert loaded()[1].tt_dgemm_variable(102, plain, plain, m, n, k, *lists, count, threads) == 0
    assert all(np.allclose(x, y, rtol=1e-13, atol=1e-13) for x, y in zip(c, expected, strict=True))


@pytest.mark.parametrize("step", [1, -1])
def test_matrices_in_order_of_memory_and_against_it(step):
    """One after the other where they follow one another and a kernel has their shape, else sorted: the same bits."""
    rng, (ffi, lib) = np.random.default_rng(5), loaded()
    count, shapes = 300, np.array([(2, 3, 4), (3, 1, 2), (2, 3, 4), (2, 2, 2)])
    shapes = shapes[rng.integers(0, 4, count)]
    sizes = shapes[:, [0, 2, 0]] * shapes[:, [2, 1, 1]]
    values = [rng.standard_normal(sizes[:, i].sum()) for i in range(3)]
    starts = np.vstack([np.zeros(3, int), np.cumsum(sizes, 0)[:-1]])
    expected = values[2].copy()
    for (m, n, k), (a, b, c) in zip(shapes, starts, strict=True):
        product = values[0][a : a + m * k].reshape(m, k) @ values[1][b : b + k * n].reshape(n, k).T
        expected[c : c + m * n] += product.T.ravel()
    m, n, k = (each("int64_t", shapes[::step, i]) for i in range(3))
    a, b, c = (
        ffi.new("double *[]", [ffi.cast("double *", v.ctypes.data + 8 * i) for i in s[::step]])
        for v, s in zip(values, starts.T, strict=True)
    )
    yes, no, ones = each("int", [112] * count), each("int", [111] * count), each("double", np.ones(count))
    assert lib.tt_dgemm_variable(102, yes, no, m, n, k, ones, a, k, b, k, ones, c, m, count, 1) == 0
    assert np.allclose(values[2], expected, rtol=1e-13, atol=1e-13)


def test_groups_of_any_size():
    """Empty ones, single ones, runs of equal ones, large ones; one thread and several; the same bits."""
    rng = np.random.default_rng(0)
    group_sizes = np.array([0, 1, 1, 1, 70, 5, 0, 200, 3, 1, 64, 63, 2])
    m = rng.integers(1, 4, len(group_sizes)) * 0 + [2, 2, 2, 2, 3, 3, 1, 2, 2, 3, 3, 2, 1]
    total = group_sizes.sum()
    rows = np.repeat(m, group_sizes)
    a, b, c = ([rng.standard_normal((x, x)) for x in rows] for _ in range(3))
    found = []
    for threads in (1, 4):
        out = [x.copy() for x in c]
        sizes, ones = each("int64_t", m), each("double", np.ones(len(m)))
        plain = each("int", [111] * len(m))
        lists = (ones, pointers_to(a), sizes, pointers_to(b), sizes, ones, pointers_to(out), sizes)
        counts = each("int64_t", group_sizes)
        lib = loaded()[1]
        assert lib.tt_dgemm_group(102, plain, plain, sizes, sizes, sizes, *lists, len(m), counts, threads) == 0
        found.append(b"".join(x.tobytes() for x in out))
        assert all(np.allclose(out[i], b[i] @ a[i] + c[i]) for i in range(total))
    assert found[0] == found[1]
    counts[3] = -1
    assert lib.tt_dgemm_group(102, plain, plain, sizes, sizes, sizes, *lists, len(m), counts, 1) == -16


def test_each_matrix_reports():
    """A matrix that is not positive definite is named in its place, and its neighbours are factored."""
    rng = np.random.default_rng(1)
    count = 300
    sizes = rng.integers(1, 5, count)
    a = [np.eye(n) * 4 for n in sizes]
    bad = rng.choice(count, 20, replace=False)
    for i in bad:
        a[i][-1, -1] = -1
    info = np.full(count, -7, np.int32)
    n, (ffi, lib) = each("int64_t", sizes), loaded()
    lists = (pointers_to(a), n, ffi.cast("int32_t *", info.ctypes.data))
    assert lib.tt_dpotrf_variable(102, each("int", [122] * count), n, *lists, count, 1) == 0
    assert np.array_equal(info, np.where(np.isin(np.arange(count), bad), sizes, 0))
    assert all((a[i] == 2 * np.eye(sizes[i])).all() for i in set(range(count)) - set(bad))


def test_groups_at_fault_are_refused_before_anything_is_done():
    lib = loaded()[1]
    a, b, c = [np.ones((2, 2))] * 2, [np.ones((2, 2))] * 2, [np.zeros((2, 2)), np.zeros((2, 2))]
    ones, plain = each("double", [1, 1]), each("int", [111, 111])
    two, lists = each("int64_t", [2, 2]), (pointers_to(a), pointers_to(b), pointers_to(c))

    def call(layout=102, transb=plain, k=two, ldb=two, count=2, threads=1):
        given = (ones, lists[0], two, lists[1], ldb, ones, lists[2], two)
        return lib.tt_dgemm_variable(layout, plain, transb, two, two, k, *given, count, threads)

    assert call(layout=7) == -1
    assert call(transb=each("int", [111, 114])) == -3
    assert call(k=each("int64_t", [2, -2])) == -6
    assert call(ldb=each("int64_t", [2, 1])) == -11
    assert call(count=-1) == -15
    assert call(threads=-1) == -16
    assert not np.any(c)
    assert call() == 0


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
