"""One arithmetic: the bits of a result do not depend on layout, memory order, form, tile, unrolling or vector width."""

from __future__ import annotations

import itertools
from dataclasses import asdict

import numpy as np
import pytest
from support import layouts
from support.cases import SELDOM, WITHOUT_ORACLE, dtypes, letters
from support.extended import random
from support.kernels import SHIPPED, optimized, quick, spec_of
from support.layouts import values
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.terms import BY_DTYPE, Trans
from bblas_gen.runtime import call, kernels
from bblas_gen.runtime.call import by_user_names
from bblas_gen.runtime.library import host_isa
from bblas_gen.schedule.choose import variations
from bblas_gen.schedule.schedule import Schedule

BATCH = 19
CASES = {
    "float64": [("one tile", {"bi": 0, "ldF": 0}), ("several", {"bi": 1, "st": 1})],
    "complex64": [("several", {"bi": 1, "st": 1, "stF": 0})],
}
"""Sizes, where operands lie, and how many other schedules of each are tried."""
SCALARS = {"alpha": 0.75, "beta": -1.5}
PARTS = {"trti2", *WITHOUT_ORACLE}
"""Of other operations, and tested as such."""
PRODUCTS = "complex products: direct and flat bodies keep two sums a part, lane bodies have registers for one"
APART = {
    "gemm": PRODUCTS,
    "symm": PRODUCTS,
    "hemm": PRODUCTS,
    "syrk": PRODUCTS,
    "herk": PRODUCTS,
    "trmm": PRODUCTS,
    "ger": PRODUCTS,
    "gerc": PRODUCTS,
    "gemv": PRODUCTS,
    "dot": PRODUCTS,
    "dotc": PRODUCTS,
}
"""Operations whose complex forms round differently, each like itself in all else."""
TWO_PRODUCTS = {
    "syr2k": "two products: direct bodies come back to C between them, lane bodies add to the same sums",
    "her2k": "two products: direct bodies come back to C between them, lane bodies when both are done",
}
"""Operations whose forms, and direct forms of different memory orders, round differently in every precision."""
LONG_SUMS = (
    "one chain of additions is ten times slower than memory: streamed bodies, which shape alone chooses, have many"
)
STREAMED = {"dot": LONG_SUMS, "dotc": LONG_SUMS, "nrm2": LONG_SUMS, "gemv": LONG_SUMS}
"""Operations whose streamed bodies add up otherwise than lane ones, and like themselves in all else."""
ONE_LANE = "where k is contiguous in both factors gcc makes vectors of the products of one lane, rounds them and adds"
DIVIDES = "vectors of 64 bytes have roots of their own (estimates refined), narrower ones the divider's"


def size(row, dtype, tiles):
    """Of one tile, of at most 5 x 5 elements; or of several in every form, where direct ones have vectors of 8 reals
    along columns, of which the last overlaps another."""
    if tiles == "one tile":
        return 5
    return 10 if len(row.algorithms) > 1 and dtype == "float64" else 6


def problem(row, n, dtype, flags):
    rng = np.random.default_rng(n)
    sizes = dict.fromkeys(row.sizes, n)
    return {name: np.nan_to_num(x) for name, x in ORACLES[row.name].make(rng, BATCH, sizes, flags, dtype).items()}


def placed(array, storage, line):
    """``array`` in a layout; "stF" is column-major, "ldF" a part of larger matrices, too."""
    return layouts.placed(array, storage.removesuffix("F"), "F" if storage.endswith("F") else "C", line=line).operand


def scalars(row, dtype):
    is_complex = np.dtype(dtype).kind == "c"
    return {
        name: x + 0.25j if is_complex and name not in row.real_scalars else x
        for name, x in SCALARS.items()
        if name in row.scalars
    }


def lying(operands, storage):
    """The operands, placed."""
    line = BY_DTYPE[next(x.dtype for x in operands.values() if x.dtype != np.int32).name].default_nb
    return [placed(x, storage, line) for x in operands.values()]


def done(row, operands, storage, named, use, **overrides):
    """The bits of every operand afterwards, and the kernel that ran; its schedule with ``overrides``."""
    use(overrides)
    given = lying(operands, storage)
    plan = bb.plan(row.name, **by_user_names(row, given), **named, num_threads=1)
    plan()
    assert plan.kernel
    return plan.kernel, [np.ascontiguousarray(values(x)).tobytes() for x in given]


@pytest.fixture
def use(monkeypatch):
    """Gives kernels a schedule."""

    def chosen(overrides):
        monkeypatch.setattr(call, "kernel", lambda spec, **_: kernels.kernel(spec, **overrides))

    return chosen


