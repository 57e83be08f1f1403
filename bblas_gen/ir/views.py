"""Where element (i, j) lies, as C text. Plain integers and strings: no jinja, no NumPy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .sizes import Size

Index = int | str | tuple["Index", int]
"""A row or column number in generated code: a constant, a C variable, or one of these and a constant to add."""


Stride = int | str
"""A stride in generated code: a constant or a C variable."""


def linear(*terms: tuple[Index, Stride], factor: Stride = 1) -> str:
    """The C text of factor * sum(index * stride), constants folded."""
    scale, suffix = (factor, "") if isinstance(factor, int) else (1, factor)
    parts: list[str] = []
    constant = 0
    for index, stride in terms:
        variable, offset = _split(index)
        if isinstance(stride, int):
            if variable and stride:
                parts.append(_times(variable, stride * scale))
            constant += offset * stride * scale
            continue
        if variable:
            parts.append(_times(f"{variable} * {stride}", scale))
        if offset:
            parts.append(_times(stride, offset * scale))
    if constant or not parts:
        parts.append(str(constant))
    text = " + ".join(parts)
    if not suffix:
        return text
    return "0" if text == "0" else f"({text}) * {suffix}"


def _split(index: Index) -> tuple[str, int]:
    if isinstance(index, int):
        return "", index
    if isinstance(index, str):
        return index, 0
    variable, offset = _split(index[0])
    return variable, offset + index[1]


def index_text(index: Index) -> str:
    """The C text of an index."""
    variable, offset = _split(index)
    return f"{variable} {'-' if offset < 0 else '+'} {abs(offset)}" if variable and offset else variable or str(offset)


def before(first: Index, last: Index) -> bool:
    """Whether an index may lie before another: not where both are numbers, or one variable's, that tell otherwise."""
    (variable, low), (other, high) = _split(first), _split(last)
    return variable != other or low < high


def _backwards(index: Index, last: Index | None) -> Index:
    if last is None:
        return index
    (variable, offset), (size, number) = _split(index), _split(last)
    if size:
        return (f"({size} - {variable})" if variable else size), number - offset
    return ("-" + variable, number - offset) if variable else number - offset


def _last(size: Size) -> Index:
    return size - 1 if isinstance(size, int) else (size, -1)


def _text(index: Index) -> str:
    text = index_text(index)
    return text if text.isalnum() else f"({text})"


def _times(text: str, factor: int) -> str:
    return text if factor == 1 else f"{text} * {factor}"


@dataclass(frozen=True)
class View:
    """Where element (i, j) of op(X) lies, in reals from the first: ``factor * (i * rs + j * cs)``.

    ``factor`` is the distance between neighbouring elements of one matrix: reals per element in ``pp``/``st``, reals
    per element times lanes where matrices are interleaved. ``im`` is the distance from real to imaginary part. Where
    ``rows_from`` or ``cols_from`` is set, indices count backwards from it. ``packed``: one triangle, "L" or "U", is
    stored alone, column by column; of the strides only their order counts.
    """

    rs: Stride
    cs: Stride
    factor: Stride = 1
    im: Stride = 1
    conj: bool = False
    rows_from: Index | None = None
    cols_from: Index | None = None
    packed: str = ""

    def at(self, i: Index, j: Index) -> str:
        row, col = _backwards(i, self.rows_from), _backwards(j, self.cols_from)
        if self.packed:
            return self._in_triangle(row, col)
        return linear((row, self.rs), (col, self.cs), factor=self.factor)

    def _in_triangle(self, row: Index, col: Index) -> str:
        """Where an element of the triangle lies that is stored column by column."""
        order = self.rs if self.rs != 1 else self.cs
        row, col = (row, col) if self.rs == 1 else (col, row)
        c = _text(col)
        ends = 2 * order - 1 if isinstance(order, int) else f"2 * {order} - 1"
        before = f"{c} * ({ends} - {c}) / 2" if self.packed == "L" else f"{c} * ({c} + 1) / 2"
        return f"({before} + {_text(row)}) * {self.factor}"

    def vector(self, i: Index, j: Index) -> str:
        """Where the vector begins whose first real is number ``i`` of column ``j``; i counts reals, not elements."""
        assert isinstance(self.factor, int)
        column = self.cs * self.factor if isinstance(self.cs, int) else f"{self.cs} * {self.factor}"
        return linear((i, self.rs), (j, column if self.factor > 1 else self.cs))

    def transposed(self) -> View:
        return replace(self, rs=self.cs, cs=self.rs, rows_from=self.cols_from, cols_from=self.rows_from)

    def conjugated(self) -> View:
        return replace(self, conj=not self.conj)

    def reversed(self, rows: Size, cols: Size | None) -> View:
        """The view that counts ``rows`` rows, and ``cols`` columns where there are any, from the last to the first."""
        return replace(self, rows_from=_last(rows), cols_from=None if cols is None else _last(cols))

    @property
    def triangle(self) -> str:
        """The triangle that is stored alone, as indices see it: of a transpose the other one."""
        return {"L": "U", "U": "L"}[self.packed] if self.packed and self.rs != 1 else self.packed

    @property
    def unit_rows(self) -> bool:
        """Neighbouring rows are neighbours in memory."""
        return self.rs == 1
