"""The numerical contract of the operations beyond GEMM: the same bit by bit, nothing beside them written or read."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from oracles import ORACLES
from reference import random, values
from test_gemm import as_layout

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import FLAGS, Role
from bblas_gen.runtime import kernels
from bblas_gen.runtime.marshal import ffi

NAN = float("nan")
BATCH = 70
SIZES = {"m": 7, "n": 7, "k": 5, "nrhs": 2}
CASES = [
    # operation, dtype, flags
    ("potrf", "float64", {"uplo": "L"}),
    ("posv", "float64", {"uplo": "L"}),
    ("trtri", "float64", {"uplo": "L", "diag": "N"}),
    ("lauum", "float64", {"uplo": "L"}),
    ("trsm", "float64", {"side": "L", "uplo": "L", "transa": "N", "diag": "N"}),
    ("trmm", "float64", {"side": "R", "uplo": "U", "transa": "T", "diag": "N"}),
    ("symm", "float64", {"side": "L", "uplo": "U"}),
    ("syrk", "float64", {"uplo": "L", "trans": "N"}),
    ("nrm2", "float64", {}),
    ("her2k", "complex128", {"uplo": "U", "trans": "C"}),
]
PARTLY = ("potrf", "posv", "trsm", "nrm2", "her2k")
"""Operations tried in layout il too, whose bodies are those of bi but for what loads and stores a last vector."""
SCALARS = {"alpha": 0.75, "beta": -1.5}


def problem(op, dtype, flags, batch):
    """Operands in table order, and what else the call takes."""
    row = OPS[op]
    sizes = {name: SIZES[name] for name in row.sizes}
    operands = list(ORACLES[op].make(np.random.default_rng(7), batch, sizes, flags, dtype).values())
    return operands, flags | {name: SCALARS[name] for name in row.scalars}


def bits(x):
    return np.ascontiguousarray(x).tobytes()


@pytest.mark.parametrize(
    ("op", "dtype", "flags", "layout"),
    [(*case, x) for case in CASES for x in ("st", "bi", "il") if x != "il" or case[0] in PARTLY],
)
def test_bitwise_independence(op, dtype, flags, layout):
    """Of the place in the batch, its size, the neighbours and the number of threads."""
    operands, named = problem(op, dtype, flags, BATCH)

    def run(index, team=None):
        given = [as_layout(x[index], layout) for x in operands]
        bb.plan(op, *given, **named, num_threads=team)()
        return [values(x) for x in given]

    whole = run(np.arange(BATCH), 1)
    assert any(bits(x) != bits(y) for x, y in zip(whole, operands, strict=True))
    for team in (2, 3, None):
        assert list(map(bits, run(np.arange(BATCH), team))) == list(map(bits, whole)), team
    order = np.random.default_rng(1).permutation(BATCH)
    for index in (*(np.arange(*ends) for ends in ((0, 1), (3, 4), (5, 22), (33, 70), (62, 69))), order):
        assert list(map(bits, run(index))) == [bits(x[index]) for x in whole], index


@functools.cache
def expected_of(op):
    """The first of CASES for ``op``, on a strided batch: operands, other arguments, results."""
    _, dtype, flags = next(case for case in CASES if case[0] == op)
    operands, named = problem(op, dtype, flags, 21)
    results = [as_layout(x, "bi") for x in operands]
    bb.plan(op, *results, **named)()
    return operands, named, [values(x) for x in results]


@pytest.mark.parametrize(
    ("op", "layout"), [*[(op, x) for op in PARTLY for x in ("bi", "il")], ("posv", "bi3"), ("posv", "bi24")]
)
def test_padding_is_never_written(op, layout):
    """Nor does what stands there make a matrix of the batch fail."""
    operands, named, expected = expected_of(op)
    for batch in (1, 5, 17, 21):
        given = [as_layout(x[:batch], layout) for x in operands]
        for x in given:
            if x.padding:
                x.data[-1, ..., x.nb - x.padding :] = NAN
        k = bb.plan(op, *given, **named)
        k()
        assert k.info is None or not k.info.any()
        for x, wanted in zip(given, expected, strict=True):
            assert np.isnan(x.data[-1, ..., x.nb - x.padding :]).all()
            mask = np.isfinite(wanted[:batch])
            # blocks of 3 run on other vectors, whose reciprocals round differently
            np.testing.assert_allclose(values(x)[mask], wanted[:batch][mask], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("op", PARTLY)
def test_interleaved_storage_without_padding_is_not_overrun(op):
    """Layout il with as many lanes as matrices, guarded in front and behind."""
    operands, named, expected = expected_of(op)
    for batch in (1, 3, 9, 21):
        given, guarded = [], []
        for array in operands:
            source = as_layout(array[:batch], "il")
            around = np.full(source.data[..., :batch].size + 64, NAN, source.data.dtype)
            data = around[32:-32].reshape(*source.data.shape[:-1], batch)
            data[...] = source.data[..., :batch]
            given.append(bb.Interleaved(data, batch, layout="il"))
            guarded.append(around)
            assert given[-1].padding == 0
        bb.plan(op, *given, **named)()
        for x, around, wanted in zip(given, guarded, expected, strict=True):
            assert bits(values(x)) == bits(wanted[:batch]), batch
            assert np.isnan(around[:32]).all()
            assert np.isnan(around[-32:]).all()


SCALED = ["symm", "syrk", "syr2k", "her2k", "trmm", "trsm", "gemv", "ger", "axpy", "scal"]
LIES = [*[(op, "bi") for op in SCALED], ("symm", "st"), ("her2k", "st"), ("trsm", "st"), ("gemv", "st")]
"""The bodies' own reads, and for some what the frame of st reads into scratch."""


