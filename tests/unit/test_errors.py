"""Bad input: NumPy's exception types, our argument names, and nothing written."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import bblas_gen as bb

pytestmark = pytest.mark.usefixtures("fake_kernels")
A, B = np.ones((3, 4, 5)), np.ones((3, 5, 2))
INTS = np.ones((3, 4, 5), int)
READONLY = np.ones((3, 4, 2))
READONLY.flags.writeable = False
MASKED = np.ma.array(A, mask=A > 0)


class Several:
    """What arrays of PyTorch with several elements do."""

    def __float__(self):
        raise ValueError("only one element tensors can be converted to Python scalars")


def same(x, y):
    if isinstance(x, list):
        return all(map(same, x, y))
    return np.array_equal(x, y) if isinstance(x, np.ndarray) else x == y


def tiled_onto_itself():
    return np.lib.stride_tricks.as_strided(np.ones(40), (3, 4, 2), (8, 16, 8))


@pytest.mark.parametrize(
    ("operands", "named", "error", "text"),
    [
        ((A, B, np.ones((3, 4, 3))), {}, ValueError, "c has 3 columns but b has 2 columns: expected n = 2 of both"),
        ((A, B, np.ones((3, 9, 2))), {}, ValueError, "c has 9 rows but a has 4 rows: expected m = 4 of both"),
        ((A, np.ones((3, 4, 2))), {}, ValueError, "b has 4 rows but a has 5 columns: expected k = 5 of both"),
        ((A, B), {"transa": "T"}, ValueError, "b has 5 rows but a has 4 rows: .* of both, transa = T"),
        ((A, B[:2]), {}, ValueError, "b is a batch of 2 but a is one of 3: expected one size"),
        ((A, B, np.ones((2, 4, 2))), {}, ValueError, "c is a batch of 2 but a is one of 3"),
        ((A[0], B[0].T), {}, ValueError, "b has 2 rows but a has 5 columns: expected k = 5 of both"),
        ((A[0], B, np.ones((4, 2))), {}, ValueError, "c is 2-D, one matrix for the whole batch"),
        ((A[0, 0], B), {}, ValueError, r"a has shape \(5,\): expected a 3-D array"),
        ((A[None], B), {}, ValueError, r"a has shape \(1, 3, 4, 5\): expected a 3-D array"),
        ((A, B.astype("f4")), {}, TypeError, "b has dtype float32 but a has float64: expected one dtype"),
        ((A, B, np.ones((3, 4, 2), complex)), {}, TypeError, "c has dtype complex128 but a has float64"),
        ((INTS, INTS), {}, TypeError, "a has dtype int64: expected one of float32, float64, complex64, complex128"),
        ((A, B, np.ones((3, 4, 2), int)), {}, TypeError, "c has dtype int64: expected one of"),
        ((A.astype(object), B), {}, TypeError, "a has dtype object: expected one of"),
        ((A.astype(np.longdouble), B), {}, TypeError, "a has dtype (longdouble|float128): expected one of"),
        ((A.astype(">f8"), B), {}, TypeError, "a has dtype '>f8', which is not in this machine's byte order"),
        ((None, B), {}, TypeError, "a is a NoneType: expected a 3-D array"),
        ((A, "b"), {}, TypeError, "b is a str: expected a 3-D array"),
        ((A, B, 3), {}, TypeError, "c is a int: expected a 3-D array"),
        (([], B), {}, ValueError, "a is an empty list"),
        (([1, 2], B), {}, TypeError, r"a\[0\] is a int: expected a 2-D array"),
        (([A[0], A], B[:2]), {}, ValueError, r"a\[1\] has shape \(3, 4, 5\): expected a 2-D array"),
        (([A[0], A[0].astype("f4")], B[:2]), {}, TypeError, r"a\[1\] has dtype float32 but a\[0\] has float64"),
        (([A], B), {}, TypeError, "b is one batch but a is a list of batches: expected a list of batches, or one mat"),
        ((A, B, READONLY), {}, ValueError, "c is read-only: expected an output array that can be written"),
        ((A, B, [*np.ones((2, 4, 2)), READONLY[0]]), {}, ValueError, r"c\[2\] is read-only"),
        ((A, B, tiled_onto_itself()), {}, ValueError, "c overlaps itself"),
        ((A, B, [A[0, :, :2]] * 3), {}, ValueError, "c overlaps itself"),
        ((A, B), {"alpha": float("nan")}, ValueError, r"alpha = nan is not a number \(NaN\)"),
        ((A, B, np.ones((3, 4, 2))), {"beta": float("nan")}, ValueError, "beta = nan is not a number"),
        ((A, B), {"alpha": 1j}, TypeError, "alpha = 1j: expected a real number, as the operands are float64"),
        ((A, B), {"alpha": "2"}, TypeError, "alpha = '2': expected a real number"),
        ((A, B), {"alpha": None}, TypeError, "alpha = None: expected a real number"),
        ((A, B), {"alpha": Several()}, TypeError, "alpha = .*: expected a real number"),
        ((A + 0j, B + 0j), {"alpha": []}, TypeError, r"alpha = \[\]: expected a number"),
        ((A, B), {"beta": 1.0}, ValueError, "beta = 1.0 without c: expected 0"),
        ((A, B), {"transa": "X"}, ValueError, "transa = 'X' is not a transposition: expected one of N, T, C, R"),
        ((A, B), {"transb": None}, ValueError, "transb = None is not a transposition"),
        ((A, B), {"num_threads": 0}, ValueError, "num_threads = 0: expected None or an int from 1 to 1024"),
        ((A, B), {"num_threads": 1025}, ValueError, "num_threads = 1025: expected None or an int from 1 to 1024"),
        ((A, B), {"num_threads": 1.5}, TypeError, "num_threads = 1.5: expected None or an int"),
        ((A, B), {"num_threads": True}, TypeError, "num_threads = True: expected None or an int"),
        ((A, B), {"alpha": 10**400}, OverflowError, r"^alpha = 1000+\.{3}0+ is too large: the operands are float64$"),
        ((A.astype("f4"), B.astype("f4")), {"alpha": -1e39}, OverflowError, r"alpha = -1e\+39 is too large"),
        ((A.astype("c8"), B.astype("c8")), {"alpha": 1e39j}, OverflowError, r"alpha = 1e\+39j is too large"),
        ((MASKED, B), {}, TypeError, "a is a masked array, whose mask would be ignored: expected .filled"),
        (([A[0], MASKED[0]], B[:2]), {}, TypeError, r"a\[1\] is a masked array"),
        ((A, B, np.ma.array(np.ones((3, 4, 2)))), {}, TypeError, "c is a masked array"),
    ],
)
@pytest.mark.parametrize("function", ["gemm", "plan"])
def test_gemm_refuses(function, operands, named, error, text):
    before = copy.deepcopy(operands)
    with pytest.raises(error, match=text):
        bb.gemm(*operands, **named) if function == "gemm" else bb.plan("gemm", *operands, **named)
    for x, was in zip(operands, before, strict=True):
        assert same(x, was)


def test_block_sizes_must_agree():
    x, y = bb.interleave(np.ones((3, 2, 2))), bb.interleave(np.ones((3, 2, 2)), nb=16)
    with pytest.raises(ValueError, match=r"a has nb = 8, b has nb = 16.*: expected one block size"):
        bb.gemm(x, y)


@pytest.mark.parametrize(
    ("arguments", "named", "text"),
    [
        (("gem",), {}, "op = 'gem' is not an operation: expected one of gemm, symm, hemm"),
        (("gemm", "q"), {"m": 1, "n": 1, "k": 1}, "dtype = 'q' is not supported: expected s, d, c, z or float32"),
        (("gemm", int), {"m": 1, "n": 1, "k": 1}, "dtype = <class 'int'> is not supported"),
        (("gemm", "d", "xx"), {"m": 1, "n": 1, "k": 1}, "layout = 'xx' is unknown: expected one of 'pp', 'st'"),
        (
            ("gemm", "d", ["st", "st"]),
            {"m": 1, "n": 1, "k": 1},
            r"layout names 2 operands: expected 1 or 3 \(A, B, C\)",
        ),
        (("gemm",), {"m": -1, "n": 1, "k": 1}, "m = -1 is not a size: expected an int from 0"),
        (("gemm",), {"m": 1, "n": 2.5, "k": 1}, "2.5 is not a size"),
        (("gemm",), {"m": 1, "n": 1}, "k = None is not a size"),
        (("gemm",), {"m": 1, "n": 1, "k": 2**40}, "k = 1099511627776 is not a size"),
        (
            ("gemm",),
            {"m": 1, "n": 1, "k": 1, "q": 3},
            "unknown argument 'q' for gemm: expected m, n, k, transa, transb",
        ),
        (("gemm",), {"m": 1, "n": 1, "k": 1, "nb": 8}, "nb = 8 without a blocked operand"),
        (("gemm", "d", "bi"), {"m": 1, "n": 1, "k": 1, "nb": 0}, "nb = 0 is not a block size"),
        (("gemm", "d", "il"), {"m": 1, "n": 1, "k": 1, "strides": "ld"}, "strides = .* without a pp or st operand"),
        (
            ("gemm",),
            {"m": 1, "n": 1, "k": 1, "strides": "xy"},
            "strides = 'xy' is unknown: expected one of '', 'ld', 'rs'",
        ),
        (("gemm",), {"m": 1, "n": 1, "k": 1, "target": "tpu"}, "target = 'tpu' is unknown: expected one of cpu, cuda"),
        (
            ("gemm", "d", "bi"),
            {"m": 1, "n": 1, "k": 1, "target": "cuda"},
            r"target = 'cuda' cannot be loaded as .* bb\.warmup\(\.\.\., target='cuda'\) .* build --target cuda makes",
        ),
        (("gemm",), {"m": 1, "n": 1, "k": 1, "order": "K"}, "order = 'K': expected 'C' or 'F'"),
        (("gemm", "d", "bi"), {"m": 1, "n": 1, "k": 1, "form": "direct"}, "form = 'direct' is not available"),
        (("gemm",), {"m": 1, "n": 1, "k": 1, "transa": 3}, "trans[ab] = 3 is not a transposition"),
    ],
)
def test_compile_refuses(arguments, named, text):
    with pytest.raises(ValueError, match=text):
        bb.compile(*arguments, **named)


def test_plan_refuses_unknown_operations():
    with pytest.raises(ValueError, match="op = 'trsn' is not an operation"):
        bb.plan("trsn", A, B)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: bb.compile("gemm", layout=-1, m=2, n=2, k=2), bb.SpecError, "layout = -1: expected one name"),
        (lambda: bb.compile("potrf", n=3, target=["cpu"]), bb.SpecError, r"target = \['cpu'\] is unknown: expected"),
        (lambda: bb.compile("gemm", m=2, n=2, k=2, unroll={}), ValueError, "unroll = {} is not available: expected a"),
        (lambda: bb.sequence([bb.step("potrf", "A")], scratch=3), bb.SpecError, r"scratch = \(3,\): expected names"),
        (lambda: bb.interleave(A, nb=np.array([1, 2])), ValueError, r"nb = array\(\[1, 2\]\) is not a block size"),
        (
            lambda: bb.potrf(A, check=np.array([1, 2])),
            ValueError,
            r"check = array\(\[1, 2\]\): expected one of 'raise'",
        ),
    ],
)
def test_an_argument_of_another_type_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
