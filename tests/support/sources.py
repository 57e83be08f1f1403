"""Texts of kernels for a named vector width, whatever this machine has."""

from __future__ import annotations

from bblas_gen.codegen.render import Source, source_of
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa


def source(symbol: str, simd_bytes: int = 32, target: str = "cpu", **overrides: object) -> Source:
    return source_of(KernelSpec.parse(symbol, target), Isa.of(simd_bytes), **overrides)