@pytest.mark.parametrize(("op", "layout"), LIES)
def test_alpha_of_zero_reads_no_input(op, layout):
    """What is changed is scaled by beta, or by one where there is no beta, or by alpha where that is its factor."""
    row = OPS[op]
    shapes = {"m": 3, "n": 3, "k": 3, "1": 1, "ka": 3}
    *inputs, output = [(11, shapes[x.rows], shapes[x.cols]) for x in row.parameters]
    own = row.outputs[0]
    for beta in (0, 1, 0.5) if "beta" in row.scalars else (None,):
        scaled = row.name in ("trmm", "trsm", "scal")
        c = as_layout(np.full(output, NAN if scaled or beta == 0 else 2, complex), layout)
        given = [as_layout(np.full(shape, NAN, complex), layout) for shape in inputs]
        bb.plan(op, *given, c, alpha=0, **({} if beta is None else {"beta": beta}))()
        found = np.tril(values(c)) if own.triangle else values(c)
        wanted = np.full(output, 0 if scaled else 2 if beta is None else 2 * beta, complex)
        assert (found == (np.tril(wanted) if own.triangle else wanted)).all(), beta


@pytest.mark.parametrize(("op", "layout"), [x for x in LIES if "beta" in OPS[x[0]].scalars])
def test_beta_of_zero_does_not_read_what_is_overwritten(op, layout, rng):
    row = OPS[op]
    shapes = {"m": 3, "n": 3, "k": 3, "1": 1, "ka": 3}
    *inputs, output = [(11, shapes[x.rows], shapes[x.cols]) for x in row.parameters]
    for alpha in (1, 0.5, 0):
        c = as_layout(np.full(output, NAN, complex), layout)
        given = [as_layout(random(rng, shape, "complex128"), layout) for shape in inputs]
        bb.plan(op, *given, c, alpha=alpha, beta=0)()
        found = values(c)[:, np.tri(3, dtype=bool)] if row.outputs[0].triangle else values(c)
        assert np.isfinite(found).all(), alpha


@pytest.mark.parametrize("op", ["symm", "trmm", "trsm", "syr2k"])
def test_alpha_of_zero_takes_null_pointers(op):
    row = OPS[op]
    flags = "".join(str(next(iter(x))).lower() for x in (FLAGS[name] for name in row.flags))
    sizes = "".join(f"{name}3" for name in row.sizes)
    kernel = kernels.kernel(KernelSpec.parse(f"bb_d{op}_{flags}_st_{sizes}"))
    c = np.full((5, 3, 3), 2.0)
    given: list[object] = []
    for name in row.arguments:
        if name in row.scalars:
            given.append({"alpha": 0.0, "beta": 0.5}[name])
        else:
            given += [ffi().NULL if row.operand(name).role is Role.IN else ffi().from_buffer(c), 9]
    assert kernel(*given, 5, 1) == 0
    wanted = 1.0 if "beta" in row.scalars else 0.0
    mask = np.triu(np.ones((3, 3), bool)) if row.outputs[0].triangle else np.ones((3, 3), bool)  # column-major
    assert (c[:, mask] == wanted).all()


@pytest.mark.parametrize("layout", ["st", "bi"])
@pytest.mark.parametrize("op", ["posv", "herk"])
def test_diagonals_of_hermitian_results_are_real(op, layout, rng):
    """Imaginary parts in front of the call count as zero, whatever they are."""
    flags = {"uplo": "U"} | ({"trans": "N"} if op.startswith("her") else {})
    sizes = {"n": 4, "k": 3, "nrhs": 2}
    before = ORACLES[op].make(rng, 11, {n: sizes[n] for n in OPS[op].sizes}, flags, "complex128")
    hermitian = "A" if op.startswith("po") else "C"
    found = []
    for noise in (0, 1, NAN):
        operands = {name: x.copy() for name, x in before.items()}
        operands[hermitian][:, range(4), range(4)] = operands[hermitian][:, range(4), range(4)].real + 0j
        operands[hermitian].imag[:, range(4), range(4)] = noise
        given = [as_layout(x, layout) for x in operands.values()]
        bb.plan(op, *given, **flags, **({"beta": 1} if hermitian == "C" else {}))()
        after = dict(zip(operands, map(values, given), strict=True))
        assert (after[hermitian][:, range(4), range(4)].imag == 0).all()
        found.append([bits(x) for x in after.values()])
    assert found[0] == found[1] == found[2]
