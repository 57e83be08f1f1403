"""Folders are marks, and every test session compiles into a cache of its own.

``native/`` and ``fuzz/`` compile and run kernels, ``gpu/`` is for nvcc and GPUs, the others need no compiler:
``pytest -m "not native and not gpu"`` runs without one. Of the settings only BBLAS_GEN_CC and BBLAS_GEN_ISA reach the
tests, so that the suite can be run with another compiler or for another instruction set than this machine's own.
BBLAS_GEN_TEST_CACHE names a folder that keeps what was compiled for the next session.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

KEPT = os.environ.get("BBLAS_GEN_TEST_CACHE")
WORKER = "PYTEST_XDIST_WORKER" in os.environ
HERE = Path(__file__).resolve().parent
MARKS = {"native": "native", "fuzz": "native", "gpu": "gpu"}
FOR_GPUS = ("BBLAS_GEN_NVCC", "BBLAS_GEN_CUDA_ARCH", "BBLAS_GEN_CUBLAS")
"""Settings that reach the tests for the GPU of this machine, too."""
SET: dict[str, str] = {}

if not WORKER:  # workers inherit what is set here
    for name in [name for name in os.environ if name.startswith("BBLAS_GEN_")]:
        if name not in ("BBLAS_GEN_CC", "BBLAS_GEN_ISA"):
            SET[name] = os.environ.pop(name)
    os.environ["BBLAS_GEN_CACHE_DIR"] = KEPT or tempfile.mkdtemp(prefix="bblas_gen-tests-")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile all modules of ours anew
    os.environ["BBLAS_GEN_CONFIG_DIR"] = os.path.join(os.environ["BBLAS_GEN_CACHE_DIR"], "no-config")  # noqa: PTH118


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-minutes", type=float, default=0, help="look for faults at random for so long")
    parser.addoption("--fuzz-first", type=int, default=0, help="the seed of the first random case")
    parser.addoption(
        "--full-grid", action="store_true", help="compile every CUDA kernel up to n = 32, which takes hours"
    )
    parser.addoption("--grid-minutes", type=float, default=float("inf"), help="compile no more than so long")
    parser.addoption("--grid-arch", default="sm_80,sm_90,sm_100", help="architectures of the full grid")
    parser.addoption(
        "--grid-notes", default="cuda-grid.jsonl", help="where what nvcc said is kept, to go on from there"
    )
    parser.addoption(
        "--gpu", action="store_true", help="run what there is for the GPU of this machine, and nothing else"
    )
    parser.addoption("--update-golden", action="store_true", help="write generated/ anew, and run no test")
    parser.addoption("--thorough", action="store_true", help="run also what takes long beside what it finds")
    parser.addoption("--as-shipped", action="store_true", help="compile all kernels with the optimization users get")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--gpu"):  # what packages of that machine warn of is no fault of ours
        config.addinivalue_line("filterwarnings", "default")
        if not WORKER:
            _look_for_a_gpu(config)


def _look_for_a_gpu(config: pytest.Config) -> None:
    """To run nothing is no success: it is refused, and what is skipped is named."""
    from support import devices  # here: it needs the settings above

    os.environ.update((name, SET[name]) for name in FOR_GPUS if name in SET)
    if missing := devices.missing():
        raise pytest.UsageError(f"--gpu: {missing}")
    config.option.reportchars += "s"


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if not config.getoption("--update-golden"):
        return None
    from support import golden  # here: it needs the settings above

    golden.write()
    print(f"{golden.FOLDER} is written anew: look at the difference")
    return 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else "elsewhere"
        if folder in MARKS:
            item.add_marker(MARKS[folder])
    if not config.getoption("--thorough"):
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip(reason="runs with --thorough"))
    if config.getoption("--gpu"):
        others = [item for item in items if _device(item) != "gpu"]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _device(item) == "gpu"]


def _device(item: pytest.Item) -> object:
    return item.callspec.params.get("device") if hasattr(item, "callspec") else None


@pytest.fixture(params=["emulated", pytest.param("gpu", marks=pytest.mark.gpu)])
def device(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The kind of GPU that calls run on: an emulated one, with ``--gpu`` the one of this machine."""
    from support import devices  # here: it needs the settings above

    folder = tmp_path_factory.getbasetemp() / "device"  # one, so that tests find each other's kernels in the cache
    folder.mkdir(exist_ok=True)
    with devices.device(request.param, request.config.getoption("--gpu"), monkeypatch, folder):
        yield request.param


def pytest_sessionfinish() -> None:
    if not WORKER and not KEPT:
        shutil.rmtree(os.environ["BBLAS_GEN_CACHE_DIR"], ignore_errors=True)


@pytest.fixture
def emulated(device: str) -> None:
    """For tests whose arrays only say that they are on a GPU."""
    from support import devices  # here: it needs the settings above

    if device != "emulated":
        pytest.skip("its arrays are in memory of the host")
    devices.strict(False)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20170613)
