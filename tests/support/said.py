"""A compiler of CUDA that says of every function that registers suffice."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bblas_gen.bench import notes
from bblas_gen.bench.ptxas import Functions, Used
from bblas_gen.codegen.render import Source
from bblas_gen.toolchain import cuda

FITS = Used(40, 0, 0, {}, {}, loops=False)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], list[str]]]:
    """What a compiler was asked that says of every function that it fits."""
    found = []

    def said(sources: list[Source], archs: list[str]) -> dict[str, list[Functions]]:
        found.append(([source.symbol for source in sources], archs))
        return {arch: [{one.name: FITS for one in source.functions} for source in sources] for arch in archs}

    monkeypatch.setattr(notes, "used", said)
    monkeypatch.setattr(cuda, "find_nvcc", lambda: SimpleNamespace(identity="nvcc 13"))
    return found
