"""What code may be loaded from: owners and modes of files and of the folders above them, file systems, names.

Other users, mounts and full disks are played: what is tested must not depend on who runs it where.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from bblas_gen.errors import CacheError, CacheWarning, CompileError, JitDisabledError
from bblas_gen.toolchain import trust
from bblas_gen.toolchain.cache import Cache, key

KEY, NEXT = key("int f;", ["cc", "-O3"], "gcc 12"), key("int g;", [], "")
META = {"symbol": "bb_dgemm_st_2x2x2"}
REPOSITORY = Path(trust.__file__).parents[2]
OTHER = 54321
"""A user who is neither we nor root."""


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in [name for name in os.environ if name.startswith("BBLAS_GEN_")]:
        monkeypatch.delenv(variable)
    trust.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("error", CacheWarning)  # a warning that no test expects is a failure
        yield
    trust.reset()


@pytest.fixture
def owners(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Owners that things are to have, by their names in messages."""
    found: dict[str, int] = {}
    real = trust.strange
    monkeypatch.setattr(trust, "strange", lambda name, owner, *bits: real(name, found.get(name, owner), *bits))
    return found


def make(folder: Path) -> Path:
    binary = folder / "kernel.so"
    binary.write_bytes(b"binary")
    return binary


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def folder(path: Path, bits: int = 0o700) -> Path:
    path.mkdir(parents=True)
    path.chmod(bits)
    return path


def refused(path: Path, why: str) -> None:
    cache = Cache(path)
    with pytest.warns(CacheWarning, match=why) as caught:
        binary = cache.get(KEY, META, make)
    assert str(path) in str(caught[0].message)
    assert len(caught) == 1
    private = binary.parents[2]
    assert private == cache.root == trust.private_folder()
    assert path not in (private, *private.parents)
    assert mode(private) == 0o700
    assert private.stat().st_uid == os.geteuid()
    assert cache.get(KEY, META, make) == binary, "said once"


# --- the folder --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_what_is_made_is_ours_alone(umask: int, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c"
    before = os.umask(umask)
    try:
        binary = Cache(path).get(KEY, META, make)
    finally:
        os.umask(before)
    for made in (path.parents[1], path.parent, path, path / KEY[:2], binary.parent):
        assert mode(made) == 0o700
    for file in binary.parent.iterdir():
        assert mode(file) == 0o600


def test_who_may_read_is_the_users_affair(tmp_path: Path) -> None:
    path = folder(tmp_path / "cache", 0o755)
    Cache(path).get(KEY, META, make)
    assert mode(path) == 0o755


