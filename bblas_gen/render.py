"""From a spec and a schedule to source text: the only module that knows jinja2."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import layout, signature
from .ops import Operand
from .schedule import Schedule
from .spec import KernelSpec
from .targets import TARGETS
from .terms import Layout, Role, Strides
from .version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

THREADS_PER_BLOCK = 128
"""CUDA threads per block: a multiple of every default block size, small enough for 255 registers a thread."""


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
    text = _environment().get_template("frame/" + frame).render(_context(spec, schedule))
    entry = signature.of(spec)
    return Source(spec, schedule, spec.symbol(), entry.declaration, text)


def template_folder() -> Path:
    """Where the templates lie: inside the package when installed, beside it in a working tree."""
    here = Path(__file__).resolve().parent
    return next(folder for folder in (here / "templates", here.parent / "templates") if folder.is_dir())


def describe(spec: KernelSpec, schedule: Schedule) -> list[str]:
    """What the kernel works on, as lines of a comment."""
    return _description(spec, _operands(spec, schedule))


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


def _has_output(spec: KernelSpec) -> bool:
    output = spec.row.operands[-1]
    return bool(spec.size[output.rows] and spec.size[output.cols])


@dataclass(frozen=True)
class OperandText:
    """One operand as the templates see it; ``view`` is op(X) as the body sees it."""

    name: str
    role: Role
    storage: Layout
    strides: Strides
    stored_rows: int
    stored_cols: int
    parts: int
    nb: int
    view: layout.View
    gathered: bool
    scratch: int
    chunks: tuple[layout.Chunk, ...]
    reads_when: str

    @property
    def letter(self) -> str:
        return self.name.lower()

    @property
    def const(self) -> str:
        return "const " if self.role is Role.IN else ""

    @property
    def reads(self) -> bool:
        return self.role is not Role.OUT

    @property
    def writes(self) -> bool:
        return self.role is not Role.IN

    @property
    def argument(self) -> str:
        return "s" + self.name if self.gathered else self.name

    @property
    def columns(self) -> int:
        """Contiguous runs of one matrix: its columns, or one run where they follow without gaps."""
        return self.stored_cols if self.strides is Strides.LD else 1

    @property
    def column_reals(self) -> int:
        return self.stored_rows * self.parts * (1 if self.strides is Strides.LD else self.stored_cols)

    @property
    def column(self) -> str:
        """The C text of a run's distance from the matrix' first real, with a plus behind it."""
        if self.strides is not Strides.LD:
            return ""
        return f"c * ld{self.letter}{' * 2' if self.parts == 2 else ''} + "

    def matrix(self, index: str) -> str:
        """The C text of a pointer to matrix ``index``, or to its lane in an interleaved block."""
        if self.storage is Layout.PP:
            return f"g->{self.name}[{index}]"
        if self.storage is Layout.ST:
            return f"g->{self.name} + {index} * g->stride_{self.letter}{' * 2' if self.parts == 2 else ''}"
        if self.storage is Layout.IL:
            return f"g->{self.name} + {index}"
        block = self.stored_rows * self.stored_cols * self.parts * self.nb
        return f"g->{self.name} + {index} / {self.nb} * {block} + {index} % {self.nb}"


def _operands(spec: KernelSpec, schedule: Schedule) -> list[OperandText]:
    return [_operand(spec, schedule, position) for position in range(len(spec.row.operands))]


def _operand(spec: KernelSpec, schedule: Schedule, position: int) -> OperandText:
    row, where = spec.row.operands[position], spec.layouts[position]
    parts, letter = spec.p.parts, row.name.lower()
    flag = spec.flag[row.flag] if row.flag else None
    rows, cols = spec.size[row.rows], spec.size[row.cols]
    if flag and flag.transposes:
        rows, cols = cols, rows
    in_place = schedule.form == "direct" or schedule.width == 1  # a matrix by itself is its own single lane
    gathered = not in_place and not where.interleaved
    strides = Strides.PACKED if where.interleaved else spec.strides
    view = layout.View(1, rows)
    if in_place and not where.interleaved:
        view = layout.View(*_matrix_strides(strides, letter, rows), factor=parts)
    elif gathered:
        view = layout.View(1, rows, schedule.width * parts, schedule.width)
    elif where is Layout.BI:
        view = layout.View(1, rows, spec.nb * parts, spec.nb)
    else:
        view = layout.View(1, rows, f"nb{letter} * 2" if parts == 2 else f"nb{letter}", f"nb{letter}")
    if flag and flag.transposes:
        view = view.transposed()
    if flag and flag.conjugates and spec.p.complex:
        view = view.conjugated()
    run = rows * parts * (1 if strides is Strides.LD else cols)
    return OperandText(
        name=row.name,
        role=row.role,
        storage=where,
        strides=strides,
        stored_rows=rows,
        stored_cols=cols,
        parts=parts,
        nb=spec.nb,
        view=view,
        gathered=gathered,
        scratch=max(1, rows * cols * parts * schedule.width),
        chunks=tuple(layout.chunks(run, schedule.width)) if gathered and strides is not Strides.RS else (),
        reads_when=_reads_when(row),
    )


def _reads_when(row: Operand) -> str:
    """The C condition under which a variant reads an operand: a zero alpha has one of its own, a zero beta has not."""
    if row.factor is None:
        return "1"
    return f"{row.factor}_is != 0" if row.role is Role.IN else f"BB_NONZERO({row.factor}_is, {row.factor})"


def _matrix_strides(strides: Strides, letter: str, rows: int) -> tuple[layout.Stride, layout.Stride]:
    if strides is Strides.PACKED:
        return 1, rows
    return (1, f"ld{letter}") if strides is Strides.LD else (f"rs{letter}", f"cs{letter}")


@dataclass(frozen=True)
class Body:
    """The C function of an operation's body: its views in table order, its parameters and how it is called."""

    views: tuple[layout.View, ...]
    names: tuple[str, ...]
    parameters: str

    @property
    def arguments(self) -> str:
        return self.replaced()

    def replaced(self, **values: str) -> str:
        """The argument list that passes every parameter on, but for those given."""
        return ", ".join(values.get(name, name) for name in self.names)


