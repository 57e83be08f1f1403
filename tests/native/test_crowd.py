"""The cache and a real compiler: sixteen processes that want the same at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bblas_gen.toolchain.cache import Cache

CROWD = """
import ctypes, os, sys
from pathlib import Path
from bblas_gen.toolchain import cache, compilers
root, log = map(Path, {arguments!r})
text = "int answer(void) {{ return 42; }}"
cc = compilers.find_cc()
flags = compilers.library_flags(cc)

def make(folder):
    with log.open("a") as file:
        file.write("compiled\\n")
    source, binary = folder / "kernel.c", folder / "kernel.so"
    source.write_text(text)
    compilers.run([cc.path, *flags, source.name, "-o", binary.name], what="answer", cwd=folder, source=source)
    return binary

binary = cache.Cache(root).get(cache.key(text, flags, cc.identity), {{"symbol": "answer"}}, make)
print(ctypes.CDLL(str(binary)).answer())
"""


def test_sixteen_processes_at_once_on_a_cold_cache(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = CROWD.format(arguments=(str(tmp_path / "cache"), str(log)))
    command = [sys.executable, "-c", program]
    crowd = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(16)]
    assert [process.communicate(timeout=120)[0].strip() for process in crowd] == ["42"] * 16
    assert 1 <= len(log.read_text().splitlines()) <= 4
    cache = Cache(tmp_path / "cache")
    assert len(cache.entries()) == 1
    assert not list(cache.root.glob("tmp-*"))
