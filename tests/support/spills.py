"""Kernels whose hot loops spill, with reasons, by instruction set; ``native/test_machine_code`` finds any other.

The list is strict: a kernel that spills no more must leave it. It is that of gcc 12; other compilers allocate registers
otherwise, and of their code only packed arithmetic is claimed, of clang's but for ONE_LANE. What it says of speed was
measured on an AVX-512 core with kernels built for x86-64-v3, in turns in one process.
"""

from __future__ import annotations

FILLED = (
    "the tile takes all 16 registers, so a few vectors of its update are set aside; smaller ones are 2 to 33 % slower"
)
KEPT = "straight lines, in which what the next tiles load is kept on the stack; to load it again costs 4 to 15 %"
SET_ASIDE = "one vector is set aside once per tile or matrix, none in the loop over k"
READ_AGAIN = "a scalar, such as beta, is read from the stack once per matrix; no vector is stored"

_FILLED = [
    "bb_cgemm_nn_st_m5n5k5 direct width 8 x 1",
    "bb_dgemm_nn_pp_m6n6k6 direct width 4 x 1",
    "bb_dgemm_nt_st_m6n6k6 direct width 4 x 1",
    "bb_zgemm_nn_st_m4n4k4 direct width 4 x 1",
    "bb_zgemm_nt_st_m3n3k3 direct width 4 x 1",
]
_FILLED_V3 = [
    "bb_dgemm_nn_bi_m16n16k16 lane width 4 x 1",
    "bb_dgemm_nn_bi_m32n32k32 lane width 4 x 1",
    "bb_dgemm_nn_bi_m7n7k7 lane width 4 x 1",
    "bb_zgemm_nn_st_m5n5k5 direct width 4 x 1",
    "bb_zgemm_nt_st_m4n4k4 direct width 4 x 1",
    "bb_zhemm_ru_st_m8n8 direct width 4 x 1",
]
_KEPT = [
    "bb_cher2k_un_bi_n4k4 lane width 8 x 1",
    "bb_dgemm_nn_bi_m4n4k4 lane width 4 x 1",
    "bb_dgemm_nn_bi_m5n5k5 lane width 4 x 1",
    "bb_dsyr2k_un_bi_n8k8 lane width 4 x 1",
    "bb_sgemm_nn_bi_m4n4k4 lane width 8 x 1",
    "bb_sgemm_nn_il_m4n4k4 lane width 8 x 1",
]
_SET_ASIDE = [
    "bb_dpotrf_l_bi_n7 lane width 4 x 1",
    "bb_dgemv_n_bi_m8n8 lane width 4 x 1",
    "bb_dsymm_lu_bi_m8n8 lane width 4 x 1",
    "bb_spotrf_l_bi_n8 lane width 8 x 1",
]
_AGAIN = ["bb_dgemm_nn_st_m5n5k5 direct width 4 x 1", "bb_sgemm_nn_st_m5n5k5 direct width 4 x 1"]

KNOWN: dict[str, dict[str, str]] = {
    "x86-64-v3": dict.fromkeys(_FILLED + _FILLED_V3, FILLED)
    | dict.fromkeys(_KEPT, KEPT)
    | dict.fromkeys(_SET_ASIDE, SET_ASIDE)
    | dict.fromkeys(_AGAIN, READ_AGAIN),
    "haswell": dict.fromkeys([*_FILLED, "bb_dgemm_nn_bi_m32n32k32 lane width 4 x 1"], FILLED)
    | {"bb_dgemm_nn_bi_m5n5k5 lane width 4 x 1": KEPT},
    "x86-64-v4": {"bb_dgemm_nn_st_m32n32k32 direct width 8 x 1": SET_ASIDE},
    "icelake-server": {"bb_sgemm_nn_st_m5n5k5 flat width 16 x 1": READ_AGAIN},
}

ONE_LANE = {"bb_dgemm_nn_st_m5n5k5 flat width 8 x 1": 12, "bb_sgemm_nn_st_m9n9k9 flat width 16 x 1": 19}
"""Scalar instructions of clang by kernel, at most: of a matrix's last vector one lane is stored, and clang computes
that one alone, in as many instructions."""
