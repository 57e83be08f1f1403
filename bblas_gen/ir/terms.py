"""The vocabulary: BLAS letters, layouts and the table of precisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import copysign, frexp, inf, sqrt


class Trans(StrEnum):
    """op(X): ``N`` X, ``T`` X transposed, ``C`` X conjugate-transposed, ``R`` X conjugated but not transposed.

    ``R`` is not in the BLAS standard; it appears when operands of different memory order meet (a row-major A under
    ``C`` is a column-major one under ``R``), and is accepted from users as well.
    """

    N = "N"
    T = "T"
    C = "C"
    R = "R"

    @property
    def transposes(self) -> bool:
        return self in (Trans.T, Trans.C)

    @property
    def conjugates(self) -> bool:
        return self in (Trans.C, Trans.R)

    @classmethod
    def of(cls, transposes: bool, conjugates: bool) -> Trans:
        return {(False, False): cls.N, (True, False): cls.T, (True, True): cls.C, (False, True): cls.R}[
            transposes, conjugates
        ]

    def toggled(self) -> Trans:
        """The letter that means the same when the operand is stored in the other memory order."""
        return Trans.of(not self.transposes, self.conjugates)

    def conjugated(self) -> Trans:
        """The letter of the conjugate of op(X)."""
        return Trans.of(self.transposes, not self.conjugates)


class Side(StrEnum):
    """Where the triangular or symmetric operand stands: ``L`` op(A) B, ``R`` B op(A)."""

    L = "L"
    R = "R"

    def toggled(self) -> Side:
        """The side in the transposed problem."""
        return Side.R if self is Side.L else Side.L


class Uplo(StrEnum):
    """The triangle that is read and written; the other is left alone."""

    L = "L"
    U = "U"

    def toggled(self) -> Uplo:
        """The triangle that it is when the matrix is stored in the other memory order."""
        return Uplo.U if self is Uplo.L else Uplo.L


class Diag(StrEnum):
    """``N``: the diagonal is stored. ``U``: it is one, and not read."""

    N = "N"
    U = "U"

    def toggled(self) -> Diag:
        return self


class Job(StrEnum):
    """What is wanted of an eigenproblem: ``N`` values alone, ``V`` vectors, too."""

    N = "N"
    V = "V"

    def toggled(self) -> Job:
        return self


class Itype(StrEnum):
    """Which generalized eigenproblem: ``1`` A x = w B x, ``2`` A B x = w x, ``3`` B A x = w x."""

    AX = "1"
    ABX = "2"
    BAX = "3"

    def toggled(self) -> Itype:
        return self


Letter = Trans | Side | Uplo | Diag | Job | Itype

FLAGS: dict[str, type[Letter]] = {
    "side": Side,
    "uplo": Uplo,
    "trans": Trans,
    "transa": Trans,
    "transb": Trans,
    "diag": Diag,
    "jobz": Job,
    "itype": Itype,
}
"""What the letters of a flag are, by its name. The first letter of each is what it is where nobody says."""


class Layout(StrEnum):
    """How a batch lies in memory."""

    PP = "pp"  # pointer-to-pointer: an array of pointers, one matrix each
    ST = "st"  # strided: a fixed number of elements from matrix to matrix
    IL = "il"  # interleaved: element (i, j) of all matrices contiguous
    BI = "bi"  # block-interleaved: groups of nb matrices interleaved, one group after another
    BL = "bl"  # block-interleaved, of each matrix the lower triangle alone, column by column
    BU = "bu"  # block-interleaved, of each matrix the upper triangle alone, column by column

    @property
    def interleaved(self) -> bool:
        return self is Layout.IL or self.blocked

    @property
    def blocked(self) -> bool:
        return self in (Layout.BI, Layout.BL, Layout.BU)

    @property
    def triangle(self) -> Uplo | None:
        """The one triangle that is stored."""
        return {Layout.BL: Uplo.L, Layout.BU: Uplo.U}.get(self)


class Strides(StrEnum):
    """Which strides inside a matrix a ``pp``/``st`` kernel takes at run time."""

    PACKED = ""  # none: columns follow one another without gaps
    LD = "ld"  # a leading dimension per operand, as in BLAS
    RS = "rs"  # a row stride and a column stride per operand, any sign
    RM = "rm"  # none, and matrices are row-major: rows follow one another without gaps
    RMLD = "rmld"  # row-major with a leading dimension per operand

    @property
    def leading(self) -> bool:
        return self in (Strides.LD, Strides.RMLD)

    @property
    def row_major(self) -> bool:
        return self in (Strides.RM, Strides.RMLD)


class Role(StrEnum):
    """What a kernel does with an operand."""

    IN = "in"
    INOUT = "inout"
    OUT = "out"
    SCRATCH = "scratch"  # an intermediate of a sequence: no argument, it never leaves the cache


class Kind(StrEnum):
    """What an element of an operand is. Indices are vectors without gaps: beside matrices in ``pp`` they lie in ``st``,
    beside packed triangles in ``bi``."""

    SCALAR = "scalar"  # a number of the kernel's precision
    REAL = "real"  # a real number, in complex precisions too
    INDEX = "index"  # an int32: a pivot, a report

    def layout(self, matrices: Layout) -> Layout:
        """The layout of an operand of this kind beside ``matrices``."""
        if self is not Kind.INDEX or matrices in (Layout.ST, Layout.IL):
            return matrices
        return Layout.BI if matrices.blocked else Layout.ST


INDEX_BYTES = 4
INDEX_DTYPE = "int32"
"""An index is an int32."""


@dataclass(frozen=True)
class Real:
    """A type of real numbers: its C name, its bytes, the unit in the last place of 1, the largest, in C the
    suffixes of its functions (``sqrtf``) and packed instructions (``vsqrtps``) and the integer of its size, and the
    smallest that is normal."""

    name: str
    bytes: int
    eps: float
    largest: str
    function: str
    packed: str
    integer: str
    smallest: str

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The smallest number that is not zero, and the largest that does not round to infinity."""
        return float.fromhex(self.smallest) * self.eps, float.fromhex(self.largest) * (1 + self.eps / 4)

    @cached_property
    def squares(self) -> tuple[float, float]:
        """Sums of squares between these have lost to underflow nothing that counts, and have not overflowed."""
        least = float.fromhex(self.smallest) / self.eps**2
        return least, 1 / least

    @cached_property
    def least_square(self) -> float:
        """Sums of squares from this on have products that, times eps twice, are normal."""
        return sqrt(self.squares[0])

    @cached_property
    def rescale(self) -> tuple[float, float]:
        """Powers of two: numbers whose squares add up to less than that are multiplied by the first, to more by the
        second."""
        up = float.fromhex(self.smallest) ** -0.5 / self.eps
        return up, 1 / up

    @cached_property
    def scales(self) -> tuple[float, float]:
        """The least and the largest power of two that matrices are divided by to have elements about 1: of subnormal
        ones, too, the squares are normal then."""
        smallest = float.fromhex(self.smallest)
        return smallest * 2**22, 1 / smallest

    @cached_property
    def minors(self) -> tuple[float, float]:
        """Matrices of order 3 at most whose squares add up to no more than the first, and whose determinants are no
        less than the second: in minors and determinants nothing overflows, and nothing that counts underflows."""
        exponent = frexp(float.fromhex(self.largest))[1] - 1
        return 4.0 ** (exponent // 3 - 1), 2.0 ** -(exponent // 2)

    @cached_property
    def tiny(self) -> float:
        """Squares, and their sums, that are zero beside 1: those of larger numbers have inverse roots."""
        return float.fromhex(self.smallest) * 64

    def nonzero(self, x: float) -> float:
        """``x``, or, where this type would round it to zero, the smallest number that is not: only zero counts as zero.
        Raises OverflowError where it would round to infinity."""
        smallest, largest = self._ends
        if smallest <= abs(x) <= largest or x == 0:
            return x
        if largest < abs(x) < inf:
            raise OverflowError(f"{x} is too large for {self.name}")
        return x if abs(x) == inf else copysign(smallest, x)


FLOAT = Real("float", 4, 2.0**-23, "0x1.fffffep+127", "f", "ps", "int32_t", "0x1p-126")
DOUBLE = Real("double", 8, 2.0**-52, "0x1.fffffffffffffp+1023", "", "pd", "int64_t", "0x1p-1022")


@dataclass(frozen=True)
class Precision:
    """One row of PRECISIONS: real numbers in memory are of type ``storage``, those in registers of type ``compute``."""

    letter: str
    dtype: str
    storage: Real
    compute: Real
    complex: bool

    @property
    def parts(self) -> int:
        """Real numbers in one element."""
        return 2 if self.complex else 1

    @property
    def itemsize(self) -> int:
        """Bytes in one element."""
        return self.storage.bytes * self.parts

    def parts_of(self, kind: Kind) -> int:
        """Numbers in one element of ``kind``."""
        return self.parts if kind is Kind.SCALAR else 1

    def dtype_of(self, kind: Kind) -> str:
        """The dtype of an array whose elements are of ``kind``."""
        if kind is Kind.INDEX:
            return INDEX_DTYPE
        return self.dtype if kind is Kind.SCALAR else {4: "float32", 8: "float64"}[self.storage.bytes]

    def bytes_of(self, kind: Kind) -> int:
        """Bytes in one element of ``kind``."""
        return INDEX_BYTES if kind is Kind.INDEX else self.storage.bytes * self.parts_of(kind)

    @property
    def eps(self) -> float:
        """The unit in the last place of 1, in memory."""
        return self.storage.eps

    @property
    def default_nb(self) -> int:
        """The default block size of ``bi``: one cache line of reals, whatever the machine.

        A multiple of every vector width up to 512 bits, so data interleaved on one machine suits every other.
        """
        return 64 // self.storage.bytes


PRECISIONS = {
    "s": Precision("s", "float32", FLOAT, FLOAT, False),
    "d": Precision("d", "float64", DOUBLE, DOUBLE, False),
    "c": Precision("c", "complex64", FLOAT, FLOAT, True),
    "z": Precision("z", "complex128", DOUBLE, DOUBLE, True),
}

BY_DTYPE = {row.dtype: row for row in PRECISIONS.values()}
