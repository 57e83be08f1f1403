"""Kernels for sizes that only run time knows: the same bits as those made for a size, one text for all sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from support.cases import SELDOM, TRIED, Case, complexes, dtypes, letters
from support.cases import run as run_case
from support.contract import check as check_contract
from support.extended import is_complex, random
from support.kernels import any_size
from support.layouts import bits, values
from support.table import ORACLES
from support.walls import before_a_wall

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.codegen.render import source_of
from bblas_gen.errors import SpecError
from bblas_gen.ir.sizes import evaluate, product
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import TARGETS, Isa
from bblas_gen.ir.terms import BY_DTYPE
from bblas_gen.runtime import kernels
from bblas_gen.runtime.marshal import address, ffi, scalar

BATCH = 21
DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
SCALARS = [(1, 0), (1, 1), (1, -0.5), (0.75, 0), (-1.25, 1.5), (0, 0), (0, 1), (0, 0.5)]
SHAPES = [(1, 1, 1), (2, 3, 4), (7, 8, 9), (8, 9, 7), (16, 15, 17), (13, 1, 5), (32, 32, 32)]
ALTERNATE = [(p, shape) for i, p in enumerate(DTYPES) for j, shape in enumerate(SHAPES) if (i // 2 + i + j) % 2 == 0]
"""Every shape in a real and a complex precision."""
EMPTY = [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0)]


def general(precision, flags="nn", layout="bi"):
    return kernels.kernel(KernelSpec.parse(f"bb_{precision}gemm_{flags}_{layout}_mnk"))


def stored(array, layout):
    """A batch in a layout, written by its definition: to interleave each size would compile for each."""
    batch, rows, cols = array.shape
    p = BY_DTYPE[array.dtype.name]
    nb = batch if layout == "il" else int(layout[2:] or p.default_nb)
    blocks = -(-batch // nb)
    whole = np.zeros((blocks * nb, rows, cols), array.dtype)
    whole[:batch] = array
    lanes = whole.reshape(blocks, nb, rows, cols).transpose(0, 3, 2, 1)
    data = np.stack([lanes.real, lanes.imag], axis=3) if p.complex else lanes
    return bb.Interleaved(np.ascontiguousarray(data), batch, layout=layout[:2])


def matrix_arguments(x, layout):
    return [ffi().cast("void *", x.data.ctypes.data), *([x.nb] if layout == "il" else [])]


def operands(rng, shape, flags, dtype, batch=BATCH):
    m, n, k = shape
    sides = (m, k) if flags[0] in "nr" else (k, m), (k, n) if flags[1] in "nr" else (n, k), (m, n)
    return [random(rng, (batch, *side), dtype) for side in sides]


def run(kernel, sizes, matrices, alpha, beta, layout, threads=1):
    """C of a call of the entry point."""
    layouts = [layout[i : i + 2] for i in (0, 2, 4)] if len(layout) == 6 else [layout] * 3
    a, b, c = (stored(x, where) for x, where in zip(matrices, layouts, strict=True))
    first, second = (scalar(name, value, matrices[0].dtype) for name, value in (("alpha", alpha), ("beta", beta)))
    given = [*sizes, first, *matrix_arguments(a, layouts[0]), *matrix_arguments(b, layouts[1]), second]
    assert kernel(*given, *matrix_arguments(c, layouts[2]), len(matrices[0]), threads) == 0
    return values(c)


def error(found, matrices, flags, alpha, beta):
    letters = dict(zip(("transa", "transb"), flags, strict=True))
    before = dict(zip("ABC", matrices, strict=True))
    return ORACLES["gemm"].error(before, {"C": found}, letters, {"alpha": alpha, "beta": beta})


def check(precision, flags, layout, shape, rng, scalars=SCALARS):
    """The kernel for any size against the one for this size, on all kinds of scalars."""
    m, n, k = shape
    general_kernel = general(precision, flags, layout)
    spec = KernelSpec.parse(f"bb_{precision}gemm_{flags}_{layout}_m{m}n{n}k{k}")
    panels = max(1, -(-k // general_kernel.source.schedule.kc))
    own = kernels.kernel(spec, kc=max(1, -(-k // panels))) if precision in "cz" else kernels.kernel(spec)
    matrices = operands(rng, shape, flags, DTYPES[precision])
    for alpha, beta in scalars:
        alpha, beta = (x * (1 - 0.5j) if precision in "cz" and x not in (0, 1) else x for x in (alpha, beta))
        found = run(general_kernel, shape, matrices, alpha, beta, layout)
        expected = run(own, (), matrices, alpha, beta, layout)
        assert found.tobytes() == expected.tobytes(), (shape, alpha, beta)
        if max(shape) < 20:  # the oracle is slow
            assert error(found, matrices, flags.upper(), alpha, beta) < 3


@pytest.mark.parametrize(("precision", "shape"), ALTERNATE)
def test_the_bits_are_those_of_the_kernel_for_the_size(precision, shape, rng):
    check(precision, "nn", "bi", shape, rng)


@pytest.mark.parametrize("flags", ["tn", "rt"])
@pytest.mark.parametrize("precision", "dc")
def test_for_all_flags(precision, flags, rng):
    check(precision, flags, "bi", (7, 5, 9), rng)


@pytest.mark.parametrize(("precision", "layout"), [("s", "bi48"), ("z", "biilbi")])
def test_in_other_interleaved_layouts(precision, layout, rng):
    check(precision, "tn", layout, (9, 7, 4), rng)


def test_through_several_panels_of_k(rng):
    check("d", "nn", "bi", (8, 3, 1500), rng, [(1, 0), (0.75, -1.5), (0, 0.5)])
    check("z", "cn", "il", (3, 2, 1500), rng, [(1, 1), (0.75, -1.5)])


HEIGHTS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 25, 41, 65)
"""Of columns: less than a vector, vectors that overlap or do not, one tile and several."""


@pytest.mark.parametrize("symbol", ["bb_dgemm_nn_st_mnk", "bb_sgemm_tt_st_mnk"])
def test_vectors_along_columns_have_the_bits_of_lanes(symbol, rng):
    """And read nothing behind their operands."""
    spec = KernelSpec.parse(symbol)
    both = [kernels.kernel(spec, form="lane"), kernels.kernel(spec)]
    for number, m in enumerate(HEIGHTS):
        n, k = (3, 1, 8, 2, 9, 17, 5)[number % 7], (4, 1, 0, 11, 400)[number % 5]
        matrices = operands(rng, (m, n, k), symbol[8:10], DTYPES[spec.precision], 18)
        (a, _), (b, _), (c, _) = walled = [before_a_wall(x) for x in matrices]
        for alpha, beta in (SCALARS[number % 8], SCALARS[-1 - number % 5], (1, 1)):
            found = []
            for kernel in both:
                c[...] = matrices[2] if beta else np.nan
                strides = [x[0].size for x in (a, b, c)]
                given = [alpha, address(a), strides[0], address(b), strides[1], beta, address(c), strides[2]]
                assert kernel(m, n, k, *given, len(c), 1) == 0
                found.append(c.tobytes())
            assert found[0] == found[1], (m, n, k, alpha, beta)
        del walled


@pytest.mark.parametrize("symbol", ["bb_dtrsm_llnn_st_mn_rm", "bb_strsm_runu_st_mn"])
def test_vectors_across_right_hand_sides_have_the_bits_of_lanes(symbol, rng):
    """Whose order is the first size on the left side, the other one on the right."""
    spec = KernelSpec.parse(symbol)
    both = [kernels.kernel(spec, form="lane"), kernels.kernel(spec)]
    for number, few in enumerate(HEIGHTS):
        order = (4, 1, 8, 13, 130)[number % 5]
        m, n = (order, few) if symbol[9] == "l" else (few, order)
        shapes = ((18, order, order), (18, m, n))
        a, b = (random(rng, shape, DTYPES[spec.precision]) for shape in shapes)
        a[:, range(order), range(order)] += order
        (walled, _), (x, _) = placed = [before_a_wall(x) for x in (a, b)]
        for alpha in (1, 0.75, 0):
            found = []
            for kernel in both:
                x[...] = b
                assert kernel(m, n, alpha, address(walled), walled[0].size, address(x), x[0].size, 18, 1) == 0
                found.append(x.tobytes())
            assert found[0] == found[1], (m, n, alpha)
        del placed


@pytest.mark.parametrize("layout", ["bi", "il"])
def test_of_sizes_that_are_zero(layout, rng):
    for shape in EMPTY:
        matrices = operands(rng, shape, "nn", "float64")
        for alpha, beta in SCALARS:
            found = run(general("d", "nn", layout), shape, matrices, alpha, beta, layout)
            assert np.array_equal(found, beta * matrices[2] if beta else np.zeros_like(found))


@pytest.mark.parametrize("layout", ["bi", "il"])
@pytest.mark.parametrize("precision", "sz")
def test_no_bit_depends_on_the_batch_or_the_threads(precision, layout, rng):
    kernel, shape = general(precision, "nn", layout), (9, 6, 5)
    matrices = operands(rng, shape, "nn", DTYPES[precision], 70)
    whole = run(kernel, shape, matrices, 0.75, -1.5, layout)
    for team in (2, 3, 0):
        assert np.array_equal(run(kernel, shape, matrices, 0.75, -1.5, layout, team), whole)
    for start, stop in ((0, 1), (3, 4), (5, 22), (33, 70), (62, 69)):
        part = [x[start:stop] for x in matrices]
        assert np.array_equal(run(kernel, shape, part, 0.75, -1.5, layout), whole[start:stop])


def test_many_sizes_are_right_with_one_kernel(rng):
    kernel = general("d")
    for m, n, k in np.random.default_rng(1).integers(1, 24, (40, 3)).tolist():
        matrices = operands(rng, (m, n, k), "nn", "float64", 9)
        found = run(kernel, (m, n, k), matrices, 1.5, -0.5, "bi")
        assert error(found, matrices, "NN", 1.5, -0.5) < 3


def test_padding_is_never_written_and_nan_not_read(rng):
    for precision, layout in (("s", "bi"), ("z", "bi"), ("d", "il")):
        a, b, c = (stored(x, layout) for x in operands(rng, (7, 5, 6), "nn", DTYPES[precision]))
        for x in (a, b, c):
            x.data[-1, ..., x.nb - x.padding :] = np.nan
        c.data[..., : c.nb - c.padding] = np.nan
        numbers = [scalar(name, value, values(a).dtype) for name, value in (("alpha", 1.0), ("beta", 0.0))]
        given = [numbers[0], *matrix_arguments(a, layout), *matrix_arguments(b, layout), numbers[1]]
        assert general(precision, "nn", layout)(7, 5, 6, *given, *matrix_arguments(c, layout), BATCH, 1) == 0
        assert np.isfinite(values(c)).all()
        if c.padding:
            assert np.isnan(c.data[-1, ..., c.nb - c.padding :]).all()


def test_where_there_is_nothing_but_reports():
    info = np.full(9, 7, np.int32)
    kernel = kernels.kernel(KernelSpec.parse("bb_dposv_l_pp_nnrhs"))
    null, x = ffi().NULL, np.stack([np.eye(2)] * 9)
    assert kernel(0, 3, null, null, address(info), 9, 1) == 0
    assert not info.any()
    pointers = (x.ctypes.data + np.arange(9) * x.strides[0]).astype(np.uintp)
    x[4] = -1
    assert kernel(2, 0, address(pointers), null, address(info), 9, 1) == 0
    assert info.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert kernel(2, 1, address(pointers), null, address(info), 9, 1) == -4


def test_what_alpha_leaves_alone_may_be_missing():
    kernel, null, c = kernels.kernel(KernelSpec.parse("bb_dgemm_nn_pp_mnk")), ffi().NULL, np.full((3, 2, 2), 5.0)
    pointers = (c.ctypes.data + np.arange(3) * c.strides[0]).astype(np.uintp)
    assert kernel(2, 2, 4, 0.0, null, null, 2.0, address(pointers), 3, 1) == 0
    assert (c == 10).all()


def test_info_codes():
    x = np.full((8, 4, 4), 3.0)
    p, null = address(x), ffi().NULL
    good = [4, 4, 4, 1.0, p, p, 0.0, p, 8, 1]
    wrong = {0: (-1, 1), 1: (-1, 2), 2: (-1, 3), 4: (null, 5), 5: (null, 6), 7: (null, 8), 8: (-1, 9), 9: (-1, 10)}
    for place, (value, info) in wrong.items():
        given = list(good)
        given[place] = value
        assert general("d")(*given) == -info
    assert general("d", "nn", "il")(1, 1, 1, 1.0, p, 5, p, 9, 0.0, p, 9, 6, 1) == -6
    assert general("d", "nn", "il")(1, 1, 1, 1.0, p, 6, p, 9, 0.0, p, 5, 6, 1) == -11
    assert general("d")(0, 4, 4, 1.0, null, null, 0.0, null, 2, 1) == -6
    assert general("d")(0, 4, 0, 1.0, null, null, 0.0, null, 2, 1) == 0
    assert general("d")(4, 4, 4, 1.0, null, null, 0.0, null, 0, 1) == 0
    assert (x == 3).all()
    assert general("d")(4, 4, 4, 0.0, null, null, 0.5, p, 8, 1) == 0
    assert (x == 1.5).all()


@pytest.mark.parametrize(
    ("symbol", "sizes"),
    [
        ("bb_dgemm_nn_bi_mnk", ("m", "n", "k")),
        ("bb_zgemm_rc_bi72_mn8k", ("m", 8, "k")),
        ("bb_sgemm_nt_ilbiil_m4n4k", (4, 4, "k")),
    ],
)
def test_symbols(symbol, sizes):
    spec = KernelSpec.parse(symbol)
    assert spec.sizes == sizes
    assert spec.symbol() == symbol
    assert spec.general
    assert spec.at(5).sizes == tuple(5 if isinstance(x, str) else x for x in sizes)
    assert hash(spec) == hash(KernelSpec.parse(symbol))
    assert spec.mirrored().mirrored() == spec


def test_specs_of_sizes_by_name():
    given = KernelSpec.make("gemm", "d", "bi", m=None, n=None, k=None)
    assert given == KernelSpec.make("gemm", "d", "bi", m="m", n="n", k="k") == KernelSpec.parse("bb_dgemm_nn_bi_mnk")
    assert KernelSpec.make("gemm", "d", "il", m=4, n=None, k=None).mirrored().symbol() == "bb_dgemm_nn_il_mn4k"
    assert bb.compile("gemm", layout="bi", m=None, n=None, k=None) is general("d")
    for wrong in ({"m": "n"}, {"m": "4"}, {"m": ""}):
        with pytest.raises(SpecError, match="is not a size"):
            KernelSpec.make("gemm", layout="bi", **{"m": 1, "n": 1, "k": 1} | wrong)
    with pytest.raises(SpecError, match="k = None is not a size"):
        KernelSpec.make("gemm", layout="bi", m=None, n=None)


@pytest.mark.parametrize("target", [name for name, row in TARGETS.items() if not row.general])
def test_targets_without_such_kernels_say_so(target):
    with pytest.raises(SpecError, match="only run time knows"):
        KernelSpec.make("gemm", layout="bi", target=target, m=None, n=4, k=4)


TABLE = list(enumerate(TRIED))
"""Every operation, and its number, which chooses letters, a precision and a layout."""


def turns(turn):
    """Every second operation, the others with --thorough: there are two tests, which take turns."""
    for number, row in TABLE:
        rare = number % 2 != turn or row.name in SELDOM
        yield pytest.param(number, row, id=row.name, marks=[pytest.mark.thorough] if rare else [])


PLACES = [("st",), ("il-",), ("pp",), ("ld",), ("alone",), ("bi", "st", "pp")]
"""Where operands lie that are not in blocks."""


def case(row, n, number, dtype, layouts, order="C"):
    """Right-hand sides and k are two less than n."""
    flags = {flag: some[number % len(some)] for flag, some in ((flag, letters(row, flag)) for flag in row.flags)}
    sizes = {name: max(0, n - 2 * (name not in ("m", "n"))) for name in row.sizes}
    return Case(
        row.name, dtype, sizes, 19, flags, complexes(row, dtype, (0.75, -1.5)[: len(row.scalars)]), layouts, (order,)
    )


def left_by(found, choice):
    """The bits of all operands after a call, and what each matrix reports."""
    outcome = run_case(found, {name: np.nan_to_num(x) for name, x in found.make().items()}, choice=choice)
    return [bits(x) for x in outcome.after.values()], outcome.info


@pytest.mark.parametrize(("number", "row"), list(turns(0)))
def test_every_operation_has_the_bits_of_the_kernel_for_the_size(number, row):
    dtype = dtypes(row)[-1 - number % 2]
    n = 9 if row.ways else 6 if is_complex(dtype) else 5  # small orders have algorithms of their own
    found = replace(case(row, 5, 0, dtype, ("bi",)), sizes=dict.fromkeys(row.sizes, n))
    (one, reported), (other, told) = (left_by(found, choice) for choice in (kernels.kernel, any_size))
    assert one == other
    assert reported is told is None or np.array_equal(reported, told)


@pytest.mark.parametrize(("number", "row"), list(turns(1)))
def test_one_kernel_keeps_the_contract_for_all_sizes(number, row):
    """In blocks, or where else operands lie; of whole tiles, several, with remainders, and none."""
    dtype = dtypes(row)[number % 3 - 1]
    layouts = ("bi",) if number % 2 else PLACES[number // 2 % 6]
    for n in (0, 1, 2, 5, 8, 13):
        check_contract(case(row, n, number, dtype, layouts, "CF"[number // 6 % 2]), any_size)


def test_a_size_may_be_known_and_others_not(rng):
    kernel = kernels.kernel(KernelSpec.parse("bb_dgemm_nn_bi_m5nk3"))
    for n in (1, 4, 11):
        matrices = operands(rng, (5, n, 3), "nn", "float64")
        found = run(kernel, (n,), matrices, 1.5, -0.5, "bi")
        assert found.tobytes() == run(general("d"), (5, n, 3), matrices, 1.5, -0.5, "bi").tobytes()


@pytest.mark.parametrize(
    ("symbol", "form"),
    [("bb_dgemm_nn_st_mnk", "flat"), ("bb_zgemm_nn_st_mnk", "direct"), ("bb_dsymm_ll_st_mn", "direct")],
)
def test_there_is_no_other_form(symbol, form):
    with pytest.raises(ValueError, match=f"form = '{form}' is not available for {symbol}"):
        source_of(KernelSpec.parse(symbol), Isa.of(32), form=form)


def test_the_schedule_keeps_to_the_registers():
    for simd_bytes in (16, 32, 64):
        for p in DTYPES:
            found = source_of(KernelSpec.parse(f"bb_{p}gemm_nn_bi_mnk"), Isa.of(simd_bytes)).schedule
            parts = 2 if p in "cz" else 1
            assert (found.rows * found.cols + found.rows + 1) * parts <= Isa.of(simd_bytes).registers
            assert (found.form, found.prefetch, found.nontemporal_bytes) == ("lane", 0, 0)


def test_one_text_serves_all_sizes_and_can_be_shown_and_emitted(tmp_path):
    symbol = "bb_dgemm_nt_bi_mnk"
    shown = CliRunner().invoke(main, ["show", symbol])
    assert shown.exit_code == 0
    described = ["show", "--layout", "bi", "-s", "m=m", "-s", "n=n", "-s", "k=k", "-f", "transb=T"]
    assert CliRunner().invoke(main, described).output == shown.output
    assert CliRunner().invoke(main, ["emit", symbol, "-o", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "src" / f"{symbol}.c").read_text() == shown.output
    declaration = f"int {symbol}(int64_t m, int64_t n, int64_t k, double alpha, const double *A,"
    assert declaration in (tmp_path / "include" / "bblas_kernels.h").read_text()


def test_expressions_of_sizes_are_c():
    names, known = {"m": "m", "n": "n"}, {"m": 7, "n": 4}
    texts = {
        "m * n": "m * n",
        "m * (m + 1) // 2": "(m * (m + 1)) / 2",
        "min(m, n)": "(m < n ? m : n)",
        "m - (n - 1)": "m - (n - 1)",
        "(m + 1) * (n - 1)": "(m + 1) * (n - 1)",
        "m**3 // 3": "(m * m * m) / 3",
        "(min(m, n) + 2) * 3": "((m < n ? m : n) + 2) * 3",
        "1 * m": "m",
    }
    for text, c in texts.items():
        assert evaluate(text, names) == c
        python = c.replace("/", "//").replace("(m < n ? m : n)", "min(m, n)")
        assert evaluate(text, known) == eval(python, {"min": min}, dict(known))
    assert product(2, "m", 4) == "2 * m * 4"
    assert product(2, 3) == 6
