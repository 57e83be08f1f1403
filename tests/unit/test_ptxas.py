"""What is read off the compiler of CUDA, which is played by a script, and the table that is made of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.cuda_kernels import ARCHITECTURES, Kernel
from support.said import FITS

from bblas_gen import errors
from bblas_gen.bench import ptxas
from bblas_gen.bench import registers as tool
from bblas_gen.bench.notes import Notes, TimeOverError
from bblas_gen.bench.ptxas import Functions, Used, used
from bblas_gen.codegen.render import Source
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.cubins import device_source
from bblas_gen.schedule import gpu, registers
from bblas_gen.toolchain import cuda

FAMILIES = tool.families()
UNREAD = {
    "gepade13": "a step of exponentials, which teams do",
    "gepade7": "as gepade13",
    "getaylor": "as gepade13",
    "squaring": "as gepade13",
    "sygst": "a step of sygv",
    "sygv": "teams do it where registers have no room for what sequences keep of which nothing is known",
}
"""Operations of which no limits were read off, and why."""
NAME = "bb_dgemm_nn_bi_m2n2k2_k10"
PTX = """.visible .entry bb_dgemm_nn_bi_m2n2k2_k10(
)
.maxntid 128, 1, 1
{
    ld.global.nc.f64 %fd1, [%rd1];
    ld.global.v2.f64 {%fd2, %fd3}, [%rd1+8];
$L__BB0_1:
    st.global.u64 [%rd2], %rd3;
    @%p1 bra $L__BB0_1;
    ret;
}
"""
SAID = """ptxas info    : Compiling entry function 'bb_dgemm_nn_bi_m2n2k2_k10' for 'sm_90'
ptxas info    : Function properties for bb_dgemm_nn_bi_m2n2k2_k10
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 16 bytes cumulative stack size, 400 bytes cmem[0]
"""


def test_registers_loads_and_stores_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ptx").write_text(PTX)
    (tmp_path / "said").write_text(SAID)
    nvcc = tmp_path / "nvcc"
    nvcc.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo "tools, release 13.0, V13.0.88"; exit;; esac\n'
        f"cp {tmp_path / 'ptx'} kernel.ptx; cat {tmp_path / 'said'} >&2\n"
    )
    nvcc.chmod(0o755)
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(nvcc))
    source = device_source(KernelSpec.parse("bb_dgemm_nn_bi_m2n2k2", "cuda"), NAME)
    found = used([source], ["sm_90"])["sm_90"][0]
    assert found == {NAME: Used(40, 16, 12, {"f64": 1, "v2.f64": 1}, {"u64": 1}, loops=True)}
    assert not found[NAME].clean
    monkeypatch.setattr(cuda, "find_nvcc", lambda: None)
    with pytest.raises(errors.NoCompilerError, match="no nvcc"):
        used([source], ["sm_90"])


@pytest.mark.parametrize(("singles", "most"), [(1, {"v2.f64": 1}), (3, {"u64": 3})])
def test_ways_that_exclude_one_another_are_not_added_up(singles: int, most: dict[str, int]) -> None:
    """What counts is the way with most numbers, of which vectors have several."""
    lines = ["@%p1 bra $L__BB0_2;", "st.global.v2.f64 [%rd1], {%fd1, %fd2};", "bra.uni $L__BB0_3;", "$L__BB0_2:"]
    lines += ["st.global.u64 [%rd2], %rd3;"] * singles + ["$L__BB0_3:", "@%p2 bra $L__BB0_4;", "$L__BB0_4:", "ret;"]
    found = ptxas._read("\n".join(lines), 0, 0, 0, 8)
    assert (found.loads, found.stores, found.loops) == ({}, most, False)


@pytest.mark.parametrize(
    ("line", "loads"),
    [
        ("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", {"v4.f32": 1}),
        ("ld.f64 %fd1, [%rd1];", {"any.f64": 1}),
        ("ld.volatile.v2.f64 {%fd1, %fd2}, [%rd1];", {"any.v2.f64": 1}),
        ("ld.shared.f64 %fd1, [%rd1];", {}),
        ("ld.param.u64 %rd1, [bb_param_0];", {}),
    ],
)
def test_accesses_of_which_nobody_knows_the_memory_are_counted_and_a_fault(line: str, loads: dict[str, int]) -> None:
    found = ptxas._read(line, 0, 0, 0, 8)
    assert found.loads == loads
    assert ptxas.numbers(found.loads) == sum({"v2": 2, "v4": 4}.get(x.split(".")[-2], 1) for x in loads if "." in x)
    for symbol in ("bb_dgemm_nn_st_m32n32k32", "bb_dgemm_nn_pp_m32n32k32"):
        kernel = Kernel(KernelSpec.parse(symbol, "cuda"))
        faults = list(kernel.faults({one.name: found for one in kernel.functions}))
        assert any("any memory" in fault for fault in faults) is any(x.startswith("any") for x in loads)


@pytest.mark.parametrize(
    ("line", "rounded"),
    [
        ("div.rn.f64 %fd3, %fd1, %fd2;", 1),
        ("sqrt.rn.f32 %f3, %f1;", 1),
        ("rcp.rn.f64 %fd3, %fd1;", 1),
        ("rcp.approx.ftz.f64 %fd3, %fd1;", 0),
        ("rsqrt.approx.f32 %f3, %f1;", 0),
        ("div.u64 %rd3, %rd1, %rd2;", 0),
    ],
)
def test_divisions_by_functions_of_compilers_are_a_fault_of_what_has_none(line: str, rounded: int) -> None:
    found = ptxas._read(line, 0, 0, 0, 8)
    assert found.rounded == rounded
    for symbol, few in (("bb_dpotrf_l_bi_n3", False), ("bb_dnrm2_bi_n3", True)):
        kernel = Kernel(KernelSpec.parse(symbol, "cuda"))
        faults = list(kernel.faults({one.name: found for one in kernel.functions}))
        assert bool(faults) is bool(rounded and not few)


@pytest.mark.parametrize(
    ("symbol", "widths"),
    [
        ("bb_dgemm_nn_bi_m2n2k2", {"f64", "u64"}),
        ("bb_sgemm_nn_st_m32n32k32", {"f32", "u32"}),
        ("bb_sgemm_nn_pp_m32n32k32", {"f32", "u32", "u64"}),
        ("bb_dpotrf_l_bi_n2", {"f64", "u64", "u32"}),
    ],
)
def test_accesses_of_other_widths_than_one_number_are_a_fault(symbol: str, widths: set[str]) -> None:
    kernel = Kernel(KernelSpec.parse(symbol, "cuda"))
    for width in ("f64", "f32", "u64", "u32", "u8", "u16", "v2.f64", "v2.f32", "v4.f32"):
        for found in (Used(8, 0, 0, {width: 1}, {}, loops=True), Used(8, 0, 0, {}, {width: 1}, loops=True)):
            faults = kernel.faults({one.name: found for one in kernel.functions})
            assert any("not of one number" in fault for fault in faults) is (width not in widths)


def looped(counter: str, begin: str = "mov.u64 %rd4, 8;") -> Used:
    """A function with a loop that ends so: two numbers are loaded in each turn, one beside it and one behind."""
    lines = [*begin.splitlines(), "mov.u32 %r3, 2;", "ld.global.f64 %fd1, [%rd1];", "$L__BB0_1:"]
    lines += ["mov.u32 %r5, 3;", "$L__BB0_2:", "ld.global.v2.f64 {%fd2, %fd3}, [%rd1+8];", "add.s32 %r5, %r5, -1;"]
    lines += ["setp.ne.s32 %p2, %r5, 0;", "@%p2 bra $L__BB0_2;", *counter.splitlines(), "@%p1 bra \t$L__BB0_1;"]
    return ptxas._read("\n".join([*lines, "ld.global.f64 %fd4, [%rd1];", "ret;"]), 0, 0, 0, 8)


@pytest.mark.parametrize(
    ("counter", "turns"),
    [
        ("add.s64 %rd4, %rd4, -2;\nsetp.ne.s64 %p1, %rd4, 0;", 4),
        ("add.s64 %rd4, %rd4, 512;\nst.shared.f64 [%rd9], %fd2;\nsetp.ne.s64 %p1, %rd4, 2568;", 5),
        ("add.s64 %rd4, %rd4, -3;\nsetp.ne.s64 %p1, %rd4, 0;", 0),
        ("add.s64 %rd4, %rd4, 1;\nsetp.ne.s64 %p1, %rd4, 0;", 0),
        ("add.s64 %rd4, %rd4, -2;\nsetp.ne.s64 %p1, %rd4, %rd7;", 0),
        ("add.s64 %rd6, %rd6, -2;\nsetp.ne.s64 %p1, %rd6, 0;", 0),
        ("add.s64 %rd4, %rd4, -2;\nsetp.lt.s64 %p1, %rd4, 0;", 0),
        ("add.s64 %rd4, %rd4, -2;\nsetp.ne.s64 %p3, %rd4, 0;", 0),
    ],
)
def test_what_loops_move_counts_in_each_of_their_turns(counter: str, turns: int) -> None:
    """Where constants tell how many there are; else all of the text is counted once."""
    found = looped(counter)
    assert (found.loads, found.loops) == ({"f64": 2, "v2.f64": 3 * turns or 1}, not turns)


@pytest.mark.parametrize(
    "begin", ["mov.u64 %rd4, %rd7;", "mov.u64 %rd4, 8;\nmov.u64 %rd4, 6;", "add.s64 %rd4, %rd2, 8;"]
)
def test_no_turns_are_known_where_counters_begin_with_anything_but_one_constant(begin: str) -> None:
    assert looped("add.s64 %rd4, %rd4, -2;\nsetp.ne.s64 %p1, %rd4, 0;", begin).loops


def test_the_table_is_as_it_was_written() -> None:
    assert tool.text(tool.table({})) == Path(registers.__file__).read_text(encoding="utf-8")


def test_the_largest_that_fits_is_looked_for_upwards_and_downwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here is room for 30 words fewer than there are registers."""
    (family,) = (x for x in FAMILIES if (x.layout, x.row.name, x.precision) == ("bi", "gemm", "d"))

    def said(sources: list[Source], archs: list[str]) -> dict[str, list[Functions]]:
        n, blocks = dict(sources[0].spec.size)["n"], sources[0].functions[0].blocks
        fits = {arch: family.words(int(n)) <= gpu.most_registers(blocks) - 30 - (arch == "sm_80") for arch in archs}
        return {arch: [{"f": FITS if good else replace(FITS, spilled=8)}] for arch, good in fits.items()}

    def limits() -> list[int]:
        ((_, found),) = tool.derive([family], known)  # type: ignore[arg-type]
        return found

    known = SimpleNamespace(used=said, told=lambda sources, archs: [])
    expected = [
        max(family.words(n) * (family.words(n) < gpu.most_registers(x) - 30) for n in range(12))
        for x in registers.BLOCKS
    ]
    assert limits() == expected
    assert expected[0] == 220
    monkeypatch.setattr(registers, "WORDS", {"bi": {}, "il": {}})
    assert limits() == expected
    known.told = lambda sources, archs: [replace(FITS, local=8)]
    assert limits() == [0] * len(registers.BLOCKS)


