"""No barrier of a CUDA kernel, and no wait for copies, can be left out without the emulator finding it; nor can lanes
name a mask without themselves, or shared memory be too small.

The frame of teams meets between bodies whatever they are, so these barriers count where some kernel needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from support import contract
from support.barriers import BARRIER, WAIT, Numbered, less
from support.cases import Case
from support.emulated_calls import Emulated
from support.emulator import ORDERS, LaunchError

from bblas_gen.codegen.render import render_file
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import device_source

LOWER, UPPER, PLAIN = {"uplo": "L"}, {"uplo": "U"}, {"transa": "N", "transb": "N"}
TRIANGLE = {"side": "L", "uplo": "L", "transa": "N", "diag": "N"}
RANK_K, SCALED = {"uplo": "L", "trans": "N"}, {"alpha": 0.75, "beta": -1.5}
FRAME = "bb_matrices"
CASES = [
    Case("posv", "float64", {"n": 18, "nrhs": 2}, 3, LOWER),
    Case("getrf", "float64", {"m": 34, "n": 34}, 2, {}),
    Case("potrf", "float64", {"n": 18}, 5, UPPER, {}, ("bi",)),
    Case("potrf", "complex64", {"n": 34}, 2, LOWER),
    Case("getrf", "float64", {"m": 9, "n": 7}, 5, {}),
    Case("getrf", "complex128", {"m": 66, "n": 66}, 1, {}),
    Case("getrfnp", "float32", {"m": 34, "n": 34}, 2, {}),
    Case("gesv", "float64", {"n": 18, "nrhs": 2}, 3, {}),
    Case("getri", "float64", {"n": 18}, 3, {}),
    Case("getri", "float64", {"n": 34}, 2, {}),
    Case("laswp", "float64", {"m": 34, "n": 34, "k": 34}, 2, {"side": "R", "trans": "N"}),
    Case("trsm", "float64", {"m": 18, "n": 2}, 3, TRIANGLE, {"alpha": 0.75}),
    Case("trsm", "float64", {"m": 18, "n": 18}, 3, TRIANGLE, {"alpha": 0.75}, ("st",), ("F",)),
    Case("trtri", "float64", {"n": 40}, 2, {"uplo": "L", "diag": "N"}),
    Case("potri", "float64", {"n": 18}, 3, LOWER),
    Case("lauum", "float64", {"n": 40}, 2, LOWER),
    Case("gemm", "float64", {"m": 4, "n": 4, "k": 4}, 70, PLAIN, SCALED),
    Case("gemm", "float64", {"m": 9, "n": 9, "k": 9}, 3, PLAIN, SCALED),
    Case("gemm", "float64", {"m": 16, "n": 16, "k": 16}, 9, PLAIN, SCALED, ("bi",)),
    Case("syrk", "float64", {"n": 18, "k": 9}, 3, RANK_K, SCALED),
    Case("syr2k", "float64", {"n": 18, "k": 9}, 3, RANK_K, SCALED),
    Case("lacpy", "float64", {"m": 9, "n": 9}, 70, {"transa": "N"}, {}, ("st", "bi")),
    Case("geqrf", "float64", {"m": 4, "n": 4}, 33, {}),
    Case("ormqr", "complex64", {"m": 4, "n": 2, "k": 2}, 33, {"side": "L", "trans": "C"}),
    Case("geqp3", "float64", {"m": 4, "n": 3}, 33, {}),
    Case("gels", "float64", {"m": 4, "n": 3, "nrhs": 2}, 33, {"trans": "N"}),
    Case("syev", "float64", {"n": 8}, 5, {"jobz": "V", "uplo": "L"}),
    Case("gesvd", "float64", {"m": 4, "n": 3}, 33, {}),
    Case("geqrf", "float64", {"m": 18, "n": 18}, 3, {}),
    Case("orgqr", "float64", {"m": 18, "n": 18, "k": 17}, 3, {}),
    Case("ormqr", "float64", {"m": 18, "n": 18, "k": 17}, 3, {"side": "L", "trans": "C"}),
    Case("geqp3", "complex64", {"m": 18, "n": 18}, 3, {}),
    Case("gels", "float64", {"m": 18, "n": 18, "nrhs": 2}, 3, {"trans": "N"}),
    Case("syev", "float64", {"n": 15}, 2, {"jobz": "V", "uplo": "L"}),
    Case("gesvd", "float64", {"m": 9, "n": 9}, 2, {}),
    Case("gesvd", "float64", {"m": 32, "n": 4}, 2, {}, {}, ("st",), ("F",)),
    Case("gesvdvals", "float64", {"m": 16, "n": 15}, 2, {}),
    Case("gesvdvals", "float64", {"m": 66, "n": 3}, 1, {}, {}, ("st",), ("F",)),
    Case("syev", "complex64", {"n": 17}, 2, {"jobz": "N", "uplo": "U"}),
    Case("sygv", "float64", {"n": 17}, 2, {"itype": "1", "jobz": "N", "uplo": "L"}),
    Case("sygv", "float64", {"n": 17}, 2, {"itype": "3", "jobz": "N", "uplo": "L"}),
    Case("gepade13", "float64", {"n": 3}, 33, {}),
    Case("getaylor", "float64", {"n": 4}, 33, {}),
    Case("squaring", "float64", {"n": 3}, 33, {}),
    Case("halve", "float64", {"n": 3}, 33, {}),
    Case("geslogdet", "float64", {"n": 5}, 33, {}),
    Case("gepade13", "float64", {"n": 9}, 3, {}),
    Case("gepade7", "complex64", {"n": 9}, 3, {}),
    Case("getaylor", "float64", {"n": 6}, 9, {}, {}, ("st",), ("F",)),
    Case("getaylor", "float64", {"n": 8}, 9, {}),
    Case("similar", "float64", {"n": 16}, 3, {}),
    Case("getaylor", "float64", {"n": 12}, 9, {}),
    Case("squaring", "float64", {"n": 14}, 3, {}),
    Case("halve", "float64", {"n": 16}, 3, {}),
]
"""Of each body for teams, and of the frames, what has all of their faults; of what threads do alone, matrices that are
in shared memory meanwhile."""

THOROUGH = [pytest.param(case, marks=pytest.mark.thorough) for case in CASES[1:]]
SEEN: dict[bool, set[str]] = {False: set(), True: set()}
"""The places of the frame's barriers: those needed in some kernel, and all."""


