"""Groups on a GPU that are called one after another: lists of Interleaved batches, or of pointers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arrays.device import array_of, header, is_device_array
from ..arrays.groups import is_stored_apart
from ..ir.operation import Operation
from .groups import Group, Names, groups


def device_groups(
    op: Operation, operands: Mapping[str, Any], flags: Mapping[str, Any], scalars: Mapping[str, Any], names: Names
) -> list[tuple[Group, int]]:
    """As ``groups``, which checks them by their headers; and the batch size of each."""
    lists = [x for x, value in operands.items() if isinstance(value, (list, tuple))]
    if not any(is_stored_apart(operands[x]) for x in lists):
        return []
    heads = {
        x: [_head(f"{names[x]}[{i}]", item) for i, item in enumerate(value)] if x in lists else _head(names[x], value)
        for x, value in operands.items()
    }
    found = groups(op, heads, flags, scalars, names)
    own = [{x: value[i] if x in lists else value for x, value in operands.items()} for i in range(len(found))]
    sizes = [int(group.operands[lists[0]].shape[0]) for group in found]
    return [(group._replace(operands=x), size) for group, x, size in zip(found, own, sizes, strict=True)]


def _head(name: str, value: Any) -> Any:
    if value is not None and array_of(value) is None:
        raise TypeError(f"{name} is a {type(value).__name__} in host memory and others are on a GPU: expected all")
    return header(name, value) if is_device_array(value) else getattr(value, "head", value)
