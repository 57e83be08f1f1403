"""What fits into the registers of a GPU's thread, read off what nvcc says of kernels of all sizes."""

from __future__ import annotations

WORDS: dict[str, dict[str, int]] = {
    "gemm": {"s": 240, "d": 220, "c": 220, "z": 224},
    "trsm": {"s": 240, "d": 220, "c": 220, "z": 224},
    "potrf": {"s": 252, "d": 238, "c": 238, "z": 260},
    "posv": {"s": 210, "d": 208, "c": 208, "z": 208},
}
"""By operation and precision the words of 32 bits of the largest square tile, with a column beside it, that takes 255
registers at most and leaves none to memory."""