def missed(build: Numbered, number: int, run: Callable[[str | int], object], orders: Sequence[str | int]) -> bool:
    """Whether runs with a fault are stopped, in any order of threads."""
    build.put(number)
    try:
        for order in orders:
            with pytest.raises(LaunchError):
                run(order)
    except pytest.fail.Exception:
        return False
    finally:
        build.put(-1)
    return True


@pytest.mark.parametrize("case", [CASES[0], *THOROUGH], ids=lambda case: f"{case.op}-{case.sizes}-{case.layouts[0]}")
def test_each_fault_is_found(case: Case, request: pytest.FixtureRequest) -> None:
    build = Numbered()

    def run(order: str | int = "forward") -> None:
        contract.check(case, Emulated("checks", build=build, order=order))

    run()
    orders = ORDERS if request.config.getoption("--thorough") else ORDERS[1:2]
    needed = [missed(build, i, run, orders) for i in range(len(build.places))]
    frame = [i for i, place in enumerate(build.places) if (place.kind, place.function) == (BARRIER, FRAME)]
    assert len(frame) >= 2
    assert needed[frame[0]], "behind what is brought"
    assert [place for i, place in enumerate(build.places) if not needed[i] and i not in frame] == []
    for i in frame[1:]:
        place = "before what is given back" if i == frame[-1] else "between bodies"
        SEEN[True].add(place)
        if needed[i]:
            SEEN[False].add(place)


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.sizes}-{case.layouts[0]}")
def test_shared_memory_that_is_too_small_is_found(case: Case) -> None:
    """Each array of it, or all of what a launch asks for."""
    build = Numbered()
    whole = Emulated("checks", build=build)
    contract.check(case, whole)
    full = replace(case, batch=whole.functions[0].matrices)
    small = [Emulated("checks", build=Numbered(cut)) for cut in range(build.arrays)]
    dynamic = whole.functions[0].dynamic
    short = [Emulated("checks", build=build, short=dynamic - less(dynamic))] * (dynamic > 0)
    assert small + short
    for one in small + short:
        with pytest.raises((LaunchError, AssertionError)):
            contract.check(full, one)


@pytest.mark.thorough
def test_each_barrier_of_the_frame_is_needed_somewhere() -> None:
    assert len(SEEN[True]) == 2
    assert SEEN[False] == SEEN[True]


@pytest.mark.thorough
def test_barriers_of_tiles_of_large_products() -> None:
    source, build = device_source(KernelSpec.parse("bb_dgemm_nn_st_mnk_ld", target="cuda")), Numbered()
    (function,) = source.functions
    module = build(source.text, [function.name])
    a, b, c = np.ones((20, 9)), np.ones((7, 20)), np.zeros((7, 9))
    values = {"m": 9, "n": 7, "k": 20, "A": a, "B": b, "C": c, "alpha": 1.0, "beta": 1.0, "batch_count": 1}
    values |= {"lda": 9, "ldb": 20, "ldc": 9, "stride_a": 180, "stride_b": 140, "stride_c": 63}
    flat = [values[x.name] for x in function.arguments]

    def run(order: str | int = "forward") -> None:
        module.launch(function.name, function.grid(1, flat), function.threads, 0, *flat, order=order)

    run()
    assert (c == 20).all()
    assert {place.kind for place in build.places} == {BARRIER, WAIT}
    assert all(missed(build, i, run, ORDERS) for i in range(len(build.places)))


@pytest.mark.thorough
def test_barriers_of_large_panels(rng: np.random.Generator) -> None:
    build, threads, m, n = Numbered(), 64, 70, 3
    text = render_file("large/lu.cu", threads=threads, letter="d", real="double", complex=False)
    module, a = build(text, ["bb_dpanel"]), rng.standard_normal((1, n, m))
    pivots, info = np.zeros(n, np.int32), np.ones(1, np.int32)

    def run(order: str | int = "forward") -> None:
        arguments = a.copy(), 1, m, m * n, m, n, pivots, n, 0, info, 1
        module.launch("bb_dpanel", 1, threads, 0, *arguments, order=order)

    run()
    assert info.tolist() == [0]
    assert pivots[0] == 1 + abs(a[0, 0]).argmax()
    assert [missed(build, i, run, ORDERS) for i in range(len(build.places))] == [True] * 3
