"""`bblas-gen prebuild`: the library with which Python does without a compiler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ..ir.catalog import LISTED
from ..ir.spec import KernelSpec, operation, precision
from ..library.python import plan_for_python
from ..toolchain import machine, trust
from ..toolchain.prebuilt import own_folder
from .build import built_with_progress, listed
from .options import set_option


@click.command()
@set_option
@click.option("--ops", default="", metavar="NAMES", help="Operations, such as gemm,trsm,posv. Default: all.")
@click.option("--dtypes", default="sdcz", show_default=True, metavar="LETTERS", help="Precisions of --ops.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=machine.cores, help="Compilers at a time; default: cores."
)
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="The folder. Default: beside the cache."
)
def prebuild(kernel_set: Sequence[KernelSpec], ops: str, dtypes: str, jobs: int, output: Path | None) -> None:
    """Build a library with which Python needs no compiler: all operations for any size, the --set at full speed.

    Without -o it is put where Python looks for it; BBLAS_GEN_LIBRARY names another folder.
    """
    rows = [operation(name) for name in listed(ops)] or LISTED
    precisions = [precision(letter) for letter in dtypes.replace(",", "")]
    plan = plan_for_python(rows, precisions, kernel_set)
    built_with_progress(plan, output or trust.settle(own_folder())[0], jobs)
