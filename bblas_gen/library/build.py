"""From a plan to installed files: compile on all cores, link, write what build systems need."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..codegen.render import render_file
from ..errors import SpecError
from ..toolchain import compilers, machine
from ..version import __version__
from .plan import Piece, Plan

ABI = 1
"""The version of the binary interface: a program that was linked with another one does not start."""
OBJECTS = "build"
"""The folder of objects in that of a library: what was compiled is not compiled again."""
_FUNCTION = re.compile(r"^\w[^=\n]*?(\w+)\(.*\);$", re.MULTILINE)
"""A prototype in a header."""
_INSTALLED = re.compile(r"(include|lib|lib/cmake/\w+|lib/pkgconfig)/\w[\w.]*")
"""Where files of a library are, in its folder."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class Built:
    """The files of a library, and how many of its C files had to be compiled."""

    files: tuple[Path, ...]
    compiled: int


def check_names(plan: Plan) -> None:
    """SpecError where a library or its prefix has a name that C would not take, or two of its functions have one."""
    for what, value in (("name", plan.name), ("prefix", plan.prefix)):
        if not _NAME.fullmatch(value):
            raise SpecError(f"{what} = {value!r} is no name in C: expected letters, digits and _, a letter first")
    known: set[str] = set()
    for name, text in plan.headers.items():
        for function in _FUNCTION.findall(text) if name.endswith(".h") else ():
            if function in known:
                said = f"prefix = {plan.prefix!r} makes our {function} one of another interface, too"
                raise SpecError(f"{said}: expected another prefix")
            known.add(function)


def build(plan: Plan, folder: Path, *, digest: str, jobs: int, done: Callable[[int, int], None]) -> Built:
    """Build the library ``plan`` in ``folder``; ``done`` is told how many C files are compiled, of how many.

    ``digest`` is a name for the generator: objects in ``folder`` that it made before are used again. Raises SpecError,
    NoCompilerError, CompileError and OSError; what was compiled until then stays for the next time.
    """
    check_names(plan)
    cc = compilers.find_cc()
    objects = folder / OBJECTS
    objects.mkdir(parents=True, exist_ok=True)
    for name, text in plan.headers.items():
        (objects / name).write_text(text, encoding="utf-8")
    pieces = list(plan.pieces())
    made = [0, 0]  # done, and compiled

    def compile_one(piece: Piece) -> Path:
        path = objects / f"{_key(piece, plan, cc, digest)}.o"
        if not digest or not path.exists():
            _compile(piece, plan, cc, path)
            made[1] += 1
        made[0] += 1
        done(made[0], len(pieces))
        return path

    with ThreadPoolExecutor(jobs) as team:
        found = list(team.map(compile_one, pieces))
    for stale in set(objects.glob("*.o")) - set(found):
        stale.unlink()
    return Built(tuple(_installed(plan, folder, cc, found, digest)), made[1])


def _key(piece: Piece, plan: Plan, cc: compilers.Compiler, digest: str) -> str:
    flags = compilers.object_flags(cc, piece.march, openmp=plan.openmp, pool=plan.pool)
    return hashlib.sha256("\0".join((piece.recipe, digest, cc.identity, *flags)).encode()).hexdigest()[:32]


def _compile(piece: Piece, plan: Plan, cc: compilers.Compiler, path: Path) -> None:
    """Compile to a draft beside ``path``, then rename."""
    source = path.with_name(f"{path.stem}-{os.getpid()}.c")
    draft = source.with_suffix(".draft")
    source.write_text(piece.text(), encoding="utf-8")
    flags = compilers.object_flags(cc, piece.march, openmp=plan.openmp, pool=plan.pool)
    argv = [cc.path, *flags, "-c", source.name, "-o", draft.name]
    compilers.run(argv, what=piece.what, cwd=path.parent, source=source)
    draft.replace(path)
    source.unlink()


