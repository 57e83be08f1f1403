"""The campaign of ``support.fuzz`` on every instruction set that this machine runs, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CASES = 8
"""For each instruction set, other ones for each."""
FEATURE = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
"""What Linux says of a processor that has a level."""
TESTS = Path(__file__).resolve().parents[1]


def levels():
    """The instruction sets to try: that which is asked for, or all that there are."""
    if isa := os.environ.get("BBLAS_GEN_ISA"):
        return [isa]
    info = Path("/proc/cpuinfo")
    features = info.read_text().split() if info.exists() else []
    return [isa for isa, feature in FEATURE.items() if feature in features] or ["native"]


@pytest.mark.parametrize("isa", levels())
def test_random_calls(isa, pytestconfig):
    minutes, first = pytestconfig.getoption("--fuzz-minutes"), pytestconfig.getoption("--fuzz-first")
    first += 10**6 * levels().index(isa)
    length = ["--seconds", str(60 * minutes / len(levels()))] if minutes else ["--cases", str(CASES)]
    if not (minutes or pytestconfig.getoption("--as-shipped")):
        length += ["--quick"]
    command = [sys.executable, "-m", "support.fuzz", "--first", str(first), *length]
    environment = os.environ | {"BBLAS_GEN_ISA": isa}
    done = subprocess.run(command, cwd=TESTS, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"BBLAS_GEN_ISA={isa}, the last of:\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
    assert " 0 failures" in done.stdout
