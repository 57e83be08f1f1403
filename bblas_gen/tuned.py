"""What was measured to be best on this machine: overrides of schedules, one JSON file in the user's configuration.

The file names the processor and vector width it was made for; elsewhere it counts for nothing. It only chooses among
schedules that `schedule.choose` finds possible: whatever it holds, kernels stay right.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from . import machine
from .errors import TuneWarning

FORMAT = 1
FIELDS = ("form", "width", "rows", "cols", "unroll", "prefetch", "matrices")
"""Fields of a schedule that tuning may override."""


def location() -> Path:
    """The file: in `BBLAS_GEN_CONFIG_DIR` (absolute), else in the user's configuration folder."""
    wanted = os.environ.get("BBLAS_GEN_CONFIG_DIR")
    if wanted and not Path(wanted).is_absolute():
        raise ValueError(f"the configuration folder (BBLAS_GEN_CONFIG_DIR) must be an absolute path, not {wanted!r}")
    if wanted:
        return Path(wanted) / "tuned.json"
    from platformdirs import user_config_path  # here: importing bblas_gen must stay fast

    return Path(user_config_path("bblas_gen")) / "tuned.json"


def rows(simd_bytes: int) -> dict[str, dict[str, Any]]:
    """The overrides for this machine by the symbol of a kernel. Read once for each file and machine."""
    return _rows(location(), simd_bytes)


@cache
def _rows(path: Path, simd_bytes: int) -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        kept = found["rows"] if found["format"] == FORMAT and found["machine"] == _machine(simd_bytes) else {}
        return {
            str(symbol): {field: row[field] for field in FIELDS if field in row} for symbol, row in dict(kept).items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        warnings.warn(f"{path} is not used: {error!r}", TuneWarning, stacklevel=2)
        return {}


def keep(simd_bytes: int, new: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write ``new`` rows beside those that are there, by one atomic rename; rows without fields are removed."""
    path = location()
    path.parent.mkdir(parents=True, exist_ok=True)
    merged = {symbol: row for symbol, row in {**rows(simd_bytes), **new}.items() if row}
    text = json.dumps({"format": FORMAT, "machine": _machine(simd_bytes), "rows": merged}, indent=1)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(path)
    reset()
    return path


def reset() -> None:
    """Read the file again when it is asked for next."""
    _rows.cache_clear()


def _machine(simd_bytes: int) -> dict[str, Any]:
    return {"cpu": machine.cpu_name(), "simd_bytes": simd_bytes}