SCAL, COPIED = (device_source(KernelSpec.parse(symbol, "cuda")) for symbol in ("bb_dscal_bi_n2", "bb_dscal_bi_n3"))


def test_a_run_goes_on_where_the_one_before_ended(asked: list[tuple[list[str], list[str]]], tmp_path: Path) -> None:
    path, archs = tmp_path / "notes", ["sm_80", "sm_90", "sm_100"]
    first = Notes.of(path, 1).used([SCAL], archs)
    assert first == {arch: [{one.name: FITS for one in SCAL.functions}] for arch in archs}
    assert asked == [([SCAL.symbol], ["sm_80", "sm_90"]), ([SCAL.symbol], ["sm_100"])]
    late = Notes.of(path, -1)
    assert late.used([SCAL], archs) == first
    assert len(asked) == 2
    with pytest.raises(TimeOverError):
        late.used([SCAL, COPIED], archs)


def test_texts_that_differ_in_names_and_comments_alone_are_compiled_once(
    asked: list[tuple[list[str], list[str]]], tmp_path: Path
) -> None:
    entry = replace(SCAL.entry, symbol="bb_other")
    functions = tuple(replace(one, name=one.name.replace(SCAL.symbol, "bb_other")) for one in SCAL.functions)
    text = re.sub(r"/\*.*?\*/", "/* other words */", SCAL.text.replace(SCAL.symbol, "bb_other"))
    assert "other words" in text
    other = replace(SCAL, entry=entry, functions=functions, text=text)
    said = Notes.of(tmp_path / "notes", 1).used([SCAL, COPIED, other], ["sm_90"])["sm_90"]
    assert len(asked) == 1
    assert len(asked[0][0]) == 2
    assert [len(one) for one in said] == [len(SCAL.functions)] * 3
    assert set(said[2]) == {one.name for one in functions}


