"""Specs, symbols, schedules and index arithmetic."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sources import source

from bblas_gen.errors import SpecError
from bblas_gen.ir import partition, views
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import SCRATCH, Isa
from bblas_gen.ir.terms import FLAGS, PRECISIONS, Diag, Layout, Strides, Uplo
from bblas_gen.schedule.choose import alternatives, choose
from bblas_gen.schedule.lane import affordable


@st.composite
def specs(draw):
    row = OPS[draw(st.sampled_from(list(OPS)))]
    flags = {flag: draw(st.sampled_from(list(FLAGS[flag]))) for flag in row.flags}
    alone = [x for x in Layout if x.triangle and x.triangle is flags.get("uplo")]
    whole = [x for x in Layout if not x.triangle]
    layouts = tuple(x.kind.layout(draw(st.sampled_from(whole + alone * x.triangle))) for x in row.parameters)
    interleaved = all(x.interleaved for x in layouts)
    strides = [x for x in Strides if not x.row_major or row.transposition is None]
    known = st.integers(0, 5000)
    return KernelSpec(
        op=row.name,
        precision=draw(st.sampled_from(list(PRECISIONS))),
        sizes=tuple(draw(known | st.just(x)) for x in row.sizes),
        flags=tuple(flags.values()),
        layouts=layouts,
        nb=draw(st.integers(1, 200)) if any(x.blocked for x in layouts) else 0,
        strides=Strides.PACKED if interleaved else draw(st.sampled_from(strides)),
    )


@given(specs())
@settings(max_examples=300, derandomize=True)
def test_symbols_are_read_back(spec):
    assert KernelSpec.parse(spec.symbol()) == spec
    assert spec.symbol().isidentifier()
    assert spec.symbol().isascii()


def test_symbols_as_documented():
    make = KernelSpec.make
    sizes = {"m": 8, "n": 8, "k": 8}
    assert make("gemm", "d", "bi", **sizes).symbol() == "bb_dgemm_nn_bi_m8n8k8"
    assert make("gemm", "complex64", "bi", nb=72, transa="C", **sizes).symbol() == "bb_cgemm_cn_bi72_m8n8k8"
    assert make("gemm", "s", ("st", "pp", "st"), strides="ld", **sizes).symbol() == "bb_sgemm_nn_stppst_m8n8k8_ld"


@pytest.mark.parametrize(
    "symbol",
    [
        "",
        "bb_dgemm_nn_st_m8n8k8;rm",
        "bb_dgemm_nn_st_m8n8k8\n",
        "bb_dgemm_nn_st_m{{7*7}}n8k8",
        "bb_dgemm_nn_st_m8n8k8/../x",
        "bb_dgemm_nn_st_m\u0668n8k8",
        "bb_dgemm_nn_st_m8n8",
        "bb_dgemm_nn_st_n8m8k8",
        "bb_dgemm_n_st_m8n8k8",
        "bb_dgemm_nx_st_m8n8k8",
        "bb_qgemm_nn_st_m8n8k8",
        "bb_dfoo_nn_st_m8n8k8",
        "bb_dgemm_nn_stst_m8n8k8",
        "bb_dgemm_nn_bi8bi16st_m8n8k8",
        "bb_dgemm_nn_biil_m8n8k8_ld",
        "bb_dpotrf_l_bl_n8_ld",
        "bb_dgemm_nn_bi_m8n8k8_rs",
        "bb_dgemm_nn_bi0_m8n8k8",
        "bb_dgemm_nn_bi99999999_m8n8k8",
        "bb_dgemm_nn_st_m99999999999n8k8",
        "xbb_dgemm_nn_st_m8n8k8",
    ],
)
def test_other_symbols_are_refused(symbol):
    with pytest.raises(SpecError):
        KernelSpec.parse(symbol)


SIZES = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100)
GRID = [
    KernelSpec.make("gemm", p, where, m=m, n=n, k=k)
    for (m, n), k, p, where in itertools.product(itertools.product(SIZES, (1, 4, 9, 33)), (1, 40), "sdcz", ("st", "bi"))
]


@pytest.mark.parametrize(
    ("symbol", "form", "width"),
    [
        ("bb_dgetrf_st_m64n64_rm", "lane", 4),
        ("bb_dgetrf_st_m256n256_rm", "lane", 4),
        ("bb_dgetrf_st_m400n400_rm", "lane", 2),
        ("bb_dgetrf_st_m700n700_rm", "lane", 1),
        ("bb_dgetrs_n_st_n200nrhs1", "lane", 1),  # as much to move as to do
        ("bb_dger_st_m200n200", "lane", 1),
        ("bb_dpotrf_l_st_n200", "hybrid", 8),  # which lanes do not outdo by their scratch
        ("bb_dtrtri_ln_bi_n200", "lane", 4),
        ("bb_sgetrf_st_m200n200", "lane", 8),
    ],
)
def test_large_matrices_are_done_by_narrower_vectors(symbol, form, width):
    """Of 32 bytes as long as there is much to do with each element."""
    found = choose(Program.of(KernelSpec.parse(symbol)), Isa.of(64))
    assert (found.form, found.width) == (form, width)


@pytest.mark.parametrize("simd_bytes", [16, 32, 64])
def test_schedules_keep_their_bounds(simd_bytes):
    for spec in GRID:
        found = choose(Program.of(spec), Isa.of(simd_bytes))
        parts = spec.p.parts
        sums = found.rows * found.cols * parts
        vectors = found.rows * (parts if found.form == "lane" else 1)
        assert sums + vectors + 1 <= Isa.of(simd_bytes).registers, spec.symbol()
        assert found.width * spec.p.compute.bytes <= simd_bytes
        if found.form == "lane":
            assert not spec.nb or spec.nb % found.width == 0
            assert found.width == 1 or affordable(Program.of(spec), found.width)
        else:
            assert found.kc * found.rows * found.width * spec.p.compute.bytes <= SCRATCH
            if found.form == "direct":
                _check_rows(spec.size["m"] * parts, found)
        assert found.grain % found.width == 0
        assert found.min_batch_per_thread >= 1


@pytest.mark.parametrize(
    ("symbol", "rows", "cols", "unroll"),
    [
        ("bb_dgemm_nn_bi_m6n6k6", 3, 3, 6),
        ("bb_dgemm_nn_bi_m10n10k10", 5, 2, 6),
        ("bb_dgemm_nn_bi_m16n16k16", 3, 4, 5),
        ("bb_dtrsm_llnn_bi_m16n16", 3, 4, 1),
        ("bb_dgemm_nn_st_m6n6k6", 2, 6, 5),
        ("bb_sgemm_nn_st_m24n24k24", 3, 4, 5),
        ("bb_dtrmm_llnn_st_m8n8", 2, 5, 6),
    ],
)
def test_tiles_of_sixteen_registers(symbol, rows, cols, unroll):
    """Those that were measured to be best; a diagonal that is blended in takes registers of its own."""
    found = source(symbol)
    assert (found.schedule.rows, found.schedule.cols, found.schedule.unroll) == (rows, cols, unroll)
    assert "BB_FORGET;" in found.text


def test_tiles_are_kept_apart_where_that_pays():
    """Not in straight lines of small matrices; nor with 32 registers."""
    for symbol, simd_bytes in (
        ("bb_dgemm_nn_bi_m5n5k5", 32),
        ("bb_dgemm_nn_bi_m8n8k8", 64),
        ("bb_dgemm_nn_st_m8n8k8", 64),
    ):
        assert "BB_FORGET" not in source(symbol, simd_bytes).text


def _check_rows(reals, found):
    """Every row is covered, none twice but for the last vector's, which is in one tile with its predecessor."""
    vectors = [
        [tile.loop.start + step * tile.loop.size + offset for offset in tile.offsets]
        for tile in partition.row_tiles(reals, found.width, found.rows)
        for step in range(tile.loop.repeats)
    ]
    starts = [start for tile in vectors for start in tile]
    assert starts[0] == 0
    assert starts[-1] + found.width == reals
    assert all(0 < after - before <= found.width for before, after in itertools.pairwise(starts))
    assert all(len(tile) <= found.rows for tile in vectors)
    if reals % found.width:
        assert vectors[-1][-1] - vectors[-1][-2] < found.width


