"""The text of the second target: the same bodies as CUDA."""

from __future__ import annotations

import re
from math import prod

import pytest
from support.cuda import EMPTY, SYMBOLS, text

import bblas_gen as bb
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.render import render, source_of, template_folder
from bblas_gen.codegen.unit import unit
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import ISAS, Isa
from bblas_gen.ir.variants import VARIANTS
from bblas_gen.runtime.cubins import device_source
from bblas_gen.runtime.gpu import function_for
from bblas_gen.schedule import gpu
from bblas_gen.schedule.choose import choose


@pytest.mark.parametrize("symbol", [symbol for symbol in SYMBOLS if symbol not in EMPTY])
def test_the_launcher_is_plain_c_and_the_body_knows_no_cpu(symbol):
    made = text(symbol).text
    assert f'extern "C" int {symbol}(' in made
    assert "void *stream" in made
    for habit in ("vector_size", "_OPENMP", "__builtin_(?!assume)", "num_threads"):
        assert not re.search(habit, made)


@pytest.mark.parametrize(
    "symbol", ["bb_dgemm_nn_st_m32n32k32", "bb_dposv_l_il_n8nrhs1", "bb_dgemm_nn_st_mnk_ld", "bb_dpotrf_l_il_n6"]
)
def test_compilers_know_of_all_addresses_which_memory_they_are_of(symbol):
    """What is hidden of them is an offset, not a pointer."""
    made = text(symbol).text
    hidden = {*re.findall(r"BB_ANEW\((\w+)\)", made)} - {"x"}
    assert hidden
    assert all(re.search(rf"int64_t {name}\b", made) for name in hidden)


@pytest.mark.parametrize(
    "symbol", ["bb_sgemm_nt_pp_m5n6k7", "bb_dgemm_nn_pp_m24n24k24", "bb_dgemm_nn_pp_mnk_ld", "bb_dlacpy_n_ppbi_m5n5"]
)
def test_and_are_told_of_those_that_are_read_from_memory(symbol):
    made = text(symbol).text
    assert re.search(r"\bbb_global\(g->A\[p\]\)", made)
    assert not re.search(r"= g->\w+\[", made)
    assert not re.search(r"\bbb_global\b", text("bb_dgemm_nn_st_m8n8k8").text)


@pytest.mark.parametrize("layout", ["st", "pp", "bi"])
def test_variants_hide_addresses_that_there_are(layout):
    """An operand that lands in its copy has none."""
    forgetting = 0
    for name, row in VARIANTS.items():
        sizes = dict.fromkeys(row.sizes, 5)
        made = source_of(KernelSpec.make(row, "d", layout, target="cuda", **sizes), Isa.of(64)).text
        frame = made[made.index("void bb_matrices(") :]
        hidden = {*re.findall(r"BB_ANEW_FROM\((\w+)\);", frame)}
        missing = [x for x in hidden if not re.search(rf"\*(const )?{x} = ", frame)]
        assert not missing, (name, missing)
        forgetting += bool(hidden)
    assert forgetting > 5


def test_both_targets_use_one_body():
    bodies = {path.name for path in (template_folder() / "op").iterdir()}
    assert {"gemm.lane.c", "lacpy.lane.c"} <= bodies
    assert not any("cuda" in name or "cpu" in name for name in bodies)


def test_threads_ask_for_the_kinds_of_scalars_of_a_sequence():
    """There are no variants for those that a user names; a zero and a one are themselves all the same."""
    row = bb.sequence([bb.step("gemm", "A", "B", "C", alpha="w", beta="v")]).row
    spec = KernelSpec.parse(f"bb_d{row.symbol}_bi_m2n2k2", "cuda", row)
    made = source_of(spec, Isa.of(64)).text
    for name in ("w_", "v_"):
        assert f"{name} == 0 ? 0 : {name} == 1 ? 1 : BB_ANY" in made
    assert made.count("__global__") == 1


