"""The pages that are written from tables: one for each operation, and one for the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

import bblas_gen
from bblas_gen.cli.main import main
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.catalog import LISTED
from bblas_gen.ir.operation import Operation
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.terms import FLAGS

SIZE = 8
"""All sizes of the kernels whose prototypes are shown."""
OPERATIONS = """\
Operations
==========

One page for each row of the table of operations. Sizes and flags are arguments of :func:`bblas_gen.compile` and parts
of a kernel's name.

"""
ONLY_A_STEP = "Not a function of its own: a step of other operations and of :func:`bblas_gen.sequence`.\n\n"
COMMANDS = """\
Command line
============

"""


def write(folder: Path) -> None:
    """Write all pages into ``folder``, and remove those of operations that are no more."""
    folder.mkdir(exist_ok=True)
    texts = {f"{op.name}.rst": page(op) for op in LISTED}
    texts["operations.rst"] = OPERATIONS + overview() + contents([op.name for op in LISTED])
    texts["commands.rst"] = COMMANDS + "\n".join(commands(main, "bblas-gen"))
    for old in folder.iterdir():
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # what is as it was is not built again
            path.write_text(text, encoding="utf-8")


def overview() -> str:
    head = ("Operation", "Formula", "Source")
    return table([head, *((f":doc:`{op.name}`", f"``{op.formula}``", op.source) for op in LISTED)], header=1)


def page(op: Operation) -> str:
    """What the table says of an operation, its function, and the C prototypes of two kernels."""
    flags = [f"``{flag}`` ({', '.join(str(letter) for letter in FLAGS[flag])})" for flag in op.flags]
    facts = [
        ("Formula", f"``{op.formula}``"),
        ("Sizes", ", ".join(f"``{size}``" for size in op.sizes)),
        ("Flags", ", ".join(flags) or "none"),
        ("Source", op.source),
    ]
    public = op.name in bblas_gen.__all__
    text = f"{op.name}\n{'=' * len(op.name)}\n\n{table(facts)}"
    text += f".. autofunction:: bblas_gen.{op.name}\n\n" if public else ONLY_A_STEP
    text += f"C prototypes\n------------\n\nDouble precision, every size {SIZE}, strided and block-interleaved:\n\n"
    return text + ".. code-block:: c\n\n" + "".join(f"    {line}\n" for line in prototypes(op))


def prototypes(op: Operation) -> Iterator[str]:
    for layout in ("st", "bi"):
        spec = KernelSpec.make(op.name, "d", layout, **dict.fromkeys(op.sizes, SIZE))
        head, arguments = signature_of(spec).declaration.split("(", 1)
        yield head + "("
        for argument in arguments.split(", "):
            yield "    " + argument + ("" if argument.endswith(";") else ",")


def commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[str]:
    """The help of a command, then that of the commands inside it."""
    context = click.Context(command, info_name=name.split()[-1], parent=parent, max_content_width=100)
    yield from (f"``{name}``", "-" * (len(name) + 4), "", "::", "")
    yield from (f"    {line}" for line in command.get_help(context).splitlines())
    yield ""
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from commands(found, f"{name} {inner}", context)


def table(rows: list[tuple[str, ...]], header: int = 0) -> str:
    lines = [".. list-table::", "   :widths: auto", f"   :header-rows: {header}", ""]
    for row in rows:
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n\n"


def contents(names: list[str]) -> str:
    return ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)
