"""`bblas-gen build`: a C library of kernels, ahead of time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from ..ir.operation import Operation
from ..ir.spec import KernelSpec, operation, precision
from ..ir.targets import TARGETS
from ..libraries import build_cubins, check_target, cuda_architectures
from ..library.build import build
from ..library.contents import LEVELS
from ..library.plan import APIS, Plan
from ..library.wanted import plan_of
from ..runtime import library
from ..toolchain import machine, trust
from ..toolchain.cubins import own_folder
from .options import sequences_option, set_option, sizes_in

_ISA = f"Instruction sets, of native, {', '.join(level.march for level in LEVELS)}. Default: those for all processors."

LINES = 10
"""Of progress, in a file."""


def listed(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


@click.command("build")
@set_option
@sequences_option
@click.option("--ops", default="", metavar="NAMES", help="Operations, or names in --sequences: gemm,trsm,posv.")
@click.option(
    "--dtypes",
    default="d",
    show_default=True,
    metavar="LETTERS",
    help="Precisions of --ops, of s, d, c, z: such as sd.",
)
@click.option(
    "--sizes", default="", metavar="SIZES", help="Sizes of kernels of --ops, m = n = k, such as 1..8; nrhs is 1."
)
@click.option("--layouts", default="", help="Of pp, st, bi. Default: pp,st; for GPUs st,bi.")
@click.option("--api", default="", help=f"Interfaces: {', '.join(APIS)}. Our own is always there.")
@click.option("--target", type=click.Choice(list(TARGETS)), default="cpu", show_default=True)
@click.option("--arch", default="", metavar="NAMES", help="With --target cuda: architectures, such as sm_80,sm_90.")
@click.option("--isa", default="", metavar="NAMES", help=_ISA)
@click.option("--name", default="bblas", show_default=True, help="The library is libNAME, its header NAME.h.")
@click.option("--prefix", default="", help="Begins all names in C. Default: NAME_.")
@click.option(
    "--openmp/--no-openmp", default=None, help="Whether functions use threads. Default: if the compiler has OpenMP."
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=machine.cores, help="Compilers at a time; default: cores."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder. With --target cuda by default beside the cache.",
)
def build_library(
    kernel_set: Sequence[KernelSpec],
    sequences: Sequence[Operation],
    ops: str,
    dtypes: str,
    sizes: str,
    layouts: str,
    api: str,
    target: str,
    arch: str,
    isa: str,
    name: str,
    prefix: str,
    openmp: bool | None,
    jobs: int,
    output: Path | None,
) -> None:
    """Build a C library: functions that do every shape, and are fastest for the shapes that are named.

    Shared and static library, header, CMake package, pkg-config file and manifest are installed in the folder. What was
    compiled before is not compiled again.

    With --target cuda it is a library of kernels for GPUs, with which Python needs no compiler. Python finds it in the
    folder of a build without -o, or in BBLAS_GEN_CUDA_LIBRARY.
    """
    check_target(target, {"--arch": arch}, {"--api": api, "--isa": isa, "--prefix": prefix, "--openmp": openmp})
    known = {row.name: row for row in sequences}
    rows = [known.get(op) or operation(op) for op in listed(ops)]
    precisions = [precision(letter) for letter in dtypes.replace(",", "")]
    if not TARGETS[target].loads:
        wanted, folder = cuda_architectures(listed(arch), "--arch"), output or trust.settle(own_folder())[0]
        with progress() as done:
            files = build_cubins(
                kernel_set, rows, precisions, _sizes(sizes), listed(layouts), wanted, folder, jobs, done
            )
        for path in files:
            click.echo(path)
        return
    if output is None:
        raise click.UsageError("no -o: expected the folder of the library")
    plan = plan_of(
        kernel_set,
        rows,
        precisions,
        _sizes(sizes),
        listed(layouts or "pp,st"),
        listed(isa),
        name=name,
        prefix=prefix,
        openmp=openmp,
        api=listed(api),
    )
    built_with_progress(plan, output, jobs)


def built_with_progress(plan: Plan, folder: Path, jobs: int) -> None:
    """Build a library, and print which files it has."""
    digest = library.generator("library")
    with progress() as done:
        built = build(plan, folder, digest=digest, jobs=jobs, done=done)
    for path in built.files:
        click.echo(path)
    levels = ", ".join(level.march for level in plan.levels)
    click.echo(f"{len(plan.kernels)} kernels for {levels}; {built.compiled} files of C compiled", err=True)


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A bar, or lines where standard error is no terminal, and what is told how much is done, of how much."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    with click.progressbar(length=1, label="Compiling", show_pos=True, file=sys.stderr) as bar:

        def done(count: int, of: int) -> None:
            bar.length = of
            bar.update(count - bar.pos)

        yield done


class _Lines:
    """Tells of what is done in some LINES lines, one at a time."""

    def __init__(self) -> None:
        self.told = 0

    def __call__(self, count: int, of: int) -> None:
        if (step := LINES * count // max(of, 1)) > self.told:
            self.told = step
            click.echo(f"Compiling {count}/{of}", err=True)


def _sizes(text: str) -> list[int]:
    found = sizes_in("sizes", text) if text else []
    if wrong := next((size for size in found if isinstance(size, str)), None):
        raise click.UsageError(f"sizes = {wrong!r} is no size: expected numbers and ranges, such as 1..8,16")
    return [size for size in found if isinstance(size, int)]
