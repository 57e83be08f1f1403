"""The committed golden sources are what the generator makes today, and strict C."""

from __future__ import annotations

import shutil
import subprocess

import golden
import pytest

from bblas_gen.toolchain.compilers import find_cc

TEXTS = {text.filename: text.text for text, _ in golden.sources()}
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", "-o", "/dev/null"]


def test_nothing_is_missing_or_left_over():
    assert {path.name for path in golden.FOLDER.iterdir()} == {*TEXTS, "MANIFEST"}
    assert (golden.FOLDER / "MANIFEST").read_text() == golden.manifest()


@pytest.mark.parametrize("name", TEXTS)
def test_rendered_anew_they_are_the_same(name):
    assert (golden.FOLDER / name).read_text() == TEXTS[name], "run `python tests/golden.py` and look at the difference"


@pytest.mark.parametrize("options", [["-O0"], ["-O2"], ["-O3", "-fopenmp"], ["-O2", "-fopenmp", "-march=native"]])
@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith(".c")])
@pytest.mark.parametrize("compiler", [find_cc().path, *filter(None, [shutil.which("clang")])])
def test_strict_compilers_say_nothing(compiler, name, options):
    if "clang" in compiler:  # its OpenMP runtime is a package of its own
        options = [option for option in options if option != "-fopenmp"]
    command = [compiler, *STRICT, *options, str(golden.FOLDER / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
