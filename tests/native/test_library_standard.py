"""The Batched BLAS standard of a library built ahead of time: results, reports, and what calls leave alone."""

from __future__ import annotations

import ctypes
from functools import partial

import pytest
from support.c_library import CONTENTS, LANGUAGES, ORDERS, arrays, group, ints, opened, passed, run_program

from bblas_gen.ir.terms import BY_DTYPE, PRECISIONS

ALL, GROUP, ANY, NONE = range(4)
ARGUMENTS = {
    "gemm": "transa transb m n k alpha A lda B ldb beta C ldc",
    "hemm": "side uplo m n alpha A lda B ldb beta C ldc",
    "symm": "side uplo m n alpha A lda B ldb beta C ldc",
    "herk": "uplo trans n k alpha A lda beta C ldc",
    "syrk": "uplo trans n k alpha A lda beta C ldc",
    "her2k": "uplo trans n k alpha A lda B ldb beta C ldc",
    "syr2k": "uplo trans n k alpha A lda B ldb beta C ldc",
    "trmm": "side uplo transa diag m n alpha A lda B ldb",
    "trsm": "side uplo transa diag m n alpha A lda B ldb",
}
"""As the standard has them, between layout and info."""
FLAGS = ("side", "uplo", "trans", "transa", "transb", "diag")
ROUTINES = [pair for pair in CONTENTS if pair[0] in ARGUMENTS]
IDLE = {op: (0, 3) if "trans" in names.split() else (3, 0, 2) for op, names in ARGUMENTS.items()}
"""Sizes with which there is nothing to compute."""


@pytest.fixture(scope="module")
def functions(c_library):
    return opened(c_library)


def routine(functions, op, letter, end):
    function = functions[f"blas_{letter}{op}_batch{end}"]
    function.restype = None
    return function


def checked(op):
    """The arguments that are checked, in their order: layout is 1."""
    return ["layout", *(name for name in ARGUMENTS[op].split() if name.islower() and name not in ("alpha", "beta"))]


def call(functions, groups, info, *, layout=None, count=None, sizes=None):
    """The batch of groups; returns info."""
    op, letter = groups[0].op, BY_DTYPE[groups[0].dtype].letter
    given = [passed(x) for x in arrays(groups, ARGUMENTS[op].split())]
    report = ints(info)
    routine(functions, op, letter, "")(
        len(groups) if count is None else count,
        ints([g.count for g in groups] if sizes is None else sizes),
        ORDERS[groups[0].order] if layout is None else layout,
        *given,
        report,
    )
    return list(report)


def some(rng, op, letter, order):
    """Groups: one at fault, one empty, of which nothing is checked, and one with nothing to compute, between others."""
    dtype = PRECISIONS[letter].dtype
    wrong = {f"ld{'b' if op.startswith('tr') else 'c'}": 0}
    return [
        group(rng, op, dtype, order, 3, (3, 4, 2)),
        group(rng, op, dtype, order, 2, (2, 3, 3), changed=wrong, idle=True),
        group(rng, op, dtype, order, 0, (2, 2, 2), changed=wrong),
        group(rng, op, dtype, order, 1, IDLE[op], idle=True),
        group(rng, op, dtype, order, 2, (5, 2, 3), padding=0),
        group(rng, op, dtype, order, 1, (1, 1, 1)),
    ]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_a_group_at_fault_is_reported_and_others_are_done(functions, rng, op, letter, order):
    groups = some(rng, op, letter, order)
    total, code = sum(g.count for g in groups), len(checked(op))
    info = call(functions, groups, [ALL, *[9] * total])
    assert info == [code, 0, 0, 0, code, code, 0, 0, 0, 0]
    for g in groups:
        g.check()


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(ALL, [9, 0, 0, 0, 9, 9, 0, 0, 0, 0]), (GROUP, [9, 0, 9, 0, 0, 0, 0]), (ANY, [9]), (NONE, [NONE])],
)
@pytest.mark.parametrize("order", ORDERS)
def test_each_mode_reports_and_keeps_to_its_length(functions, rng, mode, expected, order):
    groups = some(rng, "gemm", "d", order)
    assert call(functions, groups, [mode, *[7] * 12]) == expected + [7] * (13 - len(expected))
    for g in groups:
        g.check()
    groups = [g for g in groups if not g.changed or not g.count]
    done = [NONE] if mode == NONE else [0] * (len(expected) - {ALL: 2, GROUP: 1}.get(mode, 0))
    assert call(functions, groups, [mode, *[7] * 12]) == done + [7] * (13 - len(done))


