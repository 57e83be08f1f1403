"""The index of the cache: a warm start makes no text, and nothing stale, damaged or foreign is used."""

from __future__ import annotations

import platform
import shutil
import time

import numpy as np
import pytest

import bblas_gen as bb
from bblas_gen.codegen import render
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime import kernels, library, threads
from bblas_gen.toolchain import index
from bblas_gen.toolchain.cache import Cache, CacheWarning

SPEC = KernelSpec.make("axpy", "s", "st", n=3)
OTHER = KernelSpec.make("scal", "s", "st", n=3)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A cache of its own; files of the generator that were written this minute are taken as read."""
    threads.start_pool()  # which is in the index of a cache, too
    monkeypatch.setenv("BBLAS_GEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(library, "STARTED", time.time() + 60)
    kernels.reset()
    yield Cache(tmp_path)
    kernels.reset()


@pytest.fixture
def texts(monkeypatch):
    """The kernels of which a text was made."""
    seen, made = [], render.render

    def note(program, schedule):
        seen.append(program.spec)
        return made(program, schedule)

    monkeypatch.setattr(render, "render", note)
    return seen


def start():
    """What a new process does: it knows nothing but what is on disk. The binary that it uses, by its key."""
    kernels.reset()
    x, y = np.ones((2, 3), "f"), np.ones((2, 3), "f")
    np.testing.assert_array_equal(bb.axpy(x, y, alpha=2.0), 3)
    return kernels.kernel(SPEC).library.key


def test_a_warm_start_makes_no_text(store, texts):
    first = start()
    assert texts == [SPEC]
    assert start() == first
    assert texts == [SPEC]
    assert kernels.kernel(SPEC).source.spec == SPEC  # made when it is asked for
    assert kernels.kernel(SPEC).library.key == library.load(kernels.kernel(SPEC).source).key
    assert texts == [SPEC, SPEC]


def test_a_text_that_is_no_kernel_s_is_made_once(store):
    """As that of the thread pool."""
    made = []

    def text():
        made.append(True)
        return '__attribute__((visibility("default"))) int answer(void) { return 42; }'

    for _ in range(2):
        kernels.reset()
        assert library.load_c("answer", text, "int answer(void);").function() == 42
    assert len(made) == 1


def test_what_makes_another_text_is_another_recipe(store, texts, monkeypatch):
    start()
    kernels.kernel(SPEC, form="lane")
    assert texts == [SPEC, SPEC]
    monkeypatch.setattr(library, "MAKERS", ("ir",))  # another version
    start()
    assert texts == [SPEC] * 3
    recipes = set()
    for isa in ("x86-64-v2", "x86-64-v3") if platform.machine() == "x86_64" else ("armv8-a", "armv8.2-a"):
        monkeypatch.setenv("BBLAS_GEN_ISA", isa)
        kernels.reset()
        recipes.add(library._recipe(SPEC, {}))
    assert len(recipes) == 2


def test_a_generator_that_changes_meanwhile_is_not_trusted(store, texts, monkeypatch):
    """What a process has read may differ from the files that it now finds."""
    monkeypatch.setattr(library, "STARTED", 0.0)
    start()
    start()
    assert texts == [SPEC, SPEC]
    assert not list(store.root.glob("index/*"))


@pytest.mark.parametrize("damage", [b"", b"\xff", b"0" * 64 + b" " + b"0" * 64 + b"\n"])
def test_a_damaged_index_only_costs_time(store, texts, damage):
    first = start()
    (file,) = store.root.glob("index/*")
    right = file.read_bytes()
    file.write_bytes(damage)
    assert start() == first
    assert texts == [SPEC, SPEC]
    assert file.read_bytes() == right


def test_a_line_of_another_recipe_is_damaged_too(store, texts):
    """Were it believed, the other entry would be opened, and discarded with a warning."""
    first = start()
    (file,) = store.root.glob("index/*")
    other = kernels.kernel(OTHER).library.key
    file.write_bytes(b" ".join([other.encode(), file.read_bytes().split()[1]]) + b"\n")
    assert start() == first
    assert store.lookup(other)


def test_a_damaged_or_foreign_binary_is_not_used(store, texts):
    first = start()
    binary = kernels.kernel(SPEC).library.path
    binary.unlink()  # what is loaded stays whole
    binary.write_bytes(b"no library")
    with pytest.warns(CacheWarning, match="checksum"):
        assert start() == first
    assert texts == [SPEC, SPEC]
    (file,) = store.root.glob("index/*")
    index.note(store.root, file.name, kernels.kernel(OTHER).library.key)
    with pytest.warns(CacheWarning, match="does not load"):
        assert start() == first


def test_an_entry_that_is_gone_is_made_again(store, texts):
    first = start()
    assert store.clear() == 1
    assert not list(store.root.glob("index/*"))
    assert start() == first
    kernels.kernel(OTHER)
    shutil.rmtree(store.root / first[:2] / first)
    index.prune(store.root, [kernels.kernel(OTHER).library.key])
    assert len(list(store.root.glob("index/*"))) == 1


def test_settings_of_the_cache_hold(store, texts, monkeypatch):
    start()
    monkeypatch.setenv("BBLAS_GEN_DISABLE_JIT", "1")
    start()
    monkeypatch.delenv("BBLAS_GEN_DISABLE_JIT")
    monkeypatch.setenv("BBLAS_GEN_FORCE_COMPILE", "1")
    start()
    assert texts == [SPEC, SPEC]


def test_a_version_is_what_files_say(tmp_path):
    def version():
        index.reset()
        return index.digest((tmp_path,), time.time() + 60)

    seen = set()
    (tmp_path / "a.c").write_text("one")
    (tmp_path / "b.c").write_text("two")
    seen.add(version())
    seen.add(version())
    assert len(seen) == 1
    (tmp_path / "a.c").write_text("six")
    seen.add(version())
    (tmp_path / "b.c").rename(tmp_path / "c.c")
    seen.add(version())
    (tmp_path / "d.c").write_text("")
    seen.add(version())
    (tmp_path / "below").mkdir()
    (tmp_path / "d.c").rename(tmp_path / "below" / "d.c")
    seen.add(version())
    assert len(seen) == 5
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc.123").write_text("half written")
    assert version() in seen
    index.reset()
    assert index.digest((tmp_path,), time.time() - 60) == ""
