"""What a cubin says of its functions: registers, shared and local memory; and what of them a multiprocessor holds.

Compilers leave notes in the sections of a cubin, an ELF file, as its loader wants them. No GPU is needed to read them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_REGISTERS, _FRAME = 0x2F, 0x11
"""Notes of a function: registers of a thread, bytes of its local memory."""
_WHOLE = 4
"""The form of notes that have data, of so many bytes."""
_SYMBOLS = 2
"""The type of the section with the table of symbols."""
_FILE = 64 << 10
"""Registers of a multiprocessor."""
_RESERVED = 1 << 10
"""Bytes of shared memory that the system takes of each block."""
MULTIPROCESSORS = {
    "75": (1024, 16, 64),
    "80": (2048, 32, 164),
    "86": (1536, 16, 100),
    "87": (1536, 16, 164),
    "89": (1536, 24, 100),
    "90": (2048, 32, 228),
    "100": (2048, 32, 228),
    "103": (2048, 32, 228),
    "120": (1536, 24, 100),
    "121": (1536, 24, 100),
}
"""By architecture the threads, blocks and KB of shared memory that a multiprocessor holds: the table of compute
capabilities in NVIDIA's CUDA C++ Programming Guide."""


@dataclass(frozen=True)
class Takes:
    """What a function takes: registers of a thread, bytes of shared memory that its text has for a block, and bytes of
    local memory of a thread."""

    registers: int
    shared: int
    local: int

    def blocks(self, arch: str, threads: int, dynamic: int = 0) -> int | None:
        """How many blocks of so many threads, with so many more bytes of shared memory, a multiprocessor holds; None
        where the architecture is not known."""
        known = _multiprocessor(arch)
        if known is None:
            return None
        most_threads, most_blocks, kilobytes = known
        warps = -(-threads // 32)
        of_a_warp = -(-self.registers * 32 // 256) * 256
        shared = -(-(self.shared + dynamic + _RESERVED) // 128) * 128
        by_registers = _FILE // (of_a_warp * warps) if self.registers else most_blocks
        return min(most_blocks, most_threads // (32 * warps), by_registers, (kilobytes << 10) // shared)


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    content: bytes
    size: int


def block_shared(arch: str) -> int:
    """Bytes of shared memory that a block can have on GPUs of an architecture, such as "sm_90"; 0 where it is not
    known."""
    known = _multiprocessor(arch)
    return (known[2] << 10) - _RESERVED if known else 0


def _multiprocessor(arch: str) -> tuple[int, int, int] | None:
    return MULTIPROCESSORS.get(re.sub(r"\D", "", arch))


def takes(cubin: bytes) -> dict[str, Takes]:
    """What each function of a cubin takes, by name. ValueError where it is none."""
    try:
        sections = {section.name: section for section in _sections(cubin)}
        names = _symbols(sections)
        notes = _notes(sections[".nv.info"].content, names)
    except (struct.error, IndexError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"no cubin, or one of an unknown format ({error!r})") from error
    reserved = _RESERVED if _since_hopper(cubin) else 0
    found = {}
    for name in (x.removeprefix(".text.") for x in sections if x.startswith(".text.")):
        block = sections.get(f".nv.shared.{name}")
        shared = max(0, block.size - reserved) if block else 0
        found[name] = Takes(notes[name, _REGISTERS], shared, notes.get((name, _FRAME), 0))
    return found


def _since_hopper(cubin: bytes) -> bool:
    """Whether what the system takes of shared memory is counted in the notes."""
    return cubin[49] >= 90


def _sections(cubin: bytes) -> Iterator[_Section]:
    if cubin[:4] != b"\x7fELF":
        raise ValueError("no cubin: it does not begin as one")
    (begin,) = struct.unpack_from("<Q", cubin, 40)
    count, names = struct.unpack_from("<HH", cubin, 60)
    heads = [struct.unpack_from("<IIQQQQIIQQ", cubin, begin + 64 * i) for i in range(count)]
    for name, kind, _, _, offset, size, *_ in heads:
        content = cubin[offset : offset + size]
        yield _Section(_text(cubin, heads[names][4] + name), kind, content, size)


def _text(content: bytes, begin: int) -> str:
    return content[begin : content.index(0, begin)].decode("ascii")


def _symbols(sections: Mapping[str, _Section]) -> list[str]:
    """The names of symbols, by number."""
    table = next(x for x in sections.values() if x.kind == _SYMBOLS)
    strings = sections[".strtab"].content
    return [_text(strings, struct.unpack_from("<I", table.content, 24 * i)[0]) for i in range(table.size // 24)]


def _notes(content: bytes, names: list[str]) -> dict[tuple[str, int], int]:
    """The notes that are numbers, by function and kind."""
    found, at = {}, 0
    while at < len(content):
        form, kind, size = struct.unpack_from("<BBH", content, at)
        at += 4
        if form == _WHOLE:
            if kind in (_REGISTERS, _FRAME):
                function, value = struct.unpack_from("<II", content, at)
                found[names[function], kind] = value
            at += size
    return found
