"""The report: one self-contained page, drawn by a real browser where there is one, and the README's picture."""

from __future__ import annotations

import json
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from bblas_gen.bench import experiments, fusion
from bblas_gen.bench.result import report
from bblas_gen.cli.main import main

pytest.importorskip("bblas_gen.bench.figures")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECTIONS = 5  # gemm, trsm with 1, 3 and 4 right-hand sides, syrk
FIGURES = 3 * 4 - 2  # none where there is only one size, and no ratios of trsm, which these peers do not have
NAMES = ("gemm", "trsm", "syrk", "experiments")
VOID = {"meta", "link", "br", "hr", "img", "use", "path", "rect", "line", "polyline", "circle", "stop"}


def run(*arguments, code=0):
    done = CliRunner().invoke(main, ["bench", *(str(x) for x in arguments)])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Data of every kind, and the page made from it."""
    out = tmp_path_factory.mktemp("report")
    patch = pytest.MonkeyPatch()
    patch.setattr(experiments, "BLOCK_SIZES", (8, 16))
    for name in ("BLOCK_MATRICES", "BATCH_MATRICES", "GROUP_MATRICES", "CONVERSION_MATRICES"):
        patch.setattr(experiments, name, (2, 3))
    patch.setattr(experiments, "BATCH_SIZES", (10, 30))
    patch.setattr(fusion, "SIZES", (2, 3))
    options = ["--batch", 40, "--repetitions", 2, "--peers", "numpy,plain", "--json"]
    run("gemm", "--sizes", "2,3,2x3x4", "--dtype", "d,c", *options, out / "gemm.json")
    run("trsm", "--sizes", "2,3,2x3", "--rhs", "1,4", *options, out / "trsm.json")
    run("syrk", "--sizes", "2,3", *options, out / "syrk.json")
    run("experiments", "--batch", 40, "--repetitions", 2, "--json", out / "experiments.json")
    run("report", *(out / f"{name}.json" for name in NAMES), "-o", out / "page")
    patch.undo()
    return out


class Page(HTMLParser):
    """What a page has: tags in balance, references to elsewhere, figures."""

    def __init__(self):
        super().__init__()
        self.open, self.references, self.counts = [], [], {}

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        named = dict(attributes)
        self.references += [v for k, v in named.items() if k in ("src", "href", "xlink:href") and not v.startswith("#")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(folder):
    page = Page()
    text = (folder / "page" / "index.html").read_text()
    page.feed(text)
    assert page.open == []
    assert set(page.references) == {f"{name}.json" for name in NAMES}
    for name in NAMES:
        assert (folder / "page" / f"{name}.json").read_bytes() == (folder / f"{name}.json").read_bytes()
    assert page.counts["figure"] == page.counts["figcaption"] == FIGURES + len(experiments.EXPERIMENTS)
    assert page.counts["svg"] == text.count('role="img" aria-label="') > page.counts["figure"]
    assert page.counts["table"] == SECTIONS + len(experiments.EXPERIMENTS)
    for experiment in experiments.EXPERIMENTS.values():
        assert experiment.title in text
    assert "2x3x4" in text
    for title in ("trsm: A X = B, A triangular, 4 right-hand sides, 1 thread", "syrk: C := A A&#39; + C, 1 thread"):
        assert title in text


@pytest.mark.skipif(not BROWSER, reason="needs Chromium or Chrome")
def test_a_browser_draws_it(folder, tmp_path):
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
    flags += ["--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'user'}"]
    page = folder / "page" / "index.html"
    probe = "for (const s of document.querySelectorAll('svg')) s.setAttribute('data-drawn', s.clientWidth);"
    probe += "document.body.setAttribute('data-wide', document.documentElement.scrollWidth)"
    page.write_text(page.read_text().replace("</body>", f"<script>{probe}</script></body>"))
    command = [BROWSER, *flags, "--window-size=480,800", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    widths = [float(part.split('"')[1]) for part in dom.split("data-drawn=")[1:]]
    assert len(widths) > FIGURES + len(experiments.EXPERIMENTS)
    assert min(widths) == max(widths) > 400
    assert int(dom.split('data-wide="')[1].split('"')[0]) <= 500, "the page does not fit a phone"


def test_experiments_hold_what_they_promise(folder):
    found = json.loads((folder / "experiments.json").read_text())["experiments"]
    assert found.keys() == experiments.EXPERIMENTS.keys()
    assert {row["nb"] for row in found["block_size"]} == {8, 16}
    assert {row["state"] for row in found["block_size"]} == {"hot", "cold"}
    assert {row["contender"] for row in found["batch_size"]} == {"st", "bi", "numpy"}
    assert {row["batch"] for row in found["batch_size"]} == {10, 30}
    assert {(row["layout"], row["part"]) for row in found["conversion"]} >= {("st", "compute"), ("il", "convert back")}
    assert {row["contender"] for row in found["groups"]} >= {"ours, one group", "ours, groups of one"}
    for rows in found.values():
        assert all(row["gflops"] > 0 for row in rows)


def test_the_readme_picture(folder, tmp_path):
    picture = tmp_path / "picture.svg"
    run("figure", folder / "gemm.json", "-o", picture)
    assert "<svg" in picture.read_text()


@pytest.fixture
def stacks(tmp_path):
    """Data on functions of stacks: theirs and ours, in microseconds, and copies."""
    times = {"solve": (40, 10), "inv": (70, 20), "expm": (90, 10)}
    alike = {"dtype": "d", "batch": 100, "threads": 1, "state": "steady", "matrices": {}}
    found = [
        {"call": name, "n": n, "ns": {"ours": 1e3 * y, "numpy": 1e3 * x}, "ratios": {"numpy": x / y}, **alike}
        for name, (x, y) in times.items()
        for n in (3, 8)
    ]
    copies = {"ours": 2.0, "planned": 1.0, "copy": 0.9, "copy_new": 1.5}
    cold = {"ns": copies, "ratios": {x: y / 2 for x, y in copies.items() if x != "ours"}, "planned": 0.9, "gbs": {}}
    found.append({"call": "inv", "n": 3} | alike | cold | {"state": "cold"})
    spreads = {"spread": "ns", "ratio_spread": "ratios"}
    rows = [row | {name: dict.fromkeys(row[of], 0.01) for name, of in spreads.items()} for row in found]
    (tmp_path / "linalg.json").write_text(json.dumps(report(rows) | {"linalg": {"skipped": ["JAX: absent"]}}))
    return tmp_path / "linalg.json"


def test_the_readme_picture_of_stacks(stacks, tmp_path):
    run("figure", stacks, "-o", tmp_path / "picture.svg")
    picture = (tmp_path / "picture.svg").read_text()
    assert all(text in picture for text in (">solve<", ">inv<", ">NumPy<", ">40<", ">10<", ">70<", ">20<"))
    assert ">expm<" not in picture
    assert ">PyTorch<" not in picture


def test_the_page_of_stacks(stacks, tmp_path):
    run("report", stacks, "-o", tmp_path / "page")
    text = (tmp_path / "page" / "index.html").read_text()
    page = Page()
    page.feed(text)
    assert page.counts["figure"] == 1 + 3  # bars, and each function over its peers
    for told in ("inv over numpy, n = 1 to 4", "inv, cold, part of copy_new", "Not here: JAX: absent", "4.00 times"):
        assert told in text


def test_rows_of_stacks_without_what_rounds_say_of_ratios(stacks, tmp_path):
    """As older versions wrote them."""
    found = json.loads(stacks.read_text())
    del found["rows"][0]["ratio_spread"]
    stacks.write_text(json.dumps(found))
    for command, to in (("report", "page"), ("figure", "picture.svg")):
        told = run(command, stacks, "-o", tmp_path / to, code=1)
        assert f"{stacks} is not what benchmarks of this version write: measure again" in " ".join(told.split())


def test_without_data_it_measures(tmp_path, monkeypatch):
    from bblas_gen.bench import pages

    monkeypatch.setattr(pages, "QUICK", ((2, 3), 20, 2))
    monkeypatch.setattr(pages, "peers_of", lambda op: ["scipy"])
    monkeypatch.setattr(experiments, "EXPERIMENTS", {"groups": experiments.EXPERIMENTS["groups"]})
    run("report", "--quick", "-o", tmp_path / "page")
    names = {"gemm.json", "posv.json", "experiments.json", "index.html"}
    assert {path.name for path in (tmp_path / "page").iterdir()} == names


def test_rich_is_not_needed(monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *arguments, **named):
        if name.startswith("rich"):
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    text = run("gemm", "--sizes", "2", "--batch", 20, "--repetitions", 2, "--peers", "none", "--states", "hot")
    assert "% roofline" in text


def test_bytes_that_were_counted_make_the_papers_figure(tmp_path):
    row = {"op": "potrf", "dtype": "d", "contender": "st", "family": "T-sm", "bytes": 260.0, "least": 164.0}
    rows = [row | {"n": n, "gflops": 10.0 * n} for n in (2, 4)]
    rows += [{**one, "contender": "bi", "family": "T", "bytes": 164.0} for one in rows]
    (tmp_path / "bytes.json").write_text(json.dumps(report(rows) | {"traced": {"gbs": 3000, "batch": 128}}))
    run("report", tmp_path / "bytes.json", "-o", tmp_path / "page")
    page = (tmp_path / "page" / "index.html").read_text()
    for text in ("from bytes counted in an emulation, at 3,000 GB/s", "DPOTRF, at most", "BlkIntlSM", "1.59 times"):
        assert text in page
