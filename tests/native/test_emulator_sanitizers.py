"""Emulated kernels under the compilers' sanitizers: quiet where nothing is wrong, a line of the text where it is."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support import emulator
from support.emulator import LaunchError, Pointers

TEXT = (Path(__file__).resolve().parents[1] / "programs" / "faults.cu").read_text()
GATHERED = """
extern "C" __global__ void gathered(const double *const *x, double **y, int n, float scale)
{
    if (threadIdx.x < n)
        *y[threadIdx.x] = x[threadIdx.x][1] * scale;
}
"""
NUMBERS = {name: i for i, name in enumerate(sorted(set(re.findall(r"\b[A-Z_]{5,}\b", TEXT)) - {"UNLESS", "WHERE"}), 1)}
WARP = 32
FAULTS = {
    "address": {
        "BEYOND_THE_ARRAY": "heap-buffer-overflow .*:LINE.* in block",
        "INDEX_OUT_OF_BOUNDS": "LINE:.*: runtime error: index .* out of bounds",
        "MISALIGNED": "LINE:.*: runtime error: .* misaligned address",
    },
    "thread": {
        "SECOND_BARRIER_REMOVED": "data race .*in block",
        "SAME_PLACE": "data race .*in block",
        "ONE_PLACE": "data race .*in group",
    },
}


@pytest.fixture(scope="module", params=list(FAULTS))
def module(request):
    if not emulator.works(request.param):
        pytest.skip(f"the {request.param} sanitizer does not work here")
    return emulator.compile(TEXT + GATHERED, ["block", "group", "gathered"], NUMBERS | {"WARP": WARP}, request.param)


def run(module, fault="", shared_bytes=8 * WARP):
    x, y = np.arange(1.0, 1 + WARP), np.zeros(WARP)
    for kernel in ("block", "group"):
        module.launch(kernel, 1, WARP, shared_bytes, x, y, NUMBERS.get(fault, 0), order=5)


def test_nothing_is_wrong_without_a_fault(module):
    run(module)


def test_faults_are_found(module):
    for fault, expected in FAULTS[module.sanitize].items():
        line = TEXT[: re.search(rf"\b{fault}\b", TEXT).start()].count("\n") + 1
        with pytest.raises(LaunchError, match=expected.replace("LINE", str(line))):
            run(module, fault)


def test_too_little_shared_memory_is_found(module):
    with pytest.raises(LaunchError, match="use-after-poison" if module.sanitize == "address" else "dynamic shared"):
        run(module, shared_bytes=8 * WARP - 8)


def test_pointers_are_those_of_the_other_process(module):
    x, y = np.arange(12.0).reshape(4, 3), np.zeros(4)
    module.launch("gathered", 1, 32, 0, Pointers(list(x)), Pointers([y[i:] for i in (3, 2, 1, 0)]), 4, 0.5)
    assert y.tolist() == [5.0, 3.5, 2.0, 0.5]
