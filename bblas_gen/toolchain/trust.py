"""Which folders and files code may be loaded from, and a private folder for where the one asked for will not do.

Whoever can write a binary, or rename a folder above it, can run code as us. So files are looked at where they are
opened, and folders with all that are above them, each time that one is used: that a folder was safe says little.
What root writes is trusted, as the interpreter is. Access control lists beyond modes are not looked at.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..errors import CacheError

ROOM = 1 << 20
"""Bytes that a private folder has room for, at least."""
_NOEXEC = getattr(os, "ST_NOEXEC", 0)  # elsewhere only loading tells
_NO_NAME = "its name is none in the encoding of file names"


def make(folder: Path) -> None:
    """Make a folder with mode 0700, whatever the umask, unless it is there."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        folder.chmod(0o700)


def settle(folder: Path) -> tuple[Path, str]:
    """Make ``folder``, if need be, and those above it with mode 0700, whatever the umask; return where it really is and
    why code must not be loaded from it, "" where it may be. See :func:`fault`."""
    try:
        if not os.path.lexists(folder):
            for path in reversed([path for path in (folder, *folder.parents) if not os.path.lexists(path)]):
                make(path)
        folder = Path(os.path.realpath(folder.parent, strict=True), folder.name)
    except UnicodeError:
        return folder, _NO_NAME
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError in some versions
        return folder, f"it cannot be used ({getattr(error, 'strerror', None) or error})"
    return folder, fault(folder)


def fault(folder: Path) -> str:
    """Why code must not be loaded from ``folder``, which is resolved but for its last part; "" where it may be.

    It must be a real folder that we or root own and nobody else can write. Nobody else must be able to rename it
    either: the folders above it are ours or root's, and others can write them only if they are sticky, as /tmp is. It
    must be possible to load from it: no noexec, and a name that the loader can be told.
    """
    try:
        str(folder).encode(sys.getfilesystemencoding())
        info = folder.lstat()
        if stat.S_ISLNK(info.st_mode):
            return "it is a symbolic link"
        if not stat.S_ISDIR(info.st_mode):
            return "it is not a folder"
        reasons = [strange("it", info.st_uid, info.st_mode), *map(_strange_above, map(str, folder.parents))]
        if os.statvfs(folder).f_flag & _NOEXEC:
            reasons.append("its file system is mounted noexec")
    except UnicodeError:
        return _NO_NAME
    except OSError as error:
        return f"it cannot be used ({error.strerror or error})"
    return next(filter(None, reasons), "")


def strange(name: str, owner: int, mode: int, harmless: int = 0) -> str:
    """What is wrong with something that ought to be ours or root's alone, but for ``harmless`` bits; "" if nothing."""
    if owner not in (0, os.geteuid()):
        return f"{name} belongs to another user (uid {owner})"
    if mode & 0o022 & ~harmless:
        return f"others can write to {name} (mode {stat.S_IMODE(mode):04o})"
    return ""


def _strange_above(folder: str) -> str:
    """The same for a folder above: who owns / can do anything anyway; in a sticky folder others can rename only what is
    theirs; and a group of one user alone is that user."""
    info = os.lstat(folder)
    owner = 0 if info.st_uid and info.st_uid == Path("/").lstat().st_uid else info.st_uid
    harmless = 0o022 if info.st_mode & stat.S_ISVTX else 0o020 if info.st_mode & 0o020 and _of_one(info.st_gid) else 0
    return strange(folder, owner, info.st_mode, harmless)


@cache
def _of_one(gid: int) -> bool:
    """Whether a group is that of one user, us or root: it has this user's name, and no other members."""
    import grp
    import pwd

    with contextlib.suppress(KeyError):
        group = grp.getgrgid(gid)
        users = {pwd.getpwuid(uid).pw_name for uid in (0, os.geteuid())}
        return group.gr_name in users and users.issuperset(group.gr_mem)
    return False


def writable(folder: Path) -> bool:
    """Whether entries can be added to ``folder``."""
    return os.access(folder, os.W_OK | os.X_OK)


def content(path: Path) -> bytes:
    """What a file says that only we or root can have written; ValueError or OSError says what is wrong with it."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode):
            raise ValueError(f"{path.name} is not a file")
        if reason := strange(path.name, info.st_uid, info.st_mode):
            raise ValueError(reason)
        return file.read()


def private_folder() -> Path:
    """This process's own folder, removed at exit; CacheError where there is no place for one."""
    path = _private_folder(os.getpid())
    if not path.is_dir():  # as if we had been gone: /tmp is swept
        _private_folder.cache_clear()
        path = _private_folder(os.getpid())
    return path


@cache
def _private_folder(pid: int) -> Path:
    """By ``pid``: a forked child must not remove the folder of its parent."""
    reasons = []
    for place in dict.fromkeys(_places()):
        try:
            path = Path(tempfile.mkdtemp(prefix="bblas_gen-", dir=place))
            path.chmod(0o700)  # whatever the umask
        except OSError as error:
            reasons.append(f"{place}: {error.strerror or error}")
            continue
        room = os.statvfs(path)
        reason = fault(path) or ("it is full" if room.f_bavail * room.f_frsize < ROOM else "")
        if not reason:
            atexit.register(_remove, path, pid)
            return path
        reasons.append(f"{place}: {reason}")
        path.rmdir()
    raise CacheError(f"cannot make a private cache folder: {'; '.join(reasons)}")


def _places() -> Iterator[Path]:
    """Where a private folder may be: for what is temporary, else where a user may write and run programs."""
    with contextlib.suppress(OSError):  # where it finds no usable one
        yield Path(tempfile.gettempdir())
    if (runtime := Path(os.environ.get("XDG_RUNTIME_DIR", ""))).is_absolute():
        yield runtime
    yield Path("/var/tmp")
    with contextlib.suppress(RuntimeError):  # nobody has a home
        yield Path.home()


def _remove(path: Path, pid: int) -> None:
    if os.getpid() == pid:
        shutil.rmtree(path, ignore_errors=True)


def reset() -> None:
    """Forget the private folder and groups. For tests."""
    _private_folder.cache_clear()
    _of_one.cache_clear()
