"""What lies beside a memory file: the agent's and the desk's backups, and copies of sync tools.

A copy is read by the same rules as a broken file (`store/memory/repair.py`), so an entry counts
as missing only if its words stand in no entry of the file, whatever shape the copy is in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Content
from store.home import FILE_NAMES, TARGETS, Target
from store.memory import drift
from store.memory.entries import Undecodable, decode, parse
from store.memory.library import MemoryLibrary
from store.memory.operations import Add
from store.memory.repair import BEYOND, Proposal, propose
from store.memory.state import Written
from store.refusals import REFUSALS, Conflict, Invalid, NotFound, Refusal, Unreadable

Kind = Literal["backup", "copy"]

LARGEST = 64 * 1024 * 1024
"""Nothing that large is a memory file; it is listed, but not read."""

_NO_COPIES = (".lock", ".rej", ".tmp", ".swp", ".part")
_NOT_OF_A_NAME = re.compile(r"[^\w]|_|[^\x00-\x7f]")


@frozen
class BackupFile:
    """One copy. `at`, UTC seconds, is from the name of a backup, else when it was written."""

    path: Path
    at: float
    size: int


@frozen
class BackupGroup:
    """Copies with the same content, newest first.

    `entries` are what the content would be as a list, `only_here` those of them that the file
    lacks. `same_as_file`: it is the file itself, byte for byte. `doubt` as in a proposal.
    `problem` is set if the content could not be read; there are no entries then.
    """

    target: Target
    kind: Kind
    sha256: str
    files: tuple[BackupFile, ...]
    entries: tuple[str, ...] = ()
    only_here: tuple[str, ...] = ()
    encoding: str = ""
    doubt: str = ""
    same_as_file: bool = False
    problem: Unreadable | None = None


@frozen
class Restored:
    """A file is what a copy of it was, byte for byte, or (`changed` false) was so already.

    `state` is what the agent finds now: a broken copy makes a broken file again.
    """

    target: Target
    changed: bool
    file: Path
    state: Literal["clean", "drift", "unreadable"]
    change_id: int | None


@frozen
class Pruned:
    """Twins that were removed, and those that could not be.

    `twins` says for each that was removed which copy with the same bytes stays.
    """

    removed: tuple[Path, ...]
    kept: tuple[tuple[Path, Refusal], ...] = ()
    twins: tuple[tuple[Path, Path], ...] = ()


def list_backups(
    library: MemoryLibrary, target: Target, *, encoding: str | None = None
) -> tuple[BackupGroup, ...]:
    """Everything beside the file of `target` that is a copy of it, newest group first.

    `encoding` is what a person says that the copies' bytes are, one of `encodings.OFFERED`.
    """
    file = library.home.memory_file(target)
    now = library.disk.read(file)
    data = now.data if isinstance(now, Content) else None
    limit = library.settings().limit(target)
    own = _Own(propose(data or b"", limit=limit))
    files: dict[tuple[Kind, str], list[BackupFile]] = {}
    contents: dict[str, Content | Unreadable] = {}
    for copy, kind in _beside(file):
        content = library.disk.read(copy.path, at_most=LARGEST, follow=False)
        named = content.digest if isinstance(content, Content) else str(copy.path)
        files.setdefault((kind, named), []).append(copy)
        contents[named] = content
    groups = []
    for (kind, named), copies in files.items():
        ordered = tuple(sorted(copies, key=lambda one: (one.at, one.path.name), reverse=True))
        content = contents[named]
        if isinstance(content, Unreadable):
            groups.append(BackupGroup(target, kind, "", ordered, problem=content))
        elif content.data is not None:
            proposal = propose(content.data, limit=limit, encoding=encoding)
            texts = _texts(proposal)
            group = BackupGroup(
                target,
                kind,
                named,
                ordered,
                entries=texts,
                only_here=tuple(text for text in texts if not own.has(_bare(text))),
                encoding=proposal.encoding if proposal is not None else "",
                doubt=proposal.doubt if proposal is not None else "",
                same_as_file=content.data == data,
            )
            groups.append(group)
    return tuple(sorted(groups, key=lambda group: group.files[0].at, reverse=True))


class _Own:
    """What the file itself says: its entries, and the rest of a very long one as it stands."""

    def __init__(self, proposal: Proposal | None) -> None:
        self._texts = {_bare(text) for text in _texts(proposal)}
        dropped = proposal.dropped if proposal is not None else ()
        self._rest = "".join(one.text for one in dropped if one.why == BEYOND)

    def has(self, text: str) -> bool:
        return text in self._texts or text in self._rest


def names_of_copies(file: Path) -> tuple[tuple[str, Kind], ...]:
    """The names of the backups and copies beside a memory file, which are not read for it."""
    return tuple((copy.path.name, kind) for copy, kind in _beside(file))


def _texts(proposal: Proposal | None) -> tuple[str, ...]:
    return () if proposal is None else tuple(entry.text for entry in proposal.entries)


def _bare(text: str) -> str:
    """An entry's words without the identity comments that a newer version puts before them."""
    return "\n".join(entry.text for entry in parse(text).entries) or text


def _beside(file: Path) -> Iterator[tuple[BackupFile, Kind]]:
    try:
        found = sorted(os.scandir(file.parent), key=lambda one: one.name)
    except OSError:
        return
    others = {FILE_NAMES[target] for target in TARGETS}
    for one in found:
        kind = kind_of(one.name, file.name)
        if kind is None or one.name in others:
            continue
        try:
            if not one.is_file(follow_symlinks=False):
                continue
            about = one.stat(follow_symlinks=False)
        except OSError:
            continue
        end = one.name.rpartition(".")[2]
        stamped = kind == "backup" and end.isascii() and end.isdigit() and len(end) < 12
        at = float(end) if stamped else about.st_mtime
        yield BackupFile(file.parent / one.name, at, about.st_size), kind


