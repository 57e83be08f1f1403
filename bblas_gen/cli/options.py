"""How the command line names kernels: SPEC arguments, or options that describe one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from itertools import product
from pathlib import Path
from typing import Any

import click

from ..codegen.render import Source, source_of
from ..errors import NoCompilerError, SpecError
from ..ir.kernel_set import specs_in
from ..ir.operation import Operation
from ..ir.sequence import sequence_row
from ..ir.sequence_text import sequences_in
from ..ir.spec import KernelSpec, operation
from ..ir.targets import TARGETS
from ..ir.terms import Strides
from ..parcels import DEFAULT_ISA
from ..runtime import library

_SIZES = (
    "A size, such as m=8. m=2,4 or m=1..8: several kernels, each size with each of the others. m=m: a parameter of the"
    " kernel at run time."
)
_STRIDES = (
    "ld: leading dimensions are arguments; rs: row and column strides are; rm: row-major; rmld: row-major with leading"
    " dimensions. Default: column-major, no gaps."
)
MOST = 10_000
"""Kernels that one command line may name."""


def json_option(function: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def _file_option(names: Sequence[str], parse: Callable[[str], list[Any]], about: str) -> Callable[[Any], Any]:
    """An option that names a file; the command gets what ``parse`` finds in it, an empty list without one."""

    def parsed(_context: click.Context, _option: click.Parameter, path: Path | None) -> list[Any]:
        try:
            return parse(path.read_text(encoding="utf-8")) if path else []
        except (SpecError, UnicodeDecodeError) as error:
            raise click.UsageError(f"{path}: {error}") from error

    kind = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option(*names, type=kind, callback=parsed, help=about)


def _rows_in(text: str) -> list[Operation]:
    """The rows of the sequences in a file."""
    rows = [sequence_row(*found) for found in sequences_in(text)]
    names = [row.name for row in rows]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SpecError(f"two sequences have the name {twice!r}: expected others, by name=")
    return rows


sequences_option = _file_option(
    ["--sequences"], _rows_in, "A file of sequences, as they print; names may be theirs then."
)
"""The command gets the list of rows `sequences`."""
set_option = _file_option(["--set", "kernel_set"], specs_in, "A file of kernels, as BBLAS_GEN_RECORD writes it.")
"""The command gets the list of specs `kernel_set`."""


def _parsed(symbol: str, target: str, sequences: Sequence[Operation]) -> KernelSpec:
    row = next((row for row in sequences if f"{row.symbol}_" in symbol), None)
    return KernelSpec.parse(symbol, target, row)


def _row(op: str | None, sequences: Sequence[Operation]) -> Operation:
    """The row that --op names; without it the only sequence, or GEMM where there is none."""
    if op is None and len(sequences) > 1:
        raise click.UsageError(f"no --op: expected one of {', '.join(row.name for row in sequences)}")
    return named_row(op or "gemm", sequences) if op or not sequences else sequences[0]


def named_row(name: str, sequences: Sequence[Operation]) -> Operation:
    return next((row for row in sequences if row.name == name), None) or operation(name)


_DESCRIBING: list[Callable[[Callable[..., None]], Callable[..., None]]] = [
    click.argument("specs", metavar="[SPEC]...", nargs=-1),
    click.option(
        "--op", metavar="NAME", help="An operation of `bblas-gen list`. Default: gemm, or the one of --sequences."
    ),
    sequences_option,
    set_option,
    click.option("--dtype", default="d", show_default=True, help="s, d, c, z or a NumPy name."),
    click.option(
        "--layout",
        multiple=True,
        default=["st"],
        help="st, pp, bi, il, bl or bu: once for all operands, or once for each.  [default: st]",
    ),
    click.option("-s", "--size", "sizes", multiple=True, metavar="NAME=VALUE", help=_SIZES),
    click.option("-f", "--flag", "flags", multiple=True, metavar="NAME=LETTER", help="A flag, such as transa=T."),
    click.option("--nb", type=int, help="Block size of layout bi."),
    click.option("--strides", type=click.Choice([str(s) for s in Strides]), default="", metavar="NAME", help=_STRIDES),
    click.option("--target", type=click.Choice(list(TARGETS)), default="cpu", show_default=True),
]
"""What describes kernels on a command line."""


def spec_options(function: Callable[..., None]) -> Callable[..., None]:
    """SPEC arguments, or the flags that describe one; the command gets the list `specs`."""

    def described(
        specs: Sequence[str],
        op: str | None,
        sequences: Sequence[Operation],
        dtype: str,
        layout: Sequence[str],
        sizes: Sequence[str],
        flags: Sequence[str],
        nb: int | None,
        strides: str,
        target: str,
        kernel_set: Sequence[KernelSpec],
        **rest: Any,
    ) -> None:
        found = [_parsed(symbol, target, sequences) for symbol in specs] + [*kernel_set]
        if sizes:
            given = {name: sizes_in(name, value) for name, value in map(_pair, sizes)}
            letters: dict[str, Any] = dict(map(_pair, flags))
            row = _row(op, sequences)
            if wrong := {*given, *letters} - {*row.sizes, *row.flags}:
                known = ", ".join((*row.sizes, *row.flags))
                raise click.UsageError(f"unknown argument {min(wrong)!r} for {row.name}: expected {known}")
            where = layout[0] if len(layout) == 1 else layout
            options: dict[str, Any] = {"nb": nb, "strides": strides, "target": target}
            for one in product(*given.values()):
                named = letters | dict(zip(given, one, strict=True))
                found.append(KernelSpec.make(row, dtype, where, **options, **named))
        if not found:
            raise click.UsageError("no kernel named: give a SPEC, a --set, or sizes such as -s m=8 -s n=8 -s k=8")
        function(specs=found, **rest)

    command: Callable[..., None] = update_wrapper(described, function)
    for decorator in reversed(_DESCRIBING):
        command = decorator(command)
    return command


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"{text!r} is not NAME=VALUE")
    return name, value


def sizes_in(name: str, text: str) -> list[int | str]:
    """The sizes of a list, which may have ranges; what is no int stays as it is, for the checks of specs to refuse."""
    found: list[int | str] = []
    for piece in text.split(","):
        first, dots, last = piece.partition("..")
        ends = [_number(first), _number(last if dots else first)]
        if not all(isinstance(end, int) for end in ends):
            found.append(piece)
            continue
        begin, end = map(int, ends)
        if not begin <= end < begin + MOST:
            expected = f"a range from a smaller to a larger size, such as 1..8, of {MOST} sizes at most"
            raise click.UsageError(f"{name}={text}: expected {expected}")
        found += range(begin, end + 1)
    return found


def _number(text: str) -> int | str:
    """An int where it is one."""
    try:
        return int(text)
    except ValueError:
        return text


def source_for(spec: KernelSpec) -> Source:
    """The source that runs on this machine."""
    try:
        return library.source_here(spec)
    except NoCompilerError:
        return source_of(spec, DEFAULT_ISA)
