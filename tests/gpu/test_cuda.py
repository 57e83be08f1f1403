"""The second target: the same bodies as CUDA, compiled for sm_90 where nvcc is found. They are not run here."""

from __future__ import annotations

import subprocess

import pytest
from support.cuda import SYMBOLS, text

from bblas_gen.toolchain.cuda import find_nvcc


@pytest.mark.skipif(find_nvcc() is None, reason="no nvcc on this machine")
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_nvcc_compiles_it_without_spills(symbol, tmp_path):
    (tmp_path / f"{symbol}.cu").write_text(text(symbol).text)
    strict = ["-Xptxas", "-warn-spills,-warn-lmem-usage", "-Werror", "all-warnings"]
    command = [find_nvcc().path, "-arch=sm_90", "-cubin", "-o", "out.cubin", *strict, f"{symbol}.cu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.cubin").stat().st_size > 0
