"""What an operation is: operands, sizes, flags, and what it is made of; see the table in ``catalog``.

Everything here is data: rows compare, hash, pickle and print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from .sizes import evaluate, product
from .terms import FLAGS, Kind, Role

Sizes = Mapping[str, Any]
Letters = Mapping[str, str]
T = TypeVar("T")

DEFAULT_SCALARS: dict[str, complex] = {"alpha": 1.0, "beta": 0.0}
"""The values of scalars that are not given."""


@dataclass(frozen=True)
class By(Generic[T]):
    """What depends on a flag: a value for each of its letters. Make one with :func:`by`."""

    flag: str
    cases: tuple[tuple[str, T], ...]

    def pick(self, letters: Letters) -> T:
        return dict(self.cases)[str(letters[self.flag])]


def by(flag: str, **cases: T) -> By[T]:
    return By(flag, tuple(cases.items()))


def same(flag: str) -> By[str]:
    """The letter of ``flag`` itself."""
    return By(flag, tuple((str(x), str(x)) for x in FLAGS[flag]))


def picked(value: T | By[Any], letters: Letters) -> T:
    """What the letters choose, of one flag after another."""
    while isinstance(value, By):
        value = value.pick(letters)
    return value


@dataclass(frozen=True)
class Operand:
    """A matrix argument: ``op(X)`` is ``rows`` x ``cols``; ``flag`` names the letter of op.

    A side is the name of a size, "1", or an expression such as "min(m, n)". ``scaled_by`` names the scalar whose zero
    means that the operand is not read. ``triangle`` says that only one triangle is read or written. ``kind`` is what
    an element is. ``half``: all of it is written, but what is not its triangle need not be stored. ``turns``: its
    columns are determined but for factors of size 1.
    """

    name: str
    rows: str
    cols: str
    role: Role
    flag: str | None = None
    scaled_by: str | None = None
    triangle: bool = False
    kind: Kind = Kind.SCALAR
    half: bool = False
    turns: bool = False

    @property
    def count(self) -> str:
        """How many elements are read or written, as an expression of sizes."""
        return f"({self.rows}) * (({self.rows}) + 1) // 2" if self.triangle else f"({self.rows}) * ({self.cols})"

    def elements(self, sizes: Sizes) -> int:
        """How many elements are read or written."""
        return int(evaluate(self.count, sizes))

    def parts(self, letters: Letters) -> frozenset[str]:
        """What is read or written of a matrix, of "L" and "U", the strict triangles, and "D", the diagonal.
        ``letters``: of all flags of the operation."""
        if not self.triangle:
            return frozenset("LDU")
        return frozenset(str(letters.get("uplo", "")) + "D" * (letters.get("diag") != "U"))

    @property
    def is_vector(self) -> bool:
        """Whether it is a matrix of one column, which users hand over as vectors."""
        return self.cols == "1" and self.kind is not Kind.INDEX

    @property
    def has_increment(self) -> bool:
        """Whether it has elements that may lie apart in memory though it has but one column."""
        return self.is_vector and self.rows != "1"

    @property
    def per_matrix(self) -> bool:
        """One index for each matrix: an array of ``batch_count``, in every layout."""
        return self.kind is Kind.INDEX and self.rows == self.cols == "1"


INFO = Operand("INFO", "1", "1", Role.OUT, kind=Kind.INDEX)
"""What each matrix reports, as LAPACK does: 0, or the position (from 1) of what failed."""


@dataclass(frozen=True)
class Work:
    """An array that a body works in: ``count`` elements of a kind for each matrix, an expression of sizes, of
    ``panel``, the columns that are done at a time, of ``parts``, the reals of an element, and of ``abreast``, the
    vectors of matrices that are done together. ``columns``: of so many a team has each an odd number of elements from
    the next, so that neither rows nor columns meet a bank of shared memory twice."""

    name: str
    count: str
    kind: Kind = Kind.SCALAR
    columns: str = ""


@dataclass(frozen=True)
class Way:
    """An algorithm of a lane body, ``templates/tile/NAME.c``, for orders up to ``real``, or ``complex``. ``arrays``:
    those of the row's that it works in. ``reals``: the most that its first operand has, where that matters. ``team``:
    whether a team does it together, where it does so with the algorithm for all other orders."""

    name: str
    real: int
    complex: int
    arrays: tuple[str, ...] = ()
    reals: int = 0
    team: bool = False


@dataclass(frozen=True)
class Step:
    """An operation in a sequence; users make one with :func:`bblas_gen.step`.

    ``operands`` are names of the sequence's operands in the order of the operation's row, without INFO. ``flags`` and
    ``scalars`` hold what differs from the defaults: letters, or what they follow from; numbers, or names of the
    sequence's scalars. ``offset``: what is added to the numbers that it reports, an expression of its sizes; nothing
    before it reports.
    """

    op: str
    operands: tuple[str, ...]
    flags: tuple[tuple[str, str | By[str]], ...] = ()
    scalars: tuple[tuple[str, str | complex], ...] = ()
    offset: str = "0"

    def letters(self, letters: Letters) -> dict[str, str]:
        """The letters that differ from the defaults, where the sequence's flags are ``letters``."""
        return {name: str(picked(value, letters)) for name, value in self.flags}

    def __repr__(self) -> str:
        """The call that makes it."""
        flags = [f"{name}={value!r}" for name, value in self.flags]
        return f"step({', '.join([*map(repr, (self.op, *self.operands)), *flags, *map(_given, self.scalars)])})"


