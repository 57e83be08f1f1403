"""Every test session compiles into a cache of its own, or the one that BBLAS_GEN_TEST_CACHE names to be kept."""

from __future__ import annotations

import os
import shutil
import tempfile

import numpy as np
import pytest

KEPT = os.environ.get("BBLAS_GEN_TEST_CACHE")
WORKER = "PYTEST_XDIST_WORKER" in os.environ

if not WORKER:  # workers inherit what is set here
    for name in [name for name in os.environ if name.startswith("BBLAS_GEN_")]:
        del os.environ[name]
    os.environ["BBLAS_GEN_CACHE_DIR"] = KEPT or tempfile.mkdtemp(prefix="bblas_gen-tests-")
    os.environ["BBLAS_GEN_CONFIG_DIR"] = os.path.join(os.environ["BBLAS_GEN_CACHE_DIR"], "no-config")  # noqa: PTH118


def pytest_sessionfinish() -> None:
    if not WORKER and not KEPT:
        shutil.rmtree(os.environ["BBLAS_GEN_CACHE_DIR"], ignore_errors=True)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20170613)