def test_a_kernel_has_a_function_for_each_kind_of_scalars():
    source = text("bb_zgemm_nn_bi_m2n2k2")
    names = [one.name for one in source.functions]
    assert names == [f"bb_zgemm_nn_bi_m2n2k2_k{kinds}" for kinds in ("10", "11", "0x", "xx")]
    for name in names:
        assert source.text.count(f"\n{name}(") == 1
    first = next(one for one in source.functions if one.serves({"alpha": 1, "beta": 0}))
    assert first.name == names[0]
    assert next(one for one in source.functions if one.serves({"alpha": 0, "beta": 5})).name == names[2]
    assert next(one for one in source.functions if one.serves({"alpha": 1j, "beta": 1})).name == names[3]
    flat = [argument.name for argument in first.arguments]
    assert flat == ["alpha_re", "alpha_im", "A", "B", "beta_re", "beta_im", "C", "batch_count"]


def test_one_function_alone_has_neither_launcher_nor_headers():
    program = Program.of(KernelSpec.parse("bb_dgemm_nn_bi_m4n4k4", "cuda"))
    made = render(program, choose(program, Isa.of(16)), "bb_dgemm_nn_bi_m4n4k4_k11").text
    assert made.count("__global__") == 1
    assert "bb_dgemm_nn_bi_m4n4k4_k11(" in made
    assert "cudaLaunchKernel" not in made
    without = made.split("#else")[0] + made.split("#endif", 1)[1]
    assert "#include" not in without


@pytest.mark.parametrize("symbol", ["bb_dgemm_nn_bi_m24n24k24", "bb_dposv_l_bi_n8nrhs1", "bb_zgetrf_il_m5n5"])
def test_the_text_is_the_same_on_every_host(symbol):
    spec = KernelSpec.parse(symbol, "cuda")
    assert len({source_of(spec, isa).text for isa in ISAS}) == 1


def test_kernels_share_a_unit():
    sources = [text(symbol) for symbol in ("bb_dgemm_nn_bi_m2n2k2", "bb_zgemm_nn_bi_m2n2k2", "bb_dposv_l_bi_n2nrhs1")]
    made = unit(sources).text
    for source in sources:
        for function in source.functions:
            assert made.count(f"\n{function.name}(") == 1


@pytest.mark.parametrize("symbol", ["bb_dgemm_nn_bi_m8n8k8", "bb_sposv_l_bi_n12nrhs2", "bb_dtrsm_rutn_bi_m8n8"])
def test_a_matrix_is_one_tile_where_it_fits(symbol):
    program = Program.of(KernelSpec.parse(symbol, "cuda"))
    tiles = choose(program, Isa.of(16)).tiles
    size = max(program.spec.size.values())
    assert all(tile.rows in (size, program.spec.size.get("m", size)) for tile in tiles)


@pytest.mark.parametrize(
    ("symbol", "tiles"),
    [
        ("bb_dtrsm_llnn_bi_m10n10", ["10 x 10"]),
        ("bb_dtrsm_llnn_bi_m14n14", ["14 x 1 beside the factor"]),
        ("bb_dtrsm_rucn_bi_m40n14", ["14 x 1 beside the factor"]),
        ("bb_dtrmm_lltn_bi_m8n40", ["8 x 1 beside the factor"]),
        ("bb_strsm_llnn_bi_m20n20", ["20 x 1 beside the factor"]),
        ("bb_strsm_llnn_bi_m20n2", ["20 x 2"]),
    ],
)
def test_a_factor_is_held_where_what_is_written_has_no_room(symbol, tiles):
    """It is loaded once, before all columns, whatever their number."""
    program = Program.of(KernelSpec.parse(symbol, "cuda"))
    schedule = choose(program, Isa.of(16))
    assert str(schedule) == f"1 of 128 threads a matrix, tiles {' '.join(tiles)}"
    if schedule.tiles[0].held:
        body = render(program, schedule).text.split(f"bb_{program.row.name}(", 1)[1].split("for (int64_t j = 0;")[2]
        assert "BB_GET(c0_0, B + " in body
        assert ", A + " not in body.split("BB_PUT")[0]


