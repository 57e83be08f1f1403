"""Large triangular problems and factorizations: divided by the rules, with a small order to stop at, for speed."""

from __future__ import annotations

import numpy as np
import pytest
from support.any_size import DTYPES, call
from support.layouts import bits
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.errors import SpecError
from bblas_gen.ir.recursion import problems
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import Kind
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import functions_of, source_here
from bblas_gen.runtime.marshal import ffi

STOP, PANEL, FEW, BATCH = 8, 4, 5, 2
SMALL = {"stop": STOP, "panel": PANEL, "corner": STOP // 2, "few": FEW, "least": 1}
KERNELS = [
    "bb_dtrsm_rutu_st_mn_rm",
    "bb_ztrsm_llcn_pp_mn_rmld",
    "bb_dtrmm_lunn_st_mn_ld",
    "bb_strmm_llnu_st_mn_rs",
    "bb_dsymm_ll_st_mn_ld",
    "bb_zher2k_ln_st_nk_rmld",
    "bb_cposv_u_st_nnrhs_ld",
    "bb_dgetrf_st_mn_rs",
    "bb_cgetri_st_n",
]
MORE = [
    "bb_dtrsm_llnn_st_mn_ld",
    "bb_strsm_lunn_st_mn_rs",
    "bb_dtrmm_lltn_st_mn",
    "bb_ztrmm_rurn_st_mn",
    "bb_chemm_ru_st_mn_ld",
    "bb_zpotri_l_st_n_rm",
    "bb_zgesv_pp_nnrhs_ld",
]


def divided(symbol, **more):
    return kernels.kernel(KernelSpec.parse(symbol), form="recursive", **SMALL | more)


def sizes_for(row):
    for n, other in ((0, 3), (1, 1), (STOP - 1, 2), (STOP, 30), (STOP + 1, 5), (2 * STOP + 1, 26), (5 * STOP + 3, 9)):
        yield dict.fromkeys(row.sizes, n) | ({row.sizes[-1]: other} if len(row.sizes) > 1 else {})
    if len(row.sizes) > 1:
        few = [(4 * STOP, 2), (FEW, 4 * STOP), (5 * STOP + 3, FEW), (260, FEW), (6 * STOP + 3, 1), (1, 6 * STOP)]
        for n, other in ((3, 3 * STOP + 3), *few):
            yield {row.sizes[0]: n, row.sizes[1]: other}


@pytest.mark.parametrize("symbol", [*KERNELS, *(pytest.param(x, marks=pytest.mark.thorough) for x in MORE)])
def test_variants(symbol, rng):
    kernel = divided(symbol)
    row, flags, oracle = kernel.spec.row, kernel.spec.flag, ORACLES[kernel.spec.op]
    given = 1.5 if kernel.spec.precision in "sd" else 1.5 - 0.5j
    for sizes in sizes_for(row):
        before = oracle.make(rng, BATCH, sizes, flags, DTYPES[kernel.spec.precision])
        for value in (given, 0) if row.scalars and max(sizes.values()) < 10 else (given,):
            values = {name: value.real if name in row.real_scalars else value for name in row.scalars}
            after, info = call(kernel, sizes, before, values)
            assert oracle.error(before, after, flags, values) < oracle.bound, (sizes, value)
            assert not row.info or not info.any()
            threaded, _ = call(kernel, sizes, before, values, threads=3)
            assert all(bits(after[name]) == bits(threaded[name]) for name in after), sizes


@pytest.mark.parametrize("number", [0, -1, 2 * STOP + 2, -(2**31)])
def test_a_pivot_that_is_no_row_exchanges_nothing(number, rng):
    kernel, sizes = divided("bb_cgetri_st_n"), {"n": 2 * STOP + 1}
    before = ORACLES["getri"].make(rng, BATCH, sizes, {}, "complex64")
    before["IPIV"][:, STOP] = STOP + 1
    expected, _ = call(kernel, sizes, before, {})
    before["IPIV"][:, STOP] = number
    found, _ = call(kernel, sizes, before, {})
    assert bits(found["A"]) == bits(expected["A"])


@pytest.mark.parametrize(
    ("symbol", "sizes"),
    [
        ("bb_dtrsm_llnn_st_mn_ld", {"m": 70, "n": 337}),
        ("bb_zher2k_ln_st_nk_rmld", {"n": 40, "k": 2 * STOP}),
        ("bb_zher2k_ln_st_nk_rmld", {"n": 70, "k": STOP + 1}),
        ("bb_cherk_ln_st_nk_ld", {"n": 129, "k": 400}),
        ("bb_dgetrf_st_mn_ld", {"m": 150, "n": 161}),
        ("bb_zpotri_l_st_n_rm", {"n": 8 * STOP}),
    ],
)
def test_threads_share_what_is_apart(symbol, sizes, rng):
    """Right-hand sides, as many as are worth it, of which none has few, which go another way; rows of a triangle, by
    bands of which the last may be short, and their products too small to be packed; columns in which rows are
    exchanged; both halves of an inverse: with the bits of one thread."""
    kernel = divided(symbol)
    before = ORACLES[kernel.spec.op].make(rng, BATCH, sizes, kernel.spec.flag, DTYPES[kernel.spec.precision])
    values = dict.fromkeys(kernel.spec.row.scalars, 2.0)
    found = [call(kernel, sizes, before, values, threads)[0] for threads in range(1, 9)]
    assert all(bits(x[name]) == bits(found[0][name]) for x in found for name in x)


def test_threads_share_few_right_hand_sides(rng):
    """Each reads the triangle for its own, of which the last may be more than the others."""
    kernel, sizes = divided("bb_dtrsm_llnn_st_mn_ld", few=24), {"m": 2 * STOP + 3, "n": 23}
    before = ORACLES["trsm"].make(rng, BATCH, sizes, kernel.spec.flag, "float64")
    found = [call(kernel, sizes, before, {"alpha": 1.5}, threads)[0]["B"] for threads in (1, 2, 3, 8)]
    assert ORACLES["trsm"].error(before, {"B": found[0]}, kernel.spec.flag, {"alpha": 1.5}) < ORACLES["trsm"].bound
    assert all(bits(x) == bits(found[0]) for x in found)


@pytest.mark.parametrize("many", [1, FEW])
@pytest.mark.parametrize("name", ["trsm_llnn", "trmm_lunn"])
def test_few_right_hand_sides_have_the_bits_of_every_memory_order(name, many, rng):
    """A triangle by columns is read another way than one by rows, and added up in the same order."""
    sizes, bits_of = {"m": 6 * STOP + 3, "n": many}, []
    kernel = divided(f"bb_d{name}_st_mn_ld")
    before = ORACLES[kernel.spec.op].make(rng, BATCH, sizes, kernel.spec.flag, "float64")
    for order in ("ld", "rm", "rs"):
        after, _ = call(divided(f"bb_d{name}_st_mn_{order}"), sizes, before, {"alpha": 1.5})
        bits_of.append(bits(after["B"]))
    assert bits_of == bits_of[:1] * 3


CALLED = "int(*)(int64_t, int64_t, int64_t, double, void *, int64_t, int64_t, void *, int64_t, int64_t, double, void *,"
CALLED += " int64_t, int64_t, int64_t, int)"


@pytest.mark.parametrize("symbol", ["bb_dtrsm_llnn_st_mn_ld", "bb_dgetrf_st_mn_ld"])
def test_products_are_those_of_the_list(symbol):
    """In its order, on its blocks: products that are only written down, of a matrix of which they change nothing."""
    kernel = divided(symbol, stop=5, panel=5, few=1)  # nobody else's: it has our products from now on
    row, n = kernel.spec.row, 43
    operands = {x.name: np.eye(n) * 3 if x.kind is Kind.SCALAR else np.zeros(n, np.int32) for x in row.matrices}
    found = []

    def block(pointer):
        for name, x in operands.items():
            if 0 <= (place := int(ffi().cast("intptr_t", pointer)) - x.ctypes.data) < x.nbytes:
                return name, place // 8 % n, place // 8 // n
        return None

    def noted(rows, cols, k, alpha, a, lda, _a, b, ldb, _b, beta, c, ldc, *_more):
        blocks = tuple(map(block, (a, b, c)))
        if all(blocks):
            found.append(((rows, cols, k), blocks, (alpha, beta)))
        return 0

    library = functions_of(kernel.library.path, f"void {symbol}_given(void **kernels);")
    product = ffi().callback(CALLED.replace("(*)", ""), noted)
    getattr(library, f"{symbol}_given")([ffi().cast("void *", product)] * len(kernel.library.needs))
    arguments = [n] * len(row.sizes) + [2.0] * len(row.scalars)
    for x in row.matrices:
        pointer = ffi().cast("void *", operands[x.name].ctypes.data)
        arguments += [pointer, 0] if x.kind is Kind.INDEX else [pointer, n, 0]
    info = np.zeros(1, np.int32)
    assert kernel(*arguments, *([ffi().cast("void *", info.ctypes.data)] * row.info), 1, 1) == 0
    expected = []
    for one in problems(row, dict.fromkeys(row.sizes, n), kernel.spec.flag, 5):
        a, c = one.blocks[0], one.blocks[-1]
        if one.op.name == "gemm":
            k = a.rows if one.letters["transa"].transposes else a.cols
            numbers = tuple(2.0 if isinstance(x, str) else x.real for x in one.scalars)
            expected.append(((c.rows, c.cols, k), tuple((x.name, x.row, x.col) for x in one.blocks), numbers))
    assert found == expected


def test_what_fails_is_reported_by_its_place_in_the_whole(rng):
    n = 5 * STOP + 3
    kernel = divided("bb_cposv_u_st_nnrhs_ld")
    before = ORACLES["posv"].make(rng, BATCH, {"n": n, "nrhs": 2}, kernel.spec.flag, "complex64")
    fine, _ = call(kernel, {"n": n, "nrhs": 2}, before, {})
    for place in (0, STOP - 1, STOP, 4 * STOP + 2, n - 1):
        failing = {name: x.copy() for name, x in before.items()}
        failing["A"][0, place, place] = (-1e6, np.nan)[place % 2]
        after, info = call(kernel, {"n": n, "nrhs": 2}, failing, {})
        assert info.tolist() == [place + 1, 0]
        assert np.array_equal(after["B"][0], before["B"][0]), "right-hand sides of a matrix that fails stay"
        assert bits(after["B"][1]) == bits(fine["B"][1])


def test_a_zero_pivot_is_reported_and_passed_over(rng):
    kernel, n = divided("bb_dgetrf_st_mn_rs"), 3 * STOP
    for place in (0, PANEL, 2 * STOP + 1):
        a = rng.standard_normal((BATCH, n, n))
        a[0, :, place] = a[0, :, place + 1] = 0
        after, info = call(kernel, {"m": n, "n": n}, {"A": a, "IPIV": np.zeros((BATCH, n), np.int32)}, {})
        assert info.tolist() == [place + 1, 0]
        assert np.isfinite(after["A"]).all()


@pytest.mark.parametrize("name", ["stop", "panel", "corner", "few", "least", "rows", "prefetch"])
def test_schedules(name):
    spec = KernelSpec.parse("bb_dtrsm_llnn_st_mn")
    with pytest.raises(ValueError, match=f"^{name} = -3 is not available for bb_dtrsm_llnn_st_mn: form recursive"):
        source_here(spec, form="recursive", **{name: -3})
    for symbol in ("bb_dgemm_nn_st_mnk", "bb_dtrsm_llnn_bi_mn", "bb_dtrsm_llnn_st_m8n8"):
        with pytest.raises((ValueError, SpecError), match="form = 'recursive' is not available"):
            source_here(KernelSpec.parse(symbol), form="recursive")


def test_several_in_one_library(rng):
    """Each has its own products."""
    wanted = [
        (KernelSpec.parse(x), {"form": "recursive", "stop": 7}) for x in ("bb_ztrsv_lnn_st_n", "bb_ztrsv_lcn_st_n")
    ]
    for kernel, trans in zip(kernels.prepare(wanted, jobs=1), "NC", strict=True):
        flags = {**kernel.spec.flag}
        assert flags["trans"] == trans
        before = ORACLES["trsv"].make(rng, BATCH, {"n": 30}, flags, "complex128")
        after, _ = call(kernel, {"n": 30}, before, {})
        assert ORACLES["trsv"].error(before, after, flags, {}) < ORACLES["trsv"].bound


def test_large_matrices_are_divided(rng):
    """From Python, one or a batch; shape alone decides."""
    n = 130
    a = rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n))
    a = np.asarray(a @ a.conj().T + n * np.eye(n))
    b = np.asarray(rng.standard_normal((n, 3)) + 0j)
    x = bb.posv(a, b, overwrite=False)
    assert np.allclose(a @ x, b)
    made = [spec for spec, overrides in kernels.RUNTIME.kernels.everything() if ("form", "recursive") in overrides]
    assert any("posv" in spec.op for spec in made)
    batch = bb.posv(np.array([a, a]), np.array([b, b]), overwrite=False)
    assert bits(batch[0]) == bits(batch[1]) == bits(x)
