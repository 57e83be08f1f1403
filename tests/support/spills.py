"""Kernels whose hot loops spill, with reasons, by instruction set; ``native/test_machine_code`` finds any other.

The list is strict: a kernel that spills no more must leave it. It is that of gcc 12; other compilers allocate registers
otherwise, and of their code only packed arithmetic is claimed.
"""

from __future__ import annotations

FEW_REGISTERS = "16 registers: tiles fill them, and the compiler keeps loads ahead or unrolled sums in memory"
SET_ASIDE = "one vector of the update of C is set aside in the loop over tiles, none in the loop over k"
READ_AGAIN = "a scalar, such as beta, is read from the stack once per matrix; no vector is stored"

_FEW = [
    "bb_cgemm_nn_st_m5n5k5 direct width 8 x 1",
    "bb_cher2k_un_bi_n4k4 lane width 8 x 1",
    "bb_dgemm_nn_bi_m32n32k32 lane width 4 x 1",
    "bb_dgemm_nn_bi_m4n4k4 lane width 4 x 1",
    "bb_dgemm_nn_bi_m5n5k5 lane width 4 x 1",
    "bb_dgemm_nn_bi_m7n7k7 lane width 4 x 1",
    "bb_dgemm_nn_pp_m6n6k6 direct width 4 x 1",
    "bb_dgemm_nn_pp_m8n8k8 direct width 4 x 1",
    "bb_dgemm_nn_st_m6n12k12 direct width 4 x 1",
    "bb_dgemm_nn_st_m7n7k7 direct width 4 x 1",
    "bb_dgemm_nn_st_m8n8k8 direct width 4 x 1",
    "bb_dgemm_nt_st_m6n6k6 direct width 4 x 1",
    "bb_dgemm_nt_st_m8n8k8 direct width 4 x 1",
    "bb_dgemv_n_bi_m8n8 lane width 4 x 1",
    "bb_dsymm_lu_bi_m8n8 lane width 4 x 1",
    "bb_dsyr2k_un_bi_n8k8 lane width 4 x 1",
    "bb_dsyrk_lt_bi_n8k8 lane width 4 x 1",
    "bb_dtrmm_rutn_bi_m8n8 lane width 4 x 1",
    "bb_sgemm_nn_bi_m4n4k4 lane width 8 x 1",
    "bb_sgemm_nn_il_m4n4k4 lane width 8 x 1",
    "bb_sgemm_nn_st_m10n10k10 direct width 8 x 1",
    "bb_sgemm_nn_st_m12n12k12 direct width 8 x 1",
    "bb_sgemm_nn_st_m9n9k9 direct width 8 x 1",
    "bb_spotrf_l_bi_n8 lane width 8 x 1",
    "bb_zgemm_nn_st_m4n4k4 direct width 4 x 1",
    "bb_zgemm_nt_st_m3n3k3 direct width 4 x 1",
    "bb_zgemm_nt_st_m4n4k4 direct width 4 x 1",
]
_AGAIN = [
    "bb_dgemm_nn_st_m12n12k12 direct width 4 x 1",
    "bb_dgemm_nn_st_m13n5k26 direct width 4 x 1",
    "bb_dgemm_nn_st_m5n5k5 direct width 4 x 1",
    "bb_sgemm_nn_st_m14n14k14 direct width 8 x 1",
    "bb_sgemm_nn_st_m15n15k15 direct width 8 x 1",
    "bb_sgemm_nn_st_m5n5k5 direct width 4 x 1",
]
_FEW_HASWELL = [
    "bb_cgemm_nn_st_m5n5k5 direct width 8 x 1",
    "bb_dgemm_nn_bi_m5n5k5 lane width 4 x 1",
    "bb_dgemm_nn_pp_m6n6k6 direct width 4 x 1",
    "bb_dgemm_nn_pp_m8n8k8 direct width 4 x 1",
    "bb_dgemm_nn_st_m8n8k8 direct width 4 x 1",
    "bb_dgemm_nt_st_m6n6k6 direct width 4 x 1",
    "bb_sgemm_nn_st_m10n10k10 direct width 8 x 1",
    "bb_zgemm_nn_st_m4n4k4 direct width 4 x 1",
    "bb_zgemm_nt_st_m3n3k3 direct width 4 x 1",
]
_AGAIN_HASWELL = [
    "bb_dgemm_nn_st_m5n5k5 direct width 4 x 1",
    "bb_sgemm_nn_st_m5n5k5 direct width 4 x 1",
]

KNOWN: dict[str, dict[str, str]] = {
    "x86-64-v3": dict.fromkeys(_FEW, FEW_REGISTERS) | dict.fromkeys(_AGAIN, READ_AGAIN),
    "haswell": dict.fromkeys(_FEW_HASWELL, FEW_REGISTERS) | dict.fromkeys(_AGAIN_HASWELL, READ_AGAIN),
    "x86-64-v4": {"bb_dgemm_nn_st_m32n32k32 direct width 8 x 1": SET_ASIDE},
    "icelake-server": {"bb_sgemm_nn_st_m5n5k5 flat width 16 x 1": READ_AGAIN},
}