def test_row_tiles_are_right_for_any_schedule():
    """Also for those that only an override can ask for, where the last tile is one vector higher than the others."""
    for reals, width, rows in itertools.product(range(1, 70), (1, 2, 4, 8), range(1, 7)):
        if width <= reals:
            tiles = partition.row_tiles(reals, width, rows)
            starts = [
                t.loop.start + i * t.loop.size + o for t in tiles for i in range(t.loop.repeats) for o in t.offsets
            ]
            assert starts == [min(start, reals - width) for start in range(0, reals, width)]
            if reals % width:
                assert len(tiles[-1].offsets) >= 2


def covered(chunks):
    return {x for chunk in chunks for start in chunk.starts for x in range(start, start + chunk.width)}


@given(st.integers(0, 300), st.sampled_from([2, 4, 8, 16]), st.booleans())
@settings(derandomize=True)
def test_chunks_cover_exactly(total, width, halves):
    found = partition.chunks(total, width, halves=halves)
    assert covered(found) == set(range(total))
    assert all(chunk.width <= width and chunk.starts == tuple(sorted(set(chunk.starts))) for chunk in found)


@given(st.integers(1, 20), st.sampled_from([2, 4, 8, 16]), st.booleans(), st.booleans())
@settings(derandomize=True)
def test_chunks_of_a_triangle_hold_it_and_little_more(n, width, halves, lower):
    columns = [(c * n + c, c * n + n) if lower else (c * n, c * n + c + 1) for c in range(n)]
    found = partition.chunks(n * n, width, halves=halves, wanted=columns)
    triangle = {x for first, end in columns for x in range(first, end)}
    assert triangle <= covered(found) <= set(range(n * n))
    step = width // 2 if halves else width
    assert all(triangle & set(range(x - step + 1, x + step)) for x in covered(found))


