"""The golden sources: a small set that shows what the generator makes. `pytest --update-golden` renews them,
the public functions, and what pages say of measurements."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from bblas_gen.codegen import public
from bblas_gen.codegen.render import Source, source_of
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa

from . import measured

FOLDER = Path(__file__).resolve().parents[2] / "generated"
SET = [
    # (symbol, target, bytes in a vector, overrides of the schedule)
    ("bb_dgemm_nn_bi_m4n4k4", "cpu", 64, {}),
    ("bb_dgemm_nn_st_m8n8k8", "cpu", 64, {}),
    ("bb_dgemm_nn_bi_m9n9k9", "cpu", 64, {}),
    ("bb_sgemm_nn_st_m2n2k2", "cpu", 64, {}),
    ("bb_dgemm_nn_st_m12n12k12", "cpu", 64, {}),
    ("bb_dgemm_nn_st_m3n3k3", "cpu", 32, {}),
    ("bb_dgemm_nn_st_m7n3k3", "cpu", 16, {}),
    ("bb_dgemm_tn_st_m4n4k4_ld", "cpu", 32, {}),
    ("bb_dgemm_nt_st_m4n4k4_rs", "cpu", 32, {"form": "direct"}),
    ("bb_dgemm_nn_st_m2n2k2", "cpu", 32, {"form": "lane"}),
    ("bb_dgemm_tn_st_m8n4k600", "cpu", 64, {"kc": 256}),
    ("bb_dgemm_nt_st_mnk_ld", "cpu", 32, {"form": "blocked"}),
    ("bb_zgemm_nc_pp_mnk", "cpu", 16, {}),
    ("bb_dposv_l_st_nnrhs_ld", "cpu", 64, {"form": "recursive"}),
    ("bb_ddot_st_n", "cpu", 64, {"form": "streamed"}),
    ("bb_cgemv_c_st_mn_rm", "cpu", 32, {"form": "streamed"}),
    ("bb_dgerk_pp_mn", "cpu", 32, {"form": "streamed"}),
    ("bb_sgemm_nn_bi_m3n3k3", "cpu", 32, {}),
    ("bb_sgemm_nt_pp_m8n5k4", "cpu", 32, {}),
    ("bb_cgemm_cn_bi_m2n2k2", "cpu", 64, {}),
    ("bb_cgemm_nn_ststpp_m4n4k4", "cpu", 32, {}),
    ("bb_zgemm_nn_st_m4n4k4", "cpu", 64, {}),
    ("bb_zgemm_rc_il_m2n2k2", "cpu", 32, {}),
    ("bb_dgemm_nn_bi72_m2n2k2", "cpu", 64, {}),
    ("bb_dgemm_nn_bistst_m3n3k3", "cpu", 16, {}),
    ("bb_dlogdet_il_n3", "cpu", 32, {}),
    ("bb_dlacpy_t_stbi_m5n5", "cpu", 64, {}),
    ("bb_zlacpy_n_bist_m3n3_ld", "cpu", 32, {}),
    ("bb_dgemm_nn_st_m0n4k4", "cpu", 32, {}),
    ("bb_dpotrf_l_bi_n4", "cpu", 64, {}),
    ("bb_dposv_l_st_n4nrhs1_rm", "cpu", 64, {}),
    ("bb_ztrsm_lucn_bi_m2n2", "cpu", 32, {}),
    ("bb_dsyrk_ln_bi_n3k2", "cpu", 32, {}),
    ("bb_dtrtri_un_bi_n3", "cpu", 64, {}),
    ("bb_dsymm_ll_st_m12n4", "cpu", 64, {}),
    ("bb_zhemm_ru_pp_m3n3_ld", "cpu", 32, {"form": "direct"}),
    ("bb_dtrmm_lutn_st_m5n2", "cpu", 32, {"form": "direct"}),
    ("bb_zher2k_un_st_n3k2_rm", "cpu", 64, {"form": "direct"}),
    ("bb_dtrsm_runn_st_m5n9", "cpu", 32, {"form": "across"}),
    ("bb_strsm_lltn_st_m9n5_ld", "cpu", 32, {"form": "across"}),
    ("bb_dtrsm_lunn_st_m6n1", "cpu", 64, {"form": "columns"}),
    ("bb_spotrs_l_st_n5nrhs4_rm", "cpu", 16, {"form": "across"}),
    ("bb_dpotrf_u_st_n10_rmld", "cpu", 32, {"form": "hybrid"}),
    ("bb_dpotrf_u_st_n9", "cpu", 64, {"form": "hybrid"}),
    ("bb_dpotrfkc_l_st_n9_ld", "cpu", 32, {"form": "hybrid"}),
    ("bb_dtrsmk_llnn_st_m6n2", "cpu", 32, {"form": "columns"}),
    ("bb_dposv_l_st_n9nrhs1", "cpu", 64, {"form": "hybrid"}),
    ("bb_dposv_l_st_n9nrhs3_rm", "cpu", 32, {"form": "hybrid"}),
    ("bb_dgetrf_bi_m4n4", "cpu", 64, {}),
    ("bb_dgetrf_ppst_m9n9", "cpu", 32, {}),
    ("bb_dgesv_st_n9nrhs1_rm", "cpu", 64, {}),
    ("bb_dgemm_nn_bi_mnk", "cpu", 32, {}),
    ("bb_zgemm_ct_il_mnk", "cpu", 64, {}),
    ("bb_spotrf_u_st_n_ld", "cpu", 16, {}),
    ("bb_dgemm_nn_bi_m4n4k4", "cuda", 64, {}),
    ("bb_dpotrf_l_bi_n4", "cuda", 64, {}),
    ("bb_cgemm_cn_il_m2n2k2", "cuda", 64, {}),
    ("bb_dposv_l_st_n4nrhs1", "cuda", 64, {}),
    ("bb_sgemm_nn_pp_m3n3k3", "cuda", 64, {}),
    ("bb_zherk_un_st_nk_ld", "cuda", 64, {}),
]


@cache
def sources() -> list[tuple[Source, int]]:
    """Every golden source and the bytes in a vector that it was made for."""
    found = []
    for symbol, target, simd_bytes, overrides in SET:
        spec = KernelSpec.parse(symbol, target)
        found.append((source_of(spec, Isa.of(simd_bytes), **overrides), simd_bytes))
    return found


@cache
def texts() -> dict[str, str]:
    """Every golden text by the name of its file."""
    return {text.filename: text.text for text, _ in sources()}


def manifest() -> str:
    """One line per file: name, bytes in a vector, SHA-256."""
    lines = [
        f"{text.filename:<32} {simd_bytes:>2} {hashlib.sha256(text.text.encode()).hexdigest()}"
        for text, simd_bytes in sources()
    ]
    return "\n".join(lines) + "\n"


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for text, _ in sources():
        (FOLDER / text.filename).write_text(text.text, encoding="utf-8")
    (FOLDER / "MANIFEST").write_text(manifest(), encoding="utf-8")
    public.write()
    measured.PAGE.write_text(measured.page(), encoding="utf-8")
