"""What kernel is wanted: a frozen, validated description with a readable name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar, cast

from ..arguments import as_int
from ..errors import SpecError
from .catalog import LISTED
from .operation import Operand, Operation
from .sizes import Size, evaluate
from .targets import TARGETS
from .terms import BY_DTYPE, FLAGS, PRECISIONS, Layout, Letter, Precision, Strides, Trans, Uplo
from .variants import ROWS

E = TypeVar("E", bound=StrEnum)

MAX_SIZE = 2**24
MAX_LENGTH = 2**40
"""Of a vector, or a side of a matrix beside one, which kernels for any size go through."""
MAX_NB = 2**16

_SYMBOL = re.compile(
    r"bb_(?P<p>[a-z])(?P<op>[a-z0-9]+)(?:_(?P<flags>[a-z1-3]+))?"
    r"_(?P<layouts>(?:pp|st|il|b[ilu](?:[1-9]\d*)?)+)_(?P<sizes>[a-z][a-z0-9]*)(?:_(?P<strides>ld|rs|rm|rmld))?",
    re.ASCII,
)


@dataclass(frozen=True)
class KernelSpec:
    """One kernel: operation, precision, sizes, flags, one layout per operand, strides taken at run time, target.

    Matrices are column-major, as in BLAS, unless ``strides`` says row-major; operations that have a mirror have no such
    kernels, as exchanging their operands does the same. Interleaved matrices may have leading dimensions where all are
    in ``bi``. ``sizes`` and ``flags`` follow the order of the operation's
    row; a size that only run time knows is its own name. ``nb`` is the block size of the ``bi`` operands, 0 where there
    are none. ``sequence`` is the row of a sequence that is not in OPS. Make one with :meth:`make` or :meth:`parse`.
    """

    op: str
    precision: str
    sizes: tuple[Size, ...]
    flags: tuple[Letter, ...]
    layouts: tuple[Layout, ...]
    nb: int = 0
    strides: Strides = Strides.PACKED
    target: str = "cpu"
    sequence: Operation | None = None

    def __post_init__(self) -> None:
        _check_names(self)
        _check_sizes(self)
        _check_layouts(self)

    @classmethod
    def make(
        cls,
        op: str | Operation,
        dtype: object = "d",
        layout: str | Sequence[str] = "st",
        *,
        nb: object = None,
        strides: str = "",
        target: str = "cpu",
        **named: object,
    ) -> KernelSpec:
        """The spec of an operation, or of the row of a sequence, from names as users write them.

        ``layout`` is one name for all operands or one per operand; ``named`` holds the sizes (all of them; None, or the
        name itself, for one that only run time knows) and flags (see FLAGS for what is taken where one is left out) of
        the operation. Raises SpecError (a ValueError) naming the argument, its value and what was expected.
        """
        row = op if isinstance(op, Operation) else operation(op)
        p = precision(dtype)
        sizes = [_size(name, named) for name in row.sizes]
        flags = [letter(name, named.pop(name, default_flag(name))) for name in row.flags]
        if named:
            known = ", ".join((*row.sizes, *row.flags))
            raise SpecError(f"unknown argument {next(iter(named))!r} for {row.name}: expected {known}")
        if isinstance(layout, str):
            one = _member(Layout, "layout", layout)
            layouts = tuple(x.kind.layout(one) for x in row.parameters)
        elif isinstance(layout, Sequence):
            layouts = tuple(_member(Layout, "layout", name) for name in layout)
        else:
            raise SpecError(f"layout = {layout!r}: expected one name, or one for each operand")
        blocked = any(where.blocked for where in layouts)
        if not blocked and nb is not None:
            raise SpecError(f"nb = {nb!r} without a blocked operand: nb belongs to layouts bi, bl and bu")
        block = 0 if not blocked else p.default_nb if nb is None else _integer(nb)
        return cls(
            op=row.name,
            precision=p.letter,
            sizes=tuple(sizes),
            flags=tuple(flags),
            layouts=layouts,
            nb=block,
            strides=_member(Strides, "strides", strides),
            target=target,
            sequence=row if row.composed else None,
        )

    @classmethod
    def parse(cls, symbol: str, target: str = "cpu", sequence: Operation | None = None) -> KernelSpec:
        """The spec whose :meth:`symbol` this is; that of a kernel of a sequence is read with the sequence's row."""
        match = _SYMBOL.fullmatch(symbol) if isinstance(symbol, str) else None
        if not match:
            raise SpecError(
                f"spec = {symbol!r} is not a kernel symbol: expected bb_<precision><operation>[_<flags>]_<layout>_"
                "<sizes>[_ld|_rs|_rm|_rmld], such as bb_dgemm_nn_bi_m8n8k8"
            )
        if not isinstance(sequence, Operation | None):
            raise SpecError(f"sequence = {sequence!r}: expected the row of a sequence, as sequence(...).row")
        row = sequence if sequence and match["op"] == sequence.symbol else operation(match["op"])
        p = precision(match["p"])
        codes = re.findall(r"(pp|st|il|b[ilu])(\d*)", match["layouts"])
        blocks = {int(nb) if nb else p.default_nb for code, nb in codes if Layout(code).blocked}
        if len(blocks) > 1:
            raise SpecError(f"spec = {symbol!r} names several block sizes {sorted(blocks)}: expected one")
        layouts = tuple(Layout(code) for code, _ in codes)
        sizes = re.fullmatch("".join(rf"{name}(\d*)" for name in row.sizes), match["sizes"], re.ASCII)
        flags = match["flags"] or ""
        if not sizes or len(flags) != len(row.flags):
            raise SpecError(
                f"spec = {symbol!r} does not fit {row.name}: expected {len(row.flags)} flag letter(s) "
                f"({', '.join(row.flags)}) and the sizes {', '.join(row.sizes)} in this order"
            )
        return cls(
            op=row.name,
            precision=p.letter,
            sizes=tuple(int(x) if x else name for name, x in zip(row.sizes, sizes.groups(), strict=True)),
            flags=tuple(letter(n, x.upper()) for n, x in zip(row.flags, flags, strict=True)),
            layouts=tuple(x.kind.layout(layouts[0]) for x in row.parameters) if len(layouts) == 1 else layouts,
            nb=blocks.pop() if blocks else 0,
            strides=Strides(match["strides"] or ""),
            target=target,
            sequence=row if row.composed else None,
        )

    def symbol(self) -> str:
        """The name of the kernel's C entry point, such as ``bb_dgemm_nn_bi_m8n8k8``; :meth:`parse` reads it back.

        Block sizes are spelled where they differ from the precision's default; ``_ld`` and ``_rs`` tell that leading
        dimensions, or row and column strides, are arguments rather than constants, and so are sizes without a value,
        as in ``bb_dgemm_nn_bi_mnk``.
        """
        block = "" if self.nb == self.p.default_nb else str(self.nb)
        codes = [layout + (block if layout.blocked else "") for layout in self.layouts]
        layouts = codes[0] if len(set(codes)) == 1 else "".join(codes)
        flags = "".join(self.flags).lower()
        sizes = "".join(name if value == name else f"{name}{value}" for name, value in self.size.items())
        fields = [f"bb_{self.precision}{self.row.symbol}", flags, layouts, sizes, self.strides]
        return "_".join(field for field in fields if field)

    def mirrored(self) -> KernelSpec:
        """The kernel that does the same for row-major matrices: that of the problem with everything transposed, or the
        one that is told so."""
        exchange = self.row.exchange
        if not exchange:
            return replace(self, strides={"": Strides.RM, "ld": Strides.RMLD}.get(self.strides, self.strides))

        def exchanged(names: Sequence[str], values: Sequence[Any]) -> tuple[Any, ...]:
            found = dict(zip(names, values, strict=True))
            return tuple(found[exchange.get(name, name)] for name in names)

        sizes = exchanged(self.row.sizes, self.sizes)
        return replace(
            self,
            sizes=tuple(x if isinstance(x, int) else name for name, x in zip(self.row.sizes, sizes, strict=True)),
            flags=exchanged(self.row.flags, self.flags),
            layouts=exchanged([x.name for x in self.row.operands], self.layouts),
        )

    def __repr__(self) -> str:
        """The call that reads it back, but that a sequence goes by its name."""
        sequence = f", sequence={self.sequence.name}" if self.sequence else ""
        return f"KernelSpec.parse({self.symbol()!r}, {self.target!r}{sequence})"

    @property
    def row(self) -> Operation:
        return self.sequence or ROWS[self.op]

    @property
    def p(self) -> Precision:
        return PRECISIONS[self.precision]

    @property
    def size(self) -> dict[str, Any]:
        """The sizes by name, numbers or C text as in all that follows from them."""
        return dict(zip(self.row.sizes, self.sizes, strict=True))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The sizes that only run time knows."""
        return tuple(size for size in self.sizes if isinstance(size, str))

    @property
    def general(self) -> bool:
        """Whether there are any."""
        return bool(self.unknown)

    @property
    def spaced(self) -> bool:
        """Whether all matrices are in blocks with leading dimensions."""
        return self.strides.leading and all(layout is Layout.BI for layout in self.layouts)

    def at(self, value: int) -> KernelSpec:
        """The spec with ``value`` for every size that only run time knows."""
        return replace(self, sizes=tuple(value if isinstance(size, str) else size for size in self.sizes))

    @property
    def any_size(self) -> KernelSpec:
        """The spec of the kernel that takes all sizes when it runs."""
        return replace(self, sizes=self.row.sizes)

    @property
    def flag(self) -> dict[str, Any]:
        return dict(zip(self.row.flags, self.flags, strict=True))

    @property
    def extents(self) -> dict[str, Any]:
        """All sizes by name, with those that follow from others."""
        return self.row.extents(self.size, self.flag)

    def where(self, operand: Operand) -> Layout | None:
        """The layout of an operand; None for an intermediate."""
        names = [x.name for x in self.row.parameters]
        return self.layouts[names.index(operand.name)] if operand.name in names else None

    def stored(self, operand: Operand) -> tuple[Any, Any]:
        """Rows and columns of an operand before op() is applied."""
        rows, cols = (evaluate(side, self.extents) for side in (operand.rows, operand.cols))
        return (cols, rows) if operand.flag and self.flag[operand.flag].transposes else (rows, cols)

    @property
    def flops(self) -> int:
        """Real floating-point operations per matrix, by the usual count."""
        return int(evaluate(self.costs[0], self.extents))

    @property
    def bytes(self) -> int:
        """Bytes of all operands of one matrix: the least a cold call moves, output counted once."""
        return int(evaluate(self.costs[1], self.extents))

    @property
    def costs(self) -> tuple[str, str]:
        """``flops`` and ``bytes`` as expressions of sizes."""
        moved = " + ".join(f"({x.count}) * {self.p.bytes_of(x.kind)}" for x in self.row.parameters)
        return f"4 * ({self.row.flops})" if self.p.complex else self.row.flops, moved


def operation(name: object) -> Operation:
    row = ROWS.get(name) if isinstance(name, str) else None
    if row is None:
        raise SpecError(f"op = {name!r} is not an operation: expected one of {', '.join(x.name for x in LISTED)}")
    return row


def precision(dtype: object) -> Precision:
    """The row of PRECISIONS for a BLAS letter, a dtype name or a NumPy dtype."""
    if isinstance(dtype, str) and dtype in PRECISIONS:
        return PRECISIONS[dtype]
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    row = BY_DTYPE.get(name) if isinstance(name, str) else None
    if row is None:
        raise SpecError(
            f"dtype = {dtype!r} is not supported: expected {', '.join(PRECISIONS)} or {', '.join(BY_DTYPE)}"
        )
    return row


def default_flag(name: str) -> Letter:
    """The letter of a flag that is not given: the first of its kind."""
    return cast(Letter, next(iter(FLAGS[name])))


def letter(name: str, value: object, called: str = "") -> Letter:
    """The letter that a user's flag means, whatever its case, or number. A letter of another flag is refused: many are
    alike. ``called``: what an error calls it, if not ``name``."""
    kind = FLAGS[name]
    swapped = isinstance(value, Letter) and type(value) is not kind
    text = value.upper() if isinstance(value, str) else str(value)
    if swapped or isinstance(value, bool) or text not in tuple(kind):
        what = "a transposition" if kind is Trans else f"a letter of {name}"
        raise SpecError(f"{called or name} = {value!r} is not {what}: expected one of {', '.join(kind)}")
    return kind(text)


def _size(name: str, named: dict[str, object]) -> Size:
    """The size that ``named`` holds; None, but not its absence, means that only run time knows it."""
    at_run_time = name in named and named[name] is None
    value = named.pop(name, None)
    return name if at_run_time else _integer(value)


def _integer(value: Any) -> int:
    """``value`` as an int where it is one in disguise (NumPy's); anything else is left for the checks to refuse."""
    found = as_int(value)
    return cast(int, value) if found is None else found


def _member(kind: type[E], name: str, value: object) -> E:
    try:
        return kind(cast(str, value))
    except ValueError:
        expected = ", ".join(repr(str(member)) for member in kind)
        raise SpecError(f"{name} = {value!r} is unknown: expected one of {expected}") from None


def _check_names(spec: KernelSpec) -> None:
    if spec.sequence is None:
        operation(spec.op)
    for name, value in zip(spec.row.flags, spec.flags, strict=True):
        letter(name, value)
    p = precision(spec.precision)
    steps = spec.sequence.steps_for({}) if spec.sequence else ()
    numbers = [value for step in steps for _, value in step.scalars]
    if unreal := next((x for x in numbers if isinstance(x, complex) and x.imag and not p.complex), None):
        raise SpecError(
            f"{spec.op} multiplies by {unreal}, which is no real number: expected complex operands, not {p.dtype}"
        )
    if not isinstance(spec.target, str) or spec.target not in TARGETS:
        raise SpecError(f"target = {spec.target!r} is unknown: expected one of {', '.join(TARGETS)}")
    if len(spec.layouts) != len(spec.row.parameters):
        names = ", ".join(x.name for x in spec.row.parameters)
        count = len(spec.row.parameters)
        raise SpecError(f"layout names {len(spec.layouts)} operands: expected 1 or {count} ({names})")


def _check_sizes(spec: KernelSpec) -> None:
    for name, value in zip(spec.row.sizes, spec.sizes, strict=True):
        most = MAX_LENGTH if "streamed" in spec.row.algorithms else MAX_SIZE
        fits = value == name if isinstance(value, str) else type(value) is int and 0 <= value <= most
        if not fits:
            shapes = ", ".join(f"{x.name} {x.rows} x {x.cols}" for x in spec.row.parameters)
            raise SpecError(f"{name} = {value!r} is not a size: expected an int from 0 to {most} ({shapes})")
    if spec.general and not _at_run_time(spec):
        what = f"sizes that only run time knows ({', '.join(spec.unknown)})"
        raise SpecError(f"target = {spec.target!r} has no kernels for {what}: expected numbers")


def _at_run_time(spec: KernelSpec) -> bool:
    """Whether there are kernels of the target that find these sizes at run time."""
    apart = spec.unknown == spec.row.sizes and not any(layout.interleaved for layout in spec.layouts)
    return TARGETS[spec.target].general or (spec.row.tiled and apart)


def _check_layouts(spec: KernelSpec) -> None:
    interleaved = [layout.interleaved for layout in spec.layouts]
    if any(where.blocked for where in spec.layouts) and (type(spec.nb) is not int or not 1 <= spec.nb <= MAX_NB):
        raise SpecError(f"nb = {spec.nb!r} is not a block size: expected an int from 1 to {MAX_NB}")
    if all(interleaved) and spec.strides is not Strides.PACKED and not spec.spaced:
        what = "expected none, or ld or rmld where all are in bi"
        raise SpecError(f"strides = {str(spec.strides)!r} without a pp or st operand: {what}")
    for x in spec.row.parameters:
        where = cast(Layout, spec.where(x))
        if x.kind.layout(where) is not where:
            raise SpecError(f"layout = {str(where)!r} of {x.name}: expected 'st', 'bi' or 'il', as it holds indices")
        triangle = where.triangle
        wanted = spec.flag.get("uplo") if x.triangle or x.half else None
        if triangle and not spec.row.repacks and triangle is not wanted:
            what = f"the {'upper' if wanted is Uplo.U else 'lower'} triangle" if wanted else "all"
            raise SpecError(f"layout = {str(spec.where(x))!r} of {x.name}: {spec.op} works with {what} of it")
        if triangle and len(set(spec.stored(x))) > 1:
            raise SpecError(f"layout = {str(spec.where(x))!r} of {x.name}, {spec.stored(x)}: expected a square matrix")
    if spec.strides.row_major and spec.row.transposition is not None:
        why = f"is not available for {spec.op}: exchange its operands instead"
        raise SpecError(f"strides = {str(spec.strides)!r} {why}")
