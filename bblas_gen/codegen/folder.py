"""Where the templates lie."""

from __future__ import annotations

from pathlib import Path


def template_folder() -> Path:
    """The folder of all: inside the package when installed, beside it in a working tree."""
    here = Path(__file__).resolve().parents[1]
    return next(folder for folder in (here / "templates", here.parent / "templates") if folder.is_dir())