def others(spec, most):
    """Schedules of other forms, widths and tiles, prefetches aside."""
    program = Program.of(spec)
    found: dict[tuple[object, ...], Schedule] = {}
    own, *_ = plans = variations(program, host_isa())
    for plan in plans:
        if plan.width == 1 and plan.form == "lane":
            continue  # ONE_LANE
        if plan.form == "lane" and plan.width != own.width and "root" in program.needs:
            continue  # DIVIDES
        if len(program.bodies) > 1 and (plan.form, plan.width) == (own.form, own.width):
            continue  # each body has the tile that it always has
        found.setdefault((plan.form, plan.width, plan.rows, plan.cols, plan.matrices_per_vector), plan)
    by_form = [[p for p in found.values() if p.form == form] for form in dict.fromkeys(p.form for p in plans)]
    picked = [p for group in itertools.zip_longest(*by_form) for p in group if p]
    return [
        {name: x for name, x in asdict(p).items() if name != "tiles"} | {"prefetch": 0, "nontemporal_bytes": 0}
        for p in picked[:most]
    ]


def kind_of(row, dtype, kernel):
    """What must agree: kernels of one form where forms differ, and of one memory order where that matters then."""
    form = "lane" if kernel.source.schedule.form == "lane" else "along columns"
    if row.name in TWO_PRODUCTS:
        return form, str(kernel.spec)
    if np.dtype(dtype).kind == "c" and row.name in APART:
        return form, str(kernel.spec) if form == "lane" else ""
    return "any", ""


def test_the_table_of_exceptions_names_operations():
    assert OPS.keys() >= APART.keys() | TWO_PRODUCTS.keys()
    assert {row.name for row in OPS.values() if row.summed} == STREAMED.keys()


def tried():
    """Operations and precisions: one of each, float64 where there are several forms; others take as long again."""
    for turn, (op, row) in enumerate((op, row) for op, row in OPS.items() if op not in PARTS):
        known = [dtype for dtype in CASES if dtype in dtypes(row)]
        for dtype in known:
            first = known[0] if len(row.algorithms) > 1 else known[turn % len(known)]
            rare = dtype != first or op in SELDOM
            yield pytest.param(op, dtype, marks=[pytest.mark.thorough] if rare else [])


@pytest.mark.parametrize(("op", "dtype"), list(tried()))
def test_bits_are_those_of_the_operation(op, dtype, use):
    row = OPS[op]
    choices = [letters(row, flag) for flag in row.flags]
    for number, (tiles, storages) in enumerate(CASES[dtype]):
        n = size(row, dtype, tiles)
        flags = {flag: some[number % len(some)] for flag, some in zip(row.flags, choices, strict=True)}
        operands, named = problem(row, n, dtype, flags), flags | scalars(row, dtype)
        runs = []
        for storage, most in storages.items():
            spec = spec_of(op, lying(operands, storage), **named)
            runs += [(storage, spec, plan) for plan in ({}, *others(spec, most))]
        kernels.prepare((spec, plan) for _, spec, plan in runs)
        expected: dict[tuple[str, str], tuple[str, list[bytes]]] = {}
        for storage, _, plan in runs:
            ran, bits = done(row, operands, storage, named, use, **plan)
            first, wanted = expected.setdefault(kind_of(row, dtype, ran), (f"{storage} {plan}", bits))
            assert bits == wanted, f"{op} {dtype} n = {n} {flags}: {storage} {plan} is not {first}"


def optimized_otherwise():
    """By default every other operation, of those that are neither seldom tried nor made of others."""
    whole = [op for op in OPS if op not in PARTS]
    often = [op for op in whole if not OPS[op].steps and op not in SELDOM][::2]
    return [pytest.param(op, marks=[] if op in often else [pytest.mark.thorough]) for op in whole]


@pytest.mark.parametrize("op", optimized_otherwise())
def test_bits_do_not_depend_on_the_optimization(op, use):
    """So other tests may optimize less."""
    row, (tiles, _) = OPS[op], CASES["float64"][0]
    flags = {flag: letters(row, flag)[0] for flag in row.flags}
    operands, named = problem(row, size(row, "float64", tiles), "float64", flags), flags | scalars(row, "float64")
    found = {}
    for options in (quick(), SHIPPED):
        with optimized(options):
            found[options] = done(row, operands, "st", named, use)[1]
    less, shipped = found.values()
    assert less == shipped


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_long_sums_end_at_the_same_steps(dtype, use):
    """Panels of k depend on k alone."""
    rng, row = np.random.default_rng(1), OPS["gemm"]
    operands = {"A": random(rng, (3, 7, 400), dtype), "B": random(rng, (3, 400, 5), dtype)}
    operands["C"] = random(rng, (3, 7, 5), dtype)
    named = SCALARS | {"transa": Trans.N, "transb": Trans.N}
    found = [done(row, operands, storage, named, use)[1] for storage in ("bi", "st", "stF")]
    assert found[0] == found[1] == found[2]
