"""From a spec and a schedule to source text: the only module that knows jinja2."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..schedule.choose import Schedule
from . import signature
from .context import _context, _empty, _has_output

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Source:
    """The text of one kernel, with the C declaration of its entry point."""

    spec: KernelSpec
    schedule: Schedule
    symbol: str
    declaration: str
    text: str

    @property
    def filename(self) -> str:
        return self.symbol + TARGETS[self.spec.target].suffix


def source(spec: KernelSpec, schedule: Schedule) -> Source:
    """The source of the kernel ``spec`` made by ``schedule``: what is compiled, shown, tested and embedded."""
    frame = spec.target + TARGETS[spec.target].suffix if _has_output(spec) else "empty.c"
    entry = signature.of(spec)
    context = _context(spec, schedule) if _has_output(spec) else _empty(spec, schedule)
    text = _environment().get_template("frame/" + frame).render(context)
    return Source(spec, schedule, spec.symbol(), entry.declaration, text)


def template_folder() -> Path:
    """Where the templates lie: inside the package when installed, beside it in a working tree."""
    here = Path(__file__).resolve().parents[1]
    return next(folder for folder in (here / "templates", here.parent / "templates") if folder.is_dir())


def has_template(name: str) -> bool:
    """Whether the package has a template of this name."""
    return (template_folder() / name).is_file()


def render_file(name: str, **context: object) -> str:
    """Render a template that is not a kernel (header, build file) of the package."""
    return _environment().get_template(name).render(context)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(template_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
