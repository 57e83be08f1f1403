"""The full grid of CUDA kernels: what is in it, and what is remembered of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from support import cuda_grid
from support.cuda_grid import Looked
from support.cuda_kernels import ARCHITECTURES, LARGEST, Kernel, variants
from support.cuda_kernels import rows as rows_of

from bblas_gen.bench.notes import Notes
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.toolchain import cuda


def test_what_is_left_of_the_grid_is_counted(asked: list[tuple[list[str], list[str]]], tmp_path: Path) -> None:
    """A kernel whose text is another one now was not looked at."""
    kernels = [Kernel(KernelSpec.parse(f"bb_dscal_bi_n{n}", "cuda")) for n in (2, 3, 4)]
    Looked(Notes.of(tmp_path / "notes"), ["sm_90"], tmp_path / "record").look(kernels[:1])
    late = Notes.of(tmp_path / "notes", -1)
    late.names.add((kernels[1].spec.symbol(), "sm_90"))
    looked = Looked(late, ["sm_90"], tmp_path / "record")
    looked.look(kernels)
    assert len(asked) == 1
    first, head, scal = looked.summary(kernels[:1], kernels[1:]).splitlines()
    assert first.startswith("sm_90: 1 of 3 kernels looked at (33.3 %), 1 of 1 of the largest; 1 others are noted")
    assert head.split()[1:3] == ["d", "bi"]
    assert scal.split() == ["scal", "2"]


@pytest.mark.parametrize(("layout", "n", "number"), [("il", 13, 2), ("il", 20, 1), ("bi", 13, 1)])
def test_sequences_without_limits_of_their_own_are_in_the_grid_with_all_flags(layout: str, n: int, number: int) -> None:
    """Of potri of n = 15 in il one triangle spilled, the other did not."""
    found = {one.spec.symbol() for one in cuda_grid._several(OPS["potri"], "s", layout, n)}
    assert found <= {f"bb_spotri_{uplo}_{layout}_n{n}" for uplo in "lu"}
    assert len(found) == number


@pytest.mark.parametrize("sizes", [set(), {7}, {1, 2, 3, 5, 8, 9, 32}])
def test_sizes_are_written_as_spans(sizes: set[int]) -> None:
    spans = cuda_grid.spans_of(sizes)
    assert cuda_grid.sizes_of(spans) == sizes
    assert len(spans) <= len("1-3 5 8-9 32")


def test_the_record_of_the_grid_has_a_row_of_each_kernels_and_architecture() -> None:
    rows = json.loads(cuda_grid.RECORD.read_text(encoding="utf-8"))
    named = [(row["kernels"], row["arch"]) for row in rows]
    assert named == sorted({*named})
    every = [*rows_of(), *rows_of(variants())]
    kinds = {f"{letter}{row.name} {layout}" for row, letter in every for layout in cuda_grid.LAYOUTS}
    assert kinds >= {kind for kind, _ in named}
    for row in rows:
        assert row["arch"] in ARCHITECTURES
        assert cuda_grid.sizes_of(row["n"]) <= {*range(1, LARGEST + 1)}
        assert re.fullmatch("[0-9a-f]{16}", row["texts"])


def test_what_was_without_a_fault_is_not_compiled_again(
    asked: list[tuple[list[str], list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another checkout, until its text changes. What is wrong, or of another architecture, is."""
    kernels = [Kernel(KernelSpec.parse(f"bb_d{op}_bi_n{n}", "cuda")) for op in ("scal", "nrm2") for n in (4, 2, 3)]

    def run(archs: list[str], known: str, some: list[Kernel] = kernels) -> Looked:
        looked = Looked(Notes.of(tmp_path / known), archs, tmp_path / "record")
        looked.recall(some)
        looked.look(some)
        looked.write(some)
        return looked

    def rows() -> list[tuple[str, str, str]]:
        found = json.loads((tmp_path / "record").read_text(encoding="utf-8"))
        return [(row["kernels"], row["arch"], row["n"]) for row in found]

    def names(some: list[Kernel]) -> list[str]:
        return [one.spec.symbol() for one in some]

    run(["sm_90"], "first", kernels[:4])
    assert rows() == [("dnrm2 bi", "sm_90", "4"), ("dscal bi", "sm_90", "2-4")]
    run(["sm_90"], "second")
    assert asked[1:] == [(names(kernels[4:]), ["sm_90"])]
    before = json.loads((tmp_path / "record").read_text(encoding="utf-8"))
    third = run(["sm_90", "sm_100"], "third")
    assert asked[2:] == [(names(kernels), ["sm_100"])]
    assert third.good == third.kernels == {"sm_90": {*kernels}, "sm_100": {*kernels}}
    assert json.loads((tmp_path / "record").read_text(encoding="utf-8"))[1::2] == before
    monkeypatch.setattr(cuda, "FLAGS", ("-fmad=false",))
    assert run(["sm_90"], "fourth").keys != third.keys
    assert (asked[3:], len(rows())) == ([(names(kernels), ["sm_90"])], 4)
    monkeypatch.setattr(Kernel, "faults", lambda one, said: ["wrong"] if one is kernels[0] else [])
    assert run(["sm_80"], "fifth").wrong == ["sm_80: wrong"]
    assert rows()[3] == ("dscal bi", "sm_100", "2-4")
    assert rows()[4] == ("dscal bi", "sm_80", "2-3")
