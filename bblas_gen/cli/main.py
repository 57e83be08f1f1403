"""The command line `bblas-gen`."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from time import perf_counter
from typing import Any

import click

from ..bench.listing import Listing
from ..errors import BblasError, SpecError
from ..ir.spec import KernelSpec
from ..runtime import kernels
from ..toolchain import machine
from ..version import __version__
from .build import build_library
from .cache import cache_group
from .doctor import doctor
from .emit import emit_files
from .explain import explain
from .info import info
from .operations import list_operations
from .options import json_option, source_for, spec_options
from .prebuild import prebuild

_LAZY = {
    "run": ("bblas_gen.cli.run", "Run a Python program, its numpy.linalg and scipy.linalg by kernels."),
    "demo": ("bblas_gen.bench.demo", "Multiply a batch of small matrices: compile, check, time."),
    "tune": ("bblas_gen.bench.tune", "Measure how kernels are best made on this machine, and keep it."),
    "bench": ("bblas_gen.bench.command", "Measure kernels, peers and limits side by side."),
}


class Main(Listing):
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
        except (BblasError, OSError, MemoryError, ValueError) as error:
            if isinstance(error, BrokenPipeError):  # whoever read us has enough
                raise
            raise click.ClickException(str(error)) from error


@click.group(cls=Main)
@click.version_option(__version__, prog_name="bblas-gen")
def main() -> None:
    """Batched linear algebra on small matrices: look at, compile, emit and measure generated kernels.

    A SPEC is the name of a kernel, such as bb_dgemm_nn_bi_m8n8k8; or leave it out and describe one with --op, --dtype,
    --layout, -s m=8 and so on.
    """


@main.command()
@spec_options
def show(specs: list[KernelSpec]) -> None:
    """Print the source of kernels."""
    for spec in specs:
        click.echo(source_for(spec).text, nl=False)


@main.command("compile")
@spec_options
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=machine.cores, help="Compilers at a time; default: cores."
)
@json_option
def compile_now(specs: list[KernelSpec], jobs: int, as_json: bool) -> None:
    """Compile kernels into the cache now."""
    rows = []
    with ThreadPoolExecutor(jobs) as team:
        for row in team.map(_compiled, dict.fromkeys(specs)):
            rows.append(row)
            if not as_json:
                click.echo(f"{row['symbol']}  {row['seconds']:.2f} s  {row['path']}")
    if as_json:
        click.echo(json.dumps(rows, indent=1))


def _compiled(spec: KernelSpec) -> dict[str, Any]:
    started = perf_counter()
    kernel = kernels.kernel(spec)
    seconds = round(perf_counter() - started, 4)
    return {"symbol": spec.symbol(), "seconds": seconds, "path": str(kernel.library.path)}


for _command in (build_library, cache_group, doctor, emit_files, explain, info, list_operations, prebuild):
    main.add_command(_command)
