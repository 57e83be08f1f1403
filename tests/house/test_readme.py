"""What the Markdown of the project says holds: its programs and commands run, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from support.forks import Forks
from support.kernels import optimized, quick

import bblas_gen
from bblas_gen.bench import fusion, pages
from bblas_gen.cli.main import main
from bblas_gen.ir.catalog import OPS
from bblas_gen.schedule import tuned

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
BUILT = {"reference", "_build"}
MARKDOWN = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")))
    if not BUILT & set(path.relative_to(ROOT).parts)
}
README = MARKDOWN["README.md"]
SETUP = re.search(r"<!-- setup -->(.*)<!-- end setup -->", README, re.DOTALL)[1]
FENCED = [
    (name, language, text)
    for name, page in MARKDOWN.items()
    for language, text in re.findall(r"^```([\w{}]*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
]
PROGRAMS = [pytest.param(text, id=f"{name}-{i}") for i, (name, is_in, text) in enumerate(FENCED) if is_in == "python"]
LINES = [
    (name, line.split("#")[0].strip())
    for name, language, text in FENCED
    if language == "sh"
    for line in text.splitlines()
]
LONG = tuple(f"bblas-gen bench {x}" for x in ("report", "posv", "threads", "sequences"))
"""What test_report and test_bench run, too."""
COMMANDS = sorted({line for _, line in LINES if line.startswith("bblas-gen ")})
INLINE = sorted({line for page in MARKDOWN.values() for line in re.findall(r"`(bblas-gen [^`]+)`", page)})
TESTED = {
    "python": "block",
    "py": "test_device",
    "sh": "commands",
    "c": "test_docs, test_library",
    "text": "",
    "diff": "",
    "{toctree}": "test_docs",
}
"""The languages of blocks, and what tests them; "" for pictures and differences."""
OTHER_TOOLS = {
    *("python examples/", "python3 -m venv", "make -C examples/"),
    *("BBLAS_GEN_ISA=", "pip install", "pre-commit install", "pytest", "git diff", "make NVCC=", "cmake -B build"),
    "PYTHONPATH=tests python -m mutation.run ",
    "PYTHONPATH=tests python -m pytest -p support.accelerated ",
}
"""How lines begin that are not ours: those on examples are run in test_examples, mutants in test_mutants, parcels for
GPUs in gpu/test_emit."""


@pytest.fixture(scope="module")
def forks():
    with closing(Forks()) as some:
        yield some


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program, forks):
    done = forks.run(program)
    assert done.returncode == 0, done.stderr


def test_a_program_that_fails_is_seen(forks):
    """Programs know nothing of each other."""
    assert forks.run("x = 1\nprint(x)").stdout == "1\n"
    done = forks.run("print(x)")
    assert done.returncode == 1
    assert "NameError" in done.stderr
    assert forks.run("import os\nos.abort()").returncode == -6


def test_the_first_program_is_short_and_right():
    first = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    assert len([line for line in first.splitlines() if line.strip()]) <= 11
    done = subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1e-13


def test_every_block_is_of_a_language_that_is_tested():
    assert {language for _, language, _ in FENCED} <= TESTED.keys()
    assert sum(page.count("\n```") for page in MARKDOWN.values()) == 2 * len(FENCED)


def test_there_are_two_set_up_commands():
    lines = re.findall(r"^    (.+)$", SETUP, re.MULTILINE)
    assert len(lines) == 2
    assert "pip install ." in lines[0]
    assert "demo" in lines[0]
    assert "pip install -e '.[test]'" in lines[1]
    assert lines[1].endswith("pytest")
    assert "README.md" in (ROOT / ".ci" / "run").read_text()


def silent_nvcc(folder):
    path = folder / "nvcc"
    path.write_text("#!/bin/sh\necho 'tools, release 0.0'\ntest $# = 1 || cp kernel.cu kernel.cubin\n")
    path.chmod(0o755)
    return path


@pytest.mark.native
@pytest.mark.parametrize(
    "command_line", [pytest.param(x, marks=[pytest.mark.thorough] if x.startswith(LONG) else []) for x in COMMANDS]
)
def test_commands_run(command_line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(pages, "QUICK", ((2,), 20, 2))
    monkeypatch.setattr(fusion, "SIZES", (2,))
    tuned.reset()
    words = shlex.split(command_line)[1:]
    if "--sizes" in words:  # their kernels are those of other tests
        words[words.index("--sizes") + 1] = "2"
    if words[:2] == ["bench", "gemm"] or words[0] == "tune":
        words += ["--batch", "20", "--repetitions", "2"]
    if words[0] == "tune":
        words += ["--most", "3"]
    if words[0] == "build":  # of one small operation, for this machine or a compiler that does nothing
        gpus = "--target" in words
        words += ["--ops", "potrf", "--layouts", "pp", *(["-o", "cubins"] if gpus else ["--isa", "native"])]
        if gpus:
            monkeypatch.setenv("BBLAS_GEN_NVCC", str(silent_nvcc(tmp_path)))
    if words[0] == "prebuild":  # for no other test
        words += ["--ops", "scal", "-o", "prebuilt"]
    with optimized(quick()):
        done = CliRunner().invoke(main, words)
    tuned.reset()
    assert done.exit_code == 0, done.output
    assert done.output


def test_there_are_commands():
    assert len(COMMANDS) >= 12
    assert len(INLINE) >= 6


def test_lines_for_a_shell_are_known():
    for name, line in LINES:
        known = line in COMMANDS or any(line.startswith(start) for start in OTHER_TOOLS)
        assert known, f"{name}: nothing tests {line!r}"
        for path in re.findall(r"\b(?:examples|docs)/\S+", line):
            assert (ROOT / path).exists() or path.endswith("/solve"), f"{name}: {path}"


@pytest.mark.parametrize("command_line", INLINE)
def test_commands_in_sentences_exist(command_line):
    """They are long measurements or need a file, so only their names and options are tried."""
    command, context = main, click.Context(main)
    for word in shlex.split(command_line)[1:]:
        if isinstance(command, click.Group) and not word.startswith("-"):
            command = command.get_command(context, word)
            assert command, f"{word} is no command"
        elif word.startswith("-") and word != "-":
            assert word in {option for x in command.params for option in x.opts}


@pytest.mark.parametrize("name", MARKDOWN)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", MARKDOWN[name]):
        path, _, anchor = target.partition("#")
        if target.startswith("http"):
            continue
        assert (ROOT / name).parent.joinpath(path).exists(), target
        if anchor:
            page = (ROOT / name).parent.joinpath(path).read_text() if path else MARKDOWN[name]
            headings = {re.sub(r"\W+", "-", x.lower()) for x in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
            assert anchor in headings, target


def test_functions_that_the_readme_names_are_there():
    table = re.search(r"## Functions\n(.*?)\n\* ", README, re.DOTALL)[1]
    named = set(re.findall(r"`(\w+)`", table)) - {"side", "uplo", "trans", "diag"}
    assert len(named) > 20
    assert named <= set(bblas_gen.__all__) & OPS.keys()


def test_every_setting_is_documented():
    code = "".join(path.read_text() for path in (ROOT / "bblas_gen").rglob("*.py"))
    used = set(re.findall(r"BBLAS_GEN_[A-Z]+(?:_[A-Z]+)*", code))
    assert len(used) > 8
    assert used == set(re.findall(r"BBLAS_GEN_[A-Z]+(?:_[A-Z]+)*", README))


def test_no_path_of_one_machine_is_in_the_tree():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in listed:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".rst", ".c", ".cu", ".toml", ".json", ".h", ".svg"} and path.is_file():
            assert not re.search(r"/(ro)ot/|/(wor)k/|/(ho)me/", path.read_text()), name
