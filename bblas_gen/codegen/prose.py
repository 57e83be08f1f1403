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
    'What is done about matrices that failed, once all others are finished: "raise" raises an error that names the'
    ' first of them, "nan" fills what would have been written of them with NaN, "ignore" leaves them as LAPACK does:'
    " of a factorization the columns before the one at fault are factored, right-hand sides keep their values."
    ' None is "raise"; but of matrices on a GPU "ignore", as any other has to wait until the GPU is done.'
)
OVERWRITE = (
    "False: operands keep their values, and the result is new, as if made of copies of them; the kernel reads the one"
    " and writes the other, which takes no longer than to overwrite."
)
OTHER_TRIANGLE = {
    "zero": "True: the strict triangle of the result that ``uplo`` does not name is zero.",
    "mirror": "True: the whole result is stored, symmetric or Hermitian, not only the triangle that ``uplo`` names.",
}
REFINE = (
    "True: one step of iterative refinement, X := X + A^-1 (B - A X), as LAPACK's gerfs and porfs do it: what is left"
    " of B is small beside each row of A, also where rows differ much in scale. For each right-hand side it takes"
    " 4 n**2 operations more; factors are those of a call without."
)
OPERANDS = (
    "Operands are float32, float64, complex64 or complex128, all of one dtype. Matrices are arrays (batch, rows,"
    " columns) of any strides, row- or column-major or neither, lists of 2-D arrays or :func:`ragged` ones, which may"
    " differ in shape, or :class:`Interleaved`, each operand in its own layout. A list of batches for each operand is"
    " several batches in one call, groups, and so is the result; lists of scalars and flags have one for each."
)
SHARED = (
    "An operand that is only read may be a 2-D array: one matrix for the whole batch. Where all operands are single"
    " matrices, or vectors, they are one problem, and so is the result."
)
VECTORS = "Vectors are arrays (batch, n), lists of 1-D arrays, one 1-D array for all, or an Interleaved of one column."
COPIES = (
    "Nothing is copied but arrays that are not aligned or whose strides are not a whole number of elements, and lists"
    " whose arrays have different strides."
)
INDICES = "Indices are int32, count from 1, and are an array (batch, n) or an Interleaved of one column."


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
        yield from _entry(f"{name} : {kind}, or a list", "Not NaN. A list or 1-D array has one for each matrix.")
    for flag in op.flags:
        letters = ", ".join(f'"{letter}"' for letter in FLAGS[flag])
        yield from _entry(f"{flag} : {{{letters}}}, or a list", _flag(op, flag), "A list has one for each matrix.")
    yield from _where_results_go(op)
    if op.info:
        yield from _entry('check : {"raise", "nan", "ignore"}, optional', CHECK)
        yield from _entry("return_info : bool", "Return info too. Then no error is raised about matrices that failed.")
    threads = "None: as many as pay, at most ``OMP_NUM_THREADS``. Results do not depend on it, bit by bit."
    yield from _entry("num_threads : int, optional", threads)


def _where_results_go(op: Operation) -> Iterator[str]:
    if keeps(op):
        result = op.returns[0].lower()
        yield from _entry("overwrite : bool", OVERWRITE)
        yield from _entry(f"out : like ``{result}``, optional", "Has the result; operands keep their values.")
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
        return "Overwritten; new ones are made where None is given."
    if x.role is Role.IN:
        part = f"Only {_parts(op)[0]} is read" if x.triangle else "Read"
        return f"{part}{f'; nothing of it if ``{x.scaled_by}`` is 0' if x.scaled_by else ''}.{diagonal}"
    how = "in place, unless ``overwrite`` is False or ``out`` is given" if keeps(op) else "in place"
    if x.triangle:
        part, rest = _parts(op)
        how += f": {part}; {rest} has no influence and keeps its values"
    new = "None makes a new one of the kind of the first batch among the others" if op.optional_result else ""
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
        "side": "Where A is: on the left or on the right of the other factor.",
        "uplo": "The triangle that counts: the lower or the upper one.",
        "diag": '"U": the diagonal is one.',
        "jobz": '"N": values alone; "V": vectors, too.',
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
        text = f"With ``return_info``: LAPACK's number, 0 for each matrix but those that {op.fails}."
        yield from _entry("info : int32 array (batch,)", text)


def _raises(op: Operation) -> Iterator[str]:
    yield from _entry("TypeError", "For the kind or dtype of an argument, which it names. Nothing is written then.")
    yield from _entry(
        "ValueError",
        "For a shape, a flag, an overlap of an output with an operand, or a read-only output. Nothing is written then.",
    )
    if op.scalars:
        ends = "would round to infinity. One that it would round to 0 becomes the smallest number that is not 0."
        yield from _entry("OverflowError", f"For a scalar that the dtype of the operands {ends}")
    if op.info:
        yield from _entry("numpy.linalg.LinAlgError", f'Where matrices {op.fails} and ``check`` is "raise".')


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
