"""The public functions: ``blas.py``, ``lapack.py`` and the names in ``__init__.py``, written from the catalogue.

``python -m bblas_gen.codegen.public`` renews them; a test compares them byte by byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..ir.catalog import OPS
from ..ir.documentation import FUNCTIONS
from ..ir.documented import PublicFunction, by_name_only, made, taken
from ..ir.operation import DEFAULT_SCALARS, Operand, Operation
from ..ir.spec import default_flag
from ..ir.terms import FLAGS
from ..ir.variants import FILLS
from .prose import COLUMNS, INDENT, docstring, keeps

PACKAGE = Path(__file__).resolve().parents[1]
MODULES = {
    "blas": "Level 1, 2 and 3 of the BLAS on batches.",
    "lapack": "Factorizations of LAPACK, what is solved and inverted with them, sums of matrices, on batches.",
}
"""The modules that are written, and what they say of themselves."""
Takes = list[tuple[str, bool]]
"""Arguments with type and default, and whether they go by keyword only."""
UNKNOWN = "**unknown: Never"
"""What takes arguments that there are not, to refuse them by their names: type checkers let nothing pass."""
HEAD = '''"""{summary}

Written from the catalogue by ``python -m bblas_gen.codegen.public``: change ``ir/catalog`` or ``ir/documentation``.
"""

from __future__ import annotations

from typing import {typing}

{imports}

__all__ = [
{names}]
'''


def texts() -> dict[str, str]:
    """What is written, by the name of the file in the package."""
    found = {f"{module}.py": module_text(module) for module in MODULES}
    initial = PACKAGE / "__init__.py"
    return found | {initial.name: initial_text(initial.read_text(encoding="utf-8"))}


def write() -> None:
    for name, text in texts().items():
        (PACKAGE / name).write_text(text, encoding="utf-8")


def names_in(module: str) -> list[str]:
    return sorted(name for name, function in FUNCTIONS.items() if function.module == module)


def module_text(module: str) -> str:
    names = [name for name in FUNCTIONS if FUNCTIONS[name].module == module]
    functions = "".join(f"\n\n{function_text(OPS[name], FUNCTIONS[name])}" for name in names)
    needed = [
        name for name in ("invoke", "reduce", "refuse", "vector", "vectors") if re.search(rf"\b{name}\(", functions)
    ]
    typing = ["Any"] if re.search(r"\bAny\b", functions) else []
    typing += [*(["Literal"] if "Literal[" in functions else []), "Never"]
    typing += ["overload"] if "@overload" in functions else []
    kinds = [
        name
        for name in ("Array", "Batch", "BatchLike", "Number", "Real")
        if re.search(rf"(: |-> |, |\[){name}\b", functions)
    ]
    imports = ["from .ir.catalog import OPS\n"]
    imports += ["from .arrays.host import Array\n"] if "Array" in kinds else []
    imports += [f"from .runtime.interleaved import {', '.join(x for x in kinds if x != 'Array')}\n"]
    imports += [f"from .runtime.invoke import {', '.join(needed)}\n"]
    head = HEAD.format(
        summary=MODULES[module],
        typing=", ".join(typing),
        imports="".join(sorted(imports)).rstrip(),
        names="".join(f'    "{name}",\n' for name in sorted(names)),
    )
    return head + functions


def initial_text(text: str) -> str:
    """``__init__.py`` with the functions of now in its imports and in ``__all__``."""
    for module in MODULES:
        names = names_in(module)
        line = f"from .{module} import {', '.join(names)}\n"
        block = f"from .{module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"
        wanted = line if len(line) <= COLUMNS + 1 else block
        text = re.sub(rf"^from \.{module} import (\([^)]*\)|.*)\n", wanted, text, flags=re.MULTILINE)
    listed = re.search(r"^__all__ = \[\n(.*?)^\]\n", text, re.MULTILINE | re.DOTALL)
    assert listed
    others = {name for name in re.findall(r'"(\w+)"', listed[1]) if name not in OPS}
    names = sorted({*others, *FUNCTIONS}, key=lambda name: (name[0].islower() or name[0] == "_", name))
    return text.replace(listed[0], "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n")


def function_text(op: Operation, function: PublicFunction) -> str:
    """One function: its types where they differ from call to call, signature, docstring, body."""
    takes = arguments(op, function)
    text = "".join(f"@overload\n{_signature(op, *variant)} ...\n\n\n" for variant in _variants(op, takes))
    text += _signature(op, [*takes, (UNKNOWN, True)], result_type(op)) + "\n"
    return text + docstring(op, function) + "".join(f"    {row}\n" for row in body(op, function))


def _signature(op: Operation, takes: Takes, result: str) -> str:
    star = next(i for i, (_, keyword) in enumerate([*takes, ("", True)]) if keyword)
    words = [*(text for text, _ in takes[:star]), "*", *(text for text, _ in takes[star:])]
    line = f"def {op.name}({', '.join(words)}) -> {result}:"
    if len(line) <= COLUMNS - len(" ..."):
        return line
    return f"def {op.name}(\n" + "".join(f"    {word},\n" for word in words) + f") -> {result}:"


def _variants(op: Operation, takes: Takes) -> Iterator[tuple[Takes, str]]:
    """The arguments and results that type checkers tell apart: a result left out or given, info returned or not."""
    result = op.returns[0].lower()
    if op.optional_result:
        first = takes[0][0].split(":")[0]
        yield _retyped(takes, {first: f"{first}: Batch", result: f"{result}: None = None"}), "Batch"
        yield _retyped(takes, {result: f"{result}: Batch"}), "Batch"
    elif op.info:
        default = " | None = None" if made(op.operand(op.returns[0])) else ""
        words = {result: f"{result}: Batch{default}", "out": "out: Batch | None = None"}
        without = {"return_info": "return_info: Literal[False] = False"}
        yield _retyped(takes, words | without), _tuple(_results(op))
        with_info = {"return_info": "return_info: Literal[True]"}
        yield _retyped(takes, words | with_info), _tuple([*_results(op), "Array"])


def _retyped(takes: Takes, words: Mapping[str, str]) -> Takes:
    return [(words.get(text.split(":")[0], text), keyword) for text, keyword in takes]


def arguments(op: Operation, function: PublicFunction) -> Takes:
    """Every argument with its type and default, and whether it goes by keyword only."""
    return [*_operand_arguments(op, function), *((text, True) for text in _keywords(op, function))]


def _operand_arguments(op: Operation, function: PublicFunction) -> Iterator[tuple[str, bool]]:
    for x in taken(op, function):
        name = x.name.lower()
        kind = "Batch" if x.name == op.returns[0] and not untyped(op) else "BatchLike"
        if made(x):
            yield f"{name}: BatchLike | None = None", by_name_only(op, x)
        elif op.optional_result and x.name == op.returns[0]:
            yield f"{name}: BatchLike | None = None", False
        else:
            yield f"{name}: {kind}", False


def _keywords(op: Operation, function: PublicFunction) -> Iterator[str]:
    for scalar in op.user_scalars:
        default = "" if scalar in function.required else f" = {DEFAULT_SCALARS[scalar]}"
        yield f"{scalar}: {'Real' if scalar in op.real_scalars else 'Number'}{default}"
    for flag in op.flags:
        letters = ", ".join(f'"{letter}"' for letter in FLAGS[flag])
        yield f'{flag}: Literal[{letters}] | list[str] = "{default_flag(flag)}"'
    if keeps(op):
        yield "overwrite: bool = True"
        yield f"out: {'BatchLike' if untyped(op) else 'Batch'} | None = None"
    if op.other_triangle:
        yield f"{FILLS[op.other_triangle].argument}: bool = False"
    if op.halves:
        yield "refine: bool = False"
    if op.info:
        yield 'check: Literal["raise", "nan", "ignore"] | None = None'
        yield "return_info: bool = False"
    yield "num_threads: int | None = None"


def body(op: Operation, function: PublicFunction) -> Iterator[str]:
    """The statements."""
    result, row = op.operand(op.returns[0]), f'OPS["{op.name}"]'
    inputs = [x for x in op.parameters if x is not result]
    more = ["operands"]
    for name, words in (("flags", op.flags), ("scalars", op.user_scalars)):
        if words:
            yield f"{name} = {_dictionary({word: word for word in words})}"
            more.append(f"{name}={name}")
    more.append("num_threads=num_threads")
    yield from ("if unknown:", f"    refuse({op.name}, unknown)")
    yield f"operands = {_operands(inputs if op.reduces else op.parameters)}"
    own = result.name.lower()
    if keeps(op) and result.is_vector:
        yield f'into = None if out is {own} else vector("out", out)'
    more += [f"out={'into' if result.is_vector else 'out'}", "overwrite=overwrite"] if keeps(op) else []
    more += [f"fills={FILLS[op.other_triangle].argument}"] if op.other_triangle else []
    more += ["refines=refine"] if op.halves else []
    more += ["check=check", "return_info=return_info"] if op.info else []
    given = f"{row}, {', '.join(more)}"
    if op.reduces:
        yield from _call("result: Array = reduce", given + (", real=True" if function.real_result else ""))
        yield "return result"
    elif result.is_vector and not (keeps(op) or op.optional_result or made(result)):
        yield from _call("invoke", given)
        yield f"return {', '.join(op.returns).lower()}"
    elif result.is_vector:
        yield from _call("found = invoke", given)
        chosen = f"out, {own} if overwrite else None" if keeps(op) else own
        yield from (f"result: {result_type(op)} = vectors(found, {chosen})", "return result")
    elif beside := [x.lower() for x in op.returns[1:] if op.operand(x).is_vector]:
        names = [x.lower() for x in op.returns]
        info = ["*info"] * op.info
        new = [f"new_{x}" if x in beside else x for x in names]
        yield from _call(f"{', '.join([*new, *info])} = invoke", given)
        yield f"return {', '.join([*(f'vectors(new_{x}, {x})' if x in beside else x for x in names), *info])}"
    else:
        yield from _call(f"result: {result_type(op)} = invoke", given)
        yield "return result"


def _call(head: str, words: str) -> Iterator[str]:
    """A call as ruff formats it: in one line, in one line of its own, or an argument a line."""
    line = f"{head}({words})"
    if len(line) <= COLUMNS - INDENT:
        yield line
        return
    lines = [words] if len(words) <= COLUMNS - 2 * INDENT else [f"{word}," for word in words.split(", ")]
    yield from (f"{head}(", *(f"    {line}" for line in lines), ")")


def _dictionary(pairs: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{chr(34)}{key}{chr(34)}: {value}' for key, value in pairs.items())}}}"


def _operands(operands: Sequence[Operand]) -> str:
    names = {x.name: x.name.lower() for x in operands}
    vectors = {x.name: f'vector("{names[x.name]}", {names[x.name]})' for x in operands if x.is_vector}
    return _dictionary(names | vectors)


def untyped(op: Operation) -> bool:
    """Whether the type of what comes back differs from call to call."""
    return op.optional_result or op.info


def result_type(op: Operation) -> str:
    if untyped(op):
        return "BatchLike | tuple[Any, ...]" if op.info else "BatchLike"
    return "Array" if op.reduces else _tuple(_results(op))


def _results(op: Operation) -> list[str]:
    """The types of the results: as the first operand that comes back; of others nothing is known."""
    return ["Batch", *("Any" for _ in op.returns[1:])]


def _tuple(types: Sequence[str]) -> str:
    return f"tuple[{', '.join(types)}]" if len(types) > 1 else types[0]


if __name__ == "__main__":
    write()
