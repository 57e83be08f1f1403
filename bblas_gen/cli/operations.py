"""``bblas-gen list``: the operations as one table, or all that is known of some."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from ..ir.catalog import LISTED
from ..ir.operation import Operation
from ..ir.terms import FLAGS, PRECISIONS, Layout
from .options import json_option, named_row, sequences_option

HEAD = ("", "sizes", "flags", "formula")


@click.command("list")
@click.argument("names", metavar="[OPERATION]...", nargs=-1)
@sequences_option
@json_option
def list_operations(names: Sequence[str], sequences: list[Operation], as_json: bool) -> None:
    """List all operations with sizes, flags and formula, or say everything about those that are named."""
    rows = [_facts(row) for row in [named_row(name, sequences) for name in names] or sequences or LISTED]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
    elif names or sequences:
        click.echo("\n\n".join(map(_details, rows)))
    else:
        _table(rows)


def _facts(row: Operation) -> dict[str, Any]:
    return {
        "name": row.name,
        "formula": row.formula,
        "operands": ", ".join(f"{x.name} {x.rows} x {x.cols}" for x in row.parameters),
        "sizes": list(row.sizes),
        "flags": {flag: [str(letter) for letter in FLAGS[flag]] for flag in row.flags},
        "precisions": list(PRECISIONS),
        "layouts": [str(x) for x in Layout],
        "forms": list(row.algorithms),
        "source": row.source,
    }


def _table(rows: Sequence[dict[str, Any]]) -> None:
    lines = [HEAD, *((row["name"], " ".join(row["sizes"]), " ".join(row["flags"]), row["formula"]) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    click.echo("\nLetters of flags, layouts, forms and sources: bblas-gen list OPERATION")


def _details(row: dict[str, Any]) -> str:
    lines = [f"{row['name']:<8} {row['formula']}"]
    for name in ("operands", "sizes", "flags", "precisions", "layouts", "forms", "source"):
        value = row[name]
        if isinstance(value, dict):
            value = "; ".join(f"{key}: {' '.join(found)}" for key, found in value.items())
        lines.append(f"         {name:<11} {value if isinstance(value, str) else ' '.join(map(str, value))}")
    return "\n".join(lines)
