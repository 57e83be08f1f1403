"""Taylor polynomials of exp, and their remainders modulo the characteristic polynomial of a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from ..ir.terms import Real

REACH = 3
"""The largest norm of what they are taken of, or root of a norm of its powers: beyond, the terms of skew matrices
cancel more than a squaring costs."""


def taylor_coefficients(real: Real) -> list[str]:
    """1 / k!, from k = 0 on, as C text; what is left out is below a tenth of the rounding error."""
    degree = next(k for k in range(40) if REACH ** (k + 1) / factorial(k + 1) < real.eps / 20)
    return [(1 / factorial(k)).hex() for k in range(degree + 1)]


@dataclass(frozen=True)
class Characteristic:
    """How the polynomial of a matrix of order ``n`` is found, x^n = a1 x^(n-1) + ... + an, and a matrix is put into a
    polynomial of degree n - 1; ``first`` is the number of the first of the a that is not zero."""

    n: int
    first: int

    @property
    def powers(self) -> range:
        """The powers that are made: those of the polynomial where they are few, else half. Their traces are sums of the
        diagonal, others those of products of two."""
        return range(1, max(1, self.n - 1 if self.n <= 4 else (self.n + 1) // 2) + 1)

    @property
    def most(self) -> float:
        """The norm of the highest power up to which a squaring less will do: that of twice the matrix has REACH as its
        root, and bounds the powers beyond it."""
        return float((REACH / 2) ** len(self.powers)) if len(self.powers) > 1 else 0.0

    @property
    def sums(self) -> range:
        """The powers of which only the trace is made."""
        return range(len(self.powers) + 1, self.n + 1)

    def halves(self, k: int) -> tuple[int, int]:
        """The powers whose product is power k."""
        return k // 2, k - k // 2

    @property
    def numbers(self) -> range:
        """Those of the a that are not zero."""
        return range(self.first, self.n + 1)

    def pairs(self, k: int) -> list[tuple[int, int]]:
        """The a and the traces whose products are taken from trace k, for k times a_k."""
        return [(i, k - i) for i in self.numbers if self.first <= k - i < k]

    def step(self) -> list[tuple[int, int, int]]:
        """What times x does to the coefficients of a polynomial, from the highest one on: the number of each, of the
        one that it was, and of the a that is multiplied by what was the highest; -1 and 0 for none."""
        numbers = [(j, j - 1, self.n - j) for j in reversed(range(self.n))]
        return [(j, below, a if a >= self.first else 0) for j, below, a in numbers]

    @property
    def low(self) -> list[tuple[int, int]]:
        """The coefficients of the powers that are made, and these."""
        return [(k, k) for k in self.powers if k < self.n]

    @property
    def high(self) -> list[tuple[int, int]]:
        """The coefficients from the highest power on, and the power that each has when divided by that."""
        last = len(self.powers)
        return [(j, j - last) for j in range(last, self.n)]


def characteristic(n: int, *, traceless: bool) -> Characteristic:
    """For a matrix whose trace may be zero."""
    return Characteristic(n, 1 + traceless)