def _installed(plan: Plan, folder: Path, cc: compilers.Compiler, objects: list[Path], digest: str) -> list[Path]:
    """Link, and write header, manifest and the files of build systems."""
    places = [folder / "include", folder / "lib" / "cmake" / plan.name, folder / "lib" / "pkgconfig"]
    share = folder / "share" / plan.name
    for place in (*places, share):
        place.mkdir(parents=True, exist_ok=True)
    include, cmake, pkgconfig = places
    shared, static = _linked(plan, folder / "lib", cc, objects)
    headers = [shutil.copyfile(folder / OBJECTS / name, include / name) for name in plan.headers]
    context = {"name": plan.name, "version": __version__, "abi": ABI, "openmp": plan.openmp}
    written = {
        cmake / f"{plan.name}Config.cmake": render_file("library/config.cmake", **context),
        cmake / f"{plan.name}ConfigVersion.cmake": render_file("library/version.cmake", **context),
        pkgconfig / f"{plan.name}.pc": render_file("library/pkgconfig.pc", **context),
    }
    manifest, files = share / "manifest.json", [shared, static, *headers, *written]
    before = _listed(manifest)
    names = [str(path.relative_to(folder).as_posix()) for path in files]
    written[manifest] = json.dumps({**_manifest(plan, cc, shared, digest), "files": names}, indent=1) + "\n"
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    for name in before - {*names}:
        (folder / name).unlink(missing_ok=True)
    found = [*files, manifest]
    for path in (*found, shared.parent, share) if plan.python else ():  # nothing is loaded that others can write
        path.chmod(path.stat().st_mode & ~0o022)
    return found


def _listed(manifest: Path) -> set[str]:
    """The files of the library that was here before, by its manifest: those alone that a library has."""
    try:
        found = json.loads(manifest.read_text(encoding="utf-8")).get("files", [])
    except (OSError, ValueError, AttributeError):
        return set()
    return {name for name in found if isinstance(name, str) and _INSTALLED.fullmatch(name)}


def _linked(plan: Plan, folder: Path, cc: compilers.Compiler, objects: list[Path]) -> tuple[Path, Path]:
    """The shared library, with a link to it under its plain name, and the static one."""
    plain, static = folder / f"lib{plan.name}.so", folder / f"lib{plan.name}.a"
    shared = plain.with_name(f"{plain.name}.{ABI}")
    response = objects[0].parent / "objects"
    response.write_text("\n".join(path.name for path in objects), encoding="utf-8")
    threads = ["-pthread"] if plan.pool else ["-fopenmp"] if plan.openmp else []
    link = [
        cc.path,
        "-shared",
        *threads,
        f"-Wl,-soname,{shared.name}",
        "-o",
        "shared.draft",
        f"@{response.name}",
        "-lm",
    ]
    archive = ["ar", "rcsD", "static.draft", f"@{response.name}"]
    (response.parent / "static.draft").unlink(missing_ok=True)
    for argv, draft, target in ((link, "shared.draft", shared), (archive, "static.draft", static)):
        compilers.run(argv, what=f"lib{plan.name}", cwd=response.parent, source=response)
        (response.parent / draft).replace(target)
    plain.unlink(missing_ok=True)
    plain.symlink_to(shared.name)
    return shared, static


def _manifest(plan: Plan, cc: compilers.Compiler, shared: Path, digest: str) -> dict[str, Any]:
    """What is inside: no date, so that the same contents make the same manifest. Of a library for this machine alone
    its processor; of others what a processor ``needs``."""
    oldest = plan.levels[0]
    here = {"processor": machine.cpu_name()} if oldest.march == "native" else {"needs": list(oldest.features)}
    return {
        "name": plan.name,
        "prefix": plan.prefix,
        "version": __version__,
        "abi": ABI,
        "api": list(plan.apis),
        "generator": digest,
        "file": shared.name,
        "isa": [level.march for level in plan.levels],
        **here,
        "threads": "pool" if plan.pool else "openmp" if plan.openmp else "none",
        "compiler": cc.version,
        "flags": list(compilers.object_flags(cc, "ISA", openmp=plan.openmp, pool=plan.pool)),
        "sha256": hashlib.sha256(shared.read_bytes()).hexdigest(),
        "kernels": [spec.symbol() for spec in plan.kernels],
    }
