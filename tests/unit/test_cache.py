"""The disk cache: naming, damage, races, killed builders, eviction and the switches. Trust is in ``test_trust``."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bblas_gen.errors import BblasError, CacheError, CacheWarning, CompileError, JitDisabledError
from bblas_gen.toolchain import builders, trust
from bblas_gen.toolchain import cache as cache_module
from bblas_gen.toolchain import store as store_module
from bblas_gen.toolchain.cache import Cache, in_place, key, location, size_cap
from bblas_gen.toolchain.store import Make, Store

KEY = key("int f;", ["cc", "-O3"], "gcc 12")
META = {"symbol": "bb_dgemm_st_2x2x2", "argv": ["cc", "-O3"], "compiler": "gcc 12"}
REPOSITORY = Path(cache_module.__file__).parents[2]


@pytest.fixture(autouse=True)
def _switches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in [name for name in os.environ if name.startswith("BBLAS_GEN_")]:
        monkeypatch.delenv(variable)
    cache_module._compiled_here.clear()
    trust.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("error", CacheWarning)  # a warning that no test expects is a failure
        yield


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def publish(cache: Cache, key: str, make: Make, *, replace: bool = False) -> Path:
    """Build an entry whatever is there."""
    return Store(cache.root).publish(key, META, make, in_place, cap=size_cap(), replace=replace)


class Maker:
    """Makes a "binary" out of a text, and counts how often."""

    def __init__(self, text: str = "binary", size: int = 0) -> None:
        self.content = text.encode().ljust(size, b".")
        self.count = 0

    def __call__(self, folder: Path) -> Path:
        self.count += 1
        (folder / "kernel.c").write_text("int f;\n")
        binary = folder / "kernel.so"
        binary.write_bytes(self.content)
        return binary


def numbered(number: int) -> str:
    return key(str(number), [], "")


def leftovers(cache: Cache) -> list[Path]:
    return list(cache.root.glob("tmp-*"))


def contents(cache: Cache) -> list[Path]:
    return leftovers(cache) + [entry.path for entry in cache.entries()]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- keys and places ---------------------------------------------------------------------------------------------


def test_the_key_changes_with_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [("t", ["a", "b"], "i"), ("u", ["a", "b"], "i"), ("t", ["a", "c"], "i"), ("t", ["a", "b"], "j")]
    shifted = [
        ("t", ["a b"], "i"),
        ("t", ["ab"], "i"),
        ("t", [], "abi"),
        ("ta", ["b"], "i"),
        ("t", ["a", "b", "i"], ""),
    ]
    keys = {key(*part) for part in parts + shifted}
    monkeypatch.setattr(cache_module, "FORMAT", store_module.FORMAT + 1)
    keys.add(key(*parts[0]))
    assert len(keys) == len(parts) + len(shifted) + 1
    assert all(len(name) == 64 for name in keys)


def test_the_key_is_the_same_everywhere() -> None:
    program = "from bblas_gen.toolchain.cache import key; print(key('int f;', ('cc', '-O3'), 'gcc 12'))"
    assert python(program).communicate()[0].strip() == KEY


@pytest.mark.parametrize("name", ["", "x", "../../etc/passwd", "A" * 64, "0" * 63])
def test_only_keys_name_entries(name: str, cache: Cache) -> None:
    with pytest.raises(ValueError, match="not a cache key"):
        cache.lookup(name)


def test_the_argument_wins_over_the_variable_over_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    user = location()
    assert tmp_path in user.parents
    assert user.name == "bblas_gen"
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path / "variable"))
    assert location() == tmp_path / "variable"
    assert location(tmp_path / "argument") == tmp_path / "argument"
    assert Cache().path == tmp_path / "variable"
    assert list(tmp_path.iterdir()) == [], "asking makes nothing"
    assert Cache().root == tmp_path / "variable"


@pytest.mark.parametrize("value", ["cache", "./cache", "../cache", "~/cache"])
def test_a_relative_place_is_refused(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", value)
    with pytest.raises(ValueError, match="BBLAS_GEN_CACHE_DIR"):
        _ = Cache().root
    with pytest.raises(ValueError, match="absolute"):
        _ = Cache(Path(value)).root
    assert list(tmp_path.iterdir()) == []


# --- hits, misses and damage -------------------------------------------------------------------------------------


def test_miss_then_hit(cache: Cache) -> None:
    make = Maker()
    assert cache.lookup(KEY) is None
    first = cache.get(KEY, META, make)
    assert first == cache.root / KEY[:2] / KEY / "kernel.so"
    assert first.read_bytes() == b"binary"
    assert cache.get(KEY, META, make) == Cache(cache.root).get(KEY, META, make) == cache.lookup(KEY) == first
    assert make.count == 1
    assert sorted(path.name for path in first.parent.iterdir()) == ["kernel.c", "kernel.so", "meta.json"]
    assert leftovers(cache) == []


def test_meta_says_what_an_entry_is(cache: Cache) -> None:
    cache.get(KEY, META, Maker("hello"))
    report = cache.explain(KEY)
    assert report["verified"] is report["present"] is True
    assert report["size"] == 5
    assert report["format"] == store_module.FORMAT
    assert report["sha256"] == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert META.items() <= report.items()
    (entry,) = cache.entries()
    assert (entry.key, entry.symbol, entry.path) == (KEY, META["symbol"], cache.root / KEY[:2] / KEY)
    assert entry.size == sum(path.stat().st_size for path in entry.path.iterdir())
    assert abs(entry.last_used.timestamp() - time.time()) < 60
    assert abs(entry.created.timestamp() - time.time()) < 60


def flip(binary: Path) -> None:
    data = bytearray(binary.read_bytes())
    data[0] ^= 1
    binary.write_bytes(data)


def rewrite_meta(**changes: object) -> Callable[[Path], None]:
    def damage(binary: Path) -> None:
        meta = binary.with_name("meta.json")
        meta.write_text(json.dumps(json.loads(meta.read_text()) | changes))

    return damage


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "flipped bit": (flip, "checksum"),
    "cut binary": (lambda path: path.write_bytes(b"bin"), "checksum"),
    "no binary": (lambda path: path.unlink(), "No such file"),
    "cut meta": (lambda path: path.with_name("meta.json").write_text('{"sha256": "'), "meta.json"),
    "empty meta": (lambda path: path.with_name("meta.json").write_text(""), "meta.json"),
    "other meta": (lambda path: path.with_name("meta.json").write_text("[]"), "meta.json"),
    "binary meta": (lambda path: path.with_name("meta.json").write_bytes(b"\xff\xfe"), "meta.json"),
    "no meta": (lambda path: path.with_name("meta.json").unlink(), "meta.json"),
    "no checksum": (rewrite_meta(sha256=None), "checksum"),
    "deep meta": (lambda path: path.with_name("meta.json").write_text("[" * 100_000), "meta.json"),
    "pipe": (lambda path: (path.unlink(), os.mkfifo(path, 0o600)), "not a file"),
    "pipe as meta": (
        lambda path: (path.with_name("meta.json").unlink(), os.mkfifo(path.with_name("meta.json"), 0o600)),
        "not a file",
    ),
    "link": (lambda path: path.symlink_to(path.rename(path.with_name("other.so"))), "symbolic links"),
    "writable by others": (lambda path: path.chmod(0o620), "others can write to kernel.so"),
    "open folder": (lambda path: path.parent.chmod(0o777), "others can write"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_entry_is_rebuilt_with_a_warning(name: str, cache: Cache) -> None:
    damage, why = DAMAGES[name]
    make = Maker()
    binary = cache.get(KEY, META, make)
    damage(binary)
    assert cache.explain(KEY)["verified"] is False
    assert why in cache.explain(KEY)["reason"]
    assert [entry.key for entry in cache.entries()] == [KEY], "it is listed"
    with pytest.warns(CacheWarning, match=rf"{KEY}.*{why}"):
        assert cache.lookup(KEY) is None
    assert not binary.parent.exists()
    assert cache.get(KEY, META, make).read_bytes() == b"binary"
    assert make.count == 2
    assert leftovers(cache) == []


@pytest.mark.parametrize("place", [KEY, KEY[:2]])
def test_a_file_where_a_folder_belongs_is_removed(place: str, cache: Cache) -> None:
    binary = cache.get(KEY, META, Maker())
    wrong = next(path for path in binary.parents if path.name == place)
    shutil.rmtree(wrong)
    wrong.touch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheWarning)
        assert cache.get(KEY, META, Maker()) == binary
    assert binary.is_file()


def test_meta_cannot_point_out_of_its_entry(cache: Cache) -> None:
    binary = cache.get(KEY, META, Maker())
    binary.rename(cache.root / "outside.so")
    rewrite_meta(binary="../../outside.so")(binary)
    with pytest.warns(CacheWarning, match=KEY):
        assert cache.lookup(KEY) is None


def library(binary: Path, place: Path) -> Path:
    """Load a binary as the system does."""
    if binary.read_bytes() != b"binary":
        raise OSError("invalid ELF header")
    return place


def test_an_entry_that_does_not_load_is_discarded(cache: Cache) -> None:
    binary = cache.get(KEY, META, Maker("this is no library"))
    with pytest.warns(CacheWarning, match=rf"{KEY} is discarded: kernel\.so does not load \(invalid ELF header\)"):
        assert cache.get(KEY, META, Maker(), library) == binary
    assert binary.read_bytes() == b"binary"


def test_what_is_evicted_at_once_has_been_loaded(cache: Cache) -> None:
    """Others may evict an entry as soon as it is there."""
    seen = []

    def load(binary: Path, place: Path) -> Path:
        seen.append(binary)
        shutil.rmtree(place.parent, ignore_errors=True)
        return place

    place = cache.get(KEY, META, Maker(), load)
    assert place == cache.root / KEY[:2] / KEY / "kernel.so"
    assert [path.parent.name.split("-")[0] for path in seen] == ["tmp"]
    assert cache.get(KEY, META, Maker(), load) == place
    assert len(seen) == 2


def test_explain_of_a_missing_entry(cache: Cache) -> None:
    report = cache.explain(KEY)
    assert (report["present"], report["verified"], report["reason"]) == (False, False, "not in the cache")


def test_clear(cache: Cache) -> None:
    for number in range(3):
        cache.get(numbered(number), META, Maker())
    assert cache.clear() == 3
    assert cache.clear() == 0
    assert cache.entries() == []
    cache.get(KEY, META, Maker())


def test_a_cache_removed_while_in_use_is_made_again(cache: Cache) -> None:
    cache.get(KEY, META, Maker())
    shutil.rmtree(cache.root)
    assert cache.get(KEY, META, Maker()).exists()
    assert mode(cache.root) == 0o700


# --- failures ----------------------------------------------------------------------------------------------------


def failing(folder: Path) -> Path:
    source = folder / "kernel.c"
    source.write_text("broken")
    raise CompileError("bb_dgemm_st_2x2x2", ["cc", str(source)], f"{source}:1: error", source, folder)


def test_a_failed_compile_keeps_its_source_and_no_entry(cache: Cache) -> None:
    for _ in range(2):
        with pytest.raises(CompileError) as caught:
            cache.get(KEY, META, failing)
        source = caught.value.source_path
        assert source == cache.root / "kept" / "bb_dgemm_st_2x2x2" / "kernel.c"
        assert source.read_text() == "broken"
        assert caught.value.command == ("cc", str(source))
        assert "tmp-" not in str(caught.value)
        assert contents(cache) == []
    assert cache.lookup(KEY) is None


def test_an_unsafe_symbol_is_not_a_file_name(cache: Cache) -> None:
    with pytest.raises(CompileError) as caught:
        cache.get(KEY, META | {"symbol": "../../evil"}, failing)
    assert caught.value.source_path == cache.root / "kept" / KEY / "kernel.c"


@pytest.mark.parametrize("keep", [False, True])
def test_any_other_failure_leaves_nothing_unless_asked(
    keep: bool, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(folder: Path) -> Path:
        (folder / "kernel.c").write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setenv("BBLAS_GEN_KEEP", "1" if keep else "0")
    with pytest.raises(KeyboardInterrupt):
        cache.get(KEY, META, interrupted)
    assert contents(cache) == []
    assert (cache.root / "kept" / META["symbol"] / "kernel.c").exists() is keep  # type: ignore[operator]


def test_a_maker_without_a_binary_publishes_nothing(cache: Cache) -> None:
    with pytest.warns(CacheWarning), pytest.raises(CacheError, match=r"No such file.*kernel\.so") as caught:
        cache.get(KEY, META, lambda folder: folder / "kernel.so")
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, BblasError)
    assert contents(cache) == []


# --- races -------------------------------------------------------------------------------------------------------


def test_the_loser_of_a_race_uses_what_the_winner_made(cache: Cache) -> None:
    def slow(folder: Path) -> Path:
        publish(cache, KEY, Maker("winner"))
        return Maker("loser")(folder)

    assert publish(cache, KEY, slow).read_bytes() == b"winner"
    assert leftovers(cache) == []


def test_a_damaged_winner_is_replaced(cache: Cache) -> None:
    def slow(folder: Path) -> Path:
        flip(publish(cache, KEY, Maker("winner")))
        return Maker("loser")(folder)

    with pytest.warns(CacheWarning, match="checksum"):
        assert publish(cache, KEY, slow).read_bytes() == b"loser"


def test_an_eviction_during_a_look_up_is_a_plain_miss(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = cache.get(KEY, META, Maker())

    def evicted(path: Path) -> str:
        shutil.rmtree(binary.parent)
        return path.read_text()

    monkeypatch.setattr(store_module, "_sha256", evicted)
    assert cache.lookup(KEY) is None


def test_an_entry_replaced_during_a_look_up_is_no_damage(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = cache.get(KEY, META, Maker("old"))
    sha256 = store_module._sha256

    def replaced(path: Path) -> str:
        monkeypatch.setattr(store_module, "_sha256", sha256)
        publish(cache, KEY, Maker("new"), replace=True)
        return sha256(path)

    monkeypatch.setattr(store_module, "_sha256", replaced)
    assert cache.lookup(KEY) == binary
    assert binary.read_bytes() == b"new"


def test_no_lock_is_no_obstacle(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache.root / "locks").touch()  # so no lock can be made below it
    assert cache.get(KEY, META, Maker()).exists()
    (cache.root / "locks").unlink()


def python(program: str) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment)


def test_a_killed_builder_blocks_nobody(cache: Cache) -> None:
    program = f"""
