"""What was measured to be best on this machine: overrides of schedules, one JSON file in the user's configuration.

Rows belong to the processor and vector width they were measured on. The file only chooses among schedules that
`schedule.choose` finds possible: whatever it holds, kernels stay right.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import TuneWarning
from ..toolchain import builders, machine

Row = dict[str, Any]
FORMAT = 1
FIELDS = ("form", "width", "rows", "cols", "unroll", "prefetch", "matrices_per_vector")
"""Fields of a schedule that tuning may override."""
DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What comes of reading a file that is none of ours; the last of one that is nested without end."""


def location() -> Path:
    """The file: in `BBLAS_GEN_CONFIG_DIR` (absolute), else in the user's configuration folder."""
    wanted = os.environ.get("BBLAS_GEN_CONFIG_DIR")
    if wanted and not Path(wanted).is_absolute():
        raise ValueError(f"the configuration folder (BBLAS_GEN_CONFIG_DIR) must be an absolute path, not {wanted!r}")
    if wanted:
        return Path(wanted) / "tuned.json"
    from platformdirs import user_config_path  # here: importing bblas_gen must stay fast

    return Path(user_config_path("bblas_gen")) / "tuned.json"


def rows(simd_bytes: int) -> dict[str, Row]:
    """The overrides for this machine by the symbol of a kernel. Read once for each file and machine."""
    return _rows(location(), simd_bytes)


@cache
def _rows(path: Path, simd_bytes: int) -> dict[str, Row]:
    try:
        return _read(path).get(_machine(simd_bytes), {})
    except (OSError, *DAMAGED) as error:
        warnings.warn(f"{path} is not used: {error!r}", TuneWarning, stacklevel=2)
        return {}


def _read(path: Path) -> dict[str, dict[str, Row]]:
    """The rows of all machines."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    if found["format"] != FORMAT:
        return {}
    return {
        str(name): {str(s): {field: row[field] for field in FIELDS if field in row} for s, row in rows.items()}
        for name, rows in found["machines"].items()
    }


def keep(simd_bytes: int, new: Mapping[str, Row]) -> Path:
    """Write ``new`` rows beside those that are there, by one atomic rename; rows without fields are removed."""
    path = location()
    path.parent.mkdir(parents=True, exist_ok=True)
    with builders.alone(path.parent, path.name + ".lock"):
        try:
            machines = _read(path)
        except DAMAGED:  # made anew
            machines = {}
        mine = machines.setdefault(_machine(simd_bytes), {})
        mine.update({symbol: dict(row) for symbol, row in new.items()})
        machines[_machine(simd_bytes)] = {symbol: row for symbol, row in mine.items() if row}
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_text(json.dumps({"format": FORMAT, "machines": machines}, indent=1) + "\n", encoding="utf-8")
        draft.replace(path)
    reset()
    return path


def reset() -> None:
    """Read the file again when it is asked for next."""
    _rows.cache_clear()


def _machine(simd_bytes: int) -> str:
    return f"{machine.cpu_name()}, vectors of {simd_bytes} bytes"
