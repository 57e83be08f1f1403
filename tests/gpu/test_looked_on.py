"""Calls on a GPU while compute-sanitizer looks on: memory that belongs to nobody, races in shared memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import emulator

from bblas_gen.toolchain.cuda import DEFAULT_NVCC

PROGRAM = Path(__file__).resolve().parents[1] / "programs" / "gpu_calls.py"
SIZES = {"emulated": ["3"], "gpu": ["4", "8", "18", "34"]}
SANITIZER = shutil.which("compute-sanitizer") or shutil.which(str(Path(DEFAULT_NVCC).with_name("compute-sanitizer")))


@pytest.mark.parametrize(
    ("device", "tool"),
    [
        pytest.param("emulated", "", id="rehearsed"),
        pytest.param("gpu", "memcheck", marks=pytest.mark.gpu),
        pytest.param("gpu", "racecheck", marks=pytest.mark.gpu),
    ],
    indirect=["device"],
)
def test_nothing_is_found(device, tool):
    """Rehearsed without the tool."""
    command, environment = [sys.executable, PROGRAM, *SIZES[device]], dict(os.environ)
    if device == "gpu":
        if SANITIZER is None:
            pytest.skip("compute-sanitizer is not found: it comes with the CUDA toolkit")
        command = [SANITIZER, "--tool", tool, "--error-exitcode", "9", *command]
    else:
        environment["LD_LIBRARY_PATH"] = str(emulator.driver().parent)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "right" in done.stdout