import time
from pathlib import Path
from bblas_gen.toolchain.cache import Cache
def make(folder):
    (folder / "kernel.c").write_text("half")
    print("building", flush=True)
    time.sleep(600)
Cache(Path({str(cache.root)!r})).get({KEY!r}, {{}}, make)
"""
    with python(program) as builder:
        assert builder.stdout is not None
        assert builder.stdout.readline() == "building\n"
        assert len(leftovers(cache)) == 1
        publish(cache, numbered(1), Maker())
        assert len(leftovers(cache)) == 1, "the folder of a living builder is left alone"
        builder.send_signal(signal.SIGKILL)
    start = time.monotonic()
    assert cache.get(KEY, META, Maker()).read_bytes() == b"binary"
    assert time.monotonic() - start < 300
    assert leftovers(cache) == []


def test_folders_of_other_machines_are_swept_by_age(cache: Cache) -> None:
    dead = 2**22 + 1  # above the largest process number
    young, old, odd = (cache.root / name for name in (f"tmp-{dead}-ffffffff-a", f"tmp-{dead}-ffffffff-b", "tmp-odd"))
    for folder in (young, old, odd):
        folder.mkdir()
    os.utime(old, (0, time.time() - builders.STALE_SECONDS - 10))
    publish(cache, KEY, Maker())
    assert sorted(leftovers(cache)) == sorted([young, odd])


# --- eviction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("", 1 << 30),
        ("0", 0),
        ("1000", 1000),
        ("4K", 4096),
        ("4k", 4096),
        ("2M", 2 << 20),
        ("3 G", 3 << 30),
        ("1KiB", 1024),
    ],
)
def test_size_cap(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", text)
    assert size_cap() == size


@pytest.mark.parametrize("text", ["big", "-1", "1.5G", "1T", "G", "1 2", "0x10"])
def test_a_bad_size_is_named_before_the_compile(text: str, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", text)
    make = Maker()
    with pytest.raises(ValueError, match=f"^BBLAS_GEN_CACHE_SIZE={text!r}"):
        cache.get(KEY, META, make)
    assert make.count == 0


def test_the_least_recently_used_go_first(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", "50K")
    keys = [numbered(number) for number in range(6)]
    for age, name in enumerate(keys[:4]):  # of about 10.5 K each
        entry = cache.get(name, META, Maker(size=10240)).parent
        os.utime(entry, (0, 1000 + age))
    found = cache.lookup(keys[0])
    assert found is not None
    assert found.parent.stat().st_mtime > 1010, "a look-up makes it the youngest"
    os.utime(found.parent, (0, 1010))  # which clocks of 10 ms might not show
    os.utime(cache.get(keys[4], META, Maker(size=10240)).parent, (0, 1020))
    assert {entry.key for entry in cache.entries()} == {keys[0], keys[2], keys[3], keys[4]}
    assert not (cache.root / "locks" / keys[1]).exists()
    cache.get(keys[5], META, Maker(size=30720))
    assert {entry.key for entry in cache.entries()} == {keys[4], keys[5]}
    assert cache.entries()[0].key == keys[5], "the most recent comes first"


def test_what_is_in_the_way_of_eviction_stays(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache.root / "locks").touch()
    (cache.root / "index" / ("0" * 64)).mkdir(parents=True)
    cache.get(numbered(1), META, Maker())
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", "0")
    assert Cache(cache.root).get(KEY, META, Maker()).exists()
    assert [entry.key for entry in cache.entries()] == [KEY]


def test_the_newest_entry_is_never_evicted(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.get(numbered(1), META, Maker())
    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", "0")
    other = Cache(cache.root)
    assert other.get(KEY, META, Maker(size=10000)).exists()
    assert [entry.key for entry in other.entries()] == [KEY]


def test_the_cache_is_not_measured_at_every_publish(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []
    make_room = Store._make_room

    def counted(store: Store, cap: int, newest: Path) -> None:
        measured.append(newest)
        make_room(store, cap, newest)

    monkeypatch.setattr(Store, "_make_room", counted)
    for number in range(20):
        cache.get(numbered(number), META, Maker())
    assert len(measured) == 1


def test_evictions_at_the_same_time_are_harmless(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        cache.get(numbered(number), META, Maker(size=10240))
    size = store_module._size

    def somebody_else(folder: Path) -> int:
        if folder.parent.parent == cache.root and folder.name != KEY:
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(folder)
        return size(folder)

    monkeypatch.setenv("BBLAS_GEN_CACHE_SIZE", "20K")
    monkeypatch.setattr(store_module, "_size", somebody_else)
    assert Cache(cache.root).get(KEY, META, Maker()).exists()


# --- switches ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "kept"), [("1", True), ("yes", True), ("", False), ("0", False)])
def test_keep(value: str, kept: bool, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BBLAS_GEN_KEEP", value)
    assert cache.get(KEY, META, Maker()).exists()
    folder = cache.root / "kept" / str(META["symbol"])
    assert (folder / "kernel.c").exists() is (folder / "kernel.so").exists() is kept


def test_force_compiles_again_once_per_process(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = cache.get(KEY, META, Maker("old"))
    cache_module._compiled_here.clear()  # as if another process had made it
    monkeypatch.setenv("BBLAS_GEN_FORCE_COMPILE", "1")
    make = Maker("new")
    for _ in range(3):
        assert cache.get(KEY, META, make) == binary
        assert binary.read_bytes() == b"new"
    assert Cache(cache.root).get(KEY, META, make) == binary
    assert make.count == 1
    assert leftovers(cache) == []


def test_disable_jit(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "true")
    with pytest.raises(JitDisabledError, match=r"bb_dgemm_st_2x2x2.*BBLAS_GEN_DISABLE_JIT"):
        cache.get(KEY, META, make)
    monkeypatch.delenv("BBLAS_GEN_DISABLE_JIT")
    binary = cache.get(KEY, META, make)
    cache_module._compiled_here.clear()
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "true")
    monkeypatch.setenv("BBLAS_GEN_FORCE_COMPILE", "1")
    assert cache.get(KEY, META, make) == binary, "what is there may be used"
    assert make.count == 1


def test_importing_is_free() -> None:
    program = (
        "import sys; from bblas_gen import errors; from bblas_gen.toolchain import cache, compilers, machine\n"
        "print({'platformdirs'} & set(sys.modules))"
    )
    assert python(program).communicate()[0].strip() == "set()"