@pytest.mark.parametrize("bits", [0o777, 0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_refused(bits: int, tmp_path: Path) -> None:
    path = folder(tmp_path / "cache", bits)
    refused(path, "others can write")
    assert mode(path) == bits
    assert list(path.iterdir()) == []


def test_a_folder_of_another_user_is_refused(tmp_path: Path, owners: dict[str, int]) -> None:
    path = folder(tmp_path / "cache")
    owners["it"] = OTHER
    assert "another user (uid 54321)" in trust.fault(path)
    owners["it"] = 0
    assert trust.fault(path) == ""


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    folder(tmp_path / "real")
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    refused(tmp_path / "cache", "symbolic link")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    refused(tmp_path / "dangling", "symbolic link")
    assert not (tmp_path / "nothing").exists()


def test_a_place_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused(tmp_path / "file", "not a folder")
    refused(tmp_path / "file" / "cache", "cannot be used")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    refused(tmp_path / "circle" / "cache", "cannot be used")


# --- folders above -----------------------------------------------------------------------------------------------


def test_who_can_rename_the_folder_is_not_trusted(tmp_path: Path, owners: dict[str, int]) -> None:
    above = folder(tmp_path / "above", 0o777)
    refused(above / "deep" / "cache", rf"others can write to {above} \(mode 0777\)")
    above.chmod(0o1777)  # as /tmp: others can rename only what is theirs
    assert trust.settle(above / "deep" / "cache") == (above / "deep" / "cache", "")
    owners[str(above)] = OTHER
    refused(above / "deep" / "cache", f"{above} belongs to another user")


def test_folders_are_looked_at_each_time(tmp_path: Path) -> None:
    """Not once per process: what is above may change hands, or modes, or the cache be exchanged."""
    above = folder(tmp_path / "above")
    cache = Cache(above / "cache")
    binary = cache.get(KEY, META, make)
    above.chmod(0o777)
    with pytest.warns(CacheWarning, match="others can write"):
        assert cache.lookup(KEY) is None
    above.chmod(0o700)
    assert cache.lookup(KEY) == binary


def test_links_above_are_followed_once(tmp_path: Path) -> None:
    """Else who owns a link could exchange what it points at between the check and the use."""
    (tmp_path / "link").symlink_to(folder(tmp_path / "real"))
    assert Cache(tmp_path / "link" / "cache").root == tmp_path / "real" / "cache"
    (tmp_path / "real").chmod(0o777)
    refused(tmp_path / "link" / "cache", "others can write")


def test_a_group_of_one_user_is_this_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above = folder(tmp_path / "above", 0o770)
    for alone, expected in ((True, ""), (False, f"others can write to {above} (mode 0770)")):
        monkeypatch.setattr(trust, "_of_one", lambda gid, alone=alone: alone)
        assert trust.settle(above / "cache")[1] == expected
    monkeypatch.undo()
    assert trust._of_one(2**31 - 2) is False


# --- entries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kernel.so", "meta.json", KEY, KEY[:2]])
def test_what_another_user_has_put_there_is_not_loaded(name: str, tmp_path: Path, owners: dict[str, int]) -> None:
    """As it may lie in a folder that was open once, or has been copied with its owners."""
    cache = Cache(tmp_path / "cache")
    binary = cache.get(KEY, META, make)
    binary.with_name("mark").touch()
    owners[name] = OTHER
    with pytest.warns(CacheWarning, match=f"{name} belongs to another user"):
        assert cache.lookup(KEY) is None
    assert not binary.exists()
    owners.clear()
    assert cache.get(KEY, META, make) == binary
    owners[name] = 0
    assert cache.lookup(KEY) == binary, "root may do anything anyway"


def test_it_is_the_opened_file_that_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    inode, fstat = cache.get(KEY, META, make).stat().st_ino, os.fstat

    def foreign(handle: int) -> os.stat_result:
        info = fstat(handle)
        return os.stat_result((*info[:4], OTHER, *info[5:])) if info.st_ino == inode else info

    monkeypatch.setattr(os, "fstat", foreign)
    with pytest.warns(CacheWarning, match=r"kernel\.so belongs to another user"):
        assert cache.lookup(KEY) is None


# --- a cache that cannot be written ------------------------------------------------------------------------------


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one kernel that we cannot write, as in the image of a container."""
    path = tmp_path / "shipped"
    Cache(path).get(KEY, META, make)
    monkeypatch.setattr(trust, "writable", lambda folder: folder != path)
    return path


def test_a_cache_that_cannot_be_written_serves_look_ups(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, before = Cache(shipped), sorted(shipped.rglob("*"))
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "1")
    found = cache.get(KEY, META, make)
    assert found == shipped / KEY[:2] / KEY / "kernel.so"
    with pytest.raises(JitDisabledError):
        cache.get(NEXT, META, make)
    monkeypatch.delenv("BBLAS_GEN_DISABLE_JIT")
    with pytest.warns(CacheWarning, match=f"nothing new goes to the cache {shipped}: it is not writable"):
        new = cache.get(NEXT, META, make)
    assert new == trust.private_folder() / NEXT[:2] / NEXT / "kernel.so"
    assert cache.get(NEXT, META, make) == new
    assert cache.get(KEY, META, make) == found
    cache.note("0" * 64, NEXT)
    assert cache.recall("0" * 64) == NEXT
    assert {entry.key for entry in cache.entries()} == {KEY, NEXT}
    assert cache.explain(KEY)["verified"] is cache.explain(NEXT)["verified"] is True
    assert sorted(shipped.rglob("*")) == before


def test_damage_that_cannot_be_removed_is_passed_over(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shipped / KEY[:2] / KEY / "kernel.so").write_bytes(b"")
    monkeypatch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(errno.EROFS, "Read-only")))
    with pytest.warns(CacheWarning, match=r"is not used: kernel\.so does not match its checksum"):
        assert Cache(shipped).lookup(KEY) is None


# --- file systems that are not usual -----------------------------------------------------------------------------


def without_room(folder: Path) -> Path:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("full", [without_room, lambda folder: make(folder).with_name("gone")])
def test_where_nothing_can_be_added_a_private_folder_takes_it(full: object, tmp_path: Path) -> None:
    cache, tried = Cache(tmp_path / "cache"), []

    def build(folder: Path) -> Path:
        tried.append(folder)
        return full(folder) if tmp_path in folder.parents else make(folder)  # type: ignore[operator]

    with pytest.warns(CacheWarning, match=r"nothing new goes to the cache .*: .*No s.*; using .* until exit"):
        binary = cache.get(KEY, META, build)
    assert binary.parents[2] == trust.private_folder()
    cache.get(NEXT, META, build)
    assert len(tried) == 3, "what failed once is not tried again"
    with pytest.raises(CacheError, match=r"bb_dgemm_st_2x2x2 cannot be built in .*: .*No space left"):
        cache.get(key("", [], ""), META, without_room)
    assert not list(cache.root.glob("tmp-*"))


def test_a_folder_that_nothing_loads_from_gets_nothing(tmp_path: Path) -> None:
    """As on file systems that are mounted noexec, where the system does not tell beforehand."""
    cache = Cache(tmp_path / "cache")

    def load(binary: Path, place: Path) -> Path:
        if tmp_path in binary.parents:
            raise OSError("failed to map segment from shared object")
        return place

    with pytest.warns(CacheWarning, match=r"does not load \(failed to map segment"):
        assert cache.get(KEY, META, make, load).parents[2] == trust.private_folder()
    assert not list((tmp_path / "cache").glob("*/*/kernel.so"))


def test_noexec_is_seen_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs

    def statvfs(path: Path) -> os.statvfs_result:
        found = list(real(path))
        found[8] = 8 if tmp_path in Path(path).parents else 0
        return os.statvfs_result(found)

    monkeypatch.setattr(trust, "_NOEXEC", 8)
    monkeypatch.setattr(os, "statvfs", statvfs)
    refused(tmp_path / "cache", "its file system is mounted noexec")


def test_a_name_that_no_loader_can_be_told_is_refused(tmp_path: Path) -> None:
    refused(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")), "its name is none in the encoding")


def test_a_compile_error_is_not_a_full_disk(tmp_path: Path) -> None:
    def failing(folder: Path) -> Path:
        raise CompileError("k", ["cc"], "error", folder / "kernel.c", folder)

    with pytest.raises(CompileError):
        Cache(tmp_path / "cache").get(KEY, META, failing)


# --- the private folder ------------------------------------------------------------------------------------------


def test_the_private_folder_goes_with_its_process_not_with_a_child(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    program = (
        "import os, sys, warnings; warnings.simplefilter('ignore')\n"
        "from bblas_gen.toolchain.cache import Cache\n"
        f"path = Cache(__import__('pathlib').Path({str(tmp_path / 'cache')!r})).root\n"
        "pid = os.fork()\n"
        "if pid == 0: sys.exit()\n"
        "os.waitpid(pid, 0); print(path, path.is_dir())"
    )
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    path, there = done.stdout.split()
    assert there == "True"
    assert not Path(path).exists()


def test_the_private_folder_is_somewhere_safe_or_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, full, good = folder(tmp_path / "bad", 0o777), folder(tmp_path / "full"), folder(tmp_path / "good")
    places = [tmp_path / "none", bad, full]
    monkeypatch.setattr(trust, "_places", lambda: iter(places))
    monkeypatch.setattr(trust, "ROOM", 1 << 80)
    (tmp_path / "cache").touch()
    with pytest.raises(CacheError) as caught:
        Cache(tmp_path / "cache").get(KEY, META, make)
    for reason in ("it is not a folder", "No such file", f"others can write to {bad}", f"{full}: it is full"):
        assert reason in str(caught.value)
    assert list(bad.iterdir()) == list(full.iterdir()) == []
    monkeypatch.setattr(trust, "ROOM", 1)
    places[2:] = [good]
    assert trust.private_folder().parent == good
    shutil.rmtree(trust.private_folder())
    assert trust.private_folder().is_dir(), "somebody swept the folder it was in"