@dataclass(frozen=True)
class Ahead:
    """What one step of k prefetches of the next matrix: ``lines`` cache lines, then ``step`` bytes further."""

    name: str
    write: bool
    lines: int
    step: int
    matrix: str


def _ahead(spec: KernelSpec, schedule: Schedule, operands: list[OperandText]) -> list[Ahead]:
    if schedule.form != "direct" or not schedule.prefetch:
        return []
    reals, cols = operands[-1].stored_rows * spec.p.parts, operands[-1].stored_cols
    down = sum(tile.loop.repeats for tile in layout.row_tiles(reals, schedule.width, schedule.rows))
    across = sum(segment.repeats for segment in layout.segments(cols, schedule.cols))
    steps = down * across * spec.size["k"]
    if not steps:
        return []
    found = []
    for x in operands:
        share = -(-x.stored_rows * x.stored_cols * spec.p.itemsize // steps)
        lines = -(-share // 64)
        step = share if lines == 1 else lines * 64
        found.append(Ahead(x.name, x.writes, lines, step, x.matrix("next")))
    return found


def _body(spec: KernelSpec, operands: list[OperandText], ahead: list[str], prefix: str) -> Body:
    by_name = {x.name: x for x in operands}
    texts, names = [], []
    for name in spec.row.arguments:
        names.append(name)
        if name in spec.row.scalars:
            texts.append(f"const bb_scalar {name}")
            continue
        x = by_name[name]
        texts.append(f"{x.const}bb_real *BB_RESTRICT {name}")
        for extra in (e for e in (x.view.rs, x.view.cs, x.view.im) if isinstance(e, str)):
            names.append(extra)
            texts.append(f"const int64_t {extra}")
    for name in ahead:
        names.append(f"next_{name}")
        texts.append(f"const bb_real *next_{name}")
    return Body(tuple(x.view for x in operands), tuple(names), prefix + ", ".join(texts))


def _locals(spec: KernelSpec, operands: list[OperandText]) -> Iterator[dict[str, str]]:
    """What the loop over the batch reads once from the argument block."""
    for name in spec.row.scalars:
        yield {"type": "bb_scalar", "name": name, "value": f"g->{name}"}
    for x in operands:
        names = [f"nb{x.letter}"] if x.storage is Layout.IL else []
        if x.strides is Strides.LD:
            names = [f"ld{x.letter}"]
        elif x.strides is Strides.RS:
            names = [f"rs{x.letter}", f"cs{x.letter}"]
        yield from ({"type": "int64_t", "name": name, "value": f"g->{name}"} for name in names)


KINDS: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {
    (): (),
    ("alpha", "beta"): (("1", "0"), ("1", "1"), ("0", "BB_ANY")),
}
"""What scalars may be known to be when a kernel is compiled; each is a variant beside the one that takes any."""


def _kinds(scalars: tuple[str, ...]) -> list[dict[str, str]]:
    """The variants as C: the condition on the argument block, and what the body is given as constants."""
    cases: list[dict[str, str]] = []
    for values in KINDS[scalars]:
        known = [(name, value) for name, value in zip(scalars, values, strict=True) if value != "BB_ANY"]
        tests = " && ".join(f"g->{name}_is == {value}" for name, value in known)
        cases.append({"condition": f"{'else ' if cases else ''}if ({tests})", "constants": ", ".join(values) + ", "})
    general = "BB_ANY, " * len(scalars)
    return [*cases, {"condition": "else" if cases else "", "constants": general}]


def _context(spec: KernelSpec, schedule: Schedule) -> dict[str, Any]:
    operands = _operands(spec, schedule)
    kinds = "".join(f"const int {name}_is, " for name in spec.row.scalars)
    partial = schedule.width > 1 and any(not x.gathered for x in operands) and schedule.form == "lane"
    ahead = _ahead(spec, schedule, operands)
    prefix = kinds + ("const int full, const int count, " if partial else "")
    body = _body(spec, operands, [x.name for x in ahead], prefix)
    return {
        **_names(spec, schedule, operands),
        **_vectors(spec, schedule, operands),
        **signature.of(spec).context(),
        "operands": operands,
        "output": operands[-1].view,
        "body": body,
        "arguments": body.replaced(**{x.name: x.argument for x in operands}),
        "kinds": _kinds(spec.row.scalars),
        "kinds_parameters": kinds,
        "kinds_arguments": "".join(f"{name}_is, " for name in spec.row.scalars),
        "partial": partial,
        "padded": Layout.IL not in spec.layouts,
        "gathers": any(x.gathered for x in operands),
        "packs": {c.width for x in operands if x.reads for c in x.chunks},
        "unpacks": {c.width for x in operands if x.writes for c in x.chunks},
        "ahead": ahead,
        "locals": list(_locals(spec, operands)),
        "segments": layout.segments,
        "butterflies": layout.butterflies,
        "threads": THREADS_PER_BLOCK,
    }


def _names(spec: KernelSpec, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """What the source says of itself, and what it is made for."""
    return {
        "version": __version__,
        "symbol": spec.symbol(),
        "formula": spec.row.formula,
        "description": _description(spec, operands),
        "schedule": schedule,
        "schedule_text": ", ".join(f"{name} {value}" for name, value in asdict(schedule).items()),
        "target": spec.target,
        "linkage": 'extern "C" ' if spec.target == "cuda" else "",
        "op": spec.op,
        "size": spec.size,
        "scalars": spec.row.scalars,
        "complex": spec.p.complex,
        "parts": spec.p.parts,
        "real": spec.p.real,
        "real_bytes": spec.p.real_bytes,
    }


def _vectors(spec: KernelSpec, schedule: Schedule, operands: list[OperandText]) -> dict[str, Any]:
    """The widths of vectors that occur, and how they run down a column."""
    pack_widths = sorted({c.width for x in operands for c in x.chunks})
    direct = schedule.form == "direct"
    reals = operands[-1].stored_rows * spec.p.parts
    return {
        "width": schedule.width,
        "widths": sorted({schedule.width, *pack_widths}),
        "pack_widths": pack_widths,
        "shuffles": (direct and spec.p.complex) or any(w > 1 for w in pack_widths),
        "mask": "long long" if spec.p.real_bytes == 8 else "int",
        "row_tiles": layout.row_tiles(reals, schedule.width, schedule.rows) if direct else [],
    }


def _description(spec: KernelSpec, operands: list[OperandText]) -> list[str]:
    p = spec.p
    element = {"s": "float", "d": "double", "c": "float complex", "z": "double complex"}[p.letter]
    flags = ", ".join(f"{name} = {value}" for name, value in spec.flag.items())
    sizes = ", ".join(f"{name} = {value}" for name, value in spec.size.items())
    text = f"{element}; {sizes}; {flags}; matrices column-major as stored: "
    text += ", ".join(f"{x.name} {x.stored_rows} x {x.stored_cols} ({x.storage})" for x in operands) + "."
    if any(x.storage is Layout.BI for x in operands):
        text += f" bi: real number r of matrix b at (b / {spec.nb} * reals + r) * {spec.nb} + b % {spec.nb}."
    if any(x.storage.interleaved for x in operands) and p.complex:
        text += " Interleaved complex elements are two reals, real part first."
    return textwrap.wrap(text, 112)
