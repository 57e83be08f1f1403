"""``bblas-gen doctor``: whether all is there that kernels need, and what to do where it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from ..blas import scal
from ..errors import CudaUnavailable, NoCompilerError
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..runtime import cubins, devices, kernels, library
from ..runtime.gpu import function_for
from ..runtime.interleaved import Interleaved
from ..toolchain import compilers, cuda, trust
from .options import json_option

SMALL = "bb_dscal_bi_n2"
"""The kernel that is tried."""
BATCH = 3
Check = tuple[str, Callable[[], str]]


@click.command()
@click.option("--target", type=click.Choice(list(TARGETS)), default="cpu", show_default=True, help="What is needed.")
@json_option
@click.pass_context
def doctor(context: click.Context, target: str, as_json: bool) -> None:
    """Try all that kernels need, and say what to do about what is missing.

    Exit status 0: all is there that the target needs; 1: something is missing. What only the other target needs is
    shown, and does not count. "driver" is the version of CUDA that NVIDIA's driver is for.
    """
    tried = {one: {name: _tried(check) for name, check in CHECKS[one]} for one in TARGETS}
    rows = [{"target": one, "check": name, **found} for one, each in tried.items() for name, found in each.items()]
    missing = [name for name, found in tried[target].items() if not found["ok"]]
    if as_json:
        click.echo(json.dumps({"target": target, "missing": missing, "checks": rows}, indent=1))
    else:
        for row in rows:
            click.echo(f"{'ok' if row['ok'] else '--'}  {row['target']:<5} {row['check']:<9} {row['said']}")
        click.echo(f"{target}: {'all is there' if not missing else 'missing: ' + ', '.join(missing)}")
    if missing:
        context.exit(1)


def _tried(check: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"ok": True, "said": check()}
    except Exception as error:  # of many types: the driver's packages have their own
        return {"ok": False, "said": " ".join(str(error).split()) or type(error).__name__}


def _compiler() -> str:
    try:
        cc = compilers.find_cc()
    except NoCompilerError:
        if ahead := library.library_here():
            return f"none, but a library: {ahead.found.path}"
        raise
    return f"{cc.version} ({cc.path})"


def _cache() -> str:
    folder, reason = trust.settle(library.default_cache().root)
    if reason or not trust.writable(folder):
        raise OSError(
            f"{folder}: {reason or 'it cannot be added to'}; a private folder is used: set BBLAS_GEN_CACHE_DIR"
        )
    return str(folder)


def _kernel() -> str:
    return str(kernels.kernel(KernelSpec.parse(SMALL)).library.path)


def _cuda_compiler() -> str:
    try:
        found = cuda.find_cuda_compiler()
    except NoCompilerError:
        if ahead := cubins.cubins_here():
            return f"none, but a library: {ahead.folder}"
        raise
    return f"{found.family} {found.version} ({found.path})"


def _packages() -> str:
    return ", ".join(f"{name} {version}" for name, version in devices.packages().items())


def _devices() -> str:
    found = devices.devices()
    if not found:
        raise CudaUnavailable("the driver knows no GPU")
    return "; ".join(f"{x.name}, {x.architecture}, {x.memory >> 30} GiB" for x in found)


def _cubin() -> str:
    """Whether a kernel is there for the GPU, or the setting, or can be compiled; where there is a GPU also whether it
    loads there, and computes what it should."""
    spec, arch = KernelSpec.parse(SMALL, "cuda"), devices.architecture_here()
    function = function_for(spec, {"alpha": 2}, arch)
    made = str(cubins.compile_device([(spec, function.name)] if function else [], arch))
    if not arch:
        return made
    x = Interleaved.empty((BATCH, 2, 1))
    x.data[..., :BATCH] = 1.5
    found = scal(x.to("cuda"), alpha=2.0).to("cpu").data[..., :BATCH]
    if (found != 3).any():
        raise CudaUnavailable(f"{SMALL} is wrong on GPU 0: 2 * 1.5 = {found.min()} to {found.max()}")
    return f"{made}, right on GPU 0"


CHECKS: dict[str, list[Check]] = {
    "cpu": [("compiler", _compiler), ("cache", _cache), ("kernel", _kernel)],
    "cuda": [
        ("compiler", _cuda_compiler),
        ("packages", _packages),
        ("driver", devices.driver),
        ("devices", _devices),
        ("kernel", _cubin),
    ],
}
"""What each target needs, in the order in which it is needed."""