def kind_of(name: str, file_name: str) -> Kind | None:
    """What a file beside the memory file `file_name` is, by its name; None if it is no copy.

    Backups go by `MEMORY.md.bak…`; a copy is whatever an editor or a sync tool makes of the name:
    `MEMORY.md~`, `MEMORY.md.orig`, `MEMORY (conflicted copy).md`, `MEMORY.sync-conflict-….md`.
    """
    stem, ending = file_name.rsplit(".", 1)
    if name == file_name or name.endswith(_NO_COPIES):
        return None
    if name.startswith(file_name):
        rest = name[len(file_name) :]
        return "backup" if re.match(r"\.bak(?!\w)", rest) else "copy"
    rest = name.removeprefix(stem)
    if rest != name and name.endswith("." + ending) and _NOT_OF_A_NAME.match(rest):
        return "copy"
    return "copy" if name == f"#{file_name}#" else None


def find_backup(
    library: MemoryLibrary, name: str, *, encoding: str | None = None
) -> tuple[BackupFile, BackupGroup] | NotFound | Invalid:
    """The copy of that name, or path, of either file; read in `encoding` if a person names one."""
    wanted = Path(name)
    for target in TARGETS:
        for group in list_backups(library, target, encoding=encoding):
            for file in group.files:
                if name == file.path.name or wanted.absolute() == file.path.absolute():
                    fits = group.encoding or group.problem
                    return (file, group) if fits else Invalid("given", "encoding")
    return NotFound("backup", name)


# -- changing --------------------------------------------------------------------------------


def take_back(
    library: MemoryLibrary, target: Target, text: str, *, wait: float = 10.0
) -> Written | Refusal:
    """Add one entry of a copy to the file, under the rules of any add."""
    return library.change(target, Add(_bare(text)), wait=wait)


def restore(
    library: MemoryLibrary,
    target: Target,
    file: Path,
    *,
    digest: str,
    who: str = "desk",
    wait: float = 10.0,
) -> Restored | Refusal:
    """Put the bytes of a copy in place of the file that has this digest ("" if there is none).

    The journal keeps the bytes from before, so it can be undone.
    """
    with library.locks((target,), wait=wait) as held:
        if held is not None:
            return held
        seen = library.disk.read(library.home.memory_file(target))
        copy = library.disk.read(file, follow=False)
        if isinstance(seen, Unreadable):
            return seen
        if isinstance(copy, Unreadable):
            return copy
        if copy.data is None:
            return NotFound("file", str(file))
        if seen.digest != digest:
            return Conflict(str(seen.path))
        before, after = _pieces(seen.data), _pieces(copy.data)
        gone = tuple(text for text in before if text not in after)
        come = tuple(text for text in after if text not in before)
        intent = Intent(who, "restore", target, gone, come)
        done = library.write((), intent, (FileChange(seen, copy.data),))
    if isinstance(done, REFUSALS):
        return done
    state = _state_of(copy.data, library.settings().limit(target))
    return Restored(target, seen.data != copy.data, file, state, done)


def _state_of(data: bytes, limit: int) -> Literal["clean", "drift", "unreadable"]:
    decoded = decode(data)
    if isinstance(decoded, Undecodable):
        return "unreadable"
    return "drift" if drift.signals(decoded, limit) else "clean"


def _pieces(data: bytes | None) -> dict[str, None]:
    decoded = decode(data or b"")
    return dict.fromkeys(parse(decoded).texts if isinstance(decoded, str) else ())


def prune(
    library: MemoryLibrary, *, targets: tuple[Target, ...] = TARGETS, wait: float = 10.0
) -> Pruned | Refusal:
    """Of backups with the same bytes keep only the newest; no content is lost by it."""
    removed, kept = list[tuple[Path, Path]](), list[tuple[Path, Refusal]]()
    for target in targets:
        with library.locks((target,), wait=wait) as held:
            if held is not None:
                return held
            for group in list_backups(library, target):
                if group.kind == "backup" and len(group.files) > 1 and group.sha256:
                    for twin in group.files[1:]:
                        refused = _remove_twin(library, group, twin.path)
                        if refused is None:
                            removed.append((twin.path, group.files[0].path))
                        else:
                            kept.append((twin.path, refused))
    return Pruned(tuple(twin for twin, _ in removed), tuple(kept), tuple(removed))


def put_back_twins(
    library: MemoryLibrary, twins: tuple[tuple[Path, Path], ...]
) -> tuple[Refusal, ...]:
    """Make backups again that `prune` removed, from the copies that stayed; what could not be."""
    refused = list[Refusal]()
    for path, stays in twins:
        found = library.disk.read(stays, at_most=LARGEST, follow=False)
        if isinstance(found, Unreadable):
            refused.append(found)
        elif found.data is None:
            refused.append(NotFound("backup", str(stays)))
        elif (failed := library.disk.create(path, found.data)) is not None:
            refused.append(failed)
    return tuple(refused)


def _remove_twin(library: MemoryLibrary, group: BackupGroup, path: Path) -> Refusal | None:
    """Remove one copy if the one that stays is still there with the same bytes."""
    stays = library.disk.read(group.files[0].path, follow=False)
    twin = library.disk.read(path, follow=False)
    if isinstance(stays, Unreadable):
        return stays
    if isinstance(twin, Unreadable):
        return twin
    if stays.data is None or stays.data != twin.data or stays.digest != group.sha256:
        return Conflict(str(path))
    return library.disk.remove(twin)
