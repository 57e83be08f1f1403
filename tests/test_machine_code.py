"""The machine code of hot loops: packed arithmetic only, no register spilled."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass

import pytest

from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels
from bblas_gen.runtime.library import host_isa, load_c
from bblas_gen.schedule.choose import alternatives
from bblas_gen.toolchain.compilers import find_cc

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or not shutil.which("objdump") or find_cc().simd_bytes < 32,
    reason="needs objdump and an x86-64 with AVX2",
)
PACKED = re.compile(r"\bvfn?m(add|sub)\w*p[sd]\b")
SCALAR = re.compile(r"\bv?(add|sub|mul|div|sqrt|fn?m(add|sub)\d*)s[sd]\b")
SPILL = re.compile(r"\bv?mov\w+\s+(-?(0x)?[0-9a-f]*\(%r[sb]p\)[^,]*,%[xyz]mm|%[xyz]mm\d+,-?(0x)?[0-9a-f]*\(%r[sb]p\))")
STORED = re.compile(r"\bv?mov\w+\s+%[xyz]mm\d+,-?(0x)?[0-9a-f]*\(%r[sb]p\)")
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


@dataclass(frozen=True)
class Line:
    address: int
    text: str
    target: int | None


def disassemble(path):
    """The lines of each function."""
    done = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(path)], capture_output=True, text=True, check=True
    )
    functions, lines = [], []
    for row in done.stdout.splitlines():
        if row.endswith(">:"):
            lines = []
            functions.append(lines)
        elif match := re.match(r"\s*([0-9a-f]+):\s*(.*)", row):
            jump = re.match(r"j\w+\s+([0-9a-f]+)", match[2])
            lines.append(Line(int(match[1], 16), match[2], int(jump[1], 16) if jump else None))
    return functions


def hot_loops(path):
    """The innermost loops that do packed multiply-adds: from the target of a backward jump to the jump.

    Loops that call something are not hot: they handle the partly filled last vector of a batch.
    """
    found = []
    for lines in disassemble(path):
        loops = [(x.target, x.address) for x in lines if x.target is not None and x.target <= x.address]
        for start, stop in set(loops):
            inner = any(start <= s and e <= stop and (s, e) != (start, stop) for s, e in loops)
            body = [x.text for x in lines if start <= x.address <= stop]
            if not inner and any(map(PACKED.search, body)) and not any("call" in text for text in body):
                found.append(body)
    return found


@pytest.mark.parametrize("symbol", CHOSEN)
def test_hot_loops_are_clean(symbol):
    loops = hot_loops(kernels.kernel(KernelSpec.parse(symbol)).library.path)
    assert loops, "no loop with packed multiply-adds"
    for body in loops:
        assert not [text for text in body if SCALAR.search(text)]
        assert not [text for text in body if SPILL.search(text)]


@pytest.mark.parametrize(
    "symbol",
    [f"bb_{p}gemm_nn_st_m{n}n{n}k{n}" for p in "sdcz" for n in (2, 4, 5, 8)]
    + ["bb_dgemm_nt_st_m3n3k3", "bb_sgemm_tn_st_m4n4k4", "bb_dgemm_nn_pp_m6n6k6"],
)
def test_hot_loops_of_every_form_are_clean(symbol):
    """But for the lane form of st and pp, whose operands lie in scratch on the stack."""
    spec = KernelSpec.parse(symbol)
    plans = [plan for _, plan in alternatives(Program.of(spec), host_isa()) if plan.form != "lane"]
    assert plans
    for plan in plans:
        loops = hot_loops(kernels.kernel(spec, **asdict(plan)).library.path)
        assert loops or plan.width == 1, plan
        for body in loops:
            assert not [text for text in body if SPILL.search(text)], plan
            assert plan.width == 1 or not [text for text in body if SCALAR.search(text)], plan


@pytest.mark.parametrize("symbol", ALGEBRA)
def test_hot_loops_of_algebra_are_clean(symbol):
    """Vectors stored to the stack are the inverses of a diagonal, at most; scalars may be read from there."""
    spec = KernelSpec.parse(symbol)
    inverts = sum(body.row.name in ("trsm", "trinv") for body in Program.of(spec).bodies)
    allowed = max(spec.sizes) * spec.p.parts * inverts
    loops = hot_loops(kernels.kernel(spec).library.path)
    assert loops, "no loop with packed multiply-adds"
    for body in loops:
        assert not [text for text in body if SCALAR.search(text)]
        assert len([text for text in body if STORED.search(text)]) <= allowed


@pytest.mark.parametrize("symbol", ALGEBRA_ST)
def test_hot_loops_of_algebra_on_strided_matrices_are_packed(symbol):
    """Their operands lie in scratch on the stack, which is not to be told from spilled registers."""
    loops = hot_loops(kernels.kernel(KernelSpec.parse(symbol)).library.path)
    assert loops, "no loop with packed multiply-adds"
    assert not [text for body in loops for text in body if SCALAR.search(text)]


@pytest.mark.parametrize("symbol", DIRECT)
def test_hot_loops_of_direct_forms_are_clean(symbol):
    """Of those that pack no panel, which lies on the stack, too."""
    loops = hot_loops(kernels.kernel(KernelSpec.parse(symbol), form="direct").library.path)
    assert loops, "no loop with packed multiply-adds"
    assert not [text for body in loops for text in body if SCALAR.search(text) or SPILL.search(text)]


@pytest.mark.parametrize(
    "symbol", [*[f"bb_{p}gemm_nn_bi_mnk" for p in "sdcz"], "bb_dgemm_tt_il_mnk", "bb_zgemm_cc_il_mnk"]
)
def test_every_tile_of_a_general_kernel_is_clean(symbol):
    kernel = kernels.kernel(KernelSpec.parse(symbol))
    loops = hot_loops(kernel.library.path)
    assert len(loops) >= kernel.source.schedule.rows * kernel.source.schedule.cols
    for body in loops:
        assert not [text for text in body if SCALAR.search(text)]
        assert not [text for text in body if SPILL.search(text)]


def test_scalar_code_is_seen():
    code = (
        "typedef double v __attribute__((vector_size(32)));"
        "void bad(double *a, const double *b, long n) { double s = a[0]; v t = {0};"
        "for (long i = 0; i < n; i++) { s = s * b[i] + b[i]; t += (v){b[0], b[i], 1, 2} * (v){b[i], b[1], 3, s}; }"
        "a[0] = s + t[0] + t[1] + t[2] + t[3]; }"
    )
    loops = hot_loops(load_c("bad", code, "void bad(double *, double *, long);").path)
    assert any(SCALAR.search(text) for body in loops for text in body)


def test_spills_are_seen():
    width = find_cc().simd_bytes // 8
    names = [f"s{i}" for i in range(40)]
    sums = " ".join(f"v {s} = {{0}};" for s in names)
    adds = " ".join(f"{s} += *(v *)(b + {width} * ({i} + 40 * i)) * x;" for i, s in enumerate(names))
    total = " + ".join(names)
    code = (
        f"typedef double v __attribute__((vector_size({width * 8})));"
        f"void spill(double *a, const double *b, long n) {{ {sums} v x = *(v *)a;"
        f"for (long i = 0; i < n; i++) {{ {adds} }} *(v *)a = {total}; }}"
    )
    loops = hot_loops(load_c("spill", code, "void spill(double *, double *, long);").path)
    assert any(SPILL.search(text) for body in loops for text in body)
