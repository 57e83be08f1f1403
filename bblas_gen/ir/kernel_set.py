"""Sets of kernels: a TOML file that names kernels, and has the text of the sequences among them.

A program that records appends to it, so kernels come in tables of their own, and any of them may come twice.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

from ..errors import SpecError
from .sequence import sequence_row
from .sequence_text import sequences_in, text_of
from .spec import KernelSpec

_EXPECTED = 'expected tables [[kernel]] with name = "bb_...", and sequence = "sequence([...])" where it is of one'


def entry(spec: KernelSpec) -> str:
    """The table of a kernel."""
    lines = ["[[kernel]]", f'name = "{spec.symbol()}"']
    if spec.sequence is not None:
        lines.append(f"sequence = {json.dumps(text_of(spec.sequence))}")  # a string of TOML, too
    return "\n".join(lines) + "\n\n"


def specs_in(text: str) -> list[KernelSpec]:
    """The kernels that a set names, each once. Raises SpecError for anything else, with the name of the kernel."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"no set of kernels: {error}") from error
    tables = found.get("kernel", [])
    if found.keys() - {"kernel"} or not isinstance(tables, list):
        raise SpecError(f"no set of kernels: {_EXPECTED}")
    return list(dict.fromkeys(map(_spec, tables)))


def _spec(table: Any) -> KernelSpec:
    named = isinstance(table, dict) and table.keys() <= {"name", "sequence"} and "name" in table
    if not named or not all(isinstance(value, str) for value in table.values()):
        raise SpecError(f"no kernel of a set: {table!r}: {_EXPECTED}")
    rows = [sequence_row(*found) for found in sequences_in(table.get("sequence", ""))]
    return KernelSpec.parse(table["name"], "cpu", rows[0] if rows else None)
