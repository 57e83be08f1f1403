"""Every family of CUDA kernels against the oracles, on a GPU: ``pytest --gpu``. A few are rehearsed, emulated.

T: a thread does a matrix in its registers; T-sm: in shared memory; W, B: a part of a warp, or a block, does one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import contract
from support.cases import Case, run
from support.devices import Copy, OnDevice
from support.families import BLOCKS, everything

from bblas_gen.runtime.device_storage import DeviceStorage
from bblas_gen.runtime.gpu import gpu
from bblas_gen.runtime.launches import done

ROOT = Path(__file__).resolve().parents[2]
N = {"transa": "N", "transb": "N"}
REHEARSED = [
    Case("gemm", "float64", {"m": 3, "n": 2, "k": 4}, 33, N, {"alpha": 0.5, "beta": -1.5}, ("bi", "il", "bi")),
    Case("gemm", "complex128", {"m": 2, "n": 3, "k": 1}, 33, N, {"alpha": -0.5 + 1j, "beta": 0}, ("ld", "st", "pp")),
    Case("gesv", "float32", {"n": 3, "nrhs": 1}, 127, {}, {}, ("st",)),
]
"""Of each kind of operand one: interleaved, strided, lists, indices, reports."""


def cases() -> list[Any]:
    """With the GPU that each is for."""
    emulated = [pytest.param("emulated", case, id=f"emulated-{name(case)}") for case in [*REHEARSED, *BLOCKS]]
    every = [*everything(), *BLOCKS]
    gpu = [pytest.param("gpu", case, id=f"gpu-{name(case)}", marks=pytest.mark.gpu) for case in every]
    return emulated + gpu


def name(case: Case) -> str:
    return f"{case.op}-{case.dtype}-{case.layouts[0]}-{max(case.sizes.values())}"


@pytest.mark.parametrize(("device", "case"), cases(), indirect=["device"])
def test_a_kernel_keeps_to_the_contract(device, case):
    contract.check(case, OnDevice())


@pytest.mark.parametrize("n", [4])
def test_matrices_that_fail_are_reported_alone(device, n):
    case = Case("posv", "float64", {"n": n, "nrhs": 2}, 37, {"uplo": "L"})
    operands = case.make()
    operands["A"][[5, 36], 2, 2] = -1e3
    found = run(case, operands, choice=OnDevice())
    np.testing.assert_array_equal(np.flatnonzero(found.info), [5, 36])
    np.testing.assert_array_equal(found.after["B"][[5, 36]], operands["B"][[5, 36]])


def test_without_a_gpu_nothing_is_no_success():
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}  # not of a worker
    nowhere = own | {"CUDA_VISIBLE_DEVICES": "-1"}
    command = [sys.executable, "-m", "pytest", "--gpu", "-n0", "--collect-only", __file__]
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--gpu: arrays on a GPU cannot be worked on: " in done.stderr


def test_a_write_beside_an_operand_is_seen(device):
    from cuda.bindings import driver  # here: it is an extra

    for place in (-1, 40):
        copy = Copy.of(np.zeros(40, np.uint8))
        other = DeviceStorage.of(gpu(0), np.zeros(1, np.uint8))
        done(driver.cuMemcpyDtoD(copy.place + place, int(other.__cuda_array_interface__["data"][0]), 1))
        with pytest.raises(AssertionError):
            copy.back()
