"""The functions of vendors' libraries in a library built ahead of time, and programs written for others."""

from __future__ import annotations

import ctypes
import re
import subprocess
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from support.c_library import CONTENTS, NAME, ORDERS, POINTERS, arrays, group, ints, onemkl, opened, passed, run_program

from bblas_gen.ir.terms import PRECISIONS

ARGUMENTS = {
    "gemm": "layout transa transb m n k alpha A lda B ldb beta C ldc",
    "syrk": "layout uplo trans n k alpha A lda beta C ldc",
    "trsm": "layout side uplo transa diag m n alpha A lda B ldb",
    "gemv": "layout trans m n alpha A lda X incx beta Y incy",
    "axpy": "n alpha X incx Y incy",
}
"""As vendors have them, before the counts."""
FLAGS = ("side", "uplo", "trans", "transa", "transb", "diag")
ROUTINES = [pair for pair in CONTENTS if pair[0] in ARGUMENTS]
STRIDED = [pair for pair in ROUTINES if CONTENTS[pair] != POINTERS]
NUMBERS = {"": ctypes.c_int, "_64": ctypes.c_int64}
REAL = {"s": ctypes.c_float, "d": ctypes.c_double}
COPIED = {"d": np.float64, "z": np.complex128, "s": np.float32, "c": np.complex64}


@pytest.fixture(scope="module")
def functions(c_library):
    return opened(c_library)


def names(op):
    return ARGUMENTS[op].removeprefix("layout ").split()


def ordered(op, order):
    """The memory order, where there is one."""
    return [ORDERS[order]] if "layout" in ARGUMENTS[op] else []


def run(functions, groups, end="", *, order=None, count=None, sizes=None):
    g, kind = groups[0], NUMBERS[end]
    function = functions[f"cblas_{letter_of(g)}{g.op}_batch{end}"]
    first = ordered(g.op, g.order) if order is None else [order]
    given = [passed(x) for x in arrays(groups, names(g.op), kind)]
    counts = [kind(len(groups) if count is None else count), ints(sizes or [g.count for g in groups], kind)]
    function(*first, *given, *counts)


def letter_of(g):
    return next(letter for letter, p in PRECISIONS.items() if p.dtype == g.dtype)


def drawn(rng, op, letter, order):
    return partial(group, rng, op, PRECISIONS[letter].dtype, order)


@pytest.mark.parametrize("end", NUMBERS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_groups(functions, rng, op, letter, order, end, capfd):
    draw = drawn(rng, op, letter, order)
    groups = [draw(3, (3, 4, 2)), draw(0, (2, 2, 2)), draw(1, (0, 3, 2), idle=True), draw(2, (5, 2, 3), padding=0)]
    run(functions, groups, end)
    for g in groups:
        g.check()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("increment", [2, -1, -3])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), [pair for pair in ROUTINES if "incx" in ARGUMENTS[pair[0]]])
def test_vectors_lie_apart_or_run_backwards(functions, rng, op, letter, order, increment):
    """More of them than the pointers that are moved at a time."""
    draw = partial(drawn(rng, op, letter, order), increment=increment)
    groups = [draw(300, (3, 4)), draw(2, (1, 2)), drawn(rng, op, letter, order)(2, (4, 5))]
    run(functions, groups)
    for g in groups:
        g.check()


@pytest.mark.parametrize("increment", [1, 2, -1])
@pytest.mark.parametrize("order", ORDERS)
def test_long_vectors(functions, rng, order, increment):
    """In groups and with strides; columns that are eight apart are added first, so what they have cancels in time."""
    for op, letter in (("gemv", "d"), ("axpy", "z")):
        draw = partial(drawn(rng, op, letter, order), increment=increment)
        one, *groups = (draw(2, sizes) for sizes in ((30, 70), (29, 31), (80, 30)))
        strided(functions, one)
        run(functions, groups)
        for g in (one, *groups):
            g.check()
    x = np.ones((1, 400, 1))
    x[0, :9:8, 0] = 1e16, -1e16
    drawn_one = drawn(rng, "gemv", "d", order)(1, (1, 400), increment=increment)
    operands = {"A": np.ones((1, 1, 400)), "X": x, "Y": np.zeros((1, 1, 1))}
    g = replace(drawn_one, flags={"trans": "N"}, scalars={"alpha": 1.0, "beta": 0.0}, operands=operands)
    strided(functions, g)
    assert g.view("Y").item() == 398


def strided(functions, g, end="", changed=None):
    """One batch with strides; ``changed`` replaces arguments by their names."""
    kind, p, named = NUMBERS[end], PRECISIONS[letter_of(g)], {**g.arguments, **(changed or {})}
    function = functions[f"cblas_{letter_of(g)}{g.op}_batch_strided{end}"]
    given = [named["layout"]] if "layout" in named else ordered(g.op, g.order)
    kept = []
    for name in names(g.op):
        if name in g.operands:
            given.append(ctypes.c_void_p(g.pointers(name)[0] if g.count else 0))
            last = g.memory[name].shape[1]
        elif name in g.scalars:
            kept.append(np.array([named[name]], p.dtype))
            given.append(passed(kept[-1]) if p.complex else REAL[p.letter](named[name]))
        else:
            given.append(named[name] if name in FLAGS else kind(named[name]))
        if name.startswith(("ld", "inc")):
            given.append(kind(named.get(f"stride_{name[-1]}", last)))
    function(*given, kind(named.get("batch_count", g.count)))


@pytest.mark.parametrize("end", NUMBERS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), STRIDED)
def test_strided_batches(functions, rng, op, letter, order, end):
    draw = drawn(rng, op, letter, order)
    for g in (
        draw(5, (3, 4, 2)),
        draw(0, (2, 2, 2)),
        draw(3, (4, 3, 5), increment=-2),
        draw(3, (2, 3, 2), increment=3),
    ):
        strided(functions, g, end)
        g.check()


