"""Row-major matrices as column-major ones: which arguments change places where every matrix is its transpose."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir.operation import Operation
from ..ir.terms import Role


@dataclass(frozen=True)
class Turn:
    """``exchange``: names of sizes, flags and operands that change places, both ways; ``toggled``: flags of which the
    other letter is meant; ``alone``: it is so of operations on one matrix."""

    exchange: dict[str, str] = field(default_factory=dict)
    toggled: tuple[str, ...] = ()
    alone: bool = False

    def of(self, name: str) -> str:
        return self.exchange.get(name, name)


_SIDES = {"m": "n", "n": "m"}
_TURNS = {
    "symmetric": Turn(_SIDES, ("side", "uplo")),
    "triangular": Turn(_SIDES, ("side", "uplo")),
    "rank_k": Turn({}, ("uplo", "trans")),
    "square": Turn({}, ("uplo",), alone=True),
}
"""By canonical form: op(A) B is B' op(A)' transposed, and a triangle becomes the other one."""


def turn_of(row: Operation) -> Turn | None:
    """What changes places; None where that is not enough, and kernels are made for one memory order."""
    if row.exchange:
        return Turn(row.exchange)
    found = _TURNS.get(row.canonical_form)
    if found is None or (found.alone and len(row.parameters) > 1):
        return None
    factors = [x.name for x in row.operands if x.role is Role.IN]
    if row.hermitian and "trans" in found.toggled and len(factors) == 2:  # alpha A B* + conj(alpha) B A*
        first, second = factors
        return Turn({first: second, second: first}, found.toggled)
    return found
