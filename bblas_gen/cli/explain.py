"""``bblas-gen explain``: why a kernel is made as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from ..codegen.device import DeviceFunction
from ..errors import BblasError, CompileError
from ..ir.program import Program
from ..ir.recursion import problems
from ..ir.sizes import evaluate
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS, Isa
from ..ir.terms import Layout
from ..parcels import isa_here
from ..runtime import cubins, device_large, large, library
from ..runtime.device_parts import listed
from ..runtime.devices import architecture_here
from ..schedule import gpu, recursive, tuned
from ..schedule.choose import alternatives, choose
from ..schedule.schedule import Schedule
from ..toolchain.cubin_notes import Takes, takes
from ..toolchain.cuda import architecture, find_cuda_compiler, named
from .options import json_option, spec_options

NO_ARCHITECTURE = re.compile(r"^nv(?:cc|rtc).*gpu.architecture.*$", re.MULTILINE)
"""What compilers say of an architecture that they do not know, or no longer do."""
SHOWN = 24
"""Lines of the problems that a large one comes to."""


@click.command()
@spec_options
@json_option
@click.option("--arch", default="", help="What GPU to look at, such as sm_90. Default: that of this machine.")
@click.option("--simd-bytes", type=click.Choice(["16", "32", "64"]), help="Bytes in a vector; default: this machine's.")
def explain(specs: list[KernelSpec], as_json: bool, arch: str, simd_bytes: str | None) -> None:
    """Show what kernels are made of, which forms were weighed, their cycles by the model, and the choice.

    If matrices are so large that calls run a kernel for any size, show that one, too, and the parts into which a large
    problem is divided.

    For kernels of GPUs show also what their compiler reports: registers, shared and local memory of each function, and
    how many blocks a multiprocessor holds. No GPU is needed.
    """
    isa = Isa.of(int(simd_bytes)) if simd_bytes else isa_here()
    if arch and all(TARGETS[spec.target].loads for spec in specs):
        raise click.UsageError(f"--arch {arch}: expected --target cuda beside it")
    if arch:
        named(arch, "--arch")
    reports = [_report(spec, isa, arch, here=simd_bytes is None) for spec in specs]
    if as_json:
        click.echo(json.dumps(reports, indent=1))
        return
    for report in reports:
        click.echo("\n".join(_lines(report)))


def _report(spec: KernelSpec, isa: Isa, arch: str, *, here: bool) -> dict[str, Any]:
    program = Program.of(spec)
    if not program.target.simd:
        own = arch or architecture_here()
        only = gpu.choose(program, own)
        divided = {"divided": _divided_on_gpus(spec, own)}
        return _explained(program, [(0.0, only)], only, {}) | divided | _on_gpus(spec, arch, own)
    weighed = sorted(alternatives(program, isa), key=lambda found: found[0])
    overrides = tuned.rows(isa.simd_bytes).get(spec.symbol(), {}) if here else {}
    chosen = library.source_here(spec).schedule if overrides else choose(program, isa)
    vectors = {"simd_bytes": isa.simd_bytes, "registers": isa.registers}
    run = {"run": _run(spec, isa), "divided": _divided(spec)}
    return _explained(program, weighed, chosen, overrides) | vectors | run


def _explained(
    program: Program,
    weighed: Sequence[tuple[float, Schedule]],
    chosen: Schedule,
    overrides: Mapping[str, object],
) -> dict[str, Any]:
    spec = program.spec
    flops, moved = (evaluate(cost, spec.extents) for cost in spec.costs)
    made = program.in_form(chosen.body_form)
    return {
        "symbol": spec.symbol(),
        "formula": program.row.formula,
        "flops": flops,
        "bytes": moved,
        "bodies": [f"{body.row.name} {', '.join(body.operands)}" for body in (*made.moves, *made.bodies)],
        "needs": sorted(made.needs),
        "preserved": list(made.preserved),
        "weighed": [{"cycles": round(cycles, 1), "schedule": str(plan)} for cycles, plan in weighed],
        "tuned": dict(overrides),
        "schedule": str(chosen),
    }


def _run(spec: KernelSpec, isa: Isa) -> list[str]:
    """The kernel for any size that calls run instead, where they do, and its schedule; one for large problems, too."""
    found = large.instead(spec)
    if found is None:
        return []
    general, overrides = found
    schedule = choose(Program.of(general), isa, **overrides)
    others = [f"large ones {schedule.large.schedule}"] if schedule.large else []
    return [general.symbol(), str(schedule), *others]


def _divided(spec: KernelSpec) -> list[str]:
    """The smaller problems that a large one comes to, one after another."""
    if not recursive.large(spec) or recursive.whole(spec):
        return []
    return [str(one) for one in problems(spec.row, spec.size, spec.flag, recursive.STOP)]


def _divided_on_gpus(spec: KernelSpec, arch: str) -> list[str]:
    """The same on a GPU, where a block has no room for the matrix."""
    apart = all(where is Layout.ST for where in spec.layouts) and not spec.general
    if not (apart and device_large.too_large(spec, arch) and device_large.comes_to_products(spec.row, spec.flag)):
        return []
    found = [*listed(spec.row, spec.size, spec.flag, device_large.part_order(spec.row, spec.p))]
    return [str(one) for one in found] if len(found) > 1 else []


def _on_gpus(spec: KernelSpec, wanted: str, own: str) -> dict[str, Any]:
    """What the functions of a kernel take of a GPU that is ``wanted``, else of this machine's ``own``, or of the one
    that is set; or why that is not known. ClickException where the compiler has no architecture of that name."""
    try:
        made = cubins.compile_for if wanted else cubins.compile_device
        arch = named(wanted) if wanted else architecture(own)
        functions = cubins.device_source(spec, arch=own or arch).functions
        taken = takes(made([(spec, one.name) for one in functions], arch).read_bytes()) if functions else {}
    except (BblasError, ValueError) as error:
        if isinstance(error, CompileError) and (refused := NO_ARCHITECTURE.search(error.stderr)):
            given = f"--arch {wanted}" if wanted else f"architecture {arch}"
            cc = find_cuda_compiler()
            raise click.ClickException(f"{given}: {cc.family} {cc.version} does not have it: {refused[0]}") from error
        return {"functions": [], "unknown": " ".join(str(error).split())}
    return {"arch": arch, "functions": [_function(one, taken[one.name], arch) for one in functions]}


def _function(one: DeviceFunction, taken: Takes, arch: str) -> dict[str, Any]:
    blocks = taken.blocks(arch, one.threads, one.dynamic)
    found = {**asdict(taken), "shared": taken.shared + one.dynamic}
    return {"name": one.name, "threads": one.threads, "matrices": one.matrices, **found, "blocks": blocks}


def _lines(report: dict[str, Any]) -> list[str]:
    """The report for people: the alternatives as a table, the cheapest first."""
    plain = ("formula", "flops", "bytes", "simd_bytes", "registers")
    lists = ("bodies", "needs", "preserved")
    lines = [report["symbol"], *(f"  {name:<11} {report[name]}" for name in plain if name in report)]
    lines += [f"  {name:<11} {'; '.join(report[name]) or 'none'}" for name in lists]
    if len(report["weighed"]) == 1:
        lines.append("  weighed     nothing: this operation has one form for these layouts")
    else:
        lines.append("  weighed     cycles per matrix, by the model")
        lines += [f"  {'':<11} {row['cycles']:>9}  {row['schedule']}" for row in report["weighed"]]
    if report["tuned"]:
        lines.append(f"  tuned       {report['tuned']}")
    lines.append(f"  chosen      {report['schedule']}")
    if run := report.get("run"):
        lines.append(f"  in calls    {run[0]} instead, as these are large")
        lines += [f"  {'':<11} {one}" for one in run[1:]]
    if divided := report["divided"]:
        lines.append(f"  divided     {len(divided)} problems, as these matrices are large; {SHOWN} at most are shown")
        lines += [f"  {'':<11} {one}" for one in divided[:SHOWN]]
    if "unknown" in report:
        lines.append(f"  on a GPU    unknown: {report['unknown']}")
    for one in report.get("functions", ()):
        blocks = "" if one["blocks"] is None else f"; {one['blocks']} blocks of {one['threads']} on a multiprocessor"
        taken = f"{one['registers']} registers, {one['shared']} bytes shared, {one['local']} local{blocks}"
        lines.append(f"  {one['name']} on {report['arch']}: {taken}")
    return lines
