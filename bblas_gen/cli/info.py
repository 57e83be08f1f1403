"""``bblas-gen info``: what this machine has."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

import click

from ..errors import CudaUnavailable, LibraryError, NoCompilerError
from ..runtime import cubins, devices, library, threads
from ..schedule import tuned
from ..toolchain import cache, compilers, cuda, machine
from ..version import __version__
from .cache import size_text
from .options import json_option


@click.command()
@json_option
def info(as_json: bool) -> None:
    """Show what this machine has: processor, threads, compilers, OpenMP, GPUs, cache, settings."""
    store = library.default_cache()
    entries = store.entries()
    report = {
        "version": __version__,
        "cpu": machine.cpu_name(),
        "architecture": machine.architecture(),
        "cores": machine.cores(),
        "threads": _threads(),
        "caches": machine.caches(),
        "compiler": _compiler(),
        "cuda": _cuda(),
        "cache": {
            "path": str(store.root),
            "entries": len(entries),
            "bytes": sum(entry.size for entry in entries),
            "limit": cache.size_cap(),
        },
        "library": _library(),
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
                click.echo(f"{f'{name} {detail}'.strip():<23} {_shown(name, detail, text)}")


def _shown(name: str, detail: str, value: Any) -> str:
    """A value with its unit, for people."""
    if value is None:
        return "-"
    if name == "caches" or (name == "cache" and detail in ("bytes", "limit")):
        return size_text(value)
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _threads() -> dict[str, Any]:
    """How many a call takes at most, and what decides it."""
    return {
        "limit": threads.limit(),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS"),
        "affinity": machine.cores(),
        "quota": machine.quota(),
        "load": machine.load(),
    }


def _compiler() -> dict[str, Any]:
    try:
        cc = compilers.find_cc()
    except (NoCompilerError, ValueError) as error:
        return {"error": str(error)}
    found = asdict(cc)
    found["target_flags"] = " ".join(cc.target_flags)
    return found | {"openmp": compilers.has_openmp(cc), "flags": " ".join(compilers.kernel_flags(cc))}


def _library() -> dict[str, Any]:
    """What was built ahead."""
    try:
        built = library.library_here()
    except LibraryError as error:
        return {"error": str(error)}
    if built is None:
        return {"path": None}
    return {"path": str(built.found.path), "kernels": len(built.found.kernels), "isa": built.isa}


def _tuned() -> dict[str, Any]:
    try:
        rows = tuned.rows(compilers.find_cc().simd_bytes)
    except (NoCompilerError, ValueError):
        rows = {}
    return {"path": str(tuned.location()), "kernels": len(rows), **rows}


def _cuda() -> dict[str, Any]:
    """What compiles CUDA, what for (where nothing is set, for the device that is there), and what runs it."""
    try:
        found = cuda.find_cuda_compiler()
        setting = cuda.architecture() if os.environ.get("BBLAS_GEN_CUDA_ARCH") else None
    except (NoCompilerError, ValueError) as error:
        return {"error": str(error), **_gpus()}
    compiler = {"compiler": found.family, "path": found.path, "version": found.version, "architecture": setting}
    return {**compiler, **_gpus()}


def _gpus() -> dict[str, Any]:
    """The driver, GPUs, and the library of cubins; or what is missing."""
    known: dict[str, Any] = {"library": None}
    try:
        ahead = cubins.cubins_here()
        known["library"] = ahead and str(ahead.folder)
    except LibraryError as error:
        known["library"] = str(error)
    try:
        known |= devices.packages()
        known["driver"] = devices.driver()
        for number, device in enumerate(devices.devices()):
            size = f"{device.multiprocessors} multiprocessors, {device.memory >> 30} GiB"
            known[f"device {number}"] = f"{device.name}, {device.architecture}, {size}"
    except CudaUnavailable as error:
        known["missing"] = str(error)
    return known
