"""What cubins say of their functions, and what a multiprocessor holds of them. Cubins are made here, byte by byte."""

from __future__ import annotations

import struct

import pytest

from bblas_gen.toolchain.cubin_notes import Takes, takes


def cubin(functions: dict[str, tuple[int, int, int]], arch: int = 80) -> bytes:
    """A cubin whose functions take so many registers, bytes of shared memory and of local memory."""
    symbols, strings, notes = b"", b"\0", b"\x03\x19\x30\x00"
    for number, (name, (registers, _, local)) in enumerate(functions.items()):
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 0, 0, 0)
        strings += name.encode() + b"\0"
        notes += struct.pack("<BBHII", 4, 0x2F, 8, number, registers) + struct.pack("<BBHII", 4, 0x12, 8, number, 99)
        notes += struct.pack("<BBHII", 4, 0x11, 8, number, local)
    sections = [(".strtab", 3, strings), (".symtab", 2, symbols), (".nv.info", 0x70000000, notes)]
    for name, (_, shared, _) in functions.items():
        sections.append((f".text.{name}", 1, b"code"))
        if shared:
            sections.append((f".nv.shared.{name}", 8, bytes(shared)))
    names, heads, body = b"\0", b"", b""
    sections.append(
        (".shstrtab", 3, b"\0" + b"".join(name.encode() + b"\0" for name, _, _ in sections) + b".shstrtab\0")
    )
    for name, kind, content in sections:
        heads += struct.pack("<IIQQQQIIQQ", len(names), kind, 0, 0, 64 + len(body), len(content), 0, 0, 1, 0)
        names += name.encode() + b"\0"
        body += content
    start = struct.pack(
        "<4s12xHHIQQQIHHHHHH",
        b"\x7fELF",
        2,
        190,
        1,
        0,
        0,
        64 + len(body),
        arch << 8 | 4,
        64,
        0,
        0,
        64,
        len(sections),
        len(sections) - 1,
    )
    return start + body + heads


def test_registers_and_memory_are_read() -> None:
    functions = {"plain": (40, 0, 0), "staged": (168, 12384, 16)}
    assert takes(cubin(functions)) == {name: Takes(*numbers) for name, numbers in functions.items()}


def test_what_the_system_takes_of_shared_memory_is_not_of_the_text() -> None:
    assert takes(cubin({"staged": (32, 13408, 0)}, 90)) == {"staged": Takes(32, 12384, 0)}


@pytest.mark.parametrize("content", [b"", b"text", b"\x7fELF", cubin({"f": (1, 0, 0)})[:200]])
def test_what_is_no_cubin_is_said(content: bytes) -> None:
    with pytest.raises(ValueError, match="no cubin"):
        takes(content)


@pytest.mark.parametrize(
    ("taken", "arch", "threads", "blocks"),
    [
        (Takes(255, 0, 0), "sm_90", 128, 2),
        (Takes(168, 0, 0), "sm_90", 128, 3),
        (Takes(70, 0, 0), "sm_80", 128, 7),
        (Takes(16, 0, 0), "sm_90", 128, 16),
        (Takes(16, 0, 0), "sm_86", 128, 12),
        (Takes(16, 0, 0), "sm_86", 32, 16),
        (Takes(30, 12384, 0), "sm_80", 128, 12),
        (Takes(30, 48 << 10, 0), "sm_90a", 32, 4),
        (Takes(30, 0, 0), "sm_30", 32, None),
    ],
)
def test_a_multiprocessor_holds_so_many_blocks(taken: Takes, arch: str, threads: int, blocks: int | None) -> None:
    assert taken.blocks(arch, threads) == blocks
