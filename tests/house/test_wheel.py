"""The wheel carries its templates and works from anywhere; so does the source distribution's content."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
JIT = """
import sys, numpy as np, bblas_gen, bblas_gen.codegen.render
a = np.arange(50.0).reshape(2, 5, 5)
assert np.allclose(bblas_gen.gemm(a, a), a @ a)
x = bblas_gen.interleave(a)
assert np.allclose(bblas_gen.gemm(x, x).deinterleave(), a @ a)
print(bblas_gen.__file__, bblas_gen.codegen.render.template_folder())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the tree, as a build leaves folders behind."""
    work = tmp_path_factory.mktemp("wheel")
    ignore = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, work / "tree", ignore=ignore)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(work / "dist"), str(work / "tree")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next((work / "dist").glob("*.whl"))


def test_the_wheel_has_what_it_needs_and_no_more(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"bblas_gen/templates/{p.relative_to(ROOT / 'templates')}" for p in (ROOT / "templates").rglob("*.*")}
    assert templates <= names
    assert "bblas_gen/py.typed" in names
    assert "bblas_gen/bench/command.py" in names
    assert not [name for name in names if name.startswith(("tests", "generated", "templates", "docs", "examples"))]
    assert not [name for name in names if name.endswith((".json", ".svg"))], "measurements are no part of the package"
    assert any(name.endswith("licenses/LICENSE-EMITTED") for name in names)


@pytest.mark.native
def test_a_library_is_built_into_the_package_where_that_is_asked_for(wheel, tmp_path):
    """Of one operation."""
    tree = wheel.parents[1] / "tree"
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(tree)]
    environment = os.environ | {"BBLAS_GEN_PREBUILD": "--ops axpy --dtypes d"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = tmp_path.glob("*.whl")
    assert not path.name.endswith("-any.whl")
    zipfile.ZipFile(path).extractall(site := tmp_path / "site")
    for found in (site / "bblas_gen" / "prebuilt").rglob("*"):
        found.chmod(found.stat().st_mode & ~0o022)  # as the umask of most
    code = "import bblas_gen as b, numpy as n; print(b.axpy(n.ones((9, 4)), n.zeros((9, 4)), alpha=2.0).sum())"
    environment = {"PATH": "", "PYTHONPATH": str(site), "BBLAS_GEN_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("72.0\n", "")


@pytest.mark.native
def test_installed_elsewhere_it_compiles_and_runs(wheel, tmp_path):
    site = tmp_path / "site"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
    ]
    subprocess.run(command, check=True)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "templates" / "frame").mkdir(parents=True)
    (elsewhere / "templates" / "frame" / "cpu.c").write_text("#error templates of the current directory are not ours\n")
    environment = os.environ | {"PYTHONPATH": str(site), "BBLAS_GEN_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", JIT]
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    package, templates = done.stdout.split()
    assert package.startswith(str(site))
    assert templates.startswith(str(site))
