"""Sphinx: `sphinx-build -W docs build/docs` makes the site; pages on operations and commands are written first."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pages

from bblas_gen.version import __version__

project = "bblas_gen"
author = "The bblas_gen developers"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Batched linear algebra on small matrices", "page_width": "1100px"}
html_show_copyright = False
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
smartquotes = False
myst_heading_anchors = 3

KNOWN = {
    *("parameters", "other parameters", "returns", "yields", "raises", "warns", "warnings", "notes", "see also"),
    *("examples", "references", "attributes", "methods"),
}
"""Sections of docstrings that napoleon knows. Others, such as "Cost" or "Source", become plain headings."""


def headings(app, what, name, obj, options, lines):
    """Turn sections that are not numpydoc's into rubrics, which are allowed inside a docstring."""
    for i in range(len(lines) - 1):
        title, rule = lines[i].strip(), lines[i + 1].strip()
        if title and re.fullmatch("-{3,}", rule) and title.lower() not in KNOWN:
            lines[i : i + 2] = [f".. rubric:: {title}", ""]


def setup(app):
    app.connect("config-inited", lambda app, config: pages.write(Path(app.srcdir) / "reference"))
    app.connect("autodoc-process-docstring", headings, priority=400)  # before napoleon
