"""The kernels that are tried as CUDA."""

from __future__ import annotations

from bblas_gen.codegen.render import Source

from .sources import source

EMPTY = ["bb_dgemm_nn_bi_m0n4k4", "bb_dposv_l_bi_n0nrhs2", "bb_dposv_l_st_n0nrhs2"]
SYMBOLS = [
    "bb_sgemm_tn_il_m5n6k7",
    "bb_dgemm_nn_bi_m8n8k8",
    "bb_dgemm_nn_bi32_m4n4k4",
    "bb_cgemm_cn_bi_m3n3k3",
    "bb_zgemm_rt_il_m2n3k4",
    "bb_zlacpy_c_bi_m3n4",
    "bb_dlacpy_t_stbi_m9n5_ld",
    "bb_clacpy_c_blpp_m4n4",
    "bb_dpotrf_l_bi_n5",
    "bb_spotrf_u_il_n6",
    "bb_zpotrf_u_bi_n4",
    "bb_dposv_u_il_n5nrhs2",
    "bb_zposv_l_bi_n4nrhs1",
    "bb_dposv_l_bi_n5nrhs0",
    "bb_dtrsm_llnn_bi_m6n4",
    "bb_ztrsm_rucn_bi_m4n3",
    "bb_dsyrk_lt_il_n5k4",
    "bb_zher2k_uc_bi_n3k3",
    "bb_dsymm_ru_bi_m5n4",
    "bb_zhemm_ll_bi_m3n3",
    "bb_dtrmm_lltu_il_m5n4",
    "bb_ztrtri_un_bi_n4",
    "bb_dtrtri_lu_il_n4",
    "bb_dpotri_l_il_n5",
    "bb_clauum_u_bi_n4",
    "bb_dgetrfnp_il_m5n4",
    "bb_znrm2_bi_n5",
    "bb_dgemv_t_il_m5n4",
    "bb_cscal_il_n4",
    "bb_zgeadd_c_bi_m3n2",
    "bb_clascl_il_m3n2",
    "bb_zadddiag_bi_n3",
    "bb_dlogdet_il_n4",
    "bb_clogdet_bi_n70",
    "bb_dgemm_nn_st_m8n8k8",
    "bb_sgemm_nt_pp_m5n6k7",
    "bb_zgemm_cn_ststpp_m3n2k4_ld",
    "bb_dgemm_nt_stbist_m4n4k4_rs",
    "bb_dposv_u_st_n8nrhs1_rmld",
    "bb_cpotrf_l_pp_n6_ld",
    "bb_ztrsm_llnn_st_m4n3",
    "bb_dgesv_st_n5nrhs2_rm",
    "bb_sgetrf_ppst_m6n4",
    "bb_znrm2_st_n5",
    *EMPTY,
]


def text(symbol: str) -> Source:
    return source(symbol, 64, "cuda")