def faulty(rng, op, letter, order, name):
    """A group with one illegal argument; a leading dimension is one less than the least."""
    draw = partial(group, op=op, dtype=PRECISIONS[letter].dtype, order=order, count=1, sizes=(4, 3, 2), idle=True)
    bad = draw(rng, padding=0)
    bad.changed = {} if name == "layout" else {name: -1}
    if name in FLAGS:
        bad.changed = {name: 5}
    if name.startswith("ld"):
        bad.changed = {name: bad.arguments[name] - 1}
    return bad


@pytest.mark.parametrize("mode", [ALL, GROUP, ANY, NONE])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), ROUTINES)
def test_every_illegal_argument_has_its_number(functions, rng, op, letter, order, mode):
    for fault, name in enumerate(checked(op), 1):
        everywhere = name == "layout"
        first, last = (group(rng, op, PRECISIONS[letter].dtype, order, 2, (3, 3, 3), idle=everywhere) for _ in range(2))
        groups = [first, faulty(rng, op, letter, order, name), last]
        info = call(functions, groups, [mode, *[7] * 7], layout=5 if everywhere else None)
        fine = fault if everywhere else 0
        told = {ALL: [fine, fine, fault, fine, fine], GROUP: [fine, fault, fine], ANY: [], NONE: []}[mode]
        assert info == [NONE if mode == NONE else fault, *told] + [7] * (7 - len(told)), name
        for g in groups:
            g.check()


def test_the_first_fault_is_the_one_that_is_reported(functions, rng):
    groups = [
        group(rng, "gemm", "float64", "F", 1, (2, 2, 2)),
        group(rng, "gemm", "float64", "F", 1, (2, 2, 2), changed={"k": -1, "ldc": 1}, idle=True),
        group(rng, "gemm", "float64", "F", 1, (2, 2, 2), changed={"m": -1}, idle=True),
        group(rng, "gemm", "float64", "F", 1, (2, 2, 2)),
    ]
    assert call(functions, groups, [ALL, 7, 7, 7, 7]) == [6, 0, 6, 4, 0]
    for g in groups:
        g.check()


def test_wrong_counts_and_modes_do_nothing(functions, rng):
    groups = [group(rng, "gemm", "float64", "F", 2, (2, 2, 2), idle=True) for _ in range(2)]
    assert call(functions, groups, [ALL, 7, 7, 7, 7], count=-1) == [-1, 7, 7, 7, 7]
    assert call(functions, groups, [ALL, 7, 7, 7, 7], sizes=[2, -2]) == [-2, 7, 7, 7, 7]
    assert call(functions, groups, [NONE], sizes=[2, -2]) == [NONE]
    assert call(functions, groups, [4]) == [-3]
    assert call(functions, groups, [-1]) == [-3]
    assert call(functions, groups, [ANY], count=0) == [0]
    for g in groups:
        g.check()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), [pair for pair in ROUTINES if pair[1] in "sd"])
def test_one_group_takes_values(functions, rng, op, letter, order):
    real = ctypes.c_double if letter == "d" else ctypes.c_float

    def run(g, info):
        named, given = g.arguments, []
        for name in ARGUMENTS[op].split():
            if name in g.operands:
                given.append(ints(g.pointers(name), ctypes.c_void_p))
            else:
                given.append(real(named[name]) if name in g.scalars else named[name])
        report = ints(info)
        routine(functions, op, letter, "f")(g.count, ORDERS[order], *given, report)
        g.check()
        return list(report)

    dtype, last = PRECISIONS[letter].dtype, checked(op)[-1]
    assert run(group(rng, op, dtype, order, 3, (4, 3, 2)), [ALL, 7, 7, 7, 7]) == [0, 0, 0, 0, 7]
    assert run(group(rng, op, dtype, order, 0, (4, 3, 2)), [ANY, 7]) == [0, 7]
    assert run(group(rng, op, dtype, order, 1, IDLE[op], idle=True), [GROUP, 7, 7]) == [0, 0, 7]
    code = len(checked(op))
    assert run(faulty(rng, op, letter, order, last), [ALL, 7, 7]) == [code, code, 7]
    assert run(faulty(rng, op, letter, order, last), [NONE]) == [NONE]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_of_the_standard(c_library, tmp_path, language):
    """Complex numbers by value, as C and C++ have them."""
    assert run_program("standard.c", c_library, tmp_path, language).stdout == "done\n"
