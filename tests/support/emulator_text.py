"""From the text of a CUDA file to C++ for the emulator."""

from __future__ import annotations

import re
from collections.abc import Iterable

KERNEL = re.compile(
    r"\b__global__\b[^;{}()]*?"
    r"(?:\b__launch_bounds__\s*\((?P<threads>[^(),]+)[^()]*\)\s*)?"
    r"\b(?P<name>\w+)\s*\((?=[^;{}]*\{)"
)
_BEFORE_A_GAP = (
    r"\1struct { \2 array\4; unsigned char gap[EMU_GAP]; } emu_\3; emu_gap(emu_\3.gap); auto &\3 = emu_\3.array;"
)
"""An array of shared memory in a function, and behind it what is nobody's."""


def in_cxx(text: str, names: Iterable[str] | None) -> str:
    """The text with the lines on arrays of shared memory written differently, and the table of its kernels."""
    aligned = r"(?:__align__|alignas)\s*\([^()]*\)"
    shared = rf"extern\s+(?:{aligned}\s*)?__shared__\s+(?:{aligned}\s*)?([\w\s]+?)\s*\b(\w+)\s*\[\s*\]\s*;"
    text = re.sub(shared, r"\1 *const \2 = (\1 *)(void *)emu_dynamic_shared;", text)
    own = rf"^([ \t]+__shared__\s+(?:{aligned}\s*)?)([\w \t]+?)\s*\b(\w+)((?:\[[^\]\n]+\])+);"
    text = re.sub(own, _BEFORE_A_GAP, text, flags=re.MULTILINE)
    bounds = {found["name"]: found["threads"] or 0 for found in KERNEL.finditer(text)}
    entries = [f"EMU_KERNEL({name}, {bounds.get(name, 0)})" for name in (bounds if names is None else names)]
    return f"{text}\nEMU_KERNELS({' '.join(entries)})\n"
