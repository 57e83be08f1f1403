"""Operations whose kernels on a GPU go back to memory, or to caches, for elements that they have had, and why.

What nvcc makes of a kernel, and what is traced in the emulation, are looked at with the same exceptions.
"""

from __future__ import annotations

from dataclasses import dataclass

DIAGONAL = "the diagonal is looked at before anything is overwritten"
REFLECTION = "of one row, where there are no loops, the diagonal is written with the reflection and after it"
IN_PLACE = "rows or columns are exchanged in memory, where caches still have them"
BODIES = "compilers load again for a body what one before it had in registers; nvcc does where each has its own address"
PRODUCTS = "products of small matrices, which caches have, and registers have no room for"
RANGE = "determinants near the ends of the range, of which tests make many, are taken again"
SINGULAR = "B of singular matrices stays, and compilers do not know that addresses differ"
VECTORS = (
    "vectors are written before it is known that values have converged, and the product with the factor comes after"
)
PIVOTS = "small pivots are done anew"
PLACE = "the last step is a product with the factor, whose place others had meanwhile"


@dataclass(frozen=True)
class Again:
    """``why``; and what is not counted therefore: ``text``, the loads and stores that nvcc makes of a kernel, by how
    matrices are addressed; ``asked``, what threads ask caches for; ``moved``, what comes from memory and goes there."""

    why: str
    text: tuple[str, ...] = ()
    asked: bool = False
    moved: bool = False


ANY = ("bi", "il")
AGAIN = {
    "potri": Again(f"{DIAGONAL}; {BODIES}", text=ANY, asked=True),
    "trtri": Again(DIAGONAL, text=ANY, asked=True),
    "getrinp": Again(DIAGONAL, text=ANY),
    "geqrf": Again(REFLECTION, text=ANY),
    "geqp3": Again(REFLECTION, text=ANY),
    "gels": Again(REFLECTION, text=ANY),
    "getrfnp": Again(PIVOTS, text=ANY),
    "gesvnp": Again(f"{PIVOTS}; {BODIES}", text=ANY, asked=True),
    "getri": Again(IN_PLACE, text=ANY, asked=True),
    "getrs": Again(IN_PLACE, text=ANY, asked=True),
    "laswp": Again(IN_PLACE, text=ANY, asked=True),
    "trilu": Again(IN_PLACE, asked=True),
    "gesv": Again(SINGULAR, text=("il",), asked=True),
    "posv": Again(BODIES, asked=True),
    "potrs": Again(BODIES, asked=True),
    "sygv": Again(f"{VECTORS}; {BODIES}", text=ANY, asked=True),
    "posqrt": Again(PLACE, asked=True),
    "gedet": Again(RANGE, text=ANY, asked=True),
    "geslogdet": Again(RANGE, text=ANY, asked=True),
    **dict.fromkeys(("gepade13", "gepade7", "getaylor", "squaring", "similar"), Again(PRODUCTS, asked=True)),
}
