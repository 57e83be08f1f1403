"""Variable batches on a GPU: the bins of ``Variable``, one launch for each, by tables that are copied there once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..arrays.headers import Array
from ..arrays.host import Operand
from ..ir.operation import Operation
from ..ir.spec import KernelSpec
from .bind import Unlike
from .calls import Chosen, check, chosen_for
from .device_integers import Integers
from .device_launch import entry_names, launch, number, on_gpu, sources
from .device_memory import Place, Tables
from .device_side import DeviceReports, DeviceSide
from .gpu import DeviceKernel
from .variable import Variable, addresses


@dataclass(frozen=True)
class BinLaunches:
    """The launches of all bins, with those that move integers before and behind them; the memory that they need; the
    kernel of the largest bin."""

    launches: tuple[partial[None], ...]
    place: Place
    kernel: DeviceKernel | None


@dataclass(frozen=True)
class OneBin:
    """What a bin is launched with: the ``arguments`` of the C entry point, numbers and names, and its scalars."""

    number: int
    spec: KernelSpec
    names: list[str]
    arguments: list[Any]
    scalars: Mapping[str, complex]


def bin_launches(
    op: Operation, side: DeviceSide, found: Unlike, scalars: Mapping[str, complex], reports: DeviceReports | None
) -> BinLaunches:
    """The launches of a variable batch, everything checked, the kernels compiled if need be. ``scalars``: those that
    all matrices share, by their names in C."""
    variable, tables = found.variable, Tables()
    check(op, variable)
    wanted = [one for chosen in chosen_for(op, variable) for one in _bins(variable, chosen, found, scalars)]
    kernels = side.gpu.kernels([(one.spec, one.scalars) for one in wanted], side.stream)
    begins = {x: _begins(variable, x, tables) for x in variable.named if x not in variable.own}
    integers = Integers.of(op, variable, reports, tables)
    place, counts = tables.placed(side.gpu, side.stream), variable.bins.counts
    base = {x: begin + (place.address if variable.named[x][1].batch is not None else 0) for x, begin in begins.items()}
    base |= {x: begin + place.address for x, begin in integers.begins.items()}
    launches = integers.brought(side, place.address)
    for one, kernel in zip(wanted, kernels, strict=True):
        if kernel is not None:
            values = {x: int(begin[one.number]) for x, begin in base.items()}
            values["batch_count"] = int(counts[one.number])
            whence = sources(kernel, one.names, one.arguments)
            launches.append(launch(kernel, side.stream, whence, values, one.scalars))
    launches += integers.returned(side, place.address)
    sizes = [(int(counts[one.number]), kernel) for one, kernel in zip(wanted, kernels, strict=True) if kernel]
    return BinLaunches(tuple(launches), place, max(sizes, key=lambda pair: pair[0])[1] if sizes else None)


def _bins(variable: Variable, one: Chosen, found: Unlike, scalars: Mapping[str, complex]) -> Iterator[OneBin]:
    """The bins whose operands lie alike."""
    at, firsts, names = one.members, variable.bins.firsts[one.members], entry_names(one.found.spec)
    columns = {i: source.of(variable.sides)[at].tolist() for i, source in one.found.numbers.items()}
    each = {x: [number(value) for value in y.of(firsts)] for x, y in found.scalars.items()}
    for i, (bin_number, sizes) in enumerate(zip(at.tolist(), one.sizes.tolist(), strict=True)):
        arguments = list(one.found.arguments)
        for slot, values in columns.items():
            arguments[slot] = values[i]
        numbers = {**scalars, **{x: values[i] for x, values in each.items()}}
        yield OneBin(bin_number, on_gpu(one.found.spec, tuple(sizes)), names, arguments, numbers)


def _begins(variable: Variable, x: str, tables: Tables) -> Array:
    """Where the addresses of each bin begin in ``tables``; of one matrix for all, where it is."""
    _, operand = variable.named[x]
    bins = variable.bins
    if operand.batch is None:
        assert isinstance(operand, Operand)
        return np.full(len(bins), operand.arrays[0].ctypes.data, np.int64)
    found = addresses(operand)[bins.order]
    return tables.put(found) + found.itemsize * bins.ends[:-1]