def illegal(g, name):
    """A value that an argument must not have."""
    least = 0 if name.startswith("inc") else g.arguments.get(name, 0) - g.padding - 1
    return 5 if name in FLAGS else least if name.startswith(("ld", "inc")) else -1


def said(capfd, symbol):
    """The position that standard error names, once."""
    line = r" \*\* On entry to (\w+) parameter number +(\d+) had an illegal value\n"
    found = re.fullmatch(line, capfd.readouterr().err)
    assert found
    assert found[1] == symbol
    return int(found[2])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_illegal_arguments_of_groups_are_said_and_nothing_is_computed(functions, rng, op, letter, order, capfd):
    draw, symbol = drawn(rng, op, letter, order), f"cblas_{letter}{op}_batch"
    positions = ARGUMENTS[op].split()
    for position, name in enumerate(positions, 1):
        if name in ("alpha", "beta") or name.isupper() or (op, name) == ("axpy", "incx"):
            continue
        groups = [draw(2, (3, 3, 3), idle=True) for _ in range(3)]
        groups[1].changed = {} if name == "layout" else {name: illegal(groups[1], name)}
        run(functions, groups, order=5 if name == "layout" else None)
        assert said(capfd, symbol) == position, name
        for g in groups:
            g.check()
    groups = [draw(2, (3, 3, 3), idle=True) for _ in range(2)]
    run(functions, groups, count=-1)
    assert said(capfd, symbol) == len(positions) + 1
    run(functions, groups, sizes=[2, -1])
    assert said(capfd, symbol) == len(positions) + 2
    for g in groups:
        g.check()


@pytest.mark.parametrize(("op", "letter"), STRIDED)
def test_illegal_arguments_of_strided_batches_are_said(functions, rng, op, letter, capfd):
    positions = ARGUMENTS[op].split()
    for name in [name for name in positions if name.startswith(("ld", "inc"))]:
        positions.insert(positions.index(name) + 1, f"stride_{name[-1]}")
    positions.append("batch_count")
    output = {"axpy": "y", "gemv": "y", "trsm": "b"}.get(op, "c")
    g = group(rng, op, PRECISIONS[letter].dtype, "F", 2, (3, 3, 3), idle=True)
    for position, name in enumerate(positions, 1):
        if name in ("alpha", "beta") or name.isupper() or (op, name) == ("axpy", "incx"):
            continue
        if name.startswith("stride") and name[-1] != output:
            continue
        value = {"layout": 5}.get(name, 0 if name.startswith("stride") else illegal(g, name))
        strided(functions, g, changed={name: value})
        assert said(capfd, f"cblas_{letter}{op}_batch_strided") == position, name
    g.check()


@pytest.mark.parametrize("letter", sorted({letter for _, letter in CONTENTS}))
def test_copies(functions, letter, capfd):
    """Vectors of two groups, and of one batch with strides, forwards and backwards."""
    x = np.arange(24).astype(COPIED[letter])
    y, kept = np.zeros_like(x), np.zeros(24, bool)
    pointers = [ints([z[i:].ctypes.data for i in (0, 4, 12)], ctypes.c_void_p) for z in (x, y)]
    counts = [2, ints([1, 2])]
    functions[f"cblas_{letter}copy_batch"](ints([4, 3]), pointers[0], ints([1, -2]), pointers[1], ints([1, 3]), *counts)
    kept[[0, 1, 2, 3, 4, 7, 10, 12, 15, 18]] = True
    assert y[kept].tolist() == [0, 1, 2, 3, 8, 6, 4, 16, 14, 12]
    assert not y[~kept].any()
    y[:] = 0
    at = [ctypes.c_void_p(z.ctypes.data) for z in (x, y)]
    functions[f"cblas_{letter}copy_batch_strided"](3, at[0], 2, 6, at[1], -1, 3, 2)
    assert y.tolist() == [4, 2, 0, 10, 8, 6] + [0] * 18
    functions[f"cblas_{letter}copy_batch_strided"](3, at[0], 2, 6, at[1], -1, 3, -2)
    assert said(capfd, f"cblas_{letter}copy_batch_strided") == 8
    functions[f"cblas_{letter}copy_batch"](ints([4, -3]), pointers[0], ints([1, 1]), pointers[1], ints([1, 1]), *counts)
    assert said(capfd, f"cblas_{letter}copy_batch") == 1
    assert y.tolist() == [4, 2, 0, 10, 8, 6] + [0] * 18


@pytest.fixture(scope="module")
def printed(c_library, tmp_path_factory):
    """What the program for a vendor's library prints with ours."""
    return run_program("vendor.c", c_library, tmp_path_factory.mktemp("ours"))


def test_a_program_for_a_vendor(printed):
    assert len(printed.stdout.splitlines()) == 12
    assert printed.stderr == " ** On entry to cblas_dgemm_batch parameter number 14 had an illegal value\n"


def test_onemkl_computes_the_same_and_a_program_of_its_own_is_ours_when_preloaded(printed, c_library, tmp_path):
    links, environment = onemkl()
    theirs = run_program("vendor.c", c_library, tmp_path, links=links, environment=environment)
    assert theirs.stdout.splitlines()[:12] == printed.stdout.splitlines()
    assert "Parameter 14 was incorrect on entry to cblas_dgemm_batch" in theirs.stderr + theirs.stdout
    environment["LD_PRELOAD"] = str(c_library / "lib" / f"lib{NAME}.so")
    again = subprocess.run([tmp_path / "program"], env=environment, check=True, capture_output=True, text=True)
    assert (again.stdout, again.stderr) == (printed.stdout, printed.stderr)
