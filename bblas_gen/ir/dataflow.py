"""What bodies leave to each other: copies that need not be made, results that nobody reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from .canonical import Body, Named
from .operation import Operation
from .terms import Role


def fusible(
    bodies: Sequence[Body], first: int, pattern: Sequence[Named], row: Operation, scratch: Collection[str]
) -> dict[str, str]:
    """The kernel's operands by the names of a pattern that the bodies from ``first`` on follow, of which those that
    ``row`` does not have are intermediates that no other body uses; else none."""
    run, names = bodies[first : first + len(pattern)], dict[str, str]()
    for body, step in zip(run, pattern, strict=True):
        if body.row is not step.row or body.flag != step.flag or body.scalars != step.scalars or body.offset:
            return {}
        if any(names.setdefault(own, x) != x for own, x in zip(step.operands, body.operands, strict=True)):
            return {}
    others = _used([*bodies[:first], *bodies[first + len(pattern) :]])
    lost = {names[own] for own in names.keys() - {x.name for x in row.matrices}}
    known = len(set(names.values())) == len(names)
    return names if known and lost <= set(scratch) and not lost & others else {}


def without_copies(bodies: Sequence[Body], whole: Collection[str]) -> tuple[Body, ...]:
    """The bodies without the copies of operands that a later body overwrites and can as well fetch from where they are.
    ``whole``: the operands that are not stored as triangles."""
    found = list(bodies)
    for copy in bodies:
        if not _plain(copy):
            continue
        original, copied = copy.operands
        place = next(i for i, body in enumerate(found) if body is copy)
        reported = False  # by a body between them: matrices that fail there keep the copy
        for i, body in enumerate(found[place + 1 :], place + 1):
            if copied in body.uses or original in body.writes:
                own = {name: x.name for x, name in zip(body.row.matrices, body.operands, strict=True)}.get(copied)
                free = not reported and original not in body.writes and {original, copied} <= set(whole)
                if own in body.row.fetched and free:
                    found[i] = replace(body, sources=(*body.sources, (own, original)))
                    del found[place]
                break
            reported = reported or body.row.info
    return tuple(found)


def landings(bodies: Sequence[Body], alone: Collection[str], scratch: Collection[str]) -> dict[str, str]:
    """Copies that bringing matrices to lanes makes on its way: the operands that are copied, and where they land.
    ``alone``: those of which each matrix lies by itself."""
    found = {}
    for i, copy in enumerate(bodies):
        if not _plain(copy):
            continue
        original, copied = copy.operands
        before, after = _used(bodies[:i]), _used(bodies[i + 1 :])
        possible = original in alone and (copied in alone or copied in scratch)
        if possible and original not in before | after and copied in after - before:
            found[original] = copied
    return found


def _used(bodies: Sequence[Body]) -> set[str]:
    return {name for body in bodies for name in body.uses}


def _plain(body: Body) -> bool:
    """Whether all it does is to copy a matrix as it is."""
    return body.row.copies and not any(x.transposes or x.conjugates for x in body.flag.values())  # type: ignore[union-attr]


def with_unread(bodies: Sequence[Body], scratch: Collection[str]) -> tuple[Body, ...]:
    """The bodies, each told which of its results are intermediates that no later one uses, or no more than their
    diagonal."""
    found = []
    for i, body in enumerate(bodies):
        pairs = [pair for pair in zip(body.row.matrices, body.operands, strict=True) if pair[1] in scratch]
        wanted = {name: _wanted(name, bodies[i + 1 :]) for _, name in pairs}
        unread = tuple(x.name for x, name in pairs if not wanted[name])
        found.append(replace(body, unread=unread, diagonal=tuple(x.name for x, name in pairs if wanted[name] == {"D"})))
    return tuple(found)


def with_determinants(bodies: Sequence[Body], scratch: Collection[str]) -> tuple[Body, ...]:
    """The bodies, those told that make factors of which only determinants are read, and those that read these."""
    found = list(bodies)
    for i, body in enumerate(bodies):
        users = [j for j, x in enumerate(bodies[i + 1 :], i + 1) if body.writes & set(x.uses)]
        if users and body.writes <= set(scratch) and all(bodies[j].row.determinant_of == body.row.name for j in users):
            for j in (i, *users):
                found[j] = replace(found[j], determinant=body.operands[0])
    return tuple(found)


def _wanted(name: str, bodies: Sequence[Body]) -> set[str]:
    """What of an operand bodies want; all of it where they change it or fetch it from there."""
    parts: set[str] = set()
    for body in bodies:
        letters = {flag: letter.value for flag, letter in body.flag.items()}
        for x, used in zip(body.row.matrices, body.operands, strict=True):
            if used == name:
                parts |= x.parts(letters) if x.role is Role.IN else set("LDU")
        if name in (source for _, source in body.sources):
            parts |= set("LDU")
    return parts
