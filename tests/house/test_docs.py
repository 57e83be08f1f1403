"""The documentation is built without a warning, has every public name, and agrees with the tree."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from support import measured

import bblas_gen
from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.schedule import gpu

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
UNBUILT = shutil.ignore_patterns("*.json", "reference", "_build", "__pycache__")
PRIVATE = re.compile(
    r"\bno number\b|past the caches|gapless|\btold\b|\btells?\b|nobody says|as it stands", re.IGNORECASE
)
"""Words that are ours alone; the glossary has the field's."""


def build(source, target, builder):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", builder, source, target]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from a copy, as the build writes pages beside the others."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "docs", folder / "source", ignore=UNBUILT)
    done = build(folder / "source", folder / "site", "html")
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_every_public_name_is_in_the_reference(site):
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    names = {line.split(" ")[0] for line in zlib.decompress(inventory).decode().splitlines()}
    assert {f"bblas_gen.{name}" for name in bblas_gen.__all__ if name != "__version__"} <= names


def test_every_operation_has_a_page(site):
    for op in LISTED:
        page = (site / "reference" / f"{op.name}.html").read_text()
        text = re.sub(r"<[^>]+>", "", page).replace("&#39;", "'").replace("&#x27;", "'")
        assert op.formula in text
        assert re.search(rf"int bb_d{op.name}_\w*st_\w+\([^;]*int64_t batch_count,\s*int num_threads\);", text)
        assert re.search(rf"int bb_d{op.name}_\w*bi_\w+\([^;]*;", text)
        assert (f"bblas_gen.{op.name}(" in text) == (op.name in bblas_gen.__all__)
        assert f'href="{op.name}.html"' in (site / "reference" / "operations.html").read_text()


def test_every_command_has_its_help(site):
    text = re.sub(r"<[^>]+>", "", (site / "reference" / "commands.html").read_text())
    for command in ("emit", "cache explain", "tune", "bench gemm"):
        assert f"Usage: bblas-gen {command} [OPTIONS]" in text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "text", "complaint"),
    [
        ("layouts.md", "[nowhere](nowhere.md)", "nowhere.md"),
        ("api.rst", ".. autofunction:: bblas_gen.no_such_function", "no_such_function"),
    ],
)
def test_a_page_that_is_wrong_is_refused(page, text, complaint, tmp_path):
    shutil.copytree(ROOT / "docs", tmp_path / "source", ignore=UNBUILT)
    with (tmp_path / "source" / page).open("a") as file:
        file.write(f"\n{text}\n")
    done = build(tmp_path / "source", tmp_path / "site", "dummy")
    assert done.returncode != 0
    assert complaint in done.stderr


def test_sections_of_docstrings_that_numpydoc_lacks_become_headings(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    found = importlib.util.spec_from_file_location("docs_conf", ROOT / "docs" / "conf.py")
    conf = importlib.util.module_from_spec(found)
    found.loader.exec_module(conf)
    lines = ["Sum.", "", "Cost", "----", "n additions", "", "Returns", "-------", "y"]
    conf.headings(None, "function", "f", None, None, lines)
    assert lines == ["Sum.", "", ".. rubric:: Cost", "", "n additions", "", "Returns", "-------", "y"]


@pytest.mark.parametrize(("number", "target"), [(0, "cpu"), (1, "cuda")])
def test_the_c_of_the_documentation_compiles(number, target, tmp_path):
    page = (ROOT / "docs" / "c.md").read_text()
    blocks = re.findall(r"```c\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    (tmp_path / "use.c").write_text(blocks[number])
    specs = sorted(set(re.findall(r"\b(bb_\w+)\(", blocks[number])))
    emit = [sys.executable, "-m", "bblas_gen", "emit", *specs, "--target", target, "-o", tmp_path / "kernels"]
    subprocess.run([*map(str, emit)], check=True, capture_output=True)
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("neither gcc nor clang is installed")
    command = [
        compiler,
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        "-I",
        tmp_path / "kernels" / "include",
        "-I",
        ROOT / "tests" / "support" / "cuda_emulator" / "host",
        tmp_path / "use.c",
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_architecture_names_what_is_there():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    floors = text[text.index("## Floors") : text.index("## Bodies")]
    table = re.findall(r"^\| \d \| (.*?) \|", floors, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", " ".join(table)))
    here = {
        path.stem for path in (ROOT / "bblas_gen").iterdir() if (path / "__init__.py").is_file() or path.suffix == ".py"
    }
    assert named == here - {"__init__", "__main__"}
    templates = {path.name for path in (ROOT / "templates").iterdir() if path.is_dir()}
    assert set(re.findall(r"`templates/(\w+)`", floors)) == templates - {"__pycache__"}


def test_every_measurement_is_described():
    listed = (ROOT / "docs" / "benchmarks" / "README.md").read_text()
    for path in (ROOT / "docs" / "benchmarks").glob("*.json"):
        assert f"`{path.name}`" in listed or ("`*-d-cold.json`" in listed and path.name.endswith("-d-cold.json")), path


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "examples"])
def test_words_are_the_fields(name):
    pages = (
        [ROOT / name] if name.endswith(".md") else [p for p in (ROOT / name).rglob("*.md") if "_build" not in p.parts]
    )
    assert pages
    for page in pages:
        prose = [
            line for line in page.read_text().splitlines() if name != "CONTRIBUTING.md" or not line.startswith("| ")
        ]
        assert not PRIVATE.search("\n".join(prose)), page


def test_what_a_page_says_of_speed_follows_from_what_was_measured():
    assert measured.PAGE.read_text(encoding="utf-8") == measured.page(), "run `pytest --update-golden`"


ROW = re.compile(r"^\| `(\w+)`[^|]*" + 4 * r"\| (\d+) / (\d+) / (\d+) " + r"\|$", re.MULTILINE)


def test_orders_up_to_which_teams_do_matrices_are_those_of_the_schedule():
    """In docs/gpu.md, by precision, for GPUs with 227, 163 and 99 KB of shared memory."""
    rows = ROW.findall((ROOT / "docs" / "gpu.md").read_text())
    assert [name for name, *_ in rows] == ["gemm", "potrf", "gesv"]
    for name, *orders in rows:
        places = [(p, arch) for p in "sdcz" for arch in ("sm_90", "sm_80", "sm_86")]
        for (p, arch), most in zip(places, map(int, orders), strict=True):
            for layout in ("st", "pp", "il", "bi"):
                assert by_teams(name, p, layout, most, arch), (name, p, layout, arch)
                assert not by_teams(name, p, layout, most + 1, arch), (name, p, layout, arch)


def by_teams(name, p, layout, n, arch):
    sizes = {"gemm": {"m": n, "n": n, "k": n}, "potrf": {"n": n}, "gesv": {"n": n, "nrhs": 1}}[name]
    spec = KernelSpec.make(name, p, layout, target="cuda", **sizes)
    return gpu.choose(Program.of(spec), arch).team
