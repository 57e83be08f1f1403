"""What users hand over, looked at: NumPy arrays and lists of them as MatrixForms and pointers, with clear refusals.

Errors are NumPy's types (TypeError for what an argument is, ValueError for its value) and name the argument, what it
is and what was expected. Nothing is copied here but what :func:`usable` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..ir.terms import BY_DTYPE, INDEX_DTYPE, Kind, Layout
from .device import is_device_array
from .form import MatrixForm, usable
from .groups import Groups, is_group
from .headers import Array as Array
from .overlap import Places
from .pointers import Pointers, check_dtype, check_plain
from .ragged import Ragged

EXPECTED_INDICES = "expected a 2-D array of int32 (batch, n), a list of 1-D arrays, or an Interleaved"
EXPECTED = "expected a 3-D array (batch, rows, columns), a list of 2-D arrays, or an Interleaved"


@dataclass(frozen=True)
class Operand:
    """One argument: its MatrixForm, its batch size (None: one matrix for all), and its arrays.

    ``arrays`` is what kernels see: the ``given`` ones, or copies of them where those cannot be used as they are.
    ``pointers`` has the addresses of a list that needs no copies.
    """

    form: MatrixForm
    batch: int | None
    dtype: np.dtype[Any]
    arrays: tuple[Array, ...]
    given: tuple[Array, ...]
    pointers: Pointers | None = None

    @property
    def places(self) -> list[Places]:
        """Where the elements of what was given lie."""
        return [self.pointers.places] if self.pointers else [Places.of(array) for array in self.given]

    @property
    def count(self) -> int:
        return 1 if self.batch is None else self.batch

    @property
    def shape(self) -> tuple[int, int]:
        return self.form.rows, self.form.cols

    @property
    def copies(self) -> list[tuple[Array, Array]]:
        """The given arrays that kernels see as copies, and those."""
        return [(old, new) for old, new in zip(self.given, self.arrays, strict=True) if old is not new]


@runtime_checkable
class Described(Protocol):
    """An argument that knows how it lies in memory."""

    def as_operand(self) -> Operand: ...


def describe(name: str, value: Any, kind: Kind = Kind.SCALAR) -> Operand | Ragged:
    """What ``value`` is: an array (3-D, or 2-D for one matrix shared by all) or a list of 2-D arrays; of indices an
    array (2-D, or 1-D for all) or a list. Ragged where the matrices of a list are not alike."""
    if isinstance(value, (Described, Pointers, Ragged)):
        found = value if isinstance(value, Ragged) else _known(value)
        if (found.dtype == INDEX_DTYPE) != (kind is Kind.INDEX):
            raise TypeError(f"{name} has dtype {found.dtype}: expected {_expected(kind)}")
        return found
    check_plain(name, value)
    if kind is Kind.INDEX:
        return _indices(name, value)
    if isinstance(value, np.ndarray):
        return _strided(name, value)
    if isinstance(value, (list, tuple)):
        return _pointers(name, value)
    raise of_another_kind(name, value, EXPECTED)


def of_another_kind(name: str, value: Any, expected: str) -> TypeError:
    """The refusal of what is no array of ours."""
    return TypeError(f"{name} is a {type(value).__name__}: {expected}{_bridge(name, value)}")


def _known(value: Described | Pointers) -> Operand:
    return _of_pointers(value, ()) if isinstance(value, Pointers) else value.as_operand()


def _bridge(name: str, value: Any) -> str:
    """How an array of another library becomes one of NumPy, as the end of a refusal."""
    if hasattr(value, "__dlpack__"):
        return f"; np.from_dlpack({name}) has the same memory (it must be the CPU's, and need no gradient)"
    known = hasattr(value, "__array__") and not np.isscalar(value) and not isinstance(value, Described)
    return f"; np.asarray({name}) makes an array of it" if known else ""


def _of_pointers(found: Pointers, arrays: tuple[Array, ...]) -> Operand:
    return Operand(found.form, found.batch, found.dtype, arrays, arrays, found)


def _expected(kind: Kind) -> str:
    return INDEX_DTYPE if kind is Kind.INDEX else f"one of {', '.join(BY_DTYPE)}"


def _indices(name: str, value: Any) -> Operand | Ragged:
    if is_group(value, ndim=2) and all(isinstance(x, np.ndarray) and x.dtype == INDEX_DTYPE for x in value):
        return Groups.of_list(name, value)
    if isinstance(value, (list, tuple)) and len(value):
        items = [_indices(f"{name}[{i}]", item) for i, item in enumerate(value)]
        if any(item.batch is not None for item in items):
            raise ValueError(f"{name} is a list of arrays that are not all 1-D: {EXPECTED_INDICES}")
        return Ragged.of_arrays([item[:, None] for item in value])
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{name} is a {type(value).__name__}: {EXPECTED_INDICES}")
    if value.dtype != INDEX_DTYPE:
        raise TypeError(f"{name} has dtype {value.dtype}: expected {INDEX_DTYPE}")
    if value.ndim not in (1, 2):
        raise ValueError(f"{name} has shape {value.shape}: {EXPECTED_INDICES}")
    array = value if value.shape[-1] <= 1 or value.strides[-1] == value.itemsize else np.array(value, order="C")
    array = usable(array)
    batch, step = (None, 0) if array.ndim == 1 else (array.shape[0], array.strides[0] // array.itemsize)
    n = array.shape[-1]
    return Operand(MatrixForm(Layout.ST, n, 1, 1, max(1, n), step), batch, array.dtype, (array,), (value,))


def _strided(name: str, array: Array) -> Operand:
    check_dtype(name, array.dtype)
    if array.ndim not in (2, 3):
        sides = ", ".join(map(str, array.shape[-2:]))
        hint = f", such as {name}.reshape(-1, {sides})" if array.ndim > 3 else ""
        one = f", and all of one problem, such as {name}[:, None]" if array.ndim == 1 else ""
        why = f"one matrix for the whole batch may be 2-D{one}"
        raise ValueError(f"{name} has shape {array.shape}: {EXPECTED}{hint}; {why}")
    given, array = array, usable(array)
    steps = [stride // array.itemsize for stride in array.strides]
    rows, cols = array.shape[-2:]
    batch, step = (array.shape[0], steps[0]) if array.ndim == 3 else (None, 0)
    form = MatrixForm(Layout.ST, rows, cols, steps[-2], steps[-1], step)
    return Operand(form, batch, array.dtype, (array,), (given,))


def _pointers(name: str, items: Sequence[Any]) -> Operand | Ragged:
    if is_group(items):
        return Groups.of_list(name, items)
    if found := Pointers.of(items):
        return _of_pointers(found, found.owner)
    if (unlike := Ragged.of(items)) and (unlike.shapes != unlike.shapes[0]).any():
        return unlike
    if not items:
        raise ValueError(f"{name} is an empty list: {EXPECTED}; an empty batch is an array of shape (0, rows, columns)")
    for i, item in enumerate(items):
        one = f"{name}[{i}]"
        if is_device_array(item):
            raise TypeError(f"{one} is on a GPU and {name}[0] in host memory: expected both there")
        if not isinstance(item, np.ndarray):
            raise of_another_kind(one, item, "expected a 2-D array")
        check_plain(one, item)
        check_dtype(one, item.dtype)
        if item.ndim != 2:
            raise ValueError(f"{one} has shape {item.shape}: expected a 2-D array")
        if item.dtype != items[0].dtype:
            raise TypeError(f"{one} has dtype {item.dtype} but {name}[0] has {items[0].dtype}: expected one dtype")
    first = items[0]
    if len({item.shape for item in items}) > 1:
        return Ragged.of_arrays(items)
    alike = len({item.strides for item in items}) == 1
    arrays = tuple(usable(item) if alike else np.array(item, order="C") for item in items)
    rs, cs = (stride // first.itemsize for stride in arrays[0].strides)
    form = MatrixForm(Layout.PP, first.shape[0], first.shape[1], rs, cs)
    return Operand(form, len(arrays), first.dtype, arrays, tuple(items))


def check_writable(name: str, output: Operand | Ragged) -> None:
    if isinstance(output, Ragged):
        if not output.writeable:
            raise ValueError(f"{name} has matrices that are read-only: expected an output that can be written")
        return
    if output.pointers and output.pointers.writeable:
        return
    fixed = [i for i, array in enumerate(output.given) if not array.flags.writeable]
    if fixed or output.pointers:
        where = f"{name}[{fixed[0]}]" if len(output.given) > 1 else name
        raise ValueError(f"{where} is read-only: expected an output array that can be written")
