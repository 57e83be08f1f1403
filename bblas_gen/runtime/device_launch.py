"""From a kernel for C arguments to a launch: which of them each argument of a device function is, or is a part of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..codegen.device import Argument
from ..codegen.signature import signature_of
from ..ir.spec import KernelSpec
from .gpu import DeviceKernel
from .state import MAX_CALLS


@lru_cache(MAX_CALLS)
def on_gpu(spec: KernelSpec, sizes: tuple[int, ...]) -> KernelSpec:
    """The same kernel for a GPU, and for other sizes. To make a spec takes as long as all else that a bin needs."""
    return replace(spec, target="cuda", sizes=sizes)


@lru_cache(MAX_CALLS)
def entry_names(spec: KernelSpec) -> list[str]:
    """The names of the arguments of the C entry point, but for the last."""
    return [p.name for p in signature_of(spec).parameters][:-1]


def sources(kernel: DeviceKernel, names: Sequence[str], arguments: Sequence[Any]) -> list[Any]:
    """Where each argument of a launch comes from: a number, or the name of what has it, of ``arguments`` of the C entry
    point, which have ``names``."""
    values = dict(zip(names, arguments, strict=False))
    return [values.get(x.of, x.of) for x in kernel.function.arguments]


def argument(x: Argument, whence: Any, scalars: Mapping[str, complex], spec: KernelSpec) -> Any:
    """What is launched with, where it is known: sizes are 64-bit integers, reals of the kernel's precision."""
    if whence not in scalars:
        return None if isinstance(whence, str) else int(whence)
    part = scalars[whence].imag if x.part == "im" else scalars[whence].real
    return np.float32(part) if spec.p.storage.bytes == 4 else float(part)


def launch(
    kernel: DeviceKernel,
    stream: Any,
    whence: Sequence[Any],
    values: Mapping[str, int],
    scalars: Mapping[str, complex],
) -> partial[None]:
    """A launch whose arguments come from ``whence`` (see ``sources``); ``values`` are those of names."""
    assert kernel.spec is not None
    arguments = [
        values[where] if where in values else argument(x, where, scalars, kernel.spec)
        for x, where in zip(kernel.function.arguments, whence, strict=True)
    ]
    return kernel.bound(stream, values["batch_count"], arguments)


def number(value: Any) -> complex:
    """A scalar as a number, from what C is given for it."""
    return complex(value) if isinstance(value, (int, float)) else complex(value[0], value[1])


def on_stream(launch: partial[None], stream: Any) -> partial[None]:
    """The same on another stream, whose handle is the first argument of all launches."""
    return partial(launch.func, stream, *launch.args[1:])


def in_turn(stream: Any, launches: Sequence[partial[None]]) -> None:
    """All of them, on one stream, by its handle."""
    for one in launches:
        one.func(stream, *one.args[1:])
