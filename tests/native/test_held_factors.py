"""CUDA kernels that hold a triangular factor in registers while columns come one after another, emulated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import contract
from support.cases import Case
from support.emulated_calls import Emulated
from support.emulator import Device

from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.runtime.kernels import Kernel
from bblas_gen.schedule import gpu


class Held(Emulated):
    """Kernels that hold their factor."""

    def __call__(self, spec: KernelSpec) -> Kernel:
        schedule = gpu.choose(Program.of(replace(spec, target="cuda")))
        assert (schedule.lanes, schedule.tiles[0].held, schedule.tiles[0].cols) == (1, True, 1)
        return super().__call__(spec)


def flags(side: str, uplo: str, transa: str, diag: str) -> dict[str, str]:
    return {"side": side, "uplo": uplo, "transa": transa, "diag": diag}


CASES = [
    Case("trsm", "float64", {"m": 12, "n": 11}, 9, flags("R", "U", "N", "N"), {"alpha": -0.5}, ("bi",)),
    Case("trmm", "float64", {"m": 7, "n": 9}, 17, flags("L", "L", "N", "N"), {"alpha": 2}, ("il",)),
]
MORE = [
    Case("trmm", "float64", {"m": 11, "n": 13}, 17, flags("L", "L", "N", "N"), {"alpha": 2}, ("bi",)),
    Case("trsm", "float64", {"m": 9, "n": 13}, 9, flags("R", "U", "T", "U"), {"alpha": -0.5}, ("il",)),
    Case("trsm", "complex64", {"m": 10, "n": 9}, 33, flags("L", "U", "C", "N"), {"alpha": 0.5 - 1j}, ("il",)),
    Case("trmm", "complex128", {"m": 8, "n": 8}, 9, flags("R", "L", "N", "U"), {"alpha": 1}, ("il",)),
    Case("trsm", "float64", {"m": 14, "n": 14}, 130, flags("L", "U", "N", "U"), {"alpha": 1}, ("bi",)),
    Case("trsm", "float32", {"m": 20, "n": 20}, 9, flags("L", "L", "T", "N"), {"alpha": 2}, ("bi",)),
    Case("trsm", "complex128", {"m": 9, "n": 7}, 33, flags("R", "U", "C", "N"), {"alpha": 0.5 - 1j}, ("bi",)),
    Case("trsm", "float64", {"m": 11, "n": 12}, 9, flags("L", "L", "N", "N"), {"alpha": 0}, ("bi",)),
    Case("trmm", "complex64", {"m": 14, "n": 13}, 9, flags("R", "L", "C", "U"), {"alpha": 1j}, ("bi",)),
    Case("trmm", "complex128", {"m": 8, "n": 30}, 9, flags("L", "U", "T", "N"), {"alpha": 1}, ("bi",)),
]


@pytest.mark.parametrize(
    "case",
    [*CASES, *(pytest.param(x, marks=pytest.mark.thorough) for x in MORE)],
    ids=lambda x: f"{x.op}-{x.dtype}-{x.sizes}",
)
def test_a_held_factor_and_each_column_are_moved_once(case: Case) -> None:
    """Whatever caches there are: nothing is asked for twice."""
    choice = Held("checks", trace=Device())
    contract.check(case, choice)
    assert choice.traffic.asked_bytes <= 1.05 * choice.traffic.needed_bytes
    choice.check_traffic()
