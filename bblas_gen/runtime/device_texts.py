"""Functions for GPUs that are no kernels of a spec, and their cubins: what large matrices need beside kernels, and NaN
for matrices that failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..codegen.render import render_file
from ..ir.terms import PRECISIONS, Precision
from .cubins import compile_text

THREADS = 256


@dataclass(frozen=True)
class DeviceText:
    """A text with several functions: its file, its precision where that matters, and the names of the functions."""

    file: str
    functions: tuple[str, ...]
    p: Precision = PRECISIONS["d"]

    def rendered(self) -> str:
        how = {"letter": self.p.letter, "real": self.p.storage.name, "complex": self.p.complex}
        return render_file(f"large/{self.file}.cu", threads=THREADS, **how)

    def compiled(self, arch: str, *, library: bool = True) -> Path:
        """A cubin for an architecture, of the library that was built ahead where there is one and ``library`` is true;
        raises what :func:`compile_text` raises."""
        return compile_text(self.rendered, self.file, arch, self.functions if library else ())


def device_texts(precisions: Iterable[Precision]) -> list[DeviceText]:
    """All that calls in these precisions may need beside kernels."""
    lu = [DeviceText("lu", (f"bb_{p.letter}panel", f"bb_{p.letter}exchange"), p) for p in precisions]
    return [DeviceText("failed", ("bb_fill_nan",)), DeviceText("reports", ("bb_first_report", "bb_copy")), *lu]


def compiled(function: str, arch: str) -> Path:
    """The cubin that has one of these functions."""
    return next(x for x in device_texts(PRECISIONS.values()) if function in x.functions).compiled(arch)