@pytest.mark.parametrize(
    ("symbol", "lanes", "threads"),
    [
        ("bb_dpotrf_l_st_n7", 1, 64),
        ("bb_dpotrf_l_st_n9", 1, 32),
        ("bb_dpotrf_l_pp_n10", 8, 128),
        ("bb_sposv_u_st_n12nrhs1", 1, 32),
        ("bb_dgesv_pp_n8nrhs1", 1, 32),
        ("bb_dgemm_nn_st_m5n5k5", 8, 128),
        ("bb_dtrsm_llnn_st_m8n8", 8, 128),
        ("bb_dsyrk_ln_st_n5k5", 8, 128),  # shared by tiles, not panels
    ],
)
def test_panels_are_left_to_threads_where_several_blocks_have_room(symbol, lanes, threads):
    """Of what falls into slices a team has less to do."""
    schedule = choose(Program.of(KernelSpec.parse(symbol, "cuda")), Isa.of(16))
    assert (schedule.lanes, schedule.threads) == (lanes, threads)


@pytest.mark.parametrize(
    ("symbol", "lanes"),
    [
        ("bb_dpotrs_l_bi_n12nrhs2", 1),
        ("bb_dpotrs_l_il_n8nrhs2", 1),
        ("bb_dpotrs_l_bi_n14nrhs2", 8),
        ("bb_dposv_u_bi_n13nrhs1", 1),
        ("bb_zposv_u_bi_n10nrhs1", 8),
        ("bb_sposvr_l_il_n7nrhs2", 1),
        ("bb_sposvr_l_il_n8nrhs2", 8),
        ("bb_ctrmmk_llnn_il_m5n5", 1),
        ("bb_ctrmmk_llnn_il_m6n6", 8),
        ("bb_dtrmmk_llnn_il_m6n6", 1),
        ("bb_dsygv_1vu_il_n5", 1),
        ("bb_dsygv_1vu_il_n6", 8),
        ("bb_dsygv_1vu_il_n7", 1),
    ],
)
def test_bodies_find_what_others_had_in_registers_or_caches(symbol, lanes):
    """Else a team has it in shared memory."""
    assert choose(Program.of(KernelSpec.parse(symbol, "cuda")), Isa.of(16)).lanes == lanes


def test_a_schedule_of_a_gpu_takes_no_overrides():
    program = Program.of(KernelSpec.parse("bb_dgemm_nn_bi_m8n8k8", "cuda"))
    with pytest.raises(ValueError, match="rows = 2 is not available"):
        choose(program, Isa.of(16), rows=2)


def test_matrices_by_themselves_go_through_shared_memory():
    """All threads of a block meet twice, those without a matrix too; bodies see shared memory alone."""
    made = text("bb_dposv_l_st_n4nrhs1").text
    assert "__shared__ bb_real block_A[2064];" in made
    head, tail = made.split("static BB_INLINE void bb_matrices(")
    assert "threadIdx" not in head
    kernel = tail.split("extern")[0]
    assert kernel.count("__syncthreads();") == 2
    assert "return" not in tail.split("#ifndef __CUDACC_RTC__")[0]
    assert [kernel.count(f"own = g->{name} + p") for name in "AB"] == [2, 2]
    assert kernel.count("if (row < col)") == 2


def test_what_is_not_read_is_not_brought():
    product, norm = (text(symbol).text for symbol in ("bb_sgemm_nt_pp_m3n4k4", "bb_znrm2_st_n5"))
    brought = product.index("if (BB_NONZERO(beta_is, beta)) {")
    assert brought < product.index("= block_C + matrix;") < product.index("BB_ARRIVED();")
    back, norm_back = product.split("__syncthreads();")[-1], norm.split("__syncthreads();")[-1]
    assert "= block_A + matrix;" not in back
    assert "= block_C + matrix;" in back
    assert norm.count("= block_R + matrix;") == norm_back.count("= block_R + matrix;") == 1


