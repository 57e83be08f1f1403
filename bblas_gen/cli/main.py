"""The command line `bblas-gen`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import update_wrapper
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from ..codegen import emit
from ..codegen.render import Source, source_of
from ..errors import BblasError, NoCompilerError, SpecError
from ..ir.catalog import OPS
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS, Isa
from ..ir.terms import FLAGS, PRECISIONS, Layout, Strides
from ..runtime import kernels, library
from ..schedule import tuned
from ..toolchain import cache, compilers, machine
from ..version import __version__

DEFAULT_SIMD_BYTES = 32
"""Vectors of emitted code where no compiler is here to say what this machine has."""
_LAZY = {
    "demo": ("bblas_gen.bench.demo", "Multiply a batch of small matrices: compile, check, time."),
    "tune": ("bblas_gen.bench.tune", "Measure how kernels are best made on this machine, and keep it."),
    "bench": ("bblas_gen.bench.command", "Measure kernels, peers and limits side by side."),
}


class Main(click.Group):
    """Our errors are one line on stderr and exit status 1, a bad spec is a usage error; benchmarks load when asked."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_LAZY])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LAZY:
            return super().get_command(ctx, cmd_name)
        module, _ = _LAZY[cmd_name]
        found: click.Command = getattr(import_module(module), cmd_name)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SpecError as error:
            raise click.UsageError(str(error)) from error
        except (BblasError, FileExistsError, ValueError) as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=Main)
@click.version_option(__version__, prog_name="bblas-gen")
def main() -> None:
    """Batched linear algebra on small matrices: look at, compile, emit and measure generated kernels.

    A SPEC is the name of a kernel, such as bb_dgemm_nn_bi_m8n8k8; or leave it out and describe one with --op, --dtype,
    --layout, -s m=8 and so on.
    """


