"""A library that was built ahead: where it is looked for, and which is refused. Nothing is loaded."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from bblas_gen.errors import CacheWarning, LibraryError
from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.general import needed
from bblas_gen.ir.terms import PRECISIONS
from bblas_gen.toolchain import machine, prebuilt, trust
from bblas_gen.version import __version__

NAME = "name of the generator"
CONTENT = b"binary"
GOOD = {
    "name": "fast",
    "prefix": "fast_",
    "version": __version__,
    "generator": NAME,
    "file": "libfast.so.1",
    "isa": ["x86-64"],
    "needs": [],
    "threads": "pool",
    "sha256": hashlib.sha256(CONTENT).hexdigest(),
    "kernels": ["bb_dgemm_nn_st_m2n2k2"],
}


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path):
    """Nobody's library but the test's."""
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv(prebuilt.VARIABLE, raising=False)
    monkeypatch.setattr(prebuilt, "PACKAGED", tmp_path / "package" / "prebuilt")


def installed(folder, **other):
    """A library; ``other`` replaces parts of its manifest."""
    binary, manifest = folder / "lib" / "libfast.so.1", folder / "share" / "fast" / "manifest.json"
    for path, content in ((binary, CONTENT), (manifest, json.dumps(GOOD | other).encode())):
        path.parent.mkdir(parents=True, mode=0o755)
        path.write_bytes(content)
        path.chmod(0o644)
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o022)
    (folder / "lib" / "libfast.so").symlink_to(binary.name)
    return binary


def found():
    return prebuilt.find(lambda: NAME)


def refusal(monkeypatch, path):
    monkeypatch.setenv(prebuilt.VARIABLE, str(path))
    with pytest.raises(LibraryError) as caught:
        found()
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_folder_or_the_library_in_it_is_named(monkeypatch, tmp_path):
    assert found() is None
    binary = installed(tmp_path / "here")
    for path in (tmp_path / "here", binary, binary.with_name("libfast.so")):
        monkeypatch.setenv(prebuilt.VARIABLE, str(path))
        library = found()
        assert library.path == binary
        assert (library.prefix, library.pooled) == ("fast_", True)
        assert library.kernels == {"bb_dgemm_nn_st_m2n2k2"}


def test_without_a_name_ones_own_comes_before_that_of_the_package(tmp_path):
    package = installed(tmp_path / "package" / "prebuilt")
    assert found().path == package
    assert found().path == package
    assert installed(tmp_path / "cache" / "library") == found().path


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"version": "0.0.1"}, f"it was made by version 0.0.1, this is {__version__}"),
        ({"generator": "another"}, "it was made by another state of the generator"),
        ({"isa": ["x86-64-v9"], "needs": ["avx9"]}, "this processor lacks avx9 of x86-64-v9"),
        ({"isa": ["native"], "processor": "another one"}, "it was made for another one alone, this is "),
        ({"sha256": "0"}, "libfast.so.1 does not match its checksum"),
        ({"kernels": None}, "its manifest is damaged"),
        ({"file": "libslow.so"}, "No such file"),
    ],
)
def test_what_will_not_do_is_refused_where_it_is_asked_for_and_left_where_not(monkeypatch, tmp_path, other, why):
    installed(tmp_path / "here", **other)
    assert why in refusal(monkeypatch, tmp_path / "here")
    monkeypatch.delenv(prebuilt.VARIABLE)
    installed(tmp_path / "cache" / "library", **other)
    good = installed(tmp_path / "package" / "prebuilt")
    with pytest.warns(CacheWarning, match="bblas-gen prebuild") as caught:
        assert found().path == good
    assert why in str(caught[0].message)


def test_a_path_that_is_wrong_is_said(monkeypatch, tmp_path):
    assert "No such file" in refusal(monkeypatch, tmp_path / "nowhere")
    assert "no library of bblas-gen build" in refusal(monkeypatch, tmp_path)
    (tmp_path / "libz.so").touch()
    assert "no library of bblas-gen build" in refusal(monkeypatch, tmp_path / "libz.so")
    assert "relative" in refusal(monkeypatch, Path("here"))
    binary = installed(tmp_path / "here")
    (tmp_path / "here" / "share" / "fast" / "manifest.json").write_text("{")
    assert "cannot be used" in refusal(monkeypatch, binary)


@pytest.mark.parametrize("writable", ["lib", "lib/libfast.so.1", "share/fast", "share/fast/manifest.json", "."])
def test_what_others_can_write_is_refused(monkeypatch, tmp_path, writable):
    installed(tmp_path / "here")
    (tmp_path / "here" / writable).chmod(0o777)
    assert "others can write" in refusal(monkeypatch, tmp_path / "here")


@pytest.mark.parametrize("name", ["libfast.so.1", "manifest.json", "it"])
def test_what_belongs_to_others_is_refused(monkeypatch, tmp_path, name):
    installed(tmp_path / "here")
    real = trust.strange
    monkeypatch.setattr(trust, "strange", lambda x, owner, *bits: real(x, 54321 if x == name else owner, *bits))
    assert "belongs to another user" in refusal(monkeypatch, tmp_path / "here")


def test_what_a_processor_has_is_named_as_compilers_name_it(monkeypatch, tmp_path):
    info = tmp_path / "cpuinfo"
    info.write_text("processor : 0\nflags\t\t: fpu pni sse4_1 abm bmi1 avx2\n\nflags : none\n")
    monkeypatch.setattr(machine, "_CPUINFO", info)
    machine.features.cache_clear()
    assert machine.features() == {"fpu", "sse3", "sse4.1", "lzcnt", "bmi", "avx2"}
    machine.features.cache_clear()


def test_few_kernels_do_everything():
    kernels = needed(LISTED, PRECISIONS.values())
    assert len(kernels) < 230
    page = Path(__file__).resolve().parents[2] / "docs" / "library.md"
    assert f" {len(kernels)} kernels for the rest" in " ".join(page.read_text().split())
    assert {spec.symbol() for spec in needed([row for row in LISTED if row.name == "posv"], [PRECISIONS["d"]])} == {
        "bb_dgeadd_n_pp_mn_rs",
        "bb_dhemm_ll_pp_mn_rs",
        "bb_dlacpy_n_pp_mn_rs",
        "bb_dpotrf_l_pp_n_rs",
        "bb_dtrsm_llnn_pp_mn_rs",
    }
