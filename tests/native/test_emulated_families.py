"""Every family of CUDA kernels in the emulator, under all that watches: races, waits and memory, and what compilers'
sanitizers find. ``--full-grid`` tries all there are, which takes a quarter of an hour; else a few.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from support import contract, emulator, traffic
from support.cases import TRIED, Case, dtypes
from support.cuda_kernels import variants
from support.emulated_calls import Emulated
from support.emulator import ORDERS, Pointers
from support.families import everything
from support.kernels import exchanged
from support.variants import formed, scalars, values

import bblas_gen as bb
from bblas_gen.codegen.render import render
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.variants import VARIANTS
from bblas_gen.schedule import gpu

LYING = ("rows", "blocks", "lists", "interleaved")
VARIED = [("posvr", "float32", 8, "interleaved"), ("trmmk", "complex64", 6, "interleaved")]
VARIED += [
    pytest.param(row.name, dtype, n, LYING[(i + k) % 4], marks=pytest.mark.thorough)
    for i, row in enumerate(variants())
    for k, (dtype, n) in enumerate(product(dtypes(OPS[row.variant_of]), (4, 6, 8, 18)))
]
WATCHED = ("checks", "address", "thread")
FEW = [
    (Case("posv", "float64", {"n": 5, "nrhs": 3}, 127, {"uplo": "L"}, {}, ("st",), ("C",)), (8, 32), "address"),
    (Case("getrf", "float64", {"m": 9, "n": 7}, 5, {}), (64, 64), "thread"),
    (Case("geqp3", "float64", {"m": 4, "n": 3}, 33, {}, {}, ("bi",)), (), "address"),
    (Case("sygv", "complex64", {"n": 6}, 33, {"itype": "1", "jobz": "N", "uplo": "L"}, {}, ("bi",)), (), "checks"),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "watched" not in metafunc.fixturenames:
        return
    every = [(case, (), watched) for watched in WATCHED for case in everything()]
    some = every if metafunc.config.getoption("--full-grid") else FEW
    names = [f"{watched}-{case.op}-{case.dtype}-{case.layouts[0]}-{case.sizes}" for case, _, watched in some]
    metafunc.parametrize(("turn", "case", "team", "watched"), [(i, *one) for i, one in enumerate(some)], ids=names)


def test_nothing_is_found(turn: int, case: Case, team: tuple[int, ...], watched: str) -> None:
    if watched != "checks" and not emulator.works(watched):
        pytest.skip(f"the {watched} sanitizer does not work here")
    contract.check(case, Emulated(watched, team, order=ORDERS[turn % 3], last_block_first=turn % 2 == 1))


@pytest.mark.parametrize(("name", "dtype", "n", "form"), VARIED)
def test_variants_have_the_results_of_cpus(name: str, dtype: str, n: int, form: str) -> None:
    """And keep what they keep: the oracles are those of their operation."""
    op, asked = VARIANTS[name].variant_of, traffic.options(VARIANTS[name])

    def outcome() -> list[Any]:
        given = formed(op, form, dtype=dtype, n=n, batch=33)
        results = bb.plan(op, *given, **scalars(op), **asked)()  # calls keep their kernels
        return [*values(results), *values(tuple(given))]

    expected = outcome()
    with exchanged(Emulated("checks")):
        found = outcome()
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=300 * np.finfo(dtype).eps * abs(y).max())


@pytest.mark.thorough
@pytest.mark.parametrize("n", [8, 16])
@pytest.mark.parametrize("layout", traffic.LAYOUTS)
@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.name)
def test_bytes_are_those_that_must_move(row: Operation, layout: str, n: int) -> None:
    """Of more matrices than a multiprocessor does at a time, beyond its caches, in whole sectors: by threads alone, and
    by teams."""
    dtype = "float64" if "float64" in dtypes(row) else "complex64"
    assert not list(traffic.faults(traffic.traced(traffic.Traced(row, dtype, n, layout))))


@pytest.mark.parametrize(("name", "dtype", "layout"), [("syr2k", "float64", "bi"), ("her2k", "complex64", "il")])
def test_updates_by_two_products_ask_for_each_element_once(name: str, dtype: str, layout: str) -> None:
    """Whatever caches there are."""
    assert not list(traffic.faults(traffic.traced(traffic.Traced(OPS[name], dtype, 3, layout))))


@pytest.mark.parametrize("name", ["trsmk", pytest.param("potrfk", marks=pytest.mark.thorough)])
def test_what_a_variant_keeps_moves_once(name: str) -> None:
    """Of more matrices than caches hold: a copy is not written there before it is worked on."""
    assert not list(traffic.faults(traffic.traced(traffic.Traced(VARIANTS[name], "float64", 8, "bi"))))


@pytest.mark.parametrize(
    ("symbol", "sizes"),
    [
        ("bb_dtrmm_llnn_pp_m16n16", {}),
        ("bb_dgemm_nn_pp_m200n2k200", {}),
        ("bb_dgemm_nn_pp_mnk", {"m": 3, "n": 2, "k": 4}),
    ],
)
def test_alpha_of_zero_takes_no_arrays_of_pointers(symbol: str, sizes: dict[str, int]) -> None:
    """By the text alone: compilers that optimize drop loads of what nobody uses. By teams, where matrices lie, and by
    tiles; threads copy what they need."""
    program = Program.of(KernelSpec.parse(symbol, "cuda"))
    source = render(program, gpu.choose(program))
    module = emulator.compile(source.text, [x.name for x in source.functions], sanitize="checks", options=["-O0"])
    values = {"alpha": 0.0, "beta": 0.5, "batch_count": 3, **sizes}
    function = next(one for one in source.functions if one.serves({"alpha": 0, "beta": 0.5}))
    written = program.row.outputs[0]
    found = np.ones((3, *reversed(program.spec.stored(written)))) if not sizes else np.ones((3, 2, 3))
    given = [values.get(x.of, Pointers(list(found)) if x.of == written.name else None) for x in function.arguments]
    module.launch(function.name, function.grid(3, given), function.threads, function.dynamic, *given)
    assert (found == (0.5 if "beta" in program.row.scalars else 0)).all()
