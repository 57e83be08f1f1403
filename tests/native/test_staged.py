"""CUDA kernels of separate matrices, emulated: a block brings its matrices to shared memory and back."""

from __future__ import annotations

import numpy as np
import pytest
from support import contract, emulator
from support.cases import Case, run
from support.emulated_calls import Emulated
from support.emulator import Device
from support.kernels import exchanged

import bblas_gen as bb
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import device_source

N = {"transa": "N", "transb": "N"}
CASES = [
    Case("gemm", "float32", {"m": 3, "n": 5, "k": 4}, 127, N, {"alpha": 1, "beta": 0}, ("pp",), ("F",)),
    Case("gemm", "complex128", {"m": 3, "n": 2, "k": 1}, 33, N, {"alpha": -0.5 + 1j, "beta": 0.5}, ("ld", "st", "pp")),
    Case("gemm", "float64", {"m": 4, "n": 4, "k": 4}, 33, N, {"alpha": 0, "beta": 1}, ("rs", "bi", "st"), ("C", "F")),
    Case("syrk", "float64", {"n": 5, "k": 3}, 127, {"uplo": "U", "trans": "N"}, {"alpha": 1, "beta": 0.5}, ("ld",)),
    Case(
        "trmm", "complex64", {"m": 3, "n": 4}, 33, {"side": "R", "uplo": "L", "transa": "C", "diag": "U"}, {"alpha": 1}
    ),
    Case("potrf", "float64", {"n": 5}, 127, {"uplo": "L"}, {}, ("st",), ("F",)),
    Case("posv", "complex128", {"n": 3, "nrhs": 2}, 1, {"uplo": "U"}, {}, ("pp",)),
    Case("posv", "float32", {"n": 12, "nrhs": 1}, 33, {"uplo": "U"}, {}, ("pp",)),  # a warp is a block
    Case("getrf", "float32", {"m": 5, "n": 4}, 127, {}, {}, ("rs",)),
    Case("gesv", "float64", {"n": 9, "nrhs": 1}, 33, {}, {}, ("st",), ("C",)),
    Case("nrm2", "complex64", {"n": 5}, 127, {}, {}, ("ld",)),
    Case("adddiag", "float64", {"n": 5}, 33, {}, {"alpha": 2}, ("pp",)),
    Case("lacpy", "complex128", {"m": 60, "n": 60}, 3, {"transa": "T"}, {}, ("st", "pp"), ("C", "F")),  # too large
]
"""Every kind of operand in every layout, stride and precision."""
REVISITED = [
    Case("syev", "float64", {"n": 8}, 33, {"jobz": "V", "uplo": "L"}, {}, ("bi",)),
    Case("ormqr", "complex64", {"m": 5, "n": 4, "k": 3}, 70, {"side": "R", "trans": "N"}, {}, ("bi", "il", "st")),
    Case("gesvd", "float64", {"m": 5, "n": 5}, 40, {}, {}, ("bi",)),
    Case("gesvd", "float64", {"m": 8, "n": 12}, 3, {}, {}, ("st",)),
    Case("gels", "complex64", {"m": 4, "n": 4, "nrhs": 5}, 33, {"trans": "C"}, {}, ("st",)),
    Case("geqrf", "float64", {"m": 16, "n": 16}, 8, {}, {}, ("bi",)),
    Case("orgqr", "float64", {"m": 16, "n": 16, "k": 14}, 3, {}, {}, ("st",)),
    Case("ormqr", "float64", {"m": 16, "n": 18, "k": 15}, 4, {"side": "L", "trans": "C"}, {}, ("bi",)),
    Case("geqp3", "complex128", {"m": 16, "n": 16}, 4, {}, {}, ("st",)),
    Case("gels", "float64", {"m": 20, "n": 16, "nrhs": 6}, 8, {"trans": "N"}, {}, ("st",)),
    Case("gels", "float64", {"m": 20, "n": 16, "nrhs": 1}, 4, {"trans": "T"}, {}, ("bi",)),
]
"""Matrices that bodies come back to, or of which they index arrays: those of threads, and of teams."""
T = {"transa": "T"}
COPIES = [
    Case("lacpy", "float64", {"m": 3, "n": 5}, 127, {"transa": "N"}, {}, ("st", "bi"), ("C", "F")),
    Case("lacpy", "complex64", {"m": 5, "n": 4}, 33, {"transa": "C"}, {}, ("il", "rs")),
    Case("lacpy", "float32", {"m": 9, "n": 9}, 70, T, {}, ("pp", "bi"), ("F",)),
    Case("lacpy", "complex128", {"m": 7, "n": 7}, 1, T, {}, ("bi", "ld"), ("C",)),
    Case("lacpy", "float64", {"m": 1, "n": 2}, 300, T, {}, ("bi", "st"), ("C",)),
]
"""Between matrices by themselves and interleaved ones."""


@pytest.mark.parametrize(("turn", "case"), list(enumerate(CASES + COPIES)), ids=lambda x: getattr(x, "op", ""))
def test_a_kernel_keeps_to_the_contract(turn, case):
    """Threads take turns in several orders; every access is checked. What moves is what must, in whole sectors."""
    order = ("forward", "reverse", 7)[turn % 3]
    choice = Emulated("checks", order=order, last_block_first=turn % 2 == 1, trace=Device())
    contract.check(case, choice)
    choice.check_traffic()