def _json_option(function: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def _spec_options(function: Callable[..., None]) -> Callable[..., None]:
    """SPEC arguments, or the flags that describe one; the command gets the list `specs`."""

    def described(
        specs: Sequence[str],
        op: str,
        dtype: str,
        layout: Sequence[str],
        sizes: Sequence[str],
        flags: Sequence[str],
        nb: int | None,
        strides: str,
        target: str,
        **rest: Any,
    ) -> None:
        found = [KernelSpec.parse(symbol, target) for symbol in specs]
        if sizes:
            named: dict[str, Any] = {name: _number(value) for name, value in map(_pair, sizes)}
            named |= dict(map(_pair, flags))
            where = layout[0] if len(layout) == 1 else layout
            found.append(KernelSpec.make(op, dtype, where, nb=nb, strides=strides, target=target, **named))
        if not found:
            raise click.UsageError("no kernel named: give a SPEC, or sizes such as -s m=8 -s n=8 -s k=8")
        function(specs=found, **rest)

    decorators = [
        click.argument("specs", metavar="[SPEC]...", nargs=-1),
        click.option("--op", type=click.Choice(list(OPS)), default="gemm", show_default=True),
        click.option("--dtype", default="d", show_default=True, help="s, d, c, z or a NumPy name."),
        click.option("--layout", multiple=True, default=["st"], help="Once for all operands, or once for each."),
        click.option("-s", "--size", "sizes", multiple=True, metavar="NAME=VALUE", help="A size, such as m=8, or m=m."),
        click.option("-f", "--flag", "flags", multiple=True, metavar="NAME=LETTER", help="A flag, such as transa=T."),
        click.option("--nb", type=int, help="Block size of layout bi."),
        click.option("--strides", type=click.Choice([str(s) for s in Strides]), default="", help="Run-time strides."),
        click.option("--target", type=click.Choice(list(TARGETS)), default="cpu", show_default=True),
    ]
    command: Callable[..., None] = update_wrapper(described, function)
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise click.UsageError(f"{text!r} is not NAME=VALUE")
    return name, value


def _number(text: str) -> int | str:
    """An int; what is none stays as it is, for the checks of specs to refuse."""
    try:
        return int(text)
    except ValueError:
        return text


def _source(spec: KernelSpec, simd_bytes: int | None = None) -> Source:
    """The source for this machine, or for vectors of ``simd_bytes``."""
    if simd_bytes is None:
        try:
            return library.source_here(spec)
        except NoCompilerError:
            simd_bytes = DEFAULT_SIMD_BYTES
    return source_of(spec, Isa.of(simd_bytes))


@main.command()
@_json_option
def info(as_json: bool) -> None:
    """Show what this machine has: processor, compilers, OpenMP, cache, settings."""
    store = library.default_cache()
    entries = store.entries()
    report = {
        "version": __version__,
        "cpu": machine.cpu_name(),
        "architecture": machine.architecture(),
        "cores": machine.cores(),
        "caches": machine.caches(),
        "compiler": _compiler(),
        "nvcc": _nvcc(),
        "cache": {
            "path": str(store.root),
            "entries": len(entries),
            "bytes": sum(entry.size for entry in entries),
            "limit": cache.size_cap(),
        },
        "tuned": _tuned(),
        "environment": {name: value for name, value in sorted(os.environ.items()) if name.startswith("BBLAS_GEN_")},
    }
    if as_json:
        click.echo(json.dumps(report, indent=1))
        return
    for name, value in report.items():
        details = value if isinstance(value, dict) else {"": value}
        for detail, text in details.items():
            if detail != "target_flags":
                click.echo(f"{f'{name} {detail}'.strip():<22} {text}")


def _compiler() -> dict[str, Any]:
    try:
        cc = compilers.find_cc()
    except (NoCompilerError, ValueError) as error:
        return {"error": str(error)}
    found = asdict(cc)
    found["target_flags"] = " ".join(cc.target_flags)
    return found | {"openmp": compilers.has_openmp(cc), "flags": " ".join(compilers.library_flags(cc))}


def _tuned() -> dict[str, Any]:
    try:
        rows = tuned.rows(compilers.find_cc().simd_bytes)
    except (NoCompilerError, ValueError):
        rows = {}
    return {"path": str(tuned.location()), "kernels": len(rows), **rows}


def _nvcc() -> dict[str, Any]:
    try:
        nvcc = compilers.find_nvcc()
    except NoCompilerError as error:
        return {"error": str(error)}
    return {"path": nvcc.path, "version": nvcc.version} if nvcc else {"path": None}


@main.command("list")
@_json_option
def list_operations(as_json: bool) -> None:
    """List the operations and what they support."""
    rows = [
        {
            "name": row.name,
            "formula": row.formula,
            "sizes": list(row.sizes),
            "flags": {flag: [str(letter) for letter in FLAGS[flag]] for flag in row.flags},
            "precisions": list(PRECISIONS),
            "layouts": {name: [str(x) for x in Layout if target.takes(x)] for name, target in TARGETS.items()},
            "forms": list(row.algorithms),
            "source": row.source,
        }
        for row in OPS.values()
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    for row in rows:
        click.echo(f"{row['name']:<8} {row['formula']}")
        for name in ("sizes", "flags", "precisions", "layouts", "forms", "source"):
            value = row[name]
            if isinstance(value, dict):
                value = "; ".join(f"{key}: {' '.join(found)}" for key, found in value.items())
            click.echo(f"         {name:<11} {value if isinstance(value, str) else ' '.join(map(str, value))}")


@main.command()
@_spec_options
def show(specs: list[KernelSpec]) -> None:
    """Print the source of kernels."""
    for spec in specs:
        click.echo(_source(spec).text, nl=False)


@main.command("emit")
@_spec_options
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@click.option("--header", default=emit.HEADER, show_default=True, help="Name of the header.")
@click.option("--simd-bytes", type=click.Choice(["16", "32", "64"]), help="Bytes in a vector; default: this machine's.")
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def emit_files(specs: list[KernelSpec], output: Path, header: str, simd_bytes: str | None, force: bool) -> None:
    """Write standalone C (or CUDA) and a header, free of licence conditions, for your own program."""
    sources = [_source(spec, int(simd_bytes) if simd_bytes else None) for spec in dict.fromkeys(specs)]
    for path in emit.emit(sources, output, header=header, force=force):
        click.echo(path)


@main.command("compile")
@_spec_options
@_json_option
def compile_now(specs: list[KernelSpec], as_json: bool) -> None:
    """Compile kernels into the cache now."""
    rows = []
    for spec in specs:
        started = perf_counter()
        kernel = kernels.kernel(spec)
        seconds = round(perf_counter() - started, 4)
        rows.append({"symbol": spec.symbol(), "seconds": seconds, "path": str(kernel.library.path)})
    if as_json:
        click.echo(json.dumps(rows, indent=1))
    else:
        for row in rows:
            click.echo(f"{row['symbol']}  {row['seconds']:.2f} s  {row['path']}")


@main.group("cache")
def cache_group() -> None:
    """Look at the cache of compiled kernels, or clear it."""


@cache_group.command()
def path() -> None:
    """Print where the cache lies."""
    click.echo(library.default_cache().root)


@cache_group.command("list")
@_json_option
def list_entries(as_json: bool) -> None:
    """List the kernels in the cache, the most recently used first."""
    entries = library.default_cache().entries()
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries], indent=1, default=str))
        return
    for entry in entries:
        click.echo(f"{entry.key[:12]}  {entry.size:>8}  {entry.last_used:%Y-%m-%d %H:%M}  {entry.symbol}")


@cache_group.command()
@click.argument("name", metavar="SPEC|KEY")
def explain(name: str) -> None:
    """Show as JSON what the cache knows of a kernel, by its name or its key."""
    store = library.default_cache()
    if name.startswith("bb_"):
        spec = KernelSpec.parse(name)
        keys = [library.cache_key(_source(spec))]
    else:
        keys = [entry.key for entry in store.entries() if entry.key.startswith(name)]
    if not keys:
        raise click.ClickException(f"no entry begins with {name!r}")
    for found in keys:
        click.echo(json.dumps(store.explain(found), indent=1))


@cache_group.command()
@click.confirmation_option(prompt="Remove all compiled kernels?")
def clear() -> None:
    """Remove all compiled kernels."""
    click.echo(f"removed {library.default_cache().clear()}")
