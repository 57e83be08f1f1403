"""The memory that parts of a divided problem work in, where a caller gives all of it: how its bytes are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.spec import KernelSpec
from .signature import signature_of

OWN = ("gemm", "symm", "syrk", "syr2k", "trmm", "trsm", "trilu")
"""What works in memory where it is done at once. Each has a template that says how many bytes."""


def bytes_template(template: str) -> str:
    """That of what is done at once by ``template``; "" where it needs no memory."""
    return f"op/{template}.bytes.c" if template in OWN else ""


def asked(spec: KernelSpec, sizes: Sequence[str]) -> str:
    """The arguments of a kernel that is asked how much memory it works in."""
    return ", ".join([*sizes, *["0"] * (len(signature_of(spec).parameters) - len(sizes)), "NULL"])
