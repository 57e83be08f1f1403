"""The house: who may import whom, what importing does, how large things may be, and style."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.types import mypy

from bblas_gen.codegen import public

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bblas_gen"
FLOORS = [
    {"arguments", "errors", "version"},
    {"ir", "toolchain"},
    {"arrays", "schedule"},
    {"codegen"},
    {"runtime", "library"},
    {"asynchronous", "blas", "interleave", "lapack", "libraries", "linalg", "parcels", "plans", "sequences"},
    {"__init__", "bench"},
    {"cli"},
    {"__main__"},
]
"""Packages and public modules: who is on a floor may import what is on lower ones."""
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
BESIDE = {(x, "sequences") for x in ("asynchronous", "libraries", "parcels", "plans")} | {("asynchronous", "plans")}
BESIDE |= {("linalg", "blas"), ("linalg", "lapack"), ("linalg", "sequences")}
"""Public modules that build on one another."""
ONLY_IN = {
    "jinja2": {"codegen"},
    "click": {"cli", "bench"},
    "matplotlib": {"bench"},
    "platformdirs": {"toolchain", "schedule"},
    "cffi": {"runtime"},
    "numpy": {"arrays", "runtime", "bench", "linalg"}
    | {"asynchronous", "blas", "interleave", "lapack", "plans", "sequences"},
}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def module_of(path):
    return path.relative_to(PACKAGE).with_suffix("").parts


def imports_of(path):
    """Our modules, as tuples of names from the package down, and others' packages that a file imports, anywhere."""
    ours, others = set(), set()
    here = path.relative_to(PACKAGE).parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*here[: len(here) - node.level], *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                full = (*base, alias.name)
                ours.add(full if PACKAGE.joinpath(*full).with_suffix(".py").is_file() else base)
        elif isinstance(node, ast.ImportFrom):
            others.add(node.module.split(".")[0])
        elif isinstance(node, ast.Import):
            others |= {alias.name.split(".")[0] for alias in node.names}
    return ours, others


def climbs(here, ours):
    """The imports that do not go down, from room to room."""
    rooms = {module[0] for module in ours} - {here}
    return {room for room in rooms if FLOOR[room] >= FLOOR[here] and (here, room) not in BESIDE}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_go_down(path):
    ours, others = imports_of(path)
    here = module_of(path)[0]
    assert here in FLOOR, "give the new package a floor"
    assert not climbs(here, ours)
    for package, allowed in ONLY_IN.items():
        assert package not in others or here in allowed, package


def test_no_package_has_a_circle():
    graph = {module_of(path): imports_of(path)[0] for path in SOURCES}
    done = set()

    def visit(module, above):
        assert module not in above, " -> ".join(".".join(m) for m in (*above, module))
        if module not in done:
            for other in graph.get(module, ()):
                if other != module:
                    visit(other, (*above, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_packages_are_rooms():
    """Their ``__init__`` is empty, so that a name has one place, but for what users import; and none is a drawer for
    whatever is left."""
    for folder in {path.parent for path in SOURCES} - {PACKAGE}:
        assert folder.name in ("bench", "linalg") or not (folder / "__init__.py").read_text()
        assert len(list(folder.glob("*.py"))) > 2 or folder.name == "cli"
        assert folder.name not in ("core", "utils", "common", "helpers")


def test_the_floors_test_can_fail(monkeypatch):
    monkeypatch.setattr(Path, "read_text", lambda self: "from ..plans import plan\nimport jinja2\n")
    ours, others = imports_of(PACKAGE / "ir" / "terms.py")
    assert ours == {("plans",)}
    assert climbs("ir", ours) == {"plans"}
    assert others == {"jinja2"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_are_short(path):
    text = path.read_text()
    assert text.count("\n") <= 400 or path.name in public.texts()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            prose = node.body[0].end_lineno - node.body[0].lineno + 1 if ast.get_docstring(node) else 0
            assert node.end_lineno - node.lineno + 1 - prose <= 50, node.name


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.*")), ids=lambda path: path.name)
def test_templates_are_short(path):
    assert path.read_text().count("\n") <= 120


def python(code, **environment):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout


LATER = {"jinja2", "cffi", "click", "platformdirs", "matplotlib", "rich", "threadpoolctl", "scipy"}
LATER |= {
    "asyncio",
    "concurrent",
    "ctypes.util",
    "hashlib",
    "json",
    "multiprocessing",
    "random",
    "shutil",
    "subprocess",
}
LATER |= {"subprocess", "tomllib"}
"""Others' packages that come where they are needed first, and what takes milliseconds of the standard library."""
OURS_LATER = r"bench|cli|library|(codegen|schedule|toolchain)\.(?!names|signature|hand_over|machine)|arrays.device_"
OURS_LATER += r"|runtime\.(device|gpu|cu|dlpack|launches|nvrtc|streaming|library|threads|prebuilt)"
"""How modules begin that come with the first kernel, text, array on a GPU, or command."""


@pytest.mark.parametrize("module", ["bblas_gen", "bblas_gen.linalg"])
def test_importing_loads_what_all_calls_need(module):
    """Counted and named, as time is the machine's. A data class has methods that Python compiles when it is made."""
    loaded, made = python(f"""
import numpy, sys
before, made = set(sys.modules), []
sys.addaudithook(lambda event, found: made.extend(found if event == "exec" else ()))
import {module}
print(*set(sys.modules) - before)
print(sum(code.co_filename.startswith("<") for code in made))
""").splitlines()
    names = set(loaded.split())
    assert not {name for name in names if {name, name.partition(".")[0]} & LATER}
    assert not [name for name in names if re.match(rf"bblas_gen\.({OURS_LATER})", name)]
    assert len(names) <= 95, sorted(names)
    assert int(made) <= 280


def test_importing_touches_no_disk_and_starts_no_process(tmp_path):
    code = """
import sys, numpy
seen = []
def hook(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if writes or event in ("subprocess.Popen", "os.mkdir", "os.rename", "os.remove", "os.fork", "os.posix_spawn"):
        seen.append((event, arguments))
sys.addaudithook(hook)
import bblas_gen
print(seen)
"""
    cache = tmp_path / "cache"
    assert python(code, BBLAS_GEN_CACHE_DIR=str(cache)).strip() == "[]"
    assert not cache.exists()


@pytest.mark.parametrize("command", [["check", "."], ["format", "--check", "."]], ids=" ".join)
def test_style(command):
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types():
    done = mypy()
    assert done.returncode == 0, done.stdout + done.stderr


def test_both_licences_are_there():
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text()
    assert "0BSD" in (ROOT / "LICENSE-EMITTED").read_text()
    assert all("SPDX-License-Identifier: 0BSD" in p.read_text() for p in (ROOT / "generated").glob("*.c*"))
