"""What the README says runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bblas_gen.bench import command as bench
from bblas_gen.cli.main import main
from bblas_gen.schedule import tuned
from bblas_gen.toolchain import cache, compilers

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
SETUP = re.search(r"<!-- setup -->(.*)<!-- end setup -->", README, re.DOTALL)[1]
COMMANDS = re.findall(r"^    (bblas-gen [^#\n]*)", README.replace(SETUP, ""), re.MULTILINE)


@pytest.mark.native
def test_the_examples_run():
    first, *others = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in first.splitlines() if line.strip()]) <= 11
    done = subprocess.run([sys.executable, "-c", first], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1e-13
    for example in others:
        subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=True)


def test_there_are_two_set_up_commands():
    lines = re.findall(r"^    (.+)$", SETUP, re.MULTILINE)
    assert len(lines) == 2
    assert "pip install ." in lines[0]
    assert "demo" in lines[0]
    assert "pip install -e '.[test]'" in lines[1]
    assert lines[1].endswith("pytest")
    assert "README.md" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.native
@pytest.mark.parametrize("command_line", COMMANDS)
def test_commands_run(command_line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BBLAS_GEN_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(bench, "QUICK", ((2,), 20, 2))
    tuned.reset()
    words = shlex.split(command_line)[1:]
    if words[:2] == ["bench", "gemm"] or words[0] == "tune":
        words += ["--batch", "20", "--repetitions", "2"]
    done = CliRunner().invoke(main, words)
    tuned.reset()
    assert done.exit_code == 0, done.output
    assert done.output


def test_there_are_commands():
    assert len(COMMANDS) >= 6


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (ROOT / target).exists(), target


def test_every_setting_is_documented():
    code = "".join(Path(module.__file__).read_text() for module in (cache, compilers, tuned))
    used = set(re.findall(r"BBLAS_GEN_[A-Z_]+", code))
    assert used == set(re.findall(r"BBLAS_GEN_[A-Z_]+", README))


def test_no_path_of_one_machine_is_in_the_tree():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in listed:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".c", ".cu", ".toml", ".json", ".h", ".svg"} and path.is_file():
            assert not re.search(r"/(ro)ot/|/(wor)k/|/(ho)me/", path.read_text()), name
