"""Types are checked once a session: who comes second finds in the cache what the package is made of."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def mypy(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """What mypy says, as the project sets it up."""
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml"]
    command += ["--cache-dir", ROOT / ".mypy_cache", *arguments]
    environment = os.environ | {"MYPYPATH": str(ROOT)}
    with Path(os.environ["BBLAS_GEN_CACHE_DIR"], "mypy.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
