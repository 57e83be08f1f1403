"""Parcels: what is in them, that it is the same everywhere, what is refused."""

from __future__ import annotations

import errno
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from support.sources import source

import bblas_gen as bb
from bblas_gen.codegen import selftest
from bblas_gen.codegen.parcel import Parcel
from bblas_gen.codegen.render import has_template
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.toolchain import compilers

SYMBOL = "bb_dgemm_nn_st_m2n2k2"
ROOT = Path(__file__).resolve().parents[2]


def parcel(*symbols, target="cpu", name="bblas_kernels"):
    return Parcel(tuple(KernelSpec.parse(symbol, target) for symbol in symbols), Isa.of(32), name)


def emit(path, **named):
    return bb.emit(SYMBOL, path, simd_bytes=32, **named)


def test_a_parcel_has_its_files(tmp_path):
    paths = emit(tmp_path / "new" / "folder", name="mine")
    found = {str(path.relative_to(tmp_path / "new" / "folder")): path.read_text() for path in paths}
    sources, built = {f"src/{SYMBOL}.c"}, {"CMakeLists.txt", "Config.cmake.in", "Makefile", "mine.c", "selftest.c"}
    told = {"LICENSE", "README.md", "metadata.json", "include/mine.h", "examples/example.c", "examples/example.cpp"}
    assert found.keys() == sources | built | told
    assert found == parcel(SYMBOL, name="mine").files
    assert found[f"src/{SYMBOL}.c"] == source(SYMBOL).text
    assert not [path for path, text in found.items() if "bblas_kernels" in text]


def test_it_is_the_same_wherever_it_is_made(tmp_path, monkeypatch):
    def none(*_):
        raise AssertionError("the machine is asked")

    first = {path.name: path.read_bytes() for path in emit(tmp_path / "first")}
    monkeypatch.setattr(compilers, "find_cc", none)
    monkeypatch.setattr(compilers, "OPTIMIZATION", ("-O1",))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    monkeypatch.chdir(tmp_path)
    assert {path.name: path.read_bytes() for path in emit(tmp_path / "second")} == first


def test_a_parcel_for_gpus_has_what_one_for_cpus_has():
    name = "bb_dgemm_nn_bi_m2n2k2"
    files, others = parcel(name, target="cuda").files, parcel(name).files
    assert {path.replace(".cu", ".c") for path in files} == others.keys()
    assert files[f"src/{name}.cu"] in files["bblas_kernels.cu"].replace("bb0_", "bb_").replace("BB0_", "BB_")
    assert "openmp" not in files["CMakeLists.txt"].lower() + files["Makefile"].lower()
    found = json.loads(files["metadata.json"])
    assert (found["simd_bytes"], found["flags"]) == (None, {"nvcc": ["-fmad=true"]})


def test_metadata_are_data():
    step = bb.step("trsm", "L", "B", alpha="weight")
    row = bb.sequence([step], name="solve").row
    specs = [
        KernelSpec.parse(x) for x in ("bb_zgemm_nc_bistpp_m2n3k4_ld", "bb_dposv_u_st_n4nrhs", "bb_sgetrf_bi_m1100n1")
    ]
    made = Parcel((*specs, KernelSpec.make(row, "d", "bi", m=2, n=2)), Isa.of(16), "p")
    found = json.loads(made.files["metadata.json"])
    assert found["simd_bytes"] == 16
    assert found["flags"]["gcc"] == ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast"]
    assert found["sha256"].keys() == made.files.keys() - {"metadata.json"}
    assert all(found["sha256"][path] == sha256(made.files[path].encode()).hexdigest() for path in found["sha256"])
    gemm, posv, getrf, solve = found["kernels"]
    assert gemm["symbol"] == "bb_zgemm_nc_bistpp_m2n3k4_ld"
    assert gemm["declaration"] in made.files["include/p.h"]
    assert gemm["source"] in made.files
    assert gemm["layouts"] == {"A": "bi", "B": "st", "C": "pp"}
    assert (gemm["sizes"], gemm["flags"]) == ({"m": 2, "n": 3, "k": 4}, {"transa": "N", "transb": "C"})
    assert (gemm["nb"], gemm["strides"], gemm["precision"], gemm["operation"]) == (8, "ld", "z", "gemm")
    assert (gemm["flops"], gemm["bytes"]) == (8 * 24, 16 * (8 + 12 + 6))
    assert posv["sizes"] == {"n": 4, "nrhs": None}
    assert posv["flops"] == "30 + 32 * nrhs"
    assert (posv["stack_bytes"], "nrhs" in posv["heap_bytes"]) == (8192, True)
    assert getrf["heap_bytes"] >= 1100 * 4
    assert gemm["stack_bytes"] == 8192 + made.sources[0].stack_bytes
    assert bb.OperationSequence.parse(solve["sequence"]).row == row


