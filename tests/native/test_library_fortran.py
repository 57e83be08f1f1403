"""The functions of vendors' libraries as Fortran calls them: by reference, with letters."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from functools import partial

import numpy as np
import pytest
from support.c_library import CONTENTS, NAME, POINTERS, PROGRAMS, arrays, group, ints, onemkl, opened, passed

from bblas_gen.ir.terms import BY_DTYPE, PRECISIONS

ARGUMENTS = {
    "gemm": "transa transb m n k alpha A lda B ldb beta C ldc",
    "syrk": "uplo trans n k alpha A lda beta C ldc",
    "trsm": "side uplo transa diag m n alpha A lda B ldb",
    "gemv": "trans m n alpha A lda X incx beta Y incy",
    "axpy": "n alpha X incx Y incy",
}
"""As vendors have them, before the counts."""
ROUTINES = [pair for pair in CONTENTS if pair[0] in ARGUMENTS]
STRIDED = [pair for pair in ROUTINES if CONTENTS[pair] != POINTERS]
NUMBERS = {"": ctypes.c_int, "_64": ctypes.c_int64}


@pytest.fixture(scope="module")
def functions(c_library):
    return opened(c_library)


def drawn(rng, op, letter, **more):
    return partial(group, rng, op, PRECISIONS[letter].dtype, "F", **more)


def run(functions, groups, end="", *, count=None, sizes=None, letters=None):
    """``letters`` replace those of flags, by their names."""
    g, kind = groups[0], NUMBERS[end]
    names = ARGUMENTS[g.op].split()
    function = functions[f"{BY_DTYPE[g.dtype].letter}{g.op}_batch{end}_"]
    given = [passed(x) for x in arrays(groups, names, kind)]
    for at, name in enumerate(names):
        if name in g.flags:
            known = (letters or {}).get(name, "".join(x.flags[name] for x in groups))
            given[at] = ctypes.c_char_p(known.encode())
    number = ctypes.byref(kind(len(groups) if count is None else count))
    counts = [number, ints(sizes or [x.count for x in groups], kind)]
    function(*given, *counts, *[ctypes.c_size_t(1)] * len(g.flags))  # the lengths that Fortran adds


@pytest.mark.parametrize("end", NUMBERS)
@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_groups(functions, rng, op, letter, end, capfd):
    draw = drawn(rng, op, letter)
    groups = [draw(3, (3, 4, 2)), draw(0, (2, 2, 2)), draw(1, (0, 3, 2), idle=True), draw(2, (5, 2, 3), padding=0)]
    groups += [draw(1, (2, 3, 1), increment=-2)]
    small = {name: "".join(x.flags[name] for x in groups).lower() for name in groups[0].flags}
    run(functions, groups, end, letters=small)
    for g in groups:
        g.check()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("end", NUMBERS)
@pytest.mark.parametrize(("op", "letter"), STRIDED)
def test_strided_batches(functions, rng, op, letter, end):
    g, kind = drawn(rng, op, letter)(4, (3, 4, 2)), NUMBERS[end]
    given, kept = [], []
    for name, x in zip(ARGUMENTS[op].split(), arrays([g], ARGUMENTS[op].split(), kind), strict=True):
        if name in g.operands:
            given.append(ctypes.c_void_p(g.pointers(name)[0]))
            stride = g.memory[name].shape[1]
        else:
            given.append(ctypes.c_char_p(g.flags[name].encode()) if name in g.flags else passed(x))
        if name.startswith(("ld", "inc")):
            kept.append(kind(stride))
            given.append(ctypes.byref(kept[-1]))
    functions[f"{letter}{op}_batch_strided{end}_"](*given, ctypes.byref(kind(g.count)))
    g.check()


def said(capfd):
    """The routine and the position that standard error names, once."""
    line = r" \*\* On entry to (\w+) parameter number +(\d+) had an illegal value\n"
    return re.fullmatch(line, capfd.readouterr().err).groups()


@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_illegal_arguments_are_said_and_nothing_is_computed(functions, rng, op, letter, capfd):
    names, routine = ARGUMENTS[op].split(), f"{letter}{op}_batch".upper()
    groups = [drawn(rng, op, letter)(2, (3, 3, 3), idle=True) for _ in range(3)]
    for position, name in enumerate(names, 1):
        if name in ("alpha", "beta") or name.isupper() or (op, name) == ("axpy", "incx"):
            continue
        letters = {name: "".join(g.flags[name] for g in groups[:2]) + "x"} if name in groups[0].flags else {}
        least = 0 if name.startswith("inc") else groups[2].arguments.get(name, 0) - groups[2].padding - 1
        groups[2].changed = {} if letters else {name: least if name.startswith(("ld", "inc")) else -1}
        run(functions, groups, letters=letters)
        assert said(capfd) == (routine, str(position)), name
        groups[2].changed = {}
    run(functions, groups, count=-1)
    assert said(capfd) == (routine, str(len(names) + 1))
    run(functions, groups, sizes=[2, -1, 2])
    assert said(capfd) == (routine, str(len(names) + 2))
    for g in groups:
        g.check()


def test_illegal_arguments_of_strided_batches_are_said(functions, capfd):
    """Our own function has a memory order before them."""
    x, (zero, two, less) = np.zeros(8), (ctypes.byref(ctypes.c_int(n)) for n in (0, 2, -1))
    at, one, n = passed(x), ctypes.byref(ctypes.c_double(1)), ctypes.c_char_p(b"N")
    good = [n, n, two, two, two, one, at, two, zero, at, two, zero, one, at, two, two, zero]
    for position, wrong in ((1, ctypes.c_char_p(b"?")), (3, less), (8, less), (15, zero), (17, less)):
        functions.dgemm_batch_strided_(*good[: position - 1], wrong, *good[position:])
        assert said(capfd) == ("DGEMM_BATCH_STRIDED", str(position))
    assert not x.any()


def test_copies(functions):
    x, y = np.arange(12.0), np.zeros(12)
    pointers = [ints([z[i:].ctypes.data for i in (0, 4)], ctypes.c_void_p) for z in (x, y)]
    functions.dcopy_batch_(ints([3, 2]), pointers[0], ints([1, 2]), pointers[1], ints([1, -1]), ints([2]), ints([1, 1]))
    assert y.tolist() == [0, 1, 2, 0, 6, 4] + [0] * 6
    numbers = [ctypes.byref(ctypes.c_int64(n)) for n in (2, 1, 4, -1, 6, 2)]
    functions.dcopy_batch_strided_64_(numbers[0], passed(x), *numbers[1:3], passed(y), *numbers[3:])
    assert y.tolist() == [1, 0, 2, 0, 6, 4, 5, 4] + [0] * 4


def compiled(folder, links):
    if not (compiler := shutil.which("gfortran")):
        pytest.skip("gfortran is not installed")
    flags = ["-std=f2008", "-Wall", "-Werror"]
    subprocess.run([compiler, *flags, PROGRAMS / "vendor.f90", *links, "-o", "program"], check=True, cwd=folder)
    return folder / "program"


def printed(program, **environment):
    return subprocess.run([program], check=True, capture_output=True, text=True, **environment).stdout


def test_a_program_in_fortran_for_a_vendor(c_library, tmp_path):
    lib = c_library / "lib"
    lines = printed(compiled(tmp_path, [f"-L{lib}", f"-l{NAME}", f"-Wl,-rpath,{lib}"])).splitlines()
    assert [[float(x) for x in line.split()] for line in lines] == [[7, 7.5, 8, 8.5], [3, 6], [6, 5]]


def test_one_for_onemkl_computes_the_same_when_ours_is_preloaded(c_library, tmp_path):
    links, environment = onemkl()
    program = compiled(tmp_path, links)
    theirs = printed(program, env=environment)
    ours = printed(program, env=environment | {"LD_PRELOAD": str(c_library / "lib" / f"lib{NAME}.so")})
    assert ours == theirs
