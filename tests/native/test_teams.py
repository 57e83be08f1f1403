"""CUDA kernels in which a team of threads does a matrix, emulated: every access is checked."""

from __future__ import annotations

import numpy as np
import pytest
from support import contract
from support.cases import Case
from support.emulated_calls import Emulated
from support.emulator import Device
from support.kernels import exchanged

import bblas_gen as bb

N = {"transa": "N", "transb": "N"}
CASES = [
    (
        Case("gemm", "float32", {"m": 6, "n": 5, "k": 3}, 127, {"transa": "T", "transb": "N"}, {"alpha": 2, "beta": 1}),
        (8, 64),
    ),
    (
        Case(
            "gemm",
            "complex128",
            {"m": 6, "n": 4, "k": 3},
            17,
            {"transa": "N", "transb": "C"},
            {"alpha": 2j, "beta": 0},
            ("ld", "st", "pp"),
            ("C", "F"),
        ),
        (16,),
    ),
    (
        Case("symm", "float64", {"m": 3, "n": 9}, 9, {"side": "R", "uplo": "U"}, {"alpha": 1, "beta": 0.5}, ("rs",)),
        (8, 32),
    ),
    (
        Case(
            "herk", "complex64", {"n": 7, "k": 3}, 17, {"uplo": "U", "trans": "C"}, {"alpha": 2, "beta": 0.5}, ("ld",)
        ),
        (8,),
    ),
    (Case("her2k", "complex128", {"n": 3, "k": 2}, 5, {"uplo": "L", "trans": "N"}, {"alpha": 2 + 1j, "beta": 0}), (8,)),
    (
        Case(
            "trmm",
            "complex64",
            {"m": 3, "n": 4},
            33,
            {"side": "R", "uplo": "L", "transa": "C", "diag": "U"},
            {"alpha": 1},
        ),
        (8,),
    ),
    (Case("posv", "float64", {"n": 5, "nrhs": 3}, 33, {"uplo": "L"}, {}, ("st",), ("C",)), (8, 32)),
    (Case("gesv", "float32", {"n": 6, "nrhs": 5}, 3, {}), (64,)),
    (Case("potri", "float64", {"n": 5}, 9, {"uplo": "U"}), (32,)),
    (Case("geadd", "float64", {"m": 60, "n": 60}, 2, {"transa": "T"}, {"alpha": 2, "beta": 1}), ()),
    (
        Case(
            "gemm",
            "float64",
            {"m": 6, "n": 5, "k": 3},
            17,
            {"transa": "T", "transb": "N"},
            {"alpha": 2, "beta": 1},
            ("bi", "il", "st"),
            ("C", "F"),
        ),
        (8, 32),
    ),
    (Case("posv", "complex128", {"n": 5, "nrhs": 3}, 13, {"uplo": "L"}, {}, ("alone", "bi")), (16, 64)),
    (Case("gesv", "float32", {"n": 6, "nrhs": 1}, 127, {}, {}, ("il",)), (8,)),
]
"""Slices along one and two sizes, triangles, what a lane does alone, sequences; teams that are a part of a warp, or all
of it, or a block; more shared memory than a kernel can declare."""


@pytest.mark.parametrize(
    ("turn", "case", "team"), [(i, *case) for i, case in enumerate(CASES)], ids=lambda x: getattr(x, "op", "")
)
def test_a_team_keeps_to_the_contract(turn, case, team):
    """Threads take turns in several orders. What they move is what must, in whole sectors."""
    order = ("forward", "reverse", 7)[turn % 3]
    choice = Emulated("checks", team, order=order, last_block_first=turn % 2 == 1, trace=Device())
    contract.check(case, choice)
    choice.check_traffic()


def test_a_team_has_more_shared_memory_where_there_is_more(monkeypatch):
    """Than all GPUs have."""
    monkeypatch.setattr("bblas_gen.runtime.call.enlarged", lambda found: found)  # as calls on GPUs do
    sizes, scalars = {"m": 113, "n": 113}, {"alpha": 1, "beta": 0}
    case = Case("gemv", "float64", sizes, 2, {"trans": "N"}, scalars, ("st",), ("F",))
    choice = Emulated("checks", arch="sm_80", trace=Device())
    contract.check(case, choice)
    assert choice.traffic.shared > 0


def test_a_team_fills_the_other_triangle_of_a_result():
    """By the body of a thread alone, each lane its own columns."""
    a = np.tril(np.random.default_rng(1).standard_normal((5, 9, 9)))
    with exchanged(Emulated("checks", (8, 32), trace=Device())):
        found = bb.lauum(a, uplo="L", symmetric=True, overwrite=False)
    np.testing.assert_allclose(found, a.swapaxes(1, 2) @ a, rtol=1e-12)


@pytest.mark.parametrize("triangle", "LU")
def test_a_triangle_stored_alone_is_zero_elsewhere(triangle):
    a = np.random.default_rng(1).standard_normal((21, 5, 5))
    with exchanged(Emulated("checks", (8,))):
        found = bb.interleave(a, triangle=triangle).deinterleave()
    np.testing.assert_array_equal(found, np.tril(a) if triangle == "L" else np.triu(a))


@pytest.mark.parametrize(("layout", "n", "batch"), [("st", 16, 8), ("st", 32, 2), ("bi", 16, 8), ("bi", 32, 8)])
def test_bytes_that_move_are_those_that_must(layout, n, batch):
    choice = Emulated("checks", trace=Device())
    case = Case("gemm", "float64", {"m": n, "n": n, "k": 4}, batch, N, {"alpha": 1, "beta": 0}, (layout,), ("F",))
    contract.check(case, choice)
    assert choice.traffic.moved_bytes <= 1.05 * choice.traffic.least_bytes
    assert choice.traffic.asked_bytes <= 1.05 * choice.traffic.least_bytes


@pytest.mark.parametrize("orders", ["CF", "FC"])
def test_lanes_go_along_what_is_contiguous(orders):
    """Strides that only run time knows: of operands by rows and by columns in one call."""
    choice = Emulated("checks", trace=Device())
    flags = {"side": "L", "uplo": "L", "transa": "N", "diag": "N"}
    contract.check(Case("trsm", "float64", {"m": 4, "n": 16}, 8, flags, {"alpha": 1}, ("st",), tuple(orders)), choice)
    assert choice.traffic.asked_bytes <= 1.5 * choice.traffic.needed_bytes
