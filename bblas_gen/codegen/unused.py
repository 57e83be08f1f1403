"""What a kernel does not use is left out of its text: macros, static functions, types and constants of the prelude."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

_OURS = re.compile(r"\b(?:(?:BB|bb)_\w+|u?int(?:32|64)_t)\b")
_SKIPPED = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.DOTALL)
_CONDITION = re.compile(r"#(?:if|ifdef|ifndef|elif|else|endif)\b")
_ATTRIBUTE = re.compile(r"__attribute__\(\(.*\)\)")
_IMAGINARY = re.compile(r", nb\w+(?=[,)])")
"""The distance to an imaginary part, as an argument of a macro, which drops it where numbers are real."""
_WORD = re.compile(r"\w+")
_BODY = re.compile(r"static BB_INLINE void bb_\w+\((.*)\)\n\{\n")
_DEFINED = (
    re.compile(r"#define (BB_\w+)"),
    re.compile(r"static [^({=]*?\b(bb_\w+)[(\[]"),
    re.compile(r"typedef .*?(\w+(?:, \w+)*);\n$", re.DOTALL),
    re.compile(r"enum \{ (.*) \};\n$"),
)
"""What defines names that may be left out: a macro, a static function or table, types, constants."""


@dataclass(frozen=True)
class Block:
    """Lines that stay or go together. ``kind``: ``code`` (a macro, one definition of C, an include), ``comment``,
    ``condition`` or ``blank``. ``names`` are what it defines, if it may be left out; ``uses`` are the others of ours in
    it."""

    text: str
    kind: str
    names: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


def without_unused(text: str) -> str:
    """``text``, which is indented C, without the macros, static functions, types and constants that nothing else in it
    mentions, and without their comments and conditions around nothing.

    A comment belongs to what follows it; at the beginning of a paragraph, to all of that. Bodies say of parameters that
    they do not use them: of a single element there are no strides, a diagonal of ones is not read.
    """
    blocks = list(_blocks(text))
    uses = _uses(blocks)
    while gone := _gone(blocks, uses):
        uses = uses - _uses([blocks[number] for number in gone])
        blocks = [block for number, block in enumerate(blocks) if number not in gone]
    macros: dict[str, str] = {}
    for block in blocks:
        if block.text.startswith("#define") and block.names:
            macros[block.names[0]] = macros.get(block.names[0], "") + block.text
    return re.sub(r"\n{3,}", "\n\n", "".join(_told(block.text, macros) for block in blocks))


def _told(text: str, macros: Mapping[str, str]) -> str:
    """The definition of a body, or anything else, with a line for each parameter that is not used."""
    head = _BODY.match(text)
    if not head:
        return text
    used, new = set[str](), [_IMAGINARY.sub("", text[head.end() :])]
    while new:
        words = set(_WORD.findall(new.pop())) - used
        used |= words
        new += [macros[word] for word in words if word in macros]
    names = (_WORD.findall(one.split("[")[0])[-1] for one in head[1].split(", "))
    unused = [f"    (void){name};\n" for name in names if name not in used]
    return "".join([head[0], *unused, text[head.end() :]])


def _blocks(text: str) -> Iterator[Block]:
    lines = iter(text.splitlines(keepends=True))
    for line in lines:
        found = [line]
        if not line.strip():
            yield Block(line, "blank")
            continue
        if line.startswith("/*"):
            while "*/" not in found[-1]:
                found.append(next(lines))
            yield Block("".join(found), "comment")
            continue
        if _CONDITION.match(line):
            yield Block(line, "condition")
            continue
        if line.startswith("#"):
            while found[-1].endswith("\\\n"):
                found.append(next(lines))
        elif not _SKIPPED.sub("", line).rstrip().endswith(";"):
            while not found[-1].startswith("}"):
                found.append(next(lines))
        yield _code("".join(found))


@lru_cache(4096)  # of which most are in every kernel
def _code(text: str) -> Block:
    bare = _SKIPPED.sub("", text)
    declared = _ATTRIBUTE.sub("", bare).replace(" ;", ";") if bare.startswith("typedef") else bare
    names = next((match[1] for match in (pattern.match(declared) for pattern in _DEFINED) if match), "")
    own = tuple(filter(None, names.split(", ")))
    return Block(text, "code", own, tuple(name for name in _OURS.findall(bare) if name not in own))


def _uses(blocks: Iterable[Block]) -> Counter[str]:
    """How often blocks mention names that others define."""
    return Counter(chain.from_iterable(block.uses for block in blocks))


def _gone(blocks: Sequence[Block], uses: Mapping[str, int]) -> set[int]:
    """The numbers of the blocks that nothing needs."""
    gone = {number for number, block in enumerate(blocks) if block.names and not any(map(uses.get, block.names))}
    if gone:
        gone |= _empty_conditions(blocks, gone)
        gone |= _orphans(blocks, gone)
    return gone


def _empty_conditions(blocks: Sequence[Block], gone: set[int]) -> set[int]:
    """Conditions with nothing between them, from the #if to the #endif."""
    found: set[int] = set()
    around: list[list[int]] = []
    filled: list[bool] = []
    for number, block in enumerate(blocks):
        if block.kind == "condition":
            if block.text.startswith("#if"):
                around.append([])
                filled.append(False)
            around[-1].append(number)
            if block.text.startswith("#endif"):
                numbers, something = around.pop(), filled.pop()
                found |= set() if something else set(numbers)
                if something and filled:
                    filled[-1] = True
        elif block.kind == "code" and number not in gone and filled:
            filled[-1] = True
    return found


def _orphans(blocks: Sequence[Block], gone: set[int]) -> set[int]:
    """Comments on what is gone."""
    found: set[int] = set()
    for number, block in enumerate(blocks):
        if block.kind == "comment":
            paragraph = range(number + 1, _end(blocks, number))
            first = number == 0 or blocks[number - 1].kind == "blank"
            about = [n for n in paragraph if blocks[n].kind != "comment"][: None if first else 1]
            if about and gone.issuperset(about):
                found.add(number)
    return found


def _end(blocks: Sequence[Block], number: int) -> int:
    """Where the paragraph of a block ends."""
    return next((n for n in range(number, len(blocks)) if blocks[n].kind == "blank"), len(blocks))
