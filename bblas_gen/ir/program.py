"""What follows from a spec alone, worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..errors import SpecError
from .canonical import Body, Case, Named, canonical_direct
from .catalog import OPS
from .dataflow import fusible, landings, with_determinants, with_unread, without_copies
from .lu import FUSED
from .operation import DEFAULT_SCALARS, Operand, Operation, Step, picked
from .sizes import evaluate, is_name
from .spec import KernelSpec, default_flag, letter
from .targets import TARGETS, Target
from .terms import Kind, Precision, Role, Strides
from .views import View


@dataclass(frozen=True)
class Program:
    """A spec, analysed: ``bodies`` in their order with everything bound; ``preserved``, the operands that matrices
    that failed must get back, as later bodies change them; ``needs``, what the bodies do beyond multiplying and adding;
    ``moves``, what is done first, where matrices lie.

    The stages behind it read this object and never ask the spec's row again what it means.
    """

    spec: KernelSpec
    bodies: tuple[Body, ...]
    preserved: tuple[str, ...]
    needs: frozenset[str]
    moves: tuple[Body, ...] = ()

    @classmethod
    def of(cls, spec: KernelSpec) -> Program:
        """Raises SpecError where the operands of a step do not fit together."""
        stored = ((x, spec.where(x)) for x in spec.row.matrices)
        whole = {x.name for x, where in stored if where is None or not where.triangle}
        scratch = spec.row.intermediates
        bodies = _with_fused(spec, bound_bodies(spec))
        bodies = with_determinants(with_unread(without_copies(bodies, whole), scratch), scratch)
        needs = _needs(bodies) | ({"algebra"} if spec.row.steps else set())
        return cls(spec, bodies, _preserved(spec, bodies), needs)

    def in_form(self, form: str) -> Program:
        """The program of kernels of a form: an operation that is made of others may have a body of its own in it; a
        variant copies first, and then does what its operation does."""
        if form == "team":
            return self._by_teams
        if not self.row.steps or form == "lane" or form not in self.row.algorithms:
            return self
        return self._moved(form) if self.row.variant_of else self._whole

    @cached_property
    def _by_teams(self) -> Program:
        """Bodies for threads of a GPU that share a matrix fetch nothing from elsewhere, and there are none of what has
        halves."""
        bodies = with_unread(bound_bodies(self.spec, halved=True), self.row.intermediates)
        return Program(self.spec, bodies, _preserved(self.spec, bodies), _needs(bodies) | self.needs)

    def _moved(self, form: str) -> Program:
        every = bound_bodies(self.spec, form=form)
        first = next(i for i, body in enumerate(every) if not body.row.moves)
        moves, bodies = every[:first], every[first:]
        return Program(self.spec, bodies, _preserved(self.spec, bodies), _needs(bodies), moves)

    @cached_property
    def _whole(self) -> Program:
        body = _one_body(self.spec)
        return Program(self.spec, (body,), (), _needs([body]))

    @property
    def row(self) -> Operation:
        return self.spec.row

    @property
    def p(self) -> Precision:
        return self.spec.p

    @property
    def target(self) -> Target:
        return TARGETS[self.spec.target]

    @property
    def by_step(self) -> bool:
        """Whether its body prefetches in each step of a product; the frame, or a tile, does it for the others."""
        return self.row.prefetches == "step"

    @property
    def separate(self) -> bool:
        """Whether every matrix lies by itself."""
        return not any(layout.interleaved for layout in self.spec.layouts)

    @property
    def family(self) -> str:
        """The family of its layouts, by which a target has frames."""
        return "interleaved" if all(layout.interleaved for layout in self.spec.layouts) else "separate"

    @property
    def contiguous(self) -> bool:
        """Whether matrices are runs of memory."""
        return self.spec.strides in (Strides.PACKED, Strides.RM)

    @cached_property
    def landings(self) -> dict[str, str]:
        """Operands that are packed for a copy of them alone: what is packed, and the copy, which is made so."""
        matrices = [x for x in self.row.matrices if x.kind is not Kind.INDEX]
        alone = [x.name for x in matrices if (where := self.spec.where(x)) and not where.interleaved]
        return landings(self.bodies, alone, [x.name for x in matrices if x.role is Role.SCRATCH])

    @cached_property
    def direct(self) -> Case:
        """The canonical case of its first body on vectors along columns, for matrices without strides of their own."""
        body = self.bodies[0]
        order = View(1, 2).transposed() if self.spec.strides.row_major else View(1, 2)
        views = dict.fromkeys(body.operands, order)
        return canonical_direct(body, views, is_complex=self.p.complex, row_major=self.spec.strides.row_major)

    def reads(self, x: Operand) -> bool:
        """Whether what an operand has in the beginning counts: that of an output that is preserved does where no body
        has written it when the first one reports."""
        if x.role is not Role.OUT or x.name not in self.preserved:
            return x.role is not Role.OUT
        first = next(i for i, body in enumerate(self.bodies) if body.row.info)
        return all(x.name not in body.writes for body in self.bodies[: first + 1])

    def triangle(self, name: str) -> str:
        """The triangle that is used of an operand as it is stored, by columns: "L", "U", or "" for all. Of the copy
        that it lands in the other triangle may be anything where a body writes that."""
        names = [name, self.landings.get(name, name)]
        users = [body for body in self.bodies if {*names} & {*body.operands}]
        letters = {body.flag["uplo"] for body in users if "uplo" in body.flag}
        halves = (zip(body.row.matrices, body.operands, strict=True) for body in users)
        if any(x.half and used in names for pairs in halves for x, used in pairs):
            names = names[:1]
        if not all(self.row.operand(each).triangle for each in names) or len(letters) != 1:
            return ""
        found = letters.pop()
        return str(found.toggled() if self._turned(name) else found)

    def parts(self, name: str) -> frozenset[str]:
        """What bodies read or write of an operand as it is stored, by columns: "L" and "U", the strict triangles, and
        "D", the diagonal."""
        found, names = set[str](), {name, self.landings.get(name, name)}
        for body in self.bodies:
            uses = [*zip(body.row.matrices, body.operands, strict=True)]
            uses += [(body.row.operand(own), source) for own, source in body.sources]
            found |= {part for x, used in uses if used in names for part in x.parts(_letters(body))}
        turned = self._turned(name)
        return frozenset({"L": "U", "U": "L"}.get(part, part) if turned else part for part in found)

    def _turned(self, name: str) -> bool:
        """Whether an operand is stored by rows."""
        where = self.spec.where(self.row.operand(name))
        return self.spec.strides.row_major and where is not None and not where.interleaved


def _needs(bodies: Iterable[Body]) -> frozenset[str]:
    return frozenset(need for body in bodies for need in picked(body.row.needs, _letters(body)))


def _letters(body: Body) -> dict[str, str]:
    return {name: str(value) for name, value in body.flag.items()}


def _preserved(spec: KernelSpec, bodies: tuple[Body, ...]) -> tuple[str, ...]:
    """The operands that bodies behind one that reports change, but for those that are total; pivots of matrices that
    failed have no meaning."""
    first = next((i for i, body in enumerate(bodies) if body.row.info), len(bodies))
    names = {name for body in bodies[first + 1 :] if not body.row.total for name in body.writes}
    return tuple(x.name for x in spec.row.parameters if x.name in names and x.kind is not Kind.INDEX)


def bound_bodies(spec: KernelSpec, *, form: str = "", halved: bool = False) -> tuple[Body, ...]:
    """The bodies of a kernel in their order; ``form``, ``halved``: see ``flat``. Raises SpecError where the operands of
    a step do not fit together."""
    row = spec.row
    steps = _steps(row, spec.flag, halved=halved)
    if not steps:
        return (_one_body(spec),)
    stored = {x.name: spec.stored(x) for x in row.matrices}
    return tuple(_bound(step, stored, spec.p) for step in flat(steps, spec.flag, {}, form=form, halved=halved))


def _with_fused(spec: KernelSpec, bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """The bodies, those that one can do at once replaced by it."""
    stored = {x.name: spec.stored(x) for x in spec.row.matrices}
    for row, steps in FUSED:
        pattern = tuple(flat(steps, {}, {}))
        for i in range(len(bodies) - len(pattern) + 1):
            names = fusible(bodies, i, pattern, row, spec.row.intermediates)
            one = names and _bound(Named(row, tuple(names[x.name] for x in row.matrices), {}, (), "0"), stored, spec.p)
            if one and row.way(one.size, spec.p.parts):
                return _with_fused(spec, (*bodies[:i], one, *bodies[i + len(pattern) :]))
    return bodies


def _steps(row: Operation, flags: Mapping[str, str], *, halved: bool) -> tuple[Step, ...]:
    """What an operation is made of."""
    if row.steps:
        return row.steps_for(flags)
    halves = row.halves if halved else ()
    return tuple(Step(name, tuple(x.name for x in OPS[name].matrices)) for name in halves)


def _one_body(spec: KernelSpec) -> Body:
    names = tuple(x.name for x in spec.row.matrices)
    return Body(spec.row, spec.extents, spec.flag, names, spec.row.scalars)


def flat(
    steps: Iterable[Step],
    flags: Mapping[str, str],
    names: Mapping[str, str | complex],
    *,
    form: str = "",
    halved: bool = False,
) -> Iterator[Named]:
    """The steps, those of operations that are made of steps themselves in their place; ``names`` are the kernel's.
    ``form``: but for those that have a body in it; ``halved``: and those of two halves, which have a body too."""
    for step in steps:
        row = OPS[step.op]
        given, numbers = step.letters(flags), dict(step.scalars)
        own = {name: letter(name, given.get(name, default_flag(name))) for name in row.flags}
        operands = tuple(str(names.get(name, name)) for name in step.operands)
        values = (numbers.get(name, DEFAULT_SCALARS[name]) for name in row.scalars)
        scalars = tuple(names.get(x, x) if isinstance(x, str) else x for x in values)
        below = () if form in row.algorithms else _steps(row, own, halved=halved)
        if below:
            own_names = (*(x.name for x in row.matrices), *row.scalars)
            given_names = dict(zip(own_names, (*operands, *scalars), strict=True))
            yield from flat(below, own, given_names, form=form, halved=halved)
        else:
            yield Named(row, operands, own, scalars, step.offset)


def _constant(step: Named, name: str, value: complex, p: Precision) -> complex:
    """A number as the precision of the kernel has it."""
    try:
        return complex(p.storage.nonzero(value.real), p.storage.nonzero(value.imag))
    except OverflowError:
        number = value if value.imag else value.real
        raise SpecError(f"{name} = {number} of {step.row.name} is too large: the operands are {p.dtype}") from None


def _bound(step: Named, stored: Mapping[str, tuple[int, int]], p: Precision) -> Body:
    size: dict[str, int] = {}
    for x, name in zip(step.row.matrices, step.operands, strict=True):
        rows, cols = stored[name]
        if x.flag and step.flag[x.flag].transposes:  # type: ignore[union-attr]
            rows, cols = cols, rows
        for key, value in ((x.rows, rows), (x.cols, cols)):
            if not (is_name(key) or key == "1"):  # an expression of sizes that operands before it tell
                if (expected := evaluate(key, step.row.extents(size, step.flag))) != value:
                    raise SpecError(f"{name} has {value} for {key} of {step.row.name}: expected {expected}")
                continue
            own = step.row.size_name(key, step.flag)
            expected = 1 if own == "1" else size.setdefault(own, value)
            if expected != value:
                raise SpecError(f"{name} has {value} for {own} of {step.row.name}: expected {expected}")
    scalars = tuple(
        value if isinstance(value, str) else _constant(step, name, value, p)
        for name, value in zip(step.row.scalars, step.scalars, strict=True)
    )
    offset = evaluate(step.offset, size)
    return Body(step.row, step.row.extents(size, step.flag), step.flag, step.operands, scalars, offset)
