"""`bblas-gen emit`: source for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from ..codegen.names import PARCEL
from ..ir.spec import KernelSpec
from ..parcels import emit
from .options import spec_options


@click.command("emit")
@spec_options
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder.")
@click.option("--name", default=PARCEL, show_default=True, help="Name of header, library and CMake package.")
@click.option("--simd-bytes", type=click.Choice(["16", "32", "64"]), help="Bytes in a vector; default: this machine's.")
@click.option("--large", is_flag=True, help="Kernels for any size (-s m=m) are those for large matrices.")
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def emit_files(
    specs: list[KernelSpec], output: Path, name: str, simd_bytes: str | None, large: bool, force: bool
) -> None:
    """Write standalone C, or CUDA with --target cuda, free of licence conditions, for your own program.

    The folder gets the sources, a header, one file with all of it, tests that run without Python, examples, and files
    for CMake and make. What `bblas-gen tune` found is not used: for the same --simd-bytes the files are the same on
    every machine.
    """
    wide = int(simd_bytes) if simd_bytes else None
    for path in emit(specs, output, name=name, simd_bytes=wide, large=large, force=force):
        click.echo(path)
