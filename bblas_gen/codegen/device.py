"""The functions of a GPU in a source: one for each kind that its scalars may be known to be, with flat parameters.

They can be launched from any language: pointers, 64-bit integers and reals, in the order of the C entry point; a
complex scalar is two reals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..schedule.gpu_schedule import GpuSchedule
from ..schedule.schedule import Schedule
from .signature import Parameter, Signature

ANY = "BB_ANY"
_LETTERS = {"0": "0", "1": "1", ANY: "x"}


@dataclass(frozen=True)
class Argument:
    """A parameter of a device function: its C text, the argument of the entry point that it comes from, and its part of
    it: "re" or "im" of a complex scalar, else ""."""

    ctype: str
    name: str
    of: str
    part: str = ""

    @property
    def text(self) -> str:
        """Its declaration. Nothing else points to what is written: where only bodies say so, some compilers load anew
        in one what another has not touched."""
        restricted = "__restrict__ " if self.ctype.endswith("*") and "const" not in self.ctype else ""
        return f"{self.ctype}{'' if self.ctype.endswith('*') else ' '}{restricted}{self.name}"


@dataclass(frozen=True)
class DeviceFunction:
    """A ``__global__`` function of a kernel. ``kinds`` is what it knows of scalars: "0", "1", or nothing; ``told`` is
    the C text that tells its bodies. Block b of ``threads`` does matrices from b ``matrices`` on. At least ``blocks``
    are on a multiprocessor together, which bounds registers; 0 says nothing. It is launched with ``dynamic`` bytes of
    shared memory. A block
    does a ``tile`` of an output, where there is one: its sizes, each with rows or columns.
    """

    name: str
    kinds: Mapping[str, str]
    told: str
    arguments: tuple[Argument, ...]
    threads: int
    matrices: int
    blocks: int = 0
    dynamic: int = 0
    tile: tuple[tuple[str, int], ...] = ()

    def grid(self, batch: int, arguments: Sequence[Any]) -> int:
        """The blocks of a launch for ``batch`` matrices with these arguments."""
        if not self.tile:
            return -(-batch // self.matrices)
        sizes: dict[str, int] = dict(zip((x.name for x in self.arguments), arguments, strict=True))
        return batch * prod(-(-sizes[name] // side) for name, side in self.tile)

    @property
    def parameters(self) -> str:
        return ", ".join(argument.text for argument in self.arguments)

    @property
    def comment(self) -> str:
        """What it knows of scalars, for readers."""
        return ", ".join(f"{name} is {'any' if kind == ANY else kind}" for name, kind in self.kinds.items())

    @property
    def condition(self) -> str:
        """The C text of what must be so."""
        return " && ".join(f"{name}_is == {kind}" for name, kind in self.kinds.items() if kind != ANY)

    def serves(self, scalars: Mapping[str, complex]) -> bool:
        """Whether it is right for these values."""
        return all(kind == ANY or scalars[name] == int(kind) for name, kind in self.kinds.items())


def device_arguments(entry: Signature) -> tuple[Argument, ...]:
    """The parameters of every device function of a kernel."""
    kept = (x for p in entry.parameters if p.field for x in _flat(p))
    return (*kept, Argument("int64_t", "batch_count", "batch_count"))


def device_functions(
    entry: Signature, scalars: tuple[str, ...], kinds: Iterable[tuple[str, ...]], schedule: Schedule
) -> tuple[DeviceFunction, ...]:
    """The device functions of a kernel that is made for a GPU, the first that ``serves`` being the one to launch."""
    assert isinstance(schedule, GpuSchedule)
    arguments = device_arguments(entry)
    room = f"_{schedule.room}kb" if schedule.room else ""  # what only some GPUs can do is not mistaken for another
    return tuple(
        DeviceFunction(
            f"{entry.symbol}_k{''.join(_LETTERS[kind] for kind in known)}{room}",
            dict(zip(scalars, known, strict=True)) if known else {},
            "".join(f"{x}, " for x in known or map(_class, _scalars(entry))),
            arguments,
            schedule.threads,
            schedule.matrices,
            schedule.blocks,
            schedule.dynamic,
            schedule.tile,
        )
        for known in kinds
    )


def is_pair(parameter: Parameter) -> bool:
    """Whether it is a complex scalar."""
    return parameter.kind == "scalar" and parameter.ctype.endswith("*")


def launch_context(entry: Signature, functions: tuple[DeviceFunction, ...]) -> dict[str, object]:
    """What the templates of device functions and of their launcher see: the functions, the argument block as it is
    made of flat parameters, how kinds of scalars are told, and parameters that are pairs."""
    scalars = _scalars(entry)
    block = [f"{{{p.name}_re, {p.name}_im}}" if is_pair(p) else p.value for p in entry.parameters if p.field]
    return {
        "functions": functions,
        "block": ", ".join([*block, *(ANY for _ in scalars)]),
        "classes": {p.name: _class(p) for p in scalars},
        "pairs": [p.name for p in scalars if is_pair(p)],
    }


def _scalars(entry: Signature) -> list[Parameter]:
    return [p for p in entry.parameters if p.kind == "scalar"]


def _class(scalar: Parameter) -> str:
    test = "{0}_re == {1} && {0}_im == 0" if is_pair(scalar) else "{0} == {1}"
    return f"{test.format(scalar.name, 0)} ? 0 : {test.format(scalar.name, 1)} ? 1 : BB_ANY"


def _flat(parameter: Parameter) -> Iterator[Argument]:
    if is_pair(parameter):
        for part in ("re", "im"):
            yield Argument("bb_real", f"{parameter.name}_{part}", parameter.name, part)
    elif parameter.kind == "scalar":
        yield Argument("bb_real", parameter.name, parameter.name)
    else:
        yield Argument(parameter.field, parameter.name, parameter.name)
