"""The command line `bblas-gen`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from ..codegen import emit
from ..codegen.render import source_of
from ..errors import BblasError, NoCompilerError, SpecError
from ..ir.catalog import OPS
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS, Isa
from ..ir.terms import FLAGS, PRECISIONS, Layout
from ..runtime import kernels, library, threads
from ..schedule import tuned
from ..toolchain import cache, compilers, machine
from ..version import __version__
from .cache import cache_group
from .explain import explain
from .options import isa_here, json_option, source_for, spec_options

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


@main.command()
@json_option
def info(as_json: bool) -> None:
    """Show what this machine has: processor, compilers, OpenMP, cache, settings."""
    store = library.default_cache()
    entries = store.entries()
    report = {
        "version": __version__,
        "cpu": machine.cpu_name(),
        "architecture": machine.architecture(),
        "cores": machine.cores(),
        "threads": threads.limit(),
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
    return found | {"openmp": compilers.has_openmp(cc), "flags": " ".join(compilers.kernel_flags(cc))}


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
@json_option
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
@spec_options
def show(specs: list[KernelSpec]) -> None:
    """Print the source of kernels."""
    for spec in specs:
        click.echo(source_for(spec).text, nl=False)


@main.command("emit")
@spec_options
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@click.option("--header", default=emit.HEADER, show_default=True, help="Name of the header.")
@click.option("--simd-bytes", type=click.Choice(["16", "32", "64"]), help="Bytes in a vector; default: this machine's.")
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def emit_files(specs: list[KernelSpec], output: Path, header: str, simd_bytes: str | None, force: bool) -> None:
    """Write standalone C (or CUDA) and a header, free of licence conditions, for your own program.

    What was tuned here counts for nothing: for the same vectors the files are the same on every machine.
    """
    isa = Isa.of(int(simd_bytes)) if simd_bytes else isa_here()
    sources = [source_of(spec, isa) for spec in dict.fromkeys(specs)]
    for path in emit.emit(sources, output, header=header, force=force):
        click.echo(path)


@main.command("compile")
@spec_options
@json_option
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


main.add_command(cache_group)
main.add_command(explain)
