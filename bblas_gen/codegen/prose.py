"""Docstrings of the public functions, in numpydoc's sections: what the catalogue says, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ..ir.documented import PublicFunction, made, taken
from ..ir.operation import By, Operand, Operation
from ..ir.terms import FLAGS, Kind, Role, Trans
from ..ir.variants import FILLS, variant

COLUMNS = 120
INDENT = 4
CHECK = (
    'What happens to matrices that fail; all others are finished first. "raise": an error names the first failing'
    ' matrix. "nan": the outputs of failing matrices are NaN. "ignore": they are left as LAPACK leaves them:'
    " of a factorization the columns before the failing one are done, right-hand sides keep their values. None means"
    ' "raise", and "ignore" for matrices on a GPU, as "raise" has to wait for the GPU.'
)
OVERWRITE = (
    "False: operands keep their values, and a new result is returned, with the bits that a call on copies would give."
    " Solvers, and all operations on small matrices, make no copy; of larger ones each is copied just before."
)
OTHER_TRIANGLE = {
    "zero": "True: the strict triangle of the result that ``uplo`` does not name is zero.",
    "mirror": "True: the whole result is stored, symmetric or Hermitian, not only the triangle that ``uplo`` names.",
}
REFINE = (
    "True: one step of iterative refinement, X := X + A^-1 (B - A X), as LAPACK's gerfs and porfs do it. Then B - A"
    " X is small relative to each row of A and B, even if the rows differ much in scale. It takes 4 n**2 more"
    " operations for each right-hand side. The factors are those of a call without it."
)
OPERANDS = (
    "All operands have one dtype: float32, float64, complex64 or complex128. A batch of matrices is an array (batch,"
    " rows, columns) of any strides; or a list of 2-D arrays, or :func:`ragged` data, whose matrices may differ in"
    " shape; or an :class:`Interleaved`. Each operand may have another layout and memory order. A list of batches"
    " for each operand is a call on groups: several batches, each with its own sizes, and a list of results. Lists"
    " of scalars and flags have one for each group then."
)
SHARED = (
    "An operand that is only read may be a 2-D array: one matrix for the whole batch. If all operands are single"
    " matrices or vectors, without an axis for the batch, the call is one problem, and its result has no such axis"
    " either."
)
VECTORS = "Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an Interleaved of one column."
COPIES = (
    "Operands are used where they are. Only arrays that are not aligned, arrays whose strides are not a whole number of"
    " elements, and lists of one shape whose arrays differ in strides are copied."
)
INDICES = "Indices are int32 and count from 1: an array (batch, n), or an Interleaved of one column."


def keeps(op: Operation) -> bool:
    """Whether it can leave its operands as they are."""
    return variant(op, keeps=True) is not None


def docstring(op: Operation, function: PublicFunction) -> str:
    """The docstring, indented, with its quotes."""
    sections = {
        "Parameters": list(_parameters(op, function)),
        "Returns": list(_returns(op, function)),
        "Raises": list(_raises(op)),
        "Notes": list(_notes(op, function)),
        "References": _wrapped(op.source + "."),
        "Examples": function.example.strip().splitlines(),
    }
    lines = [f'"""{function.summary}', "", "For every matrix of a batch."]
    for title, text in sections.items():
        lines += ["", title, "-" * len(title), *text]
    return "".join(f"{' ' * INDENT if line else ''}{line}\n" for line in [*lines, '"""'])


def _wrapped(text: str, indent: int = 0) -> list[str]:
    room = " " * indent
    return wrap(text, COLUMNS - INDENT, initial_indent=room, subsequent_indent=room, break_long_words=False)


def _entry(head: str, *sentences: str) -> list[str]:
    return [head, *_wrapped(" ".join(x for x in sentences if x), INDENT)]


def _parameters(op: Operation, function: PublicFunction) -> Iterator[str]:
    for x in taken(op, function):
        optional = ", optional" if made(x) or (op.optional_result and x.name in op.returns) else ""
        kind = "int32 indices" if x.kind is Kind.INDEX else "vectors" if x.is_vector else "matrices"
        head = f"{x.name.lower()} : batch of {kind}{optional}"
        yield from _entry(head, function.operands.get(x.name, ""), _shape(op, x), _access(op, x))
    for name in op.user_scalars:
        kind = "real number" if name in op.real_scalars else "number"
        yield from _entry(f"{name} : {kind}, or a list", "NaN is refused. A list or 1-D array has one for each matrix.")
    for flag in op.flags:
        letters = ", ".join(f'"{letter}"' for letter in FLAGS[flag])
        yield from _entry(f"{flag} : {{{letters}}}, or a list", _flag(op, flag), "A list has one for each matrix.")
    yield from _where_results_go(op)
    if op.info:
        yield from _entry('check : {"raise", "nan", "ignore"}, optional', CHECK)
        yield from _entry(
            "return_info : bool", "True: info is returned, too, and no error is raised for failing matrices."
        )
    threads = (
        "None: as many as make the call faster, at most ``OMP_NUM_THREADS``. Results have the same bits for any number."
    )
    yield from _entry("num_threads : int, optional", threads)


def _where_results_go(op: Operation) -> Iterator[str]:
    if keeps(op):
        result = op.returns[0].lower()
        yield from _entry("overwrite : bool", OVERWRITE)
        yield from _entry(
            f"out : like ``{result}``, optional", "The result is written here; operands keep their values."
        )
    if op.other_triangle:
        yield from _entry(f"{FILLS[op.other_triangle].argument} : bool", OTHER_TRIANGLE[op.other_triangle])
    if op.halves:
        yield from _entry("refine : bool", REFINE)