def test_what_the_compiler_says_at_the_limits_is_written(
    asked: list[tuple[list[str], list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of other operations the rows stay; where none are named, kernels without a row are done alone."""
    path = tmp_path / "record"
    monkeypatch.setattr(tool, "RECORD", path)
    monkeypatch.setattr(tool, "families", lambda: [one for one in FAMILIES if one.precision == "d"])
    for operation in ("potrf", "getrf", "getrf"):
        tool.main([str(tmp_path / "notes"), "1", operation, "--record"])
    rows = json.loads(path.read_text(encoding="utf-8"))
    names = [f"bb_dgetrf_{layout}_m8n8_k" for layout in ("bi", "il")]
    names += [f"bb_dpotrf_{uplo}_{x}_k" for uplo in "lu" for x in ("bi_n14", "il_n10")]
    archs = sorted(ARCHITECTURES)
    assert [(row["kernel"], row["arch"]) for row in rows] == [(x, y) for x in sorted(names) for y in archs]
    assert rows[0] == {"kernel": names[0], "arch": "sm_100", **FITS.record()}
    path.write_text(json.dumps(rows[3:]), encoding="utf-8")
    only = [one for one in FAMILIES if (one.name, one.precision) == ("getrf", "d")]
    monkeypatch.setattr(tool, "families", lambda: only)
    asked.clear()
    tool.main([str(tmp_path / "others"), "1", "--record"])
    assert {name for some, _ in asked for name in some} == {names[0].removesuffix("_k")}
    assert json.loads(path.read_text(encoding="utf-8")) == rows[:6]


def test_what_was_read_off_is_that_of_the_table() -> None:
    """Of kernels at the limits there are now, on all architectures; and none of them leaves anything to memory."""
    rows = json.loads(tool.RECORD.read_text(encoding="utf-8"))
    said = {(row.pop("kernel"), row.pop("arch")): Used(**row) for row in rows}
    assert all(one.clean and one.placed for one in said.values())
    functions = {function for function, _ in said}
    assert {*said} == {(function, arch) for function in functions for arch in ARCHITECTURES}
    assert {tool.spec_of(function) for function in functions} == tool.at_limits()


def test_all_that_has_tiles_has_limits() -> None:
    """Else less is kept in registers than would have room."""
    there = {(layout, name) for layout, rows in registers.WORDS.items() for name in rows}
    assert {one.row.name for one in FAMILIES if (one.layout, one.name) not in there} == {*UNREAD}


def test_what_there_was_no_time_for_stays_as_it_was() -> None:
    found = tool.table({("bi", "syrk", "d"): [7] * len(registers.BLOCKS)})
    assert found["bi"]["syrk"]["d"] == found["bi"]["herk"]["d"] == [7] * len(registers.BLOCKS)
    assert found["il"] == registers.WORDS["il"]


def test_no_search_finds_more_than_the_full_grid_leaves() -> None:
    """The inverse of n = 14 spills, and so does potri, where those of n = 15 and 16 do not."""
    found = tool.table({("il", "trti2", "s"): [152, 104, 60, 0, 0, 0, 0]})
    assert found["il"]["trti2"]["s"] == [104, 104, 60, 0, 0, 0, 0]
    for symbol, whole in (("bb_spotri_l_il_n13", True), ("bb_spotri_u_il_n14", False), ("bb_strtri_un_il_n14", False)):
        assert (gpu.choose(Program.of(KernelSpec.parse(symbol, "cuda"))).lanes == 1) is whole


def test_what_is_in_the_table_has_tiles() -> None:
    found = {(one.layout, one.name, one.precision): one for one in FAMILIES}
    for layout, rows in registers.WORDS.items():
        for name, words in rows.items():
            assert all(words[x][0] >= found[layout, name, x].words(1) for x in words if (layout, name, x) in found)
            assert all(len(most) == len(registers.BLOCKS) for most in words.values())
            assert all(sorted(most, reverse=True) == most for most in words.values())
            assert (layout, name, "z") in found


@pytest.mark.parametrize(
    ("symbol", "whole", "blocks"),
    [
        ("bb_dgemm_nn_bi_m3n3k3", True, 12),
        ("bb_dgemm_nn_bi_m5n5k5", True, 6),
        ("bb_dgemm_nn_bi_m8n8k8", True, 3),
        ("bb_sgemm_tt_bi_m12n12k12", True, 1),
        ("bb_dgemm_nn_bi_m9n9k9", True, 1),
        ("bb_dgemm_nn_bi_m96n96k96", False, 3),
        ("bb_dposv_l_bi_n8nrhs1", True, 4),
        ("bb_dposv_l_bi_n112nrhs16", False, 3),
        ("bb_dtrsm_llnn_bi_m10n10", True, 0),
        ("bb_dtrsm_llnu_bi_m9n9", True, 3),
        ("bb_dgetrs_n_bi_n9nrhs2", True, 4),
        ("bb_zgetrf_bi_m3n3", True, 8),
        ("bb_dpotrsk_u_bi_n9nrhs2", False, 3),
        ("bb_dpotrsk_u_bi_n10nrhs2", False, 1),
    ],
)
def test_whole_matrices_are_kept_where_they_fit(symbol: str, whole: bool, blocks: int) -> None:
    program = Program.of(KernelSpec.parse(symbol, "cuda"))
    schedule = gpu.choose(program)
    assert (schedule == gpu.whole(program)) is whole
    assert schedule.forgets is (not whole and len(program.bodies) > 1)
    assert schedule.blocks == blocks


def test_a_unit_diagonal_has_limits_of_its_own() -> None:
    """With ones a solve of order 10 spills on one architecture, so its factor is held; with others it does not."""
    stored, ones = (Program.of(KernelSpec.parse(f"bb_dtrsm_lln{x}_bi_m10n10", "cuda")) for x in "nu")
    assert gpu.choose(stored) == gpu.whole(stored)
    assert gpu.choose(ones) == gpu.holding(ones)


@pytest.mark.parametrize("symbol", ["bb_dgeslogdet_ppstpppp_n15", "bb_sgedet_st_n16"])
def test_those_who_read_determinants_are_told_of_one_block(symbol: str) -> None:
    """Told of none, nvcc spilled 8 to 24 bytes of s and d, at 32 to 72 registers."""
    schedule = gpu.choose(Program.of(KernelSpec.parse(symbol, "cuda")))
    assert (schedule.staged, schedule.lanes, schedule.blocks) == (True, 1, 1)


@pytest.mark.parametrize(
    ("symbol", "lanes", "matrices"),
    [
        ("bb_dgemm_nn_st_m4n4k4", 1, 64),
        ("bb_dgemm_nn_st_m8n8k8", 8, 8),
        ("bb_sgemm_nn_pp_m32n32k32", 32, 2),
        ("bb_dgemm_nn_st_m64n64k64", 64, 1),
        ("bb_dgemm_nn_st_m96n96k96", 1, 128),
        ("bb_dgemm_nn_bi_m10n10k10", 1, 128),
        ("bb_dgemm_nn_bi_m11n11k11", 16, 8),
        ("bb_zgemm_nn_il_m28n28k28", 32, 2),
        ("bb_dgemm_nn_stbist_m16n16k16", 16, 4),
        ("bb_dgeadd_n_bi_m32n32", 1, 128),
        ("bb_dnrm2_st_n99", 1, 32),
        ("bb_dlogdet_st_n32", 1, 128),
    ],
)
def test_teams_share_what_threads_have_no_room_for(symbol: str, lanes: int, matrices: int) -> None:
    """Interleaved matrices come by sectors, or halves of them; what all is to be done by one lane has no teams."""
    schedule = gpu.choose(Program.of(KernelSpec.parse(symbol, "cuda")))
    assert (schedule.lanes, schedule.matrices) == (lanes, matrices)
