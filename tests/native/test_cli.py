"""The command line: output, JSON, exit codes, and what bad or hostile arguments come to."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bblas_gen.bench import overhead
from bblas_gen.cli.main import main
from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.runtime import kernels, library

SPEC = "bb_dgemm_nn_st_m3n3k3"


def run(*arguments, code=0, **options):
    done = CliRunner().invoke(main, [str(x) for x in arguments], **options)
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


def test_info():
    report = json.loads(run("info", "--json"))
    assert report["compiler"]["simd_bytes"] in (16, 32, 64)
    assert report["cache"]["path"] == os.environ["BBLAS_GEN_CACHE_DIR"]
    assert report["environment"]["BBLAS_GEN_CACHE_DIR"]
    assert report["cores"] >= 1
    text = run("info")
    for word in ("compiler path", "compiler openmp", "cache limit", "cuda", "caches l2"):
        assert word in text
    assert set(report["threads"]) == {"limit", "OMP_NUM_THREADS", "affinity", "quota", "load"}
    for name in report["threads"]:
        assert re.search(rf"^threads {name} +\S", text, re.MULTILINE)


def test_info_works_without_a_compiler(monkeypatch, tmp_path):
    monkeypatch.setenv("BBLAS_GEN_CC", "no-such-compiler")
    kernels.reset()  # or a kernel that is loaded already needs none
    assert "no-such-compiler" in json.loads(run("info", "--json"))["compiler"]["error"]
    assert "BBLAS_GEN_CC" in run("compile", SPEC, code=1)
    assert "bb_dgemm" in run("show", SPEC)


def test_info_shows_what_compiles_cuda(monkeypatch, tmp_path):
    monkeypatch.setenv("BBLAS_GEN_NVCC", "no-such-nvcc")
    assert "no-such-nvcc" in json.loads(run("info", "--json"))["cuda"]["error"]
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("#!/bin/sh\necho 'tools, release 99.1, V99.1.2'\n")
    nvcc.chmod(0o755)
    monkeypatch.setenv("BBLAS_GEN_NVCC", str(nvcc))
    monkeypatch.setenv("BBLAS_GEN_CUDA_ARCH", "90")
    found = {"compiler": "nvcc", "path": str(nvcc), "version": "tools, release 99.1, V99.1.2", "architecture": "sm_90"}
    report = json.loads(run("info", "--json"))["cuda"]
    assert {name: report[name] for name in found} == found


def test_list():
    rows = json.loads(run("list", "--json"))
    assert [row["name"] for row in rows] == [row.name for row in LISTED]
    assert next(row for row in rows if row["name"] == "trsm")["flags"]["side"] == ["L", "R"]
    assert rows[0]["layouts"] == ["pp", "st", "il", "bi", "bl", "bu"]
    lines = run("list").splitlines()
    assert [line.split("  ")[0] for line in lines[1 : len(LISTED) + 1]] == [row.name for row in LISTED]
    assert re.search(
        r"^gemm +m n k +transa transb +C := alpha op\(A\) op\(B\) \+ beta C$", "\n".join(lines), re.MULTILINE
    )
    details = run("list", "trsm")
    assert "side: L R" in details
    assert "BLAS xTRSM" in details
    assert [row["name"] for row in json.loads(run("list", "posv", "--json"))] == ["posv"]
    assert "op = 'nonsense' is not an operation" in run("list", "nonsense", code=2)


def test_show_by_name_and_by_flags():
    text = run("show", "bb_zgemm_tn_bi16_m3n4k5")
    flags = ["--dtype", "complex128", "--layout", "bi", "--nb", 16, "-s", "m=3", "-s", "n=4", "-s", "k=5"]
    assert run("show", *flags, "-f", "transa=T") == text
    assert "int bb_zgemm_tn_bi16_m3n4k5(" in text
    mixed = run("show", "--layout", "st", "--layout", "pp", "--layout", "st", "-s", "m=3", "-s", "n=4", "-s", "k=5")
    assert "bb_dgemm_nn_stppst_m3n4k5" in mixed
    several = run("show", "-s", "m=2,4..5", "-s", "n=2", "-s", "k=2")
    assert [several.count(f"int bb_dgemm_nn_st_m{m}n2k2(") > 0 for m in (2, 3, 4, 5)] == [True, False, True, True]
    assert "__global__" in run("show", "--target", "cuda", "bb_dgemm_nn_bi_m2n2k2")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["show"], "no kernel named"),
        (["show", "nonsense"], "is not a kernel symbol"),
        (["show", "bb_dgemm_nn_st_m8n8k8; rm -rf /"], "is not a kernel symbol"),
        (["show", "-s", "m=8"], "n = None is not a size"),
        (["show", "-s", "m"], "'m' is not NAME=VALUE"),
        (
            ["show", "-s", "m=8..2", "-s", "n=1", "-s", "k=1"],
            "m=8..2: expected a range from a smaller to a larger size",
        ),
        (["show", "-s", "m=2..x", "-s", "n=1", "-s", "k=1"], "m = '2..x' is not a size"),
        (["show", "-s", "dtype=d"], "unknown argument 'dtype' for gemm: expected m, n, k, transa, transb"),
        (["show", "-s", "m=8}}{{7*7", "-s", "n=1", "-s", "k=1"], "is not a size"),
        (["show", "--dtype", "{{ 7 }}", "-s", "m=1", "-s", "n=1", "-s", "k=1"], "is not supported"),
        (["show", "--layout", "../x", "-s", "m=1", "-s", "n=1", "-s", "k=1"], "is unknown"),
        (["emit", SPEC], "Missing option '-o'"),
        (["bench", "gemm", "--sizes", "x"], "is not a list of sizes"),
        (["bench", "gemm", "--dtype", "q"], "'q' is unknown: expected some of s, d, c, z"),
    ],
)
def test_usage_errors(arguments, text):
    assert text in run(*arguments, code=2).replace("\n", " ")


def test_emit(tmp_path):
    out = tmp_path / "kernels"
    lines = run("emit", SPEC, "bb_dgemm_nn_bi_m2n2k2", "-o", out, "--simd-bytes", 16).split()
    assert {*lines} == {str(path) for path in out.rglob("*.*")} | {str(out / "LICENSE"), str(out / "Makefile")}
    assert {path.name for path in (out / "src").iterdir()} == {f"{SPEC}.c", "bb_dgemm_nn_bi_m2n2k2.c"}
    (out / "src" / f"{SPEC}.c").write_text("mine")
    assert "exists and differs" in run("emit", SPEC, "-o", out, code=1)
    run("emit", SPEC, "-o", out, "--force")
    assert "is not a name" in run("emit", SPEC, "-o", out, "--name", "../evil", code=2)
    assert not list(tmp_path.rglob("evil*"))


def test_what_the_system_refuses_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    assert "Error: [Errno 20] Not a directory" in run("emit", SPEC, "-o", tmp_path / "file" / "x", code=1)
    (tmp_path / "bblas_kernels.c").mkdir()
    assert "exists and is no file" in run("emit", SPEC, "-o", tmp_path, code=1)


def test_compile_and_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    kernels.reset()
    row = json.loads(run("compile", SPEC, SPEC, "-j", 2, "--json"))[0]
    assert Path(row["path"]).is_file()
    assert run("cache", "path").strip() == str(tmp_path / "cache")
    entries = json.loads(run("cache", "list", "--json"))
    assert [entry["symbol"] for entry in entries] == [SPEC]
    assert SPEC in run("cache", "list")
    for name in (SPEC, entries[0]["key"][:10]):
        assert json.loads(run("cache", "explain", name))["verified"] is True
    assert isinstance(json.loads(run("cache", "explain", SPEC))["compiler"], list)
    assert "no entry is or begins with" in run("cache", "explain", "0000", code=1)
    for names, there in ((["bb_dgemm_*"], True), ([entries[0]["key"][:6]], True), (["bb_sgemm_*"], False)):
        assert (SPEC in run("cache", "list", *names)) == there
    assert "1 of 1 are intact" in run("cache", "verify")
    assert "removed 0" in run("cache", "clear", "bb_sgemm_*", "--yes")
    assert "removed 0" in run("cache", "prune")
    assert "Aborted" in run("cache", "clear", code=1, input="n\n")
    assert "removed 1" in run("cache", "clear", "--yes")
    assert json.loads(run("cache", "list", "--json")) == []
    kernels.reset()


def test_a_flipped_bit_is_noticed_and_mended(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    kernels.reset()
    path = Path(json.loads(run("compile", SPEC, "--json"))[0]["path"])
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.unlink()  # the old file stays mapped
    path.write_bytes(data)
    kernels.reset()
    with pytest.warns(match="does not match its checksum"):
        run("compile", SPEC)
    assert library.default_cache().lookup(path.parent.name)
    kernels.reset()


def test_what_is_damaged_or_too_much_is_pruned(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    store = library.default_cache()
    for i, symbol in enumerate(("bb_old", "bb_new", "bb_damaged")):
        binary = store.get(f"{i}" * 64, {"symbol": symbol}, make_binary)
        os.utime(binary.parent, (1e9 + i, 1e9 + i))
    binary.write_bytes(b"damaged")
    text = run("cache", "verify", code=1)
    assert "bb_damaged  kernel.so does not match its checksum" in text
    assert "2 of 3 are intact" in text
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", "2K")
    assert "removed 2" in run("cache", "prune")
    assert "bb_new" in run("cache", "list")
    kernels.reset()


def make_binary(folder):
    (folder / "kernel.so").write_bytes(bytes(1500))
    return folder / "kernel.so"


def test_a_disabled_jit_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "1")
    kernels.reset()
    assert "BBLAS_GEN_DISABLE_JIT is set" in run("compile", SPEC, code=1)
    kernels.reset()


def test_as_a_module_and_its_version():
    done = subprocess.run([sys.executable, "-m", "bblas_gen", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bblas-gen, version ")
    for name in ("bench", "cache", "compile", "demo", "emit", "info", "list", "show"):
        assert name in run("--help")
        assert "Usage" in run(name, "--help")


@pytest.mark.thorough
def test_bench_overhead(tmp_path, monkeypatch):
    monkeypatch.setattr(overhead, "CALLS", 5)
    monkeypatch.setattr(overhead, "ROUNDS", 1)
    monkeypatch.setattr(overhead, "LISTED", 50)
    monkeypatch.setattr(overhead, "BATCHES", range(1, 4))
    monkeypatch.setattr(overhead, "FIRST_SIZES", (2,))
    monkeypatch.setattr(overhead, "WARM_SIZES", (2, 3))
    out = tmp_path / "rows.json"
    text = run("bench", "overhead", "--json", out)
    rows = {row["what"]: row["value"] for row in json.loads(out.read_text())["rows"]}
    assert rows["plan()()"] > 0
    assert rows["gemm, in place"] > 0
    for name in FUNCTIONS:
        assert f"{name}, plain call" in rows
    for what in ("sequence of 3, plain call", "posv, new batch size", "gemm of 3 lists, a matrix"):
        assert what in rows
    assert rows["kernel in a new process, cached on disk"] > 0
    assert "import, beyond NumPy" in text


def test_demo():
    text = run("demo", "-n", 3, "--batch", 20)
    for word in ("GF/s", "GB/s", "kernel ready after", "threads ", "load ", os.environ["BBLAS_GEN_CACHE_DIR"], "eps"):
        assert word in text
