"""What fits into the registers of a GPU's thread, read off what nvcc says of kernels of all sizes.

Derived by ``python -m bblas_gen.bench.registers``, in steps; it is made anew by one run of that.
"""

from __future__ import annotations

WORDS: dict[str, dict[str, dict[str, int]]] = {
    "bi": {
        "gemm": {"s": 240, "d": 220, "c": 220, "z": 224},
        "gesv": {"s": 88, "d": 108, "c": 80, "z": 160},
        "gesvnp": {"s": 90, "d": 84, "c": 84, "z": 80},
        "getrf": {"s": 80, "d": 160, "c": 70, "z": 140},
        "getrfnp": {"s": 90, "d": 84, "c": 84, "z": 80},
        "getrinp": {"s": 169, "d": 98, "c": 162, "z": 100},
        "getrsnp": {"s": 240, "d": 264, "c": 264, "z": 224},
        "hemm": {"s": 182, "d": 180, "c": 180, "z": 168},
        "her2k": {"s": 230, "d": 238, "c": 70, "z": 80},
        "herk": {"s": 230, "d": 238, "c": 238, "z": 216},
        "lauum": {"s": 252, "d": 270, "c": 270, "z": 260},
        "posv": {"s": 230, "d": 208, "c": 208, "z": 176},
        "potrf": {"s": 252, "d": 238, "c": 270, "z": 260},
        "potri": {"s": 231, "d": 240, "c": 240, "z": 220},
        "potrs": {"s": 230, "d": 208, "c": 238, "z": 216},
        "symm": {"s": 182, "d": 180, "c": 180, "z": 168},
        "syr2k": {"s": 230, "d": 238, "c": 208, "z": 216},
        "syrk": {"s": 230, "d": 238, "c": 238, "z": 216},
        "trmm": {"s": 240, "d": 220, "c": 220, "z": 224},
        "trsm": {"s": 240, "d": 220, "c": 220, "z": 224},
        "trti2": {"s": 252, "d": 270, "c": 270, "z": 260},
        "trtri": {"s": 231, "d": 240, "c": 240, "z": 264},
    },
    "il": {
        "gemm": {"s": 90, "d": 84, "c": 84, "z": 80},
        "gesv": {"s": 88, "d": 176, "c": 80, "z": 160},
        "getrf": {"s": 80, "d": 160, "c": 70, "z": 140},
        "getrfnp": {"s": 90, "d": 112, "c": 84, "z": 120},
        "hemm": {"s": 72, "d": 84, "c": 84, "z": 80},
        "her2k": {"s": 77, "d": 88, "c": 88, "z": 80},
        "herk": {"s": 77, "d": 88, "c": 88, "z": 80},
        "lauum": {"s": 90, "d": 88, "c": 88, "z": 80},
        "potrf": {"s": 90, "d": 88, "c": 88, "z": 80},
        "symm": {"s": 72, "d": 84, "c": 84, "z": 80},
        "syr2k": {"s": 77, "d": 88, "c": 88, "z": 80},
        "syrk": {"s": 77, "d": 88, "c": 88, "z": 80},
        "trmm": {"s": 90, "d": 84, "c": 84, "z": 80},
        "trsm": {"s": 72, "d": 84, "c": 60, "z": 80},
        "trti2": {"s": 90, "d": 88, "c": 88, "z": 80},
    },
}
"""By addressing, operation and precision the words of 32 bits of the largest tile, with a column beside it, that takes
255 registers at most and leaves none to memory, for all kinds of scalars; of sequences those of all operands."""
