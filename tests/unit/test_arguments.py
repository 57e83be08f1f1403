"""Wrong arguments: whoever gives one is told its name, its value and what was expected, before anything is done."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import bblas_gen as bb
import bblas_gen.linalg as la
from bblas_gen.linalg import vjp

A = np.tile(4 * np.eye(3), (2, 1, 1))
V = np.ones((2, 3))
GEMM = partial(bb.KernelSpec.make, "gemm", m=2, n=2)
KERNEL = "bb_dgemm_nn_st_m2n2k2"
POTRF = [bb.step("potrf", "A")]

FLAGS = {
    "return_info": [
        partial(bb.posv, A, A),
        partial(bb.posv, A[0], A[0]),
        partial(bb.sequence(POTRF), A=A),
        partial(bb.stream, "posv", A, A),
        partial(bb.start, "posv", A[0], A[0]),
        partial(la.inv, A),
        partial(la.cross, V, V),
        partial(la.lu_factor, A),
        partial(la.lstsq, A, V[..., None]),
    ],
    "overwrite": [partial(bb.potrf, A)],
    "refine": [partial(la.solve, A, A), partial(la.tensorsolve, A[0], V[0])],
    "always": [lambda always: la.accelerate(always=always).__enter__()],
    "upper": [partial(vjp.cholesky, A, A)],
    "large": [partial(bb.emit, [KERNEL], "nowhere")],
    "force": [partial(bb.emit, [KERNEL], "nowhere")],
    "openmp": [partial(bb.build, [KERNEL], "nowhere")],
}


@pytest.mark.parametrize("value", ["yes", 1, 0.0, [True], np.ones(2, bool)], ids=str)
@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in FLAGS.items() for call in calls])
def test_flags_are_true_or_false(name, call, value):
    with pytest.raises(TypeError, match=rf"^{name} = .*: expected True or False$"):
        call(**{name: value})


OTHERS = [
    (partial(GEMM, k=True), "k = True is not a size: expected an int from 0"),
    (partial(GEMM, k=2, layout="bi", nb=True), "nb = True is not a block size: expected an int from 1"),
    (partial(bb.warmup, [KERNEL], jobs=True), "jobs = True: expected None or an int"),
    (partial(bb.warmup, [KERNEL], jobs=0), "jobs = 0: expected None or an int of 1"),
    (partial(bb.warmup, [KERNEL], device=[0]), r"device = \[0\]: expected the number of a GPU"),
    (partial(bb.warmup, [KERNEL], target=["cpu"]), r"target = \['cpu'\]: expected one of 'cpu'"),
    (partial(bb.stream, "posv", A, A, device=-1), "device = -1: expected the number of a GPU"),
    (partial(bb.stream, "posv", A, A, chunk_bytes=1.5), "chunk_bytes = 1.5: expected a number of bytes"),
    (partial(bb.start, "posv", A[0], A[0], device=True), "device = True: expected the number of a GPU"),
    (partial(bb.gemm, A, A, num_threads=np.ones(1, int)), r"num_threads = array\(\[1\]\): expected None or an int"),
    (partial(bb.KernelSpec.parse, None), "spec = None is not a kernel symbol: expected bb_"),
    (partial(bb.KernelSpec.parse, KERNEL, sequence="x"), "sequence = 'x': expected the row of a sequence"),
    (partial(bb.OperationSequence.parse, None), r"text = None: expected sequence\("),
    (partial(bb.sequence, None), "steps = None: expected one or more"),
    (partial(bb.sequence, POTRF, name=b"x"), "name = b'x': expected small letters"),
    (partial(bb.sequence, POTRF, scratch=""), "scratch names '': expected operands of the steps, A"),
    (partial(bb.compile, "gemm", m=2, n=2, k=2, large=1), "unknown argument 'large'"),
    (partial(bb.compile, "gemm", m=2, n=2, k=2, strides="rm"), "strides = 'rm' is not available"),
    (partial(bb.warmup, 1), "specs = 1: expected a path, or names of kernels"),
    (partial(bb.warmup, [1]), "spec = 1 is not a kernel symbol: expected bb_"),
    (partial(bb.build, [KERNEL], "nowhere", sizes=2), "sizes = 2: expected a list"),
    (partial(bb.build, [KERNEL], "nowhere", jobs="2"), "jobs = '2': expected None or an int"),
    (partial(bb.Interleaved.empty, 3), r"shape = 3: expected ints \(batch, rows, columns\)"),
    (partial(bb.Interleaved.empty, (2, 3, 3), "x"), "dtype = 'x': expected one of float32, float64"),
    (partial(bb.Interleaved.empty, (2**60, 9, 9)), "bytes for shape .*: expected .* at most"),
    (partial(bb.ragged, V, 3), "offsets = 3: expected integers, 1-D"),
    (partial(bb.ragged, V, [[0], [1, 2]]), r"offsets = \[\[0\], \[1, 2\]\]: expected integers, 1-D"),
    (partial(bb.indexed, A, None), "index = None: expected integers, 1-D"),
    (partial(bb.pointers, [8], 3, "d"), r"shape = 3: expected \(rows, columns\)"),
    (partial(bb.pointers, [8], (3, 1.5), "d"), r"shape = \(3, 1.5\): expected \(rows, columns\)"),
    (partial(bb.pointers, [8], (3, 3), "x"), "dtype = 'x': expected one of float32, float64"),
    (partial(bb.pointers, [8], (3, 3), "d", "xy"), "strides = 'xy': expected 2 multiples of 8 bytes"),
    (partial(la.inv, A, dtype="x"), "dtype = 'x': expected one of float32, float64"),
    (partial(la.inv, A, dtype=">f8"), "dtype = '>f8': expected float32, float64"),
    (partial(la.lstsq, A, A, driver=[]), r"driver = \[\]: expected one of gelsd"),
    (partial(la.lstsq, A, A, rcond="x"), "rcond = 'x': expected None or real numbers"),
    (partial(la.eigh, A, type="x"), "type = 'x': expected 1, 2 or 3"),
    (partial(la.eigh, A, type=True), "type = True: expected 1, 2 or 3"),
    (partial(la.eigvalsh, A, type=2.0), "type = 2.0: expected 1, 2 or 3"),
    (partial(vjp.solve, A, "x", A), "x has dtype <U1: expected float32"),
    (partial(vjp.inv, [[1.0], [1.0, 2.0]], A), r"x = \[\[1.0\], \[1.0, 2.0\]\]: expected an array of numbers"),
    (partial(vjp.inv, V[0], V[0]), r"x has shape \(3,\) beside cotangent \(3,\): expected x \(..., n, n\)"),
    (partial(vjp.det, A, 1.0, np.ones(2)), r"value has shape \(\) beside a \(2, 3, 3\), cotangent \(2,\): expected a"),
    (partial(vjp.slogdet, A, np.ones(3)), r"cotangent has shape \(3,\) beside a \(2, 3, 3\): expected a \(..., n, n\)"),
    (partial(vjp.eigh, V, A, V[:1], A), r"of_values has shape \(1, 3\) beside .*: expected values \(..., n\)"),
    (partial(vjp.eigh, V, A, V.astype("g"), A), "of_values has dtype .*: expected float32"),
]


@pytest.mark.parametrize(("call", "said"), OTHERS, ids=lambda x: x if isinstance(x, str) else "")
def test_others_are_named_with_what_is_expected(call, said):
    with pytest.raises((TypeError, ValueError, MemoryError), match=said):
        call()
