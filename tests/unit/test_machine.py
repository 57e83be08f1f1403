"""What the machine says of itself: against the system where it can be asked, against made-up systems elsewhere."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bblas_gen.toolchain import machine

linux = pytest.mark.skipif(sys.platform != "linux", reason="affinity and sysfs are Linux")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    machine.reset()
    yield
    machine.reset()


FIELDS = ("level", "type", "size", "ways_of_associativity", "shared_cpu_list")


def sysfs(root: Path, *rows: tuple[str, ...]) -> Path:
    for number, row in enumerate(rows):
        index = root / f"index{number}"
        index.mkdir(parents=True)
        for name, value in zip(FIELDS, row, strict=False):
            (index / name).write_text(f"{value}\n")
    return root


@linux
def test_cores_follow_the_affinity_of_the_process() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert machine.cores() == 1
    finally:
        os.sched_setaffinity(0, before)
    machine.reset()
    assert machine.cores() == len(before)


def test_cores_without_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert machine.cores() == 7


def test_caches_read_sysfs_and_skip_the_instruction_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("1", "Data", "48K"), ("1", "Instruction", "64K"), ("2", "Unified", "2048K"), ("3", "Unified", "260M")]
    monkeypatch.setattr(machine, "_SYS_CACHE", sysfs(tmp_path, *rows))
    assert machine.caches() == {"l1d": 48 << 10, "l2": 2 << 20, "l3": 260 << 20}


def test_caches_without_sysfs_are_a_small_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_SYS_CACHE", tmp_path / "none")
    assert machine.caches() == {"l1d": 32 << 10, "l2": 1 << 20, "l3": 0}


def test_an_unreadable_cache_size_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("1", "Data", "unknown"), ("2", "Unified", "512K")]
    monkeypatch.setattr(machine, "_SYS_CACHE", sysfs(tmp_path, *rows))
    assert machine.caches() == {"l1d": 32 << 10, "l2": 512 << 10, "l3": 0}


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        (
            (("2", "Unified", "2048K", "16", "0"), ("3", "Unified", "260M", "20", "0-6,8-13")),
            ((2 << 20, 16), (20 << 20, 20)),
        ),
        ((("2", "Unified", "1M", "8", "0-1"), ("2", "Instruction", "4M", "16", "0")), ((512 << 10, 8), (0, 0))),
        ((("2", "Unified", "1M", "", ""), ("3", "Unified", "8M", "0", "0")), ((0, 0), (0, 0))),
        ((), ((0, 0), (0, 0))),
    ],
)
def test_what_a_core_has_of_a_cache(rows, shares, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_SYS_CACHE", sysfs(tmp_path, *rows))
    assert machine.shares() == shares


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("processor\t: 0\nmodel name\t: Some: CPU @ 2 GHz\nflags\t: avx2\n", "Some: CPU @ 2 GHz"),
        ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n", "0x41 0xd40"),
    ],
)
def test_cpu_name(text: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    monkeypatch.setattr(machine, "_CPUINFO", tmp_path / "cpuinfo")
    assert machine.cpu_name() == name


def test_cpu_name_is_never_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_CPUINFO", tmp_path / "none")
    monkeypatch.setattr(platform, "processor", str)
    assert machine.cpu_name() == machine.architecture() != ""


@pytest.mark.parametrize(("said", "meant"), [("AMD64", "x86_64"), ("arm64", "aarch64"), ("riscv64", "riscv64")])
def test_architecture_has_its_gnu_name(said: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: said)
    assert machine.architecture() == meant


@pytest.mark.parametrize(
    ("group", "files", "expected"),
    [
        ("0::/a/b", {"a/cpu.max": "150000 100000", "a/b/cpu.max": "max 100000"}, 1),
        ("0::/a/b", {"a/cpu.max": "max 100000", "a/b/cpu.max": "250000 100000"}, 2),
        ("0::/", {"cpu.max": "50000 100000"}, 1),
        ("0::/a", {}, 64),
        ("3:cpu,cpuacct:/x", {"cpu/x/cpu.cfs_quota_us": "300000", "cpu/x/cpu.cfs_period_us": "100000"}, 3),
        ("3:cpu,cpuacct:/x", {"cpu/x/cpu.cfs_quota_us": "-1", "cpu/x/cpu.cfs_period_us": "100000"}, 64),
        ("4:memory:/x", {"cpu/x/cpu.cfs_quota_us": "100000", "cpu/x/cpu.cfs_period_us": "100000"}, 64),
        ("0::/a", {"a/cpu.max": "nonsense"}, 64),
    ],
)
def test_quotas_of_control_groups_count(group, files, expected, tmp_path, monkeypatch):
    for name, text in files.items():
        (tmp_path / "fs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fs" / name).write_text(text + "\n")
    (tmp_path / "cgroup").write_text("1:name=systemd:/x\n" + group + "\n")
    monkeypatch.setattr(machine, "_CGROUP", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "_CGROUPS", tmp_path / "fs")
    monkeypatch.setattr(machine, "cores", lambda: 64)
    machine.processors.cache_clear()
    assert machine.processors() == expected
    machine.processors.cache_clear()