def _given(scalar: tuple[str, str | complex]) -> str:
    name, value = scalar
    if isinstance(value, str):
        return f"{name}={value.removesuffix('_')!r}"
    return f"{name}={value if value.imag else value.real!r}"


@dataclass(frozen=True)
class Operation:
    """One row of OPS, or a sequence that a user composed.

    ``arguments`` is the order of scalars and operands in every C signature. ``flops`` counts real floating-point
    operations per matrix in real arithmetic (complex precisions multiply by 4). ``algorithms`` are the bodies there
    are, ``templates/op/NAME.FORM.c`` (NAME is ``template`` where that is given); the lane body of an operation that is
    made of ``steps`` is theirs. ``tiled``: GPUs do it for any size by
    tiles of its output, by ``NAME.blocked.cu``. ``tile_shape`` is what a lane body holds in registers: a part of an
    "mn" output, a square part "nn", or nothing of the kind. ``holds``: a thread of a GPU may have its triangular factor
    in registers instead, and do one column after another. ``canonical_form`` names the index views (see ``canonical``)
    that turn all flags into the body's one case. ``derived``: sizes that depend on flags.

    ``transposition`` says which names change places when every matrix is replaced by its transpose: so row-major data
    runs on column-major kernels. Where it is None the kernel has the order in its name instead. ``real_scalars`` are
    real in complex precisions too. ``hermitian``: conjugates are taken where there are transposes. ``needs``: what its
    bodies do beyond multiplying and adding. ``returns``: the operands that are its result, the last output where that
    is empty. ``fails``: what an error says of matrices that cannot be done. ``prefetches``: its lane bodies fetch
    ahead in each "step" of a product, in each "tile", or "never"; "lines": as in tiles, and matrices of a
    cache line or two also where they may be in caches, as nobody knows. ``repacks``: its operands may store different
    triangles. ``optional_result``: a caller may leave its result out, and gets a new one. ``composed``: a sequence of a
    user. ``copies``: all it does is to copy one operand to the other. ``moves``: it computes nothing, and kernels of
    other forms than lanes do it where matrices lie, by ``NAME.move.c``. ``revisits``: a lane body comes back to its
    operands where they lie. ``indexes``: it finds numbers of its ``arrays`` by indices that only loops know, so no
    register holds them. ``fetched``: operands, overwritten, whose old values its lane bodies fetch themselves, and
    so may find in another place. ``hidden``: a part of other operations, which no list names.
    ``other_triangle``: what may be made of the other triangle of its result, "zero" or "mirror". ``halves``: the
    operations that do it one after the other, the first without right-hand sides. ``variant_of``: the name of the
    operation that this is a variant of (see ``variants``).
    ``arrays``: what a lane body works in beside its operands, but not in straight lines; ``block_arrays``: what it
    works in instead where it goes by blocks of columns through matrices whose rows are contiguous.
    ``ways``: the algorithms of a lane body for small orders, and ``else_way`` the one for all others, which works in
    all ``arrays``, or in ``else_arrays`` where there are some, and does up to so many vectors of matrices ``abreast``,
    as one alone waits for its own results; ``order`` is what they go by.
    ``sized_by``: the operand whose rows and columns as it is stored are the sizes of the BLAS; here they are those of
    op() of it. ``sliced``: the sizes, in the canonical case, along which an output falls into parts that are computed
    independently of one another, each by the lane body. ``summed``: whether a streamed body adds up many
    products for an element of its output. ``team``: whether threads of a GPU that share a matrix do
    it together, by ``templates/op/NAME.team.cu``, else by the lane body, of which each takes its own columns or all; up
    to so many ``lines``, rows or columns, each; 0 where that does not matter. ``determinant_of``: the operation that
    makes factors of which it reads the determinant alone.
    """

    name: str
    formula: str
    sizes: tuple[str, ...]
    operands: tuple[Operand, ...]
    flops: str
    source: str
    flags: tuple[str, ...] = ()
    scalars: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    algorithms: tuple[str, ...] = ("lane",)
    tiled: bool = False
    template: str = ""
    transposition: tuple[tuple[str, str], ...] | None = None
    tile_shape: str = ""
    holds: bool = False
    canonical_form: str = ""
    derived: tuple[tuple[str, By[str]], ...] = ()
    real_scalars: tuple[str, ...] = ()
    steps: tuple[Step, ...] | By[Any] = ()
    needs: tuple[str, ...] | By[tuple[str, ...]] = ("algebra",)
    returns: tuple[str, ...] = ()
    fails: str = ""
    hermitian: bool = False
    prefetches: str = "tile"
    repacks: bool = False
    optional_result: bool = False
    composed: bool = False
    copies: bool = False
    moves: bool = False
    revisits: bool = False
    indexes: bool = False
    fetched: tuple[str, ...] = ()
    hidden: bool = False
    other_triangle: str = ""
    halves: tuple[str, ...] = ()
    variant_of: str = ""
    arrays: tuple[Work, ...] | By[tuple[Work, ...]] = ()
    block_arrays: tuple[Work, ...] = ()
    ways: tuple[Way, ...] = ()
    else_way: str = ""
    else_arrays: tuple[str, ...] = ()
    abreast: int = 1
    order: str = "n"
    sized_by: str = ""
    sliced: tuple[str, ...] = ()
    summed: bool = False
    team: bool = False
    lines: int = 0
    total: bool = False
    determinant_of: str = ""

    def __post_init__(self) -> None:
        if not self.arguments:
            object.__setattr__(self, "arguments", (*self.scalars, *(x.name for x in self.parameters)))
        if not self.returns:
            object.__setattr__(self, "returns", tuple(x.name for x in self.outputs[-1:]))

    def __hash__(self) -> int:
        return hash(self.name)  # equality compares all; rows of one name are few

    @property
    def symbol(self) -> str:
        """The name in C symbols: two sequences of one name differ in it, and each has the same in every version."""
        if not self.composed:
            return self.name
        from hashlib import sha256  # here: importing bblas_gen must stay fast

        return f"{self.name}{sha256(self._text.encode()).hexdigest()[:8]}"

    @property
    def _text(self) -> str:
        """What its user wrote: nothing of it changes from version to version."""
        return repr((self.steps, [x.name for x in self.operands if x.role is Role.SCRATCH]))

    def operand(self, name: str) -> Operand:
        return next(row for row in self.operands if row.name == name)

    def reads(self, x: Operand, scalars: Mapping[str, Any]) -> bool:
        """Whether it matters what an operand holds before: also where a step of a user's sequence may leave what it
        would have written, as the matrix has failed."""
        unread = x.role is Role.OUT or (x.scaled_by and scalars[x.scaled_by] == 0)
        return self.composed or not unread

    @cached_property
    def user_scalars(self) -> tuple[str, ...]:
        """The scalars as users name them: those of sequences end in _ in C, as no other name there does."""
        return tuple(name.removesuffix("_") for name in self.scalars)

    @cached_property
    def matrices(self) -> tuple[Operand, ...]:
        """The operands that have a place for each matrix, intermediates too."""
        return tuple(x for x in self.operands if not x.per_matrix)

    @cached_property
    def parameters(self) -> tuple[Operand, ...]:
        """The operands that a caller hands over and that have a layout."""
        return tuple(x for x in self.matrices if x.role is not Role.SCRATCH)

    @cached_property
    def intermediates(self) -> tuple[str, ...]:
        """The names of the others."""
        return tuple(x.name for x in self.matrices if x.role is Role.SCRATCH)

    @cached_property
    def outputs(self) -> tuple[Operand, ...]:
        return tuple(x for x in self.parameters if x.role is not Role.IN)

    @cached_property
    def right_hand_side(self) -> str:
        """The operand of right-hand sides, where there may be one or several; else none."""
        return next((x.name for x in self.parameters if x.cols == "nrhs"), "")

    @cached_property
    def info(self) -> bool:
        """Whether each matrix reports."""
        return INFO in self.operands

    def silent(self) -> Operation:
        """It without a report of each matrix, for who reads none."""
        return replace(self, operands=tuple(x for x in self.operands if x is not INFO))

    @property
    def reduces(self) -> bool:
        """Whether all that comes out is one number of each matrix; a new array has them."""
        result = self.operand(self.returns[0])
        return result.role is Role.OUT and result.rows == result.cols == "1" and not self.composed

    @property
    def spoken_name(self) -> str:
        """The name that users know."""
        return self.variant_of or self.name

    @property
    def exchange(self) -> dict[str, str]:
        """The names that change places in the transposed problem, both ways."""
        pairs = self.transposition or ()
        return dict(pairs) | {second: first for first, second in pairs}

    def steps_for(self, letters: Letters) -> tuple[Step, ...]:
        """The steps where the flags are ``letters``."""
        return picked(self.steps, letters)

    def way(self, sizes: Sizes, parts: int) -> Way | None:
        """The algorithm for small orders that matrices of these sizes, of elements of so many reals, go by."""
        order = evaluate(self.order, sizes) if self.ways else ""
        if not isinstance(order, int):
            return None
        reals: Any = product(parts, *(evaluate(side, sizes) for side in (self.operands[0].rows, self.operands[0].cols)))
        small = (x for x in self.ways if order <= (x.complex if parts == 2 else x.real))
        return next((x for x in small if not x.reals or reals <= x.reals), None)

    def extents(self, sizes: Sizes, letters: Letters) -> dict[str, Any]:
        """All sizes by name: those given, the derived ones and "1"."""
        return {**sizes, "1": 1, **{name: sizes[rule.pick(letters)] for name, rule in self.derived}}

    def size_name(self, name: str, letters: Letters) -> str:
        """The size that ``name`` stands for."""
        rule = dict(self.derived).get(name)
        return rule.pick(letters) if rule else name