def test_diagonals_are_read_where_they_lie():
    """Each of their numbers is in a sector of its own."""
    for symbol in ("bb_dlogdet_st_n9", "bb_zadddiag_pp_n16_ld"):
        assert "__shared__" not in source_of(KernelSpec.parse(symbol, "cuda"), Isa.of(16)).text


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("op", ["gemm_nn_st_m{0}n{0}k{0}", "posv_l_pp_n{0}nrhs{0}_ld", "gesv_st_n{0}nrhs1_rs"])
def test_what_is_staged_fits_a_block(op, letter):
    """All to n = 32 that lanes can share; larger products stay where they lie."""
    for n in (1, 2, 4, 8, 12, 16, 24, 32, 64):
        program = Program.of(KernelSpec.parse(f"bb_{letter}{op.format(n)}", "cuda"))
        schedule = choose(program, Isa.of(16))
        assert schedule.threads % 32 == 0
        if not schedule.staged:
            assert n > 32 or op.startswith("gesv")
            assert "__shared__" not in render(program, schedule).text
            continue
        size = {"int32_t": 4, "bb_real": program.p.compute.bytes}
        taken = sum(x.scratch * size[x.ctype] for x in operands_of(program, schedule) if x.has_lanes)
        assert taken <= (99 << 10 if schedule.dynamic else 48 << 10)
        if not schedule.team:
            assert schedule.spread % 2 == 1
            assert schedule.spread >= schedule.matrices


@pytest.mark.parametrize("symbol", ["bb_cgetrf_bi_m27n27", "bb_dgetrf_bi_m38n38", "bb_zgetrf_st_m55n55"])
def test_what_bodies_have_beside_it_fits_too(symbol):
    """Declared are 48 KB at most, all taken together."""
    made = source_of(KernelSpec.parse(symbol, "cuda"), Isa.of(16))
    real = 8 if made.spec.p.compute.bytes == 8 else 4
    size = {"int32_t": 4, "int": 4, "bb_real": real, "bb_size": real, "bb_elem": real * made.spec.p.parts}
    arrays = re.findall(r"__shared__ (?:__align__\(16\) )?(\w+) \w+((?:\[\d+\])+);", made.text)
    declared = sum(size[ctype] * prod(map(int, re.findall(r"\d+", sides))) for ctype, sides in arrays)
    assert "tops" in made.text
    assert declared <= 48 << 10
    assert made.schedule.dynamic + declared <= 99 << 10


@pytest.mark.parametrize(
    ("n", "rooms"),
    [
        (100, {"": 0, "sm_80": 0, "sm_90": 0}),
        (140, {"": None, "sm_75": None, "sm_86": None, "sm_120": None, "sm_80": 163, "sm_90": 163, "sm_100": 163}),
        (169, {"sm_80": None, "sm_87": None, "sm_90": 227, "sm_103": 227}),
        (171, {"sm_90": None}),
    ],
)
def test_teams_have_the_shared_memory_of_their_architecture(n, rooms):
    """None: a thread does a matrix. What the least will do for has one text."""
    program = Program.of(KernelSpec.parse(f"bb_dpotrf_l_st_n{n}", "cuda"))
    for arch, room in rooms.items():
        schedule = gpu.choose(program, arch)
        assert schedule.team == (room is not None), arch
        assert schedule.room == (room or 0), arch
        assert schedule.dynamic <= (room or 99) << 10
        kinds = render(program, schedule).functions
        assert [one.name for one in kinds] == [f"bb_dpotrf_l_st_n{n}_k{f'_{room}kb' if room else ''}"]
        assert kinds[0].dynamic == schedule.dynamic


def test_each_gpu_runs_the_function_that_it_has_room_for():
    """By its name alone the text of any is made."""
    spec = KernelSpec.parse("bb_dpotrf_l_st_n140", "cuda")
    names = {arch: function_for(spec, {}, arch).name for arch in ("sm_80", "sm_86", "sm_90")}
    assert names == {"sm_80": f"{spec.symbol()}_k_163kb", "sm_86": f"{spec.symbol()}_k", "sm_90": names["sm_80"]}
    for name in names.values():
        text = device_source(spec, name).text
        assert f"{name}(" in text
        assert ("extern __shared__" in text) == name.endswith("kb")
    with pytest.raises(ValueError, match=f"expected one of {names['sm_86']}, {names['sm_80']}$"):
        device_source(spec, f"{spec.symbol()}_k_227kb")


def test_a_copy_is_made_on_the_way():
    """Of what a sequence copies first the original is not staged."""
    row = bb.sequence([bb.step("lacpy", "A", "F"), bb.step("potrf", "F")]).row
    made = source_of(KernelSpec.make(row, "d", "st", target="cuda", m=4), Isa.of(64)).text
    assert "block_A" not in made
    assert made.count("= block_F + matrix;") == 2
    assert "bb_lacpy" not in made
