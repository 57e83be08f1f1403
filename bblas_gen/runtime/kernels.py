"""From a spec to a kernel that can be called: what was loaded once stays loaded."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from typing import Any

from ..codegen.render import Source
from ..errors import SpecError
from ..ir.spec import KernelSpec
from ..ir.targets import TARGETS
from ..schedule.choose import Schedule
from .library import Library, load, source_here

_kernels: dict[tuple[KernelSpec, tuple[tuple[str, object], ...]], Kernel] = {}
_lock = threading.Lock()

SCHEDULE_FIELDS = tuple(field.name for field in fields(Schedule))


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel: what was wanted (``spec``), how it was made (``source``), its binary (``library``).

    Calling it calls the C entry point with the parameters of ``source.declaration``, sizes that are not known before
    (``m=None``) first; it returns ``info``: 0, or -i where argument i is at fault.
    """

    spec: KernelSpec
    source: Source
    library: Library

    def __call__(self, *arguments: Any) -> int:
        return int(self.library.function(*arguments))

    def __repr__(self) -> str:
        return f"<Kernel {self.source.symbol} from {self.library.path}>"


def kernel(spec: KernelSpec, **overrides: object) -> Kernel:
    """The kernel for ``spec``, compiled if need be. ``overrides`` replace fields of its schedule (see Schedule)."""
    if not TARGETS[spec.target].loads:
        raise SpecError(f"target = {spec.target!r} cannot be loaded: emit it and compile it into your own program")
    name = (spec, tuple(sorted(overrides.items())))
    found = _kernels.get(name)
    if found is None:
        with _lock:  # one thread compiles, the others wait for it
            found = _kernels.get(name)
            if found is None:
                text = source_here(spec, **overrides)
                found = _kernels[name] = Kernel(spec, text, load(text))
    return found


def reset() -> None:
    """Forget the loaded kernels: the next call looks into the cache again. For tests and after a change of settings."""
    with _lock:
        _kernels.clear()