@given(st.integers(1, 300), st.integers(1, 40))
@settings(derandomize=True)
def test_segments_cover_exactly(total, size):
    steps = [
        range(s.start + i * s.size, s.start + (i + 1) * s.size)
        for s in partition.segments(total, size)
        for i in range(s.repeats)
    ]
    assert [x for step in steps for x in step] == list(range(total))


def test_few_chunks_are_done_at_once():
    few, many = partition.Chunk(4, (0, 4, 8, 12)), partition.Chunk(4, tuple(range(0, 20, 4)))
    assert [few.at_once(4), many.at_once(4)] == [4, 1]


@pytest.mark.parametrize("width", [2, 4, 8, 16])
def test_butterflies_transpose(width):
    rows = [[(r, c) for c in range(width)] for r in range(width)]
    for distance, low, high in partition.butterflies(width):
        for r in range(width):
            if not r // distance % 2:
                both = rows[r] + rows[r + distance]
                rows[r], rows[r + distance] = [both[i] for i in low], [both[i] for i in high]
    assert rows == [[(r, c) for r in range(width)] for c in range(width)]


@pytest.mark.parametrize("half", [2, 4, 8])
def test_vectors_of_halves_that_are_apart_are_transposed_in_order(half):
    apart = half // 2
    firsts = [r + r // apart * apart for r in range(half)]
    rows = [[(m, c) for m in (first, first + apart) for c in range(half)] for first in firsts]
    for one, other, low, high in partition.exchanges(half, 2 * half, crossed=True):
        both = rows[one] + rows[other]
        rows[one], rows[other] = [both[i] for i in low], [both[i] for i in high]
    assert rows == [[(m, c) for m in range(2 * half)] for c in range(half)]


@pytest.mark.parametrize(
    ("terms", "factor", "text"),
    [
        (((3, 2), (4, 5)), 1, "26"),
        ((("i", 1), ("j", 8)), 1, "i + j * 8"),
        (((("i", 2), 1), (("j", 1), "ld")), 2, "i * 2 + j * ld * 2 + ld * 2 + 4"),
        ((("i", 1), (0, 8)), "nb", "(i) * nb"),
        (((0, 1), (0, 8)), "nb", "0"),
        ((("i", 0), (1, "ld")), 1, "ld"),
    ],
)
def test_linear(terms, factor, text):
    assert views.linear(*terms, factor=factor) == text


@pytest.mark.parametrize(
    ("symbol", "widths"),
    [
        ("bb_dgemm_nn_st_m2n2k2", {(2, 1), (4, 1), (8, 2)}),
        ("bb_dgemm_nn_st_m4n4k4", {(4, 1), (8, 1)}),
        ("bb_dgemm_nn_pp_m2n2k2", {(2, 1), (4, 1)}),
        ("bb_dgemm_nn_st_m2n2k2_ld", set()),
        ("bb_dgemm_nn_st_m9n9k9", set()),
    ],
)
def test_flat_schedules_of_every_width_are_considered(symbol, widths):
    found = [plan for _, plan in alternatives(Program.of(KernelSpec.parse(symbol)), Isa.of(64)) if plan.form == "flat"]
    assert {(plan.width, plan.matrices_per_vector) for plan in found} == widths
    forced = choose(Program.of(KernelSpec.parse(symbol)), Isa.of(64), width=4) if widths else None
    assert forced is None or forced.width == 4


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"form": "direct", "matrices_per_vector": 2}, "matrices_per_vector"),
        ({"form": "lane", "prefetch": 8}, "prefetch"),
        ({"form": "lane", "nontemporal_bytes": 8}, "nontemporal_bytes"),
        ({"width": 3}, "width"),
        ({"rows": 10**6}, "rows"),
        ({"cols": -1}, "cols"),
        ({"unroll": "1"}, "unroll"),
    ],
)
def test_impossible_schedules_are_refused(overrides, named):
    with pytest.raises(ValueError, match=named):
        choose(Program.of(KernelSpec.parse("bb_dgemm_nn_st_m12n12k12")), Isa.of(64), **overrides)


def test_a_letter_of_another_flag_is_refused() -> None:
    """U is a letter of uplo and of diag: exchanged ones must not pass."""
    with pytest.raises(SpecError, match=r"uplo = <Diag\.U: 'U'> is not a letter of uplo"):
        KernelSpec.make("trsm", uplo=Diag.U, m=2, n=2)
    right = KernelSpec.make("trsm", diag="U", m=2, n=2)
    exchanged = dict(right.flag) | {"uplo": Diag.U, "diag": Uplo.U}
    with pytest.raises(SpecError, match=r"uplo = <Diag\.U: 'U'> is not a letter of uplo"):
        replace(right, flags=tuple(exchanged.values()))