@pytest.mark.parametrize("case", REVISITED, ids=lambda case: f"{case.op}-{case.sizes}")
def test_matrices_that_bodies_come_back_to_are_brought_once(case):
    """Small ones in whole sectors; some sectors at the ends of columns and of reports are asked for twice."""
    found = traffic(case)
    assert found.moved_bytes <= 1.05 * found.needed_bytes
    assert found.asked_bytes <= 1.1 * found.needed_bytes


@pytest.mark.parametrize("case", [CASES[0], CASES[6]], ids=lambda case: case.op)
def test_compilers_find_nothing(case):
    if not emulator.works("address"):
        pytest.skip("this compiler has no sanitizers here")
    contract.check(case, Emulated("address"))


def test_a_matrix_that_fails_keeps_its_right_hand_sides():
    """And is reported, alone among its neighbours, as on a CPU; of A the other triangle stays."""
    case = Case("posv", "float64", {"n": 4, "nrhs": 2}, 37, {"uplo": "L"})
    operands = case.make()
    operands["A"][[5, 36], 2, 2] = -1e3
    operands["A"][:, 0, 1:] = np.nan
    found = run(case, operands, choice=Emulated("checks"))
    np.testing.assert_array_equal(np.flatnonzero(found.info), [5, 36])
    np.testing.assert_array_equal(found.info[[5, 36]], 3)
    np.testing.assert_array_equal(found.after["B"][[5, 36]], operands["B"][[5, 36]])
    np.testing.assert_array_equal(np.triu(found.after["A"], 1), np.triu(operands["A"], 1))


def test_a_sequence_has_its_intermediates_in_shared_memory():
    """The solver that keeps what it is given copies on the way; one matrix may be that of the whole batch."""
    steps = [bb.step("lacpy", "A", "F"), bb.step("lacpy", "B", "X"), bb.step("gesv", "F", "P", "X")]
    solver = bb.sequence(steps, scratch=["F", "P"])
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((4, 4)) + 4 * np.eye(4), rng.standard_normal((70, 4, 2))
    with exchanged(Emulated("checks")):
        plan = bb.plan(solver, A=a, B=b)
    plan()
    np.testing.assert_allclose(plan.output, np.linalg.solve(a, b), rtol=1e-12)


@pytest.mark.parametrize("order", "CF")
def test_bytes_that_move_are_those_that_must(order):
    """Whole matrices to the byte; of triangles sectors of 32 bytes with something of them."""
    for op, sizes in (("gemm", {"m": 8, "n": 8, "k": 8}), ("gesv", {"n": 8, "nrhs": 1})):
        scalars = {"alpha": 1, "beta": 0} if op == "gemm" else {}
        found = traffic(Case(op, "float64", sizes, 64, N if op == "gemm" else {}, scalars, ("st",), (order,)))
        assert found.moved_bytes <= 1.05 * found.least_bytes
        assert found.asked_bytes <= 1.05 * found.least_bytes
    for layouts, sizes in ((("st", "bi"), {"m": 8, "n": 8}), (("bi", "st"), {"m": 4, "n": 15})):
        found = traffic(Case("lacpy", "float64", sizes, 64, T, {}, layouts, (order,)))
        assert found.moved_bytes <= 1.05 * found.least_bytes
        assert found.asked_bytes <= 1.05 * found.least_bytes
    found = traffic(Case("potrf", "float64", {"n": 8}, 64, {"uplo": "L"}, {}, ("st",), (order,)))
    column, row = np.tril_indices(8) if order == "C" else np.triu_indices(8)
    sectors = len(np.unique((column * 8 + row) * 8 // 32))
    assert found.needed_bytes == 64 * (2 * sectors * 32 + 4)
    assert found.moved_bytes <= 1.05 * found.needed_bytes


def test_norms_of_vectors_too_long_for_a_block_are_taken_in_one_pass(rng):
    """But for those whose squares overflow or vanish, which are read again; nothing is divided."""
    batch, n = 256, 160
    source = device_source(KernelSpec.parse(f"bb_dnrm2_st_n{n}", "cuda"))
    (function,) = source.functions
    module = emulator.compile(source.text, [function.name], sanitize="checks")
    x, found = rng.standard_normal((batch, n)), np.zeros(batch)
    values = {"X": x, "R": found, "stride_x": n, "stride_r": 1, "batch_count": batch}
    flat = [values[one.name] for one in function.arguments]
    launch = function.name, function.grid(batch, flat), function.threads, function.dynamic, *flat
    moved = module.launch(*launch, trace=Device())
    assert moved.moved_bytes <= 1.05 * moved.needed_bytes
    scale = np.array([2.0**900, 2.0**-500, 2.0**-1000, 1.0] * (batch // 4))[:, None]
    x[:] = np.round(x * 2**8) * scale
    module.launch(*launch)
    np.testing.assert_allclose(found / scale[:, 0], np.linalg.norm(x / scale, axis=1), rtol=1e-14)


def traffic(case):
    choice = Emulated("checks", trace=Device())
    contract.check(case, choice)
    return choice.traffic