def test_a_parcel_says_which_kernels_ask_for_memory():
    names = (
        "bb_dposv_l_st_nnrhs_ld",
        "bb_dgemv_t_st_mn_ld",
        "bb_ddot_st_n",
        "bb_dgetri_st_n_ld",
        "bb_dgemm_nn_st_mnk_ld",
    )
    made = Parcel(tuple(map(KernelSpec.parse, names)), Isa.of(32), large=True)
    told = {one["symbol"]: one["heap_bytes"] for one in json.loads(made.files["metadata.json"])["kernels"]}
    asks = {name for name in told if "aligned_alloc(" in made.files[f"src/{name}.c"]}
    assert {name for name in told if told[name] != 0} == asks == told.keys() - {"bb_ddot_st_n"}
    rows = {line.split("`")[1]: line for line in made.files["README.md"].splitlines() if line.startswith("| `bb_")}
    assert {name for name in rows if not rows[name].endswith("| 0 |")} == asks
    assert "`aligned_alloc` and `free` where the table says heap" in made.files["README.md"]


def test_the_header_describes_kernels_without_flags(tmp_path):
    bb.emit("bb_dgesv_st_n4nrhs5", tmp_path, simd_bytes=32)
    header = (tmp_path / "include" / "bblas_kernels.h").read_text()
    assert " * double; n = 4, nrhs = 5; matrices column-major as stored: A 4 x 4 (st)" in header
    assert max(map(len, header.split("#ifndef")[0].splitlines())) <= 120


def test_the_header_has_the_rows_and_columns_of_row_major_matrices(tmp_path):
    bb.emit(["bb_dgesv_st_n4nrhs5_rm", "bb_dgemv_t_st_m4n3_rm"], tmp_path, simd_bytes=32)
    header = " ".join((tmp_path / "include" / "bblas_kernels.h").read_text().replace("\n *", "").split())
    assert "matrices row-major as stored: A 4 x 4 (st), IPIV 4 x 1 of int32 (st), B 4 x 5 (st)." in header
    assert "matrices row-major as stored: A 3 x 4 (st), X 3 x 1 (st), Y 4 x 1 (st)." in header


def test_every_operation_has_loops_to_compare_it_with():
    rows = [row for row in OPS.values() if not row.steps and not row.halves]
    assert not [row.name for row in rows if not has_template(f"emit/reference/{selftest.reference(row)}.c")]
    folder = ROOT / "templates" / "emit" / "reference"
    assert {path.stem for path in folder.iterdir()} == {selftest.reference(row) for row in rows}


def test_there_is_one_licence():
    assert parcel(SYMBOL).files["LICENSE"] == (ROOT / "LICENSE-EMITTED").read_text()


def test_what_can_be_emitted(tmp_path):
    row = bb.sequence([bb.step("lascl", "A", alpha="weight")], name="scaled")
    spec = KernelSpec.parse("bb_dscal_il_n3")
    paths = bb.emit([spec, SYMBOL, row, SYMBOL], tmp_path, simd_bytes=16)
    general = KernelSpec.make(row.row, m=None, n=None)
    assert [path.stem for path in paths[:3]] == [spec.symbol(), SYMBOL, general.symbol()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "specs name no kernel"),
        ((["bb_dgemm"],), "is not a kernel symbol"),
        (("bb_dgemm",), "is not a kernel symbol"),
        (([3],), "specs has 3: expected names of kernels"),
        ((3,), "specs = 3: expected names of kernels"),
        (([SYMBOL, KernelSpec.parse("bb_dgemm_nn_bi_m3n2k2", "cuda")],), "several targets"),
    ],
)
def test_what_cannot(arguments, message, tmp_path):
    with pytest.raises(bb.SpecError, match=message):
        bb.emit(*arguments, tmp_path / "x", simd_bytes=16)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["../x", "x.h", "a b", "x\n", "/x", "", "1x", "a-b", 3])
def test_names_are_plain(name, tmp_path):
    with pytest.raises(bb.SpecError, match="is not a name: expected letters"):
        emit(tmp_path, name=name)
    assert not list(tmp_path.iterdir())


def test_vectors_are_of_this_machine_or_known(tmp_path):
    with pytest.raises(bb.SpecError, match="simd_bytes = 48: expected one of 16, 32, 64"):
        bb.emit(SYMBOL, tmp_path, simd_bytes=48)


def test_files_are_not_overwritten_unasked(tmp_path):
    emit(tmp_path)
    emit(tmp_path)
    path = tmp_path / "src" / f"{SYMBOL}.c"
    path.write_text("mine")
    (tmp_path / "include" / "bblas_kernels.h").unlink()
    with pytest.raises(FileExistsError, match="exists and differs"):
        emit(tmp_path)
    assert path.read_text() == "mine"
    assert not (tmp_path / "include" / "bblas_kernels.h").exists()
    emit(tmp_path, force=True)
    assert path.read_text() == source(SYMBOL).text


def test_what_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        emit(tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_only_files_are_compared_and_overwritten(make, tmp_path):
    make(tmp_path / "selftest.c")
    with pytest.raises(FileExistsError, match="exists and is no file"):
        emit(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
