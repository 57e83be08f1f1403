"""The machine code of hot loops: packed arithmetic only, no register spilled.

For named instruction sets, whatever this machine's own: nothing here is run. What is known to spill is listed in
``support/spills``, with reasons; a listed kernel that is clean is a failure, too.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable
from dataclasses import asdict

import pytest
from support.machine_code import (
    SCALAR,
    SPILL,
    STORED,
    WIDTHS,
    Line,
    compiled,
    functions,
    hot_loops,
    hot_loops_of,
    known,
    spills_are_listed,
)
from support.sources import source
from support.spills import KNOWN, ONE_LANE

from bblas_gen.codegen.render import Source
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import alternatives
from bblas_gen.toolchain.compilers import find_cc

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or not shutil.which("objdump"), reason="needs objdump and a compiler for x86-64"
)
CHOSEN = [
    *[f"bb_dgemm_nn_bi_m{n}n{n}k{n}" for n in (2, 3, 4, 5, 7, 8, 10, 16, 20, 32)],
    *[f"bb_dgemm_nn_st_m{n}n{n}k{n}" for n in (2, 3, 4, 5, 7, 8, 12, 16, 23, 32)],
    *[f"bb_{p}gemm_nn_{x}_m{n}n{n}k{n}" for p in "scz" for x in ("bi", "st") for n in (4, 8, 15)],
    *[f"bb_{p}gemm_nt_st_m{n}n{n}k{n}" for p in "sdcz" for n in (2, 3, 4, 6)],
    *[f"bb_{p}gemm_tn_st_m{n}n{n}k{n}" for p in "sdc" for n in (2, 3)],
    *[f"bb_sgemm_nn_st_m{n}n{n}k{n}" for n in (2, 3, 5, 6, 7, 9, 10, 12, 14, 16)],
    *[f"bb_cgemm_nn_st_m{n}n{n}k{n}" for n in (2, 3, 5, 6, 7)],
    "bb_dgemm_nn_st_m4n4k16",
    "bb_dgemm_nn_st_m6n12k12",
    "bb_dgemm_nn_st_m13n5k26",
    "bb_dgemm_nn_pp_m8n8k8",
    "bb_dgemm_nt_st_m8n8k8",
    "bb_sgemm_nn_il_m4n4k4",
    "bb_zgemm_cn_bi_m4n4k4",
]
ALGEBRA = [
    *["bb_dpotrf_l_bi_n4", "bb_dpotrf_l_bi_n7", "bb_spotrf_l_bi_n8", "bb_zpotrf_l_bi_n7"],
    *["bb_dtrsm_llnn_bi_m8n1", "bb_dtrsm_llnn_bi_m8n4", "bb_ztrsm_rucn_bi_m8n4"],
    *["bb_dposv_l_bi_n7nrhs2", "bb_cposv_l_bi_n8nrhs1", "bb_zposv_l_bi_n7nrhs2"],
    *["bb_dsyrk_lt_bi_n8k8", "bb_zherk_lc_bi_n8k8", "bb_dsyr2k_un_bi_n8k8", "bb_cher2k_un_bi_n4k4"],
    *["bb_dsymm_lu_bi_m8n8", "bb_zhemm_ll_bi_m8n8", "bb_dtrmm_rutn_bi_m8n8", "bb_ztrmm_llnn_bi_m8n8"],
    *["bb_dlauum_l_bi_n7", "bb_dtrtri_ln_bi_n7", "bb_ztrtri_ln_bi_n7", "bb_dgemv_n_bi_m8n8"],
]
ALGEBRA_ST = [
    *["bb_dpotrf_l_st_n4", "bb_zpotrf_l_st_n8", "bb_dtrsm_llnn_st_m8n4", "bb_dposv_u_st_n4nrhs1"],
    *["bb_ssyrk_ln_st_n8k8", "bb_dsymm_lu_st_m8n8", "bb_dtrmm_rutn_st_m8n8", "bb_dtrtri_un_st_n8"],
]

DIRECT = [
    *["bb_dsymm_rl_st_m24n24", "bb_ssymm_rl_st_m8n8", "bb_zhemm_ru_st_m8n8", "bb_zherk_un_st_n12k12"],
    *["bb_dtrmm_llnn_st_m24n24", "bb_dtrmm_runn_st_m24n24", "bb_ztrmm_runn_st_m9n9", "bb_dtrmm_llnn_st_m8n8"],
    *["bb_dsyrk_ln_st_n24k24", "bb_dsyrk_ln_st_n5k5", "bb_zher2k_un_st_n8k8"],
]
ACROSS = [
    *["bb_dtrsm_rltn_st_m8n8", "bb_dtrsm_rltn_st_m16n16", "bb_dtrsm_rutn_st_m24n24", "bb_strsm_runn_st_m32n32"],
    *["bb_dtrsm_rltn_st_m12n9", "bb_dtrsm_rltu_st_m16n32", "bb_dtrsm_llnn_st_m16n16_rm"],
]
COLUMNS = [
    *["bb_dtrsm_llnn_st_m8n1", "bb_dtrsm_lunn_st_m15n1", "bb_dtrsm_llnu_st_m16n2", "bb_strsm_llnn_st_m24n1"],
    *["bb_dtrsv_lnn_st_n32", "bb_strsv_unn_pp_n12"],
]
HYBRID = ["bb_dpotrf_l_st_n20", "bb_dpotrf_l_st_n24_rm", "bb_dposv_l_st_n20nrhs1", "bb_dposv_u_st_n20nrhs3"]

FORMS = [
    *[f"bb_{p}gemm_nn_st_m{n}n{n}k{n}" for p in "sdcz" for n in (2, 4, 5, 8)],
    *["bb_dgemm_nt_st_m3n3k3", "bb_sgemm_tn_st_m4n4k4", "bb_dgemm_nn_pp_m6n6k6"],
]
LEVELS, PROCESSORS, WITHOUT_FMA = ["x86-64-v3", "x86-64-v4"], ["haswell", "icelake-server"], "x86-64-v2"
NEWEST = [pytest.param(LEVELS[0], marks=pytest.mark.thorough), LEVELS[1]]
TUNED = [pytest.param(isa, marks=pytest.mark.thorough) for isa in PROCESSORS]
TOGETHER = 24
"""Kernels in one translation unit."""
Fault = Callable[[Source, list[list[str]]], list[str]]
"""Of a kernel and its hot loops, the instructions that should not be there."""


def name_of(text: Source) -> str:
    plan = text.schedule
    return f"{text.symbol} {plan.form} width {plan.width} x {plan.matrices_per_vector}"


def faults(isa: str, texts: list[Source], fault: Fault) -> dict[str, list[str]]:
    """What is wrong with each of the kernels with which something is."""
    if not known(isa):
        pytest.skip(f"the compiler does not know {isa}")
    fault = fault if spills_are_listed() else scalar
    found = {}
    for first in range(0, len(texts), TOGETHER):
        part = texts[first : first + TOGETHER]
        for text, loops in zip(part, hot_loops_of(part, isa), strict=True):
            assert loops or text.schedule.width == 1, f"{name_of(text)}: no loop with packed arithmetic"
            if lines := fault(text, loops):
                found[name_of(text)] = lines
    return found


def check(isa: str, texts: list[Source], fault: Fault) -> None:
    found, expected = faults(isa, texts, fault), KNOWN.get(isa, {})
    assert not {name: lines for name, lines in found.items() if name not in expected}
    gone = [name for name in map(name_of, texts) if name in expected and name not in found]
    assert not gone or not spills_are_listed(), "clean, but listed"


def matching(pattern, loops):
    return [text for body in loops for text in body if pattern.search(text)]


def scalar(text, loops):
    known = ONE_LANE.get(name_of(text), 0) if find_cc().family == "clang" else 0
    found = matching(SCALAR, loops) if text.schedule.width > 1 else []
    return found if len(found) > known else []


def unclean(text, loops):
    return scalar(text, loops) + matching(SPILL, loops)


def stores(text, loops):
    """Vectors stored to the stack are the inverses of a diagonal, at most; scalars may be read from there."""
    spec = text.spec
    inverts = sum(body.row.name in ("trsm", "trti2") for body in Program.of(spec).bodies)
    stored = [matching(STORED, [body]) for body in loops]
    return scalar(text, loops) + max(stored, key=len)[max(spec.sizes) * spec.p.parts * inverts :]


def of_every_form(isa):
    """But for the lane form of st and pp, whose operands lie in scratch on the stack."""
    pairs = ((symbol, alternatives(Program.of(KernelSpec.parse(symbol)), Isa.of(WIDTHS[isa]))) for symbol in FORMS)
    return [
        source(symbol, WIDTHS[isa], **asdict(plan)) for symbol, some in pairs for _, plan in some if plan.form != "lane"
    ]


@pytest.mark.parametrize(
    ("isa", "share"),
    [
        *[(isa, share) for share, isa in enumerate(LEVELS)],
        *[pytest.param(isa, 1 - share, marks=pytest.mark.thorough) for share, isa in enumerate(LEVELS)],
        *[pytest.param(isa, 2, marks=pytest.mark.thorough) for isa in LEVELS],
        *[pytest.param(isa, 0, marks=pytest.mark.thorough) for isa in PROCESSORS],
    ],
)
def test_hot_loops_are_clean(isa, share):
    """The tunings of processors are tried on a third of the kernels."""
    check(isa, [source(symbol, WIDTHS[isa]) for symbol in CHOSEN[share::3]], unclean)


@pytest.mark.parametrize("isa", NEWEST + TUNED)
def test_hot_loops_of_every_form_are_clean(isa):
    """As above, the tunings of processors are tried on a third."""
    check(isa, of_every_form(isa)[:: 1 if isa in LEVELS else 3], unclean)


@pytest.mark.parametrize("isa", NEWEST)
def test_hot_loops_of_algebra_are_clean(isa):
    check(isa, [source(symbol, WIDTHS[isa]) for symbol in ALGEBRA], stores)


@pytest.mark.parametrize("isa", LEVELS)
def test_hot_loops_of_algebra_on_strided_matrices_are_packed(isa):
    """Their operands lie in scratch on the stack, which is not to be told from spilled registers."""
    check(isa, [source(symbol, WIDTHS[isa]) for symbol in ALGEBRA_ST], scalar)


@pytest.mark.parametrize("isa", NEWEST)
def test_hot_loops_of_direct_forms_are_clean(isa):
    """Of those that pack no panel, which lies on the stack, too."""
    check(isa, [source(symbol, WIDTHS[isa], form="direct") for symbol in DIRECT], unclean)


@pytest.mark.parametrize("isa", LEVELS)
def test_hot_loops_of_solvers_without_lanes_are_clean(isa):
    """Of those that have no panel, which lies on the stack, too."""
    check(isa, [source(symbol, WIDTHS[isa], form="across") for symbol in ACROSS], stores)
    check(isa, [source(symbol, WIDTHS[isa], form="columns") for symbol in COLUMNS], unclean)


@pytest.mark.parametrize("isa", NEWEST)
def test_hot_loops_of_blocks_in_lanes_are_packed(isa):
    """Blocks in lanes lie on the stack, which is not to be told from spilled registers."""
    check(isa, [source(symbol, WIDTHS[isa], form="hybrid") for symbol in HYBRID], scalar)


@pytest.mark.thorough
def test_hot_loops_without_fma_are_packed():
    """With 16 registers and instructions of two operands compilers copy and spill: packed is all that is claimed, of a
    third of the kernels."""
    check(WITHOUT_FMA, [source(symbol, WIDTHS[WITHOUT_FMA]) for symbol in (CHOSEN + ALGEBRA)[::3]], scalar)


def loops_of(code, tmp_path):
    return [body for lines in functions(compiled(code, "x86-64-v3", tmp_path)).values() for body in hot_loops(lines)]


def test_scalar_code_is_seen(tmp_path):
    code = (
        "typedef double v __attribute__((vector_size(32)));"
        "void bad(double *a, const double *b, long n) { double s = a[0]; v t = {0};"
        "for (long i = 0; i < n; i++) { s = s * b[i] + b[i]; t += (v){b[0], b[i], 1, 2} * (v){b[i], b[1], 3, s}; }"
        "a[0] = s + t[0] + t[1] + t[2] + t[3]; }"
    )
    assert matching(SCALAR, loops_of(code, tmp_path))


def test_spills_are_seen(tmp_path):
    names = [f"s{i}" for i in range(40)]
    sums = " ".join(f"v {s} = {{0}};" for s in names)
    adds = " ".join(f"{s} += *(v *)(b + 4 * ({i} + 40 * i)) * x;" for i, s in enumerate(names))
    code = (
        "typedef double v __attribute__((vector_size(32)));"
        f"void spill(double *a, const double *b, long n) {{ {sums} v x = *(v *)a;"
        f"for (long i = 0; i < n; i++) {{ {adds} }} *(v *)a = {' + '.join(names)}; }}"
    )
    assert matching(SPILL, loops_of(code, tmp_path))


def test_a_register_named_rbp_is_no_stack():
    """But where it was made the frame's address."""
    texts = ["vfmadd231pd %ymm1,%ymm2,%ymm3", "vmovapd 0x20(%rbp),%ymm4", "jne 10"]
    lines = [Line(0x10 + 4 * i, text, 0x10 if text.startswith("j") else None) for i, text in enumerate(texts)]
    assert not matching(SPILL, hot_loops(lines))
    assert matching(SPILL, hot_loops([Line(0, "mov    %rsp,%rbp", None), *lines]))


@pytest.mark.parametrize("isa", LEVELS)
def test_every_tile_of_a_general_kernel_is_clean(isa):
    """There is one for each shape of tile. Jumps of a switch may make what is between loops over k look like a loop."""
    symbols = ["bb_dgemm_nn_bi_mnk", "bb_cgemm_cc_il_mnk", "bb_dtrsm_llnn_bi_mn"]
    texts = [source(symbol, WIDTHS[isa]) for symbol in symbols]
    for text, loops in zip(texts, hot_loops_of(texts, isa), strict=True):
        clean = [loop for loop in loops if not (unclean if spills_are_listed() else scalar)(text, [loop])]
        assert len(clean) >= text.schedule.rows * text.schedule.cols, text.symbol
        assert not scalar(text, loops), text.symbol


def test_pivots_compile_for_the_oldest_processors(tmp_path):
    """gcc 12 fails where masks of several comparisons choose and there is no SSE4.2."""
    compiled(source("bb_dgeqp3_bi_m3n3", WIDTHS["x86-64-v2"]).text, "x86-64", tmp_path)
