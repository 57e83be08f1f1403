"""The library with which Python does without a compiler: few kernels that do everything, and those of a set by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..ir.catalog import OPS
from ..ir.general import needed
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from ..ir.terms import Precision
from ..toolchain import compilers, machine
from ..toolchain.prebuilt import NAME
from .contents import LEVELS, Level
from .plan import Plan


def plan_for_python(rows: Iterable[Operation], precisions: Sequence[Precision], specs: Iterable[KernelSpec]) -> Plan:
    """The library that does the operations ``rows`` of any size in any layout, and has kernels of their own for
    ``specs``. What copies between layouts is always there. Raises NoCompilerError."""
    everything = needed([*rows, *(row for row in OPS.values() if row.copies)], precisions)
    openmp = not machine.POOLED and compilers.has_openmp(compilers.find_cc())
    kernels = tuple(dict.fromkeys([*specs, *everything]))
    return Plan(NAME, f"{NAME}_", (), kernels, (level_here(),), openmp, python=True)


def level_here() -> Level:
    """The newest instruction set with a name that this processor has, not beyond ``BBLAS_GEN_ISA``."""
    cc = compilers.find_cc()
    known = [x for x in LEVELS if x.simd_bytes <= cc.simd_bytes and {*x.features} <= machine.features()]
    return known[-1] if known and machine.architecture() == "x86_64" else Level("native", cc.simd_bytes)
