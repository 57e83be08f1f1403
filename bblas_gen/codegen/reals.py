"""The bits of a real number as IEEE 754 stores it, as C text."""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

from ..ir.terms import Real


@dataclass(frozen=True)
class StoredReal:
    """A sign, an exponent to which the bias is added, and the bits of a fraction."""

    real: Real

    @property
    def fraction(self) -> int:
        """The bits of the fraction."""
        return 1 - frexp(self.real.eps)[1]

    @property
    def bias(self) -> int:
        """What is added to exponents: the largest of them, too."""
        return 2 - frexp(float.fromhex(self.real.smallest))[1]

    @property
    def _low(self) -> int:
        """Bits of the lower half of a mantissa, whose first bit is not stored."""
        return self.fraction // 2 + 1

    def _bits(self, number: int) -> str:
        return f"((u{self.real.integer})0x{number:x})"

    def power(self, exponent: int) -> str:
        """2^exponent."""
        return self._bits((self.bias + exponent) << self.fraction)

    def lowest(self, count: int) -> str:
        """That many ones."""
        return self._bits((1 << count) - 1)

    @property
    def exponent(self) -> str:
        """The bits of the exponent: those of the power of two in a normal number."""
        return self._bits((2 * self.bias + 1) << self.fraction)

    @property
    def inverse(self) -> str:
        """What the bits of a power of two are taken from, for those of its inverse."""
        return self.power(self.bias)

    @property
    def magnitude(self) -> str:
        """All but the sign."""
        return self.lowest(self.real.bytes * 8 - 1)

    @property
    def lower(self) -> str:
        """The lower half of a mantissa."""
        return self.lowest(self._low)

    @property
    def rounding(self) -> str:
        """Half of what the upper half of a mantissa counts."""
        return self._bits(1 << (self._low - 1))

    @property
    def lift(self) -> int:
        """What is 2^fraction and the bias, the number whose fraction is an exponent as it is stored of 1."""
        return (1 << self.fraction) + self.bias
