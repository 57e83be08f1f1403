"""Texts of kernels for a named vector width, whatever this machine has."""

from __future__ import annotations

from bblas_gen.codegen import render
from bblas_gen.codegen.render import Source
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.schedule.choose import choose


def source(symbol: str, simd_bytes: int = 32, target: str = "cpu", **overrides: object) -> Source:
    spec = KernelSpec.parse(symbol, target)
    return render.source(spec, choose(spec, simd_bytes, **overrides))