def _shape(op: Operation, x: Operand) -> str:
    derived = dict(op.derived)
    rule = derived.get(x.rows)
    if isinstance(rule, By):
        cases = [f'{size} with ``{rule.flag}`` "{letter}"' for letter, size in rule.cases]
        return f"Of order {', '.join(cases)}."
    if x.cols == "1":
        return f"Of length {x.rows}."
    subject = f"op({x.name}) is " if x.flag and not x.triangle else ""
    return f"{subject}{x.rows} x {x.cols}."


def _access(op: Operation, x: Operand) -> str:
    diagonal = ' Its diagonal is not read with ``diag`` "U".' if "diag" in op.flags and x.triangle else ""
    unread = f" Not read if ``{x.scaled_by}`` is 0." if x.scaled_by else ""
    if made(x):
        return "Overwritten. None: a new batch is made."
    if x.role is Role.IN:
        part = f"Only {_parts(op)[0]} is read" if x.triangle else "Read"
        return f"{part}{f'; nothing of it if ``{x.scaled_by}`` is 0' if x.scaled_by else ''}.{diagonal}"
    how = "in place, unless ``overwrite`` is False or ``out`` is given" if keeps(op) else "in place"
    if x.triangle:
        part, rest = _parts(op)
        how += f": {part}; {rest} is not used and keeps its values"
    new = (
        "None: a new one is made, of the kind (array, list, Interleaved) of the first batch among the operands"
        if op.optional_result
        else ""
    )
    new += (", zero in the other triangle." if x.triangle else ".") if new else ""
    return f"Overwritten {how}.{diagonal}{unread} {new}".strip()


def _parts(op: Operation) -> tuple[str, str]:
    """What counts of an operand of which not all does, and what does not."""
    return ("the triangle that ``uplo`` names", "the other") if "uplo" in op.flags else ("the diagonal", "the rest")


def _flag(op: Operation, flag: str) -> str:
    if FLAGS[flag] is Trans:
        names = [x.name for x in op.parameters if x.flag == flag] or ["A"]
        each = names[0] if len(names) == 1 else "X"
        text = f'op({each}): "N" {each} itself, "T" its transpose, "C" its conjugate transpose, "R" its conjugate.'
        return text + (f" {each} is {' and '.join(names)}." if len(names) > 1 else "")
    return {
        "side": "A is on the left or on the right of the other factor.",
        "uplo": "The triangle that is used: the lower or the upper one.",
        "diag": '"U": the diagonal counts as ones; "N": it is used as it is.',
        "jobz": '"N": eigenvalues only; "V": eigenvectors, too.',
        "itype": "What is solved: 1 A x = w B x, 2 A B x = w x, 3 B A x = w x.",
    }[flag]


def _returns(op: Operation, function: PublicFunction) -> Iterator[str]:
    if op.reduces:
        kind = "real" if function.real_result else "of the dtype of the operands"
        yield from _entry("result : array (batch,)", f"New, {kind}.")
        return
    for i, name in enumerate(op.returns):
        x = op.operand(name)
        text = "The operand, overwritten."
        if made(x):
            text = "The operand, or the new one."
        if op.optional_result or (keeps(op) and not i):
            text = f"The operand, or the new one{', or ``out``' if keeps(op) else ''}."
        yield from _entry(f"{x.name.lower()} : as given", text)
    if op.info:
        text = f"With ``return_info``: LAPACK's info of each matrix: 0, or i > 0 for matrices that {op.fails}."
        yield from _entry("info : int32 array (batch,)", text)


def _raises(op: Operation) -> Iterator[str]:
    yield from _entry(
        "TypeError", "An argument is of the wrong kind or dtype; the message names it. Nothing is written."
    )
    yield from _entry(
        "ValueError",
        "Shapes do not fit, a flag is unknown, or an output overlaps an operand or is read-only. Nothing is written.",
    )
    if op.scalars:
        small = "(One so small that it would round to 0 becomes the smallest number that is not 0.)"
        yield from _entry("OverflowError", f"A scalar is too large for the dtype of the operands. {small}")
    if op.info:
        yield from _entry("numpy.linalg.LinAlgError", f'Some matrices {op.fails}, and ``check`` is "raise".')


def _notes(op: Operation, function: PublicFunction) -> Iterator[str]:
    """Paragraphs: what is special, what operands may be, what it costs."""
    operands = taken(op, function)
    kinds = [
        OPERANDS,
        VECTORS if any(x.is_vector for x in operands) else "",
        INDICES if any(x.kind is Kind.INDEX for x in operands) else "",
        SHARED if any(x.role is Role.IN for x in operands) else "",
        COPIES,
    ]
    if function.notes:
        yield from (*_wrapped(function.notes), "")
    yield from _wrapped(" ".join(x for x in kinds if x))
    if op.flops != "0":
        cost = f"{_cost(op, function)} operations per matrix; complex dtypes take four times as many."
        yield from ("", *_wrapped(cost))


def _cost(op: Operation, function: PublicFunction) -> str:
    text = function.cost or op.flops.replace(" * ", " ").removeprefix("1 ")
    for name, rule in op.derived:
        if name in text:
            cases = [(text.replace(name, size), letter) for letter, size in rule.cases]
            text = " or ".join(f'{count} (``{rule.flag}`` "{letter}")' for count, letter in cases)
    return text
