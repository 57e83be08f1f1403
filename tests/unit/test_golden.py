"""The committed golden sources are what the generator makes today."""

from __future__ import annotations

import pytest
from support import golden

TEXTS = golden.texts()


def test_nothing_is_missing_or_left_over():
    assert {path.name for path in golden.FOLDER.iterdir()} == {*TEXTS, "MANIFEST"}
    assert (golden.FOLDER / "MANIFEST").read_text() == golden.manifest()


@pytest.mark.parametrize("name", TEXTS)
def test_rendered_anew_they_are_the_same(name):
    assert (golden.FOLDER / name).read_text() == TEXTS[name], "run `pytest --update-golden` and look at the difference"
