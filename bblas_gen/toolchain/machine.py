"""What this machine is: cores, caches, the name of its CPU. Read on first use, then remembered."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

POOLED = sys.platform == "linux"
"""Whether kernels of this process share a thread pool of their own; elsewhere each has OpenMP."""
_SYS_CACHE = Path("/sys/devices/system/cpu/cpu0/cache")
_OF_CACHE = ("level", "type", "size", "ways_of_associativity", "shared_cpu_list")
_CPUINFO = Path("/proc/cpuinfo")
_CGROUP = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")
_CONTROLLER = "cpu"
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_FEATURES = {"pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2", "abm": "lzcnt", "bmi1": "bmi"}
"""What Linux calls otherwise than compilers."""
_ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


@cache
def cores() -> int:
    """How many cores this process may run on: a container or `taskset` often leaves fewer than the machine has."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):  # macOS has no affinity
        return os.cpu_count() or 1


@cache
def processors() -> int:
    """How many processors' time there is for this process: `cores`, or less where a control group has a quota."""
    share = quota()
    return cores() if share is None else max(1, min(cores(), int(share)))


@cache
def quota() -> float | None:
    """The processors' worth of time that control groups leave; None where they set no limit."""
    return min(_quotas(), default=None)


def load() -> float | None:
    """How many threads wanted to run in the last minute, on average, whoever they belong to; None where the system does
    not say."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return None


def _quotas() -> Iterator[float]:
    """The processors' worth of time that control groups leave, at every level: `cpu.max`, or that of version 1."""
    try:
        lines = _CGROUP.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, path = line.split(":", 2)
        if kinds and _CONTROLLER not in kinds.split(","):
            continue
        folder = _CGROUPS / (kinds and _CONTROLLER) / path.lstrip("/")
        for level in (folder, *folder.parents):
            if level.is_relative_to(_CGROUPS):
                with suppress(OSError, ValueError):  # no quota at this level
                    yield _quota(level, first_version=bool(kinds))


def _quota(level: Path, *, first_version: bool) -> float:
    """The quota of one control group, in processors; ValueError where it has none."""
    if first_version:
        quota, period = (float((level / f"cpu.cfs_{x}_us").read_text()) for x in ("quota", "period"))
    else:
        quota, period = map(float, (level / "cpu.max").read_text().split())  # "max" is no number
    if quota <= 0:
        raise ValueError(quota)
    return quota / period


@cache
def caches() -> dict[str, int]:
    """Bytes of the data caches `l1d`, `l2` and `l3` seen by the first core; 0 where there is no such level.

    Where the system does not tell, the answer is a small guess that suits any CPU of the last decade.
    """
    found = {"l1d": 32 << 10, "l2": 1 << 20, "l3": 0}
    for index in sorted(_SYS_CACHE.glob("index*")):
        try:
            level, kind, size = ((index / name).read_text().strip() for name in ("level", "type", "size"))
            if kind != "Instruction":
                found["l1d" if level == "1" else f"l{level}"] = _bytes(size)
        except (OSError, ValueError):
            continue
    return found


@cache
def shares() -> tuple[tuple[int, int], ...]:
    """Of the data caches of levels 2 and 3 the bytes that are one core's share, and the ways, as the first core sees
    them; (0, 0) where the system does not tell."""
    found = {2: (0, 0), 3: (0, 0)}
    for index in sorted(_SYS_CACHE.glob("index*")):
        try:
            level, kind, size, ways, cores = ((index / name).read_text().strip() for name in _OF_CACHE)
            if kind != "Instruction" and int(level) in found and int(ways) > 1:
                found[int(level)] = _bytes(size) // _listed(cores), int(ways)
        except (OSError, ValueError):
            continue
    return found[2], found[3]


@cache
def cpu_name() -> str:
    """The CPU's name for people, as in a benchmark report. Decides nothing but which tuned rows count."""
    try:
        fields = dict(_field(line) for line in _CPUINFO.read_text().splitlines() if ":" in line)
    except OSError:
        fields = {}
    # An Arm kernel gives numbers where an x86 kernel gives a name.
    arm = f"{fields.get('CPU implementer', '')} {fields.get('CPU part', '')}".strip()
    return fields.get("model name") or arm or platform.processor() or architecture()


@cache
def features() -> frozenset[str]:
    """What the processor can do beyond the oldest x86-64, by the names that compilers have for it; empty where the
    system does not tell."""
    try:
        lines = _CPUINFO.read_text().splitlines()
    except OSError:
        return frozenset()
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    return frozenset(_FEATURES.get(flag, flag) for flag in flags)


@cache
def architecture() -> str:
    """The instruction set family under its GNU name: `x86_64`, `aarch64`, ..."""
    machine = platform.machine().lower()
    return _ARCHITECTURES.get(machine, machine)


def reset() -> None:
    """Forget everything read so far. For tests."""
    for function in (cores, processors, quota, caches, shares, cpu_name, features, architecture):
        function.cache_clear()


def _bytes(text: str) -> int:
    """Bytes of a size as sysfs writes it: `48K`."""
    unit = _UNITS.get(text[-1:], 1)
    return int(text.rstrip("KMG")) * unit


def _listed(cores: str) -> int:
    """How many there are in a list of the system: `0-3,8`."""
    ends = [part.split("-") for part in cores.split(",")]
    return sum(int(each[-1]) - int(each[0]) + 1 for each in ends)


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()
