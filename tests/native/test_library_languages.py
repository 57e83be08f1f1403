"""A library built ahead of time for programs in C++ and Fortran."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from support.c_library import NAME, PROGRAMS, run_program


def test_a_program_in_cpp(c_library, tmp_path):
    assert run_program("overloads.cpp", c_library, tmp_path, "c++").stdout == "done\n"


def test_a_program_in_fortran(c_library, tmp_path):
    if not (compiler := shutil.which("gfortran")):
        pytest.skip("gfortran is not installed")
    sources = [c_library / "include" / f"{NAME}.f90", PROGRAMS / "bindings.f90"]
    flags = ["-std=f2008", "-Wall", "-Werror", f"-L{c_library}/lib", f"-l{NAME}", f"-Wl,-rpath,{c_library}/lib"]
    subprocess.run([compiler, *sources, *flags, "-o", "program"], check=True, cwd=tmp_path)
    assert subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True).stdout == "done\n"
