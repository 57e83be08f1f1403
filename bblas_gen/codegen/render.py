"""From an analysed program and its schedule to source text: the only module that knows jinja2."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from ..ir.program import Program
from ..ir.sizes import Size
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS, Isa
from ..ir.views import before, index_text
from ..schedule.choose import choose
from ..schedule.recursive import RecursiveSchedule
from ..schedule.schedule import Schedule
from .device import DeviceFunction, device_functions, launch_context
from .folder import template_folder
from .signature import Signature, signature_of

if TYPE_CHECKING:
    from jinja2 import Environment

    from .node import Need


@dataclass(frozen=True)
class Source:
    """The text of one kernel, its C entry point and what it works on, as lines of a comment. A thread works in
    ``stack_bytes`` on its stack, beside its frame, or in ``heap_bytes``. ``functions`` are those of a GPU,
    ``needs`` other kernels that it calls."""

    spec: KernelSpec
    schedule: Schedule
    entry: Signature
    description: tuple[str, ...]
    text: str
    stack_bytes: Size
    heap_bytes: Size
    functions: tuple[DeviceFunction, ...] = ()
    needs: tuple[Need, ...] = ()

    @property
    def symbol(self) -> str:
        return self.entry.symbol

    @property
    def declaration(self) -> str:
        """The C prototype."""
        return self.entry.declaration

    @property
    def allocates(self) -> bool:
        """Whether it asks for memory: ``heap_bytes``, or for parts of a large problem as they come."""
        return "aligned_alloc(" in self.text

    @property
    def filename(self) -> str:
        return self.symbol + TARGETS[self.spec.target].suffix


def source_of(spec: KernelSpec, isa: Isa, **overrides: object) -> Source:
    """The source of a kernel for an instruction set, made as the model says; ``overrides`` replace fields of the
    schedule."""
    program = Program.of(spec)
    return render(program, choose(program, isa, **overrides))


def render(program: Program, schedule: Schedule, only: str = "") -> Source:
    """The source of the kernel ``program`` made by ``schedule``: what is compiled, shown, tested and embedded.

    ``only`` is the name of a device function: the text has no other then, and no launcher, and needs no headers.
    """
    if schedule.large:
        return _by_size(program, schedule)
    return _rendered(program, schedule, only=only)


def _by_size(program: Program, schedule: Schedule) -> Source:
    """The source of a kernel that does large problems by another schedule."""
    from .by_size import heap_bytes, joined
    from .indent import indented

    assert schedule.large
    condition = schedule.large.condition
    small = _rendered(program, replace(schedule, large=None), inner=True)
    large = _rendered(program, schedule.large.schedule, inner=True)
    heap = heap_bytes(condition, large.heap_bytes, small.heap_bytes)
    known = {"symbol": small.symbol, "is_large": condition, "together": schedule.large.together, "heap_bytes": heap}
    entry = render_file("frame/by_size.c", **small.entry.context(), **known)
    text = indented(f"{joined(small.text, large.text, small.symbol)}\n{entry}")
    lines = textwrap.wrap(f"{' '.join(small.description)} Large problems: {large.heap_bytes} bytes of heap.", 112)
    return replace(small, schedule=schedule, description=tuple(lines), text=text, heap_bytes=heap)


def _rendered(program: Program, schedule: Schedule, *, only: str = "", inner: bool = False) -> Source:
    """The same by one schedule. ``inner``: without an entry point."""
    # here: importing bblas_gen must stay fast, and kernels that are cached need no text
    from .context import describe, empty_context, has_output, kernel_context
    from .indent import indented
    from .kinds import device_kinds
    from .operands import operands_of
    from .scratch import scratch_of
    from .unused import without_unused

    if isinstance(schedule, RecursiveSchedule):
        return _divided(program, schedule)
    program = program.in_form(schedule.body_form)
    operands, entry = operands_of(program, schedule), signature_of(program.spec)
    scratch, output = scratch_of(program, schedule, operands), has_output(program)
    frame = program.target.frames[schedule.form, program.family] if output else program.target.empty
    kinds = device_kinds(program) if output else [()] * program.row.info
    functions = () if program.target.simd else device_functions(entry, program.row.scalars, kinds, schedule)
    wanted = tuple(one for one in functions if one.name == only) if only else functions
    context = (kernel_context if output else empty_context)(program, schedule, operands, scratch, entry)
    template = _environment().get_template(frame)
    launch = launch_context(entry, wanted)
    text = without_unused(indented(template.render(context, launcher=not only, inner=inner, **launch)))
    description = tuple(describe(program, operands, scratch))
    needed = scratch.bytes if output and program.target.simd else 0
    stack, heap = (0, needed) if scratch.heap else (needed, 0)
    return Source(program.spec, schedule, entry, description, text, stack, heap, functions)


def _divided(program: Program, schedule: RecursiveSchedule) -> Source:
    """The source of a kernel that divides its problem, and calls others."""
    from .indent import indented
    from .recursive import recursive_context
    from .unused import without_unused

    entry = signature_of(program.spec)
    context = recursive_context(program, schedule)
    template = _environment().get_template(program.target.frames[schedule.form, program.family])
    text = without_unused(indented(template.render({**context, **entry.context()})))
    scratch = context["scratch"].bytes
    needs = context["needs"]
    return Source(program.spec, schedule, entry, tuple(context["description"]), text, scratch, 0, needs=needs)


def has_template(name: str) -> bool:
    """Whether the package has a template of this name."""
    return (template_folder() / name).is_file()


def render_file(name: str, /, **context: object) -> str:
    """Render a template that is not a kernel (header, build file) of the package."""
    return _environment().get_template(name).render(context)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        cache_size=-1,  # of all there are: a dict, without a lock that a fork could leave locked
    )
    environment.filters["index"] = index_text
    environment.tests["before"] = before
    return environment
