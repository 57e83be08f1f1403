"""What there is for GPUs: the driver, the package that calls it, devices. Looked at without making a context."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..errors import CudaUnavailable

PACKAGES = {"cuda-core": (1, 0), "cuda-bindings": (12, 9)}
"""The oldest versions that do: other packages have older ones installed, too."""
INSTALL = "pip install -U 'bblas-gen[cuda]'"


@dataclass(frozen=True)
class Device:
    """A GPU: its name, architecture, multiprocessors, and bytes of memory."""

    name: str
    architecture: str
    multiprocessors: int
    memory: int


def packages() -> dict[str, str]:
    """The versions of the packages that call the driver. Raises CudaUnavailable."""
    try:
        found = {name: version(name) for name in PACKAGES}
    except PackageNotFoundError as error:
        raise CudaUnavailable(f"{error.name} is not installed: {INSTALL}") from error
    for name, oldest in PACKAGES.items():
        if _release(found[name]) < oldest:
            wanted = ".".join(map(str, oldest))
            raise CudaUnavailable(f"{name} {found[name]} is too old, expected {wanted} or newer: {INSTALL}")
    return found


def _release(version: str) -> tuple[int, int]:
    """The first two numbers of a version. A pre-release, such as 1.0rc1, counts as what it comes before: whoever has it
    has asked for it."""
    numbers = re.match(r"(\d+)(?:\.(\d+))?", version)
    return (int(numbers[1]), int(numbers[2] or 0)) if numbers else (0, 0)


def driver() -> str:
    """The version of CUDA that the driver is for, such as 13.0. Raises CudaUnavailable."""
    (found,) = _asked("cuDriverGetVersion")
    return f"{found // 1000}.{found % 1000 // 10}"


def devices() -> list[Device]:
    """The GPUs of this machine. Raises CudaUnavailable."""
    return [_device(number) for number in range(count())]


def count() -> int:
    """How many there are. Raises CudaUnavailable."""
    _asked("cuInit", 0)
    (found,) = _asked("cuDeviceGetCount")
    return int(found)


def architecture_here() -> str:
    """That of the first GPU; "" where there is none."""
    try:
        return next((device.architecture for device in devices()), "")
    except CudaUnavailable:
        return ""


def _device(number: int) -> Device:
    (device,) = _asked("cuDeviceGet", number)
    (name,) = _asked("cuDeviceGetName", 256, device)
    (memory,) = _asked("cuDeviceTotalMem", device)
    major, minor, count = (
        _asked("cuDeviceGetAttribute", _attribute(x), device)[0]
        for x in ("COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR", "MULTIPROCESSOR_COUNT")
    )
    return Device(name.split(b"\0")[0].decode(errors="replace"), f"sm_{major}{minor}", int(count), int(memory))


def _attribute(name: str) -> Any:
    from cuda.bindings import driver as library  # here: it is an extra

    return getattr(library.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")


def _asked(name: str, *arguments: Any) -> tuple[Any, ...]:
    """What a function of the driver answers."""
    packages()
    from cuda.bindings import driver as library  # here: it is an extra

    try:
        status, *found = getattr(library, name)(*arguments)
    except Exception as error:  # of many types: no library, one that is too old
        raise CudaUnavailable(f"no driver: {error}") from error
    if int(status):
        raise CudaUnavailable(f"the driver refuses {name}: {status.name}")
    return tuple(found)
