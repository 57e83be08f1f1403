"""What is compiled only elsewhere: branches for older compilers and for lesser instruction sets than a text was made
for. Syntax and types are all that is checked, nothing is translated."""

from __future__ import annotations

import platform
import shutil
import subprocess
from contextlib import suppress

import jinja2
import pytest
from support.covering import covering
from support.inverse import INVERSE
from support.sources import source

from bblas_gen.codegen import render
from bblas_gen.codegen.render import source_of
from bblas_gen.codegen.unit import unit
from bblas_gen.errors import SpecError
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.ir.terms import FLAGS
from bblas_gen.toolchain.compilers import find_cc

WIDTHS = (32, 64)
LEVELS = {"x86-64-v2": WIDTHS, "x86-64-v3": (32,), "x86-64-v4": (64,)}
"""Instruction sets, and the bytes of the vectors whose branches they take: the own ones, or those of none."""
WITHOUT_SHUFFLEVECTOR = ["-U__GNUC__", "-D__GNUC__=11"]
"""Any gcc takes the branches of one that lacks __builtin_shufflevector."""
STORED = ["st", "pp ld", "bi", "il"]
OTHERS = ["bb_dgemm_nn_bi_mnk", "bb_dpotrf_l_bi1_n3", "bb_sgetrf_bi1_m3n3", "bb_dpotrf_l_st_n0"]
OTHERS += ["bb_sgemm_nn_st_m2n2k2", "bb_zgemm_nt_st_m3n3k3", "bb_dtrsm_lunn_st_m16n1", "bb_dpotrf_l_st_n60_rs"]
OTHERS += [
    "bb_dpotrf_l_st_n28",
    "bb_dposv_l_st_n32nrhs1",
    "bb_dgemm_nn_st_mnk",
    "bb_dtrsm_llnn_st_mn_rm",
    "bb_dgesvd_st_m12n4",
    "bb_dgesvk_st_n12nrhs1_rm",
    "bb_dtrsmk_llnn_st_m16n40",
    "bb_dpotrfkc_l_st_n48_rm",
]
"""Sizes that run time knows, one lane, nothing to do, several matrices in a vector, one right-hand side, a heap,
blocks in lanes, many rows beside few columns, LU by blocks, copies and zeros before."""
LARGE = ["bb_dgemm_tn_st_mnk_ld", "bb_zgemm_nc_pp_mnk", "bb_zhemm_ru_st_mn"]
"""Products in packed blocks."""
LONG = ["bb_ddot_st_n", "bb_zdotc_pp_n", "bb_snrm2_st_n_rs", "bb_caxpy_st_n", "bb_zscal_st_n_rmld", "bb_cgerc_st_mn_rm"]
LONG += ["bb_dgemv_t_st_mn_ld", "bb_zgemv_n_pp_mn", "bb_saxpyk_st_n"]
"""Long vectors, and matrices beside one."""
DIVIDED = [
    "bb_dgesv_st_nnrhs_ld",
    "bb_cgetri_pp_n_rm",
    "bb_sgetrfnp_st_mn_rs",
    "bb_zpotriks_l_st_n",
    "bb_dtrtrikc_un_st_n",
]
DIVIDED += ["bb_chemm_ru_st_mn_ld", "bb_dher2k_lt_st_nk", "bb_zposv_u_st_nnrhs_rmld", "bb_strmm_runn_st_mn"]
"""Large problems, by the rules."""
AT_ONCE = [KernelSpec.make(INVERSE.row, p, "st", m=n) for n, p in ((3, "d"), (3, "s"), (2, "c"))]
"""Steps that are one body."""


def sources():
    """Kernels of every operation, form and width of vectors, in which are all pairs of choices."""
    made = [(simd_bytes, source(symbol, simd_bytes)) for symbol in OTHERS for simd_bytes in WIDTHS]
    made += [(x, source(symbol, x, form="blocked")) for symbol in LARGE for x in WIDTHS]
    made += [(x, source(symbol, x, form="streamed")) for symbol in LONG for x in WIDTHS]
    made += [(x, source(symbol, x, form="recursive")) for symbol in DIVIDED for x in WIDTHS]
    made += [(x, source_of(spec, Isa.of(x))) for spec in AT_ONCE for x in WIDTHS]
    for row in OPS.values():
        flags = [[str(letter) for letter in FLAGS[flag]] for flag in row.flags]
        forms = [{}, *({"form": form} for form in row.algorithms if form != "lane")]
        orders = [2, 3, 9] if row.ways else [3, 9]
        for simd_bytes, stored, p, n, form, *chosen in covering(0, WIDTHS, STORED, "dc", orders, forms, *flags):
            layout, _, strides = stored.partition(" ")
            named = dict.fromkeys(row.sizes, n) | dict(zip(row.flags, chosen, strict=True))
            with suppress(SpecError, ValueError):  # not all choices are free
                spec = KernelSpec.make(row.name, p, layout, strides=strides, **named)
                made.append((simd_bytes, source(spec.symbol(), simd_bytes, **form)))
    return made


def rendered():
    """The kernels as one text for each width of vectors, and the templates that they took."""
    used = set()

    class Noted(jinja2.FileSystemLoader):
        def get_source(self, environment, template):
            used.add(template)
            return super().get_source(environment, template)

    environment = render._environment()
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(environment, "loader", Noted(render.template_folder()))
        environment.cache.clear()
        made = sources()
    return {simd_bytes: unit([x for width, x in made if width == simd_bytes]).text for simd_bytes in WIDTHS}, used


def refusals(options, text):
    gcc = find_cc().path if find_cc().family == "gcc" else shutil.which("gcc")
    if not gcc:
        pytest.skip("no gcc")
    command = [gcc, "-std=gnu11", "-fsyntax-only", "-Wno-psabi", *options, "-x", "c", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86-64 levels")
def test_older_compilers_and_lesser_instruction_sets_take_every_template():
    made, used = rendered()
    folder = render.template_folder()
    kept = ("op", "tile", "arith", "simd", "target/cpu", "frame")
    there = {str(p.relative_to(folder)) for part in kept for p in (folder / part).rglob("*.c")}
    assert there - used == set()
    for isa, widths in LEVELS.items():
        for simd_bytes in widths:
            assert not refusals([*WITHOUT_SHUFFLEVECTOR, f"-march={isa}"], made[simd_bytes]), (isa, simd_bytes)


def test_what_stands_in_for_an_older_compiler_is_as_strict():
    """A vector in a register and one in memory are two types to it."""
    text = (
        "typedef double v __attribute__((vector_size(16)));"
        "typedef double m __attribute__((vector_size(16), aligned(8), may_alias));"
        "typedef long long i __attribute__((vector_size(16)));"
        "v f(v x, const double *p) { return __builtin_shuffle(x, *(const m *)p, (i){0, 2}); }"
    )
    assert "same type" in refusals([], text)
