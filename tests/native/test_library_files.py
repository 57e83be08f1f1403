"""The files of a C library in their folder, where an earlier build left others."""

from __future__ import annotations

import json
from dataclasses import replace

from bblas_gen.library.build import build
from bblas_gen.library.contents import LEVELS
from bblas_gen.library.plan import Plan
from bblas_gen.runtime.library import generator


def test_what_an_earlier_build_left_is_removed_and_nothing_else(tmp_path):
    """Headers of interfaces that are no longer wanted, but no files of others, whatever a manifest says."""
    plan = Plan("tested", "tt_", (), (), (LEVELS[0],), False, ("own", "standard"))
    include, manifest = tmp_path / "include", tmp_path / "share" / "tested" / "manifest.json"

    def built(plan):
        build(plan, tmp_path, digest=generator("library"), jobs=1, done=lambda *_: None)
        return sorted(path.name for path in include.iterdir())

    headers = ["tested.f90", "tested.h", "tested.hpp"]
    assert built(plan) == sorted([*headers, "tested_standard.h"])
    (include / "tested_own.h").touch()
    (tmp_path / "other").touch()
    known = json.loads(manifest.read_text())
    known["files"] += ["other", "../other", "include/../other", "include/nothing.h", 1]
    manifest.write_text(json.dumps(known))
    assert built(replace(plan, apis=("own",))) == sorted([*headers, "tested_own.h"])
    assert (tmp_path / "other").exists()
    manifest.write_text("[")
    assert built(plan) == sorted([*headers, "tested_own.h", "tested_standard.h"])
