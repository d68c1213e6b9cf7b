"""The way back from a save, key by key: the journal holds no file of a provider, only its changes.

Such a file may hold keys, so its bytes are not kept. What the journal has for each file is a list
of the keys that changed, with the values before and after; those that look like secrets are left
out, and their way back with them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema.fields import UNSET
from schema.values import Problem
from store.changes import Intent, Part
from store.files import TEMPORARY, Content, Disk
from store.home import HermesHome
from store.providers.editing import KeyChange, Made, made_for
from store.providers.masking import is_secret
from store.providers.sources import EnvPlace, JsonPlace, Place, Sources, YamlPlace
from store.refusals import Conflict, Locked, ReadOnly, Refusal, Unsupported
from store.yaml_values import same

if TYPE_CHECKING:
    from store.journal import Journal, JournalEntry


def parts_of(changes: Iterable[KeyChange], sources: Sources) -> list[Part]:
    """What the journal keeps: by file the keys with their values before and after."""
    by_file: dict[Path, list[KeyChange]] = {}
    for change in changes:
        by_file.setdefault(sources.file_of(change.place), []).append(change)
    return [
        Part(
            _name(path, sources.home),
            _side(these, sources, before=True)
            if sources.disk.read(path) != Content(path, None)
            else None,
            _side(these, sources, before=False),
        )
        for path, these in by_file.items()
    ]


def changes_of(entry: JournalEntry, home: HermesHome) -> tuple[KeyChange, ...] | Unsupported:
    """The changes again; Unsupported where a value was too secret to be kept."""
    found = []
    for part in entry.parts:
        path = home.path / part.path
        after = json.loads(part.after or b"[]")
        # Without a file before, nothing stood anywhere in it.
        nothing = [{key: one[key] for key in one if key != "value"} for one in after]
        before = nothing if part.before is None else json.loads(part.before)
        for one, two in zip(before, after, strict=True):
            if one.get("hidden") or two.get("hidden"):
                return Unsupported("undo_hidden", str(entry.id))
            place = _place(path, one)
            made = Made(two["made"], two.get("null", False)) if "made" in two else None
            old, new = one.get("value", UNSET), two.get("value", UNSET)
            found.append(KeyChange(one.get("field", ""), place, old, new, made))
    return tuple(found)


def take_back(
    entry: JournalEntry,
    home: HermesHome,
    *,
    disk: Disk,
    journal: Journal,
    env: Mapping[str, str],
    wait: float,
) -> int | Refusal:
    """Put back what the keys of this change were; refused where one is no longer as it left it."""
    from store.providers.saving import Mistakes, Written, write_changes

    changes = changes_of(entry, home)
    if isinstance(changes, Unsupported):
        return changes
    # What others have put back already counts as taken back.
    look = Sources(home, disk=disk, env=env)
    reverse = tuple(
        KeyChange(one.key, one.place, one.after, one.before, one.made)
        for one in changes
        if not same(look.kept(one.place), one.before)
    )
    intent = Intent(
        who="desk",
        action="undo",
        target=entry.intent.target,
        gone=entry.intent.come,
        come=entry.intent.gone,
        undoes=entry.id,
    )
    sources = Sources(home, disk=disk, env=env)
    with ExitStack() as held:
        for path in _locks(reverse):
            refused = held.enter_context(disk.locked(path, wait=wait))
            if refused is not None:
                return refused
        made = frozenset(home.path / part.path for part in entry.parts if part.before is None)
        done = write_changes(reverse, sources, journal=journal, intent=intent, made=made)
    if isinstance(done, Written):
        return _noted(journal, intent) if done.change_id is None else done.change_id
    if isinstance(done, Mistakes):
        first = next(iter(done.problems.values()))
        return Conflict(entry.intent.target) if isinstance(first, Problem) else first
    return done


def _noted(journal: Journal, intent: Intent) -> int | Refusal:
    number = journal.begin(intent, ())
    if isinstance(number, int):
        journal.finish(number, "done")
    return number


def settle(
    entry: JournalEntry, home: HermesHome, *, disk: Disk, journal: Journal, env: Mapping[str, str]
) -> bool:
    """Find how far a save came that a crash ended, and carry a begun one to its end."""
    changes = changes_of(entry, home)
    sources = Sources(home, disk=disk, env=env)
    with ExitStack() as held:
        places = () if isinstance(changes, Unsupported) else _locks(changes)
        for path in places:
            if held.enter_context(disk.locked(path, wait=0)) is not None:
                return False
        _sweep(entry, home)
        if isinstance(changes, Unsupported):
            # One file is replaced at once; whether that happened cannot be told any more.
            journal.finish(entry.id, "done")
            return True
        landed = [same(sources.kept(one.place), one.after) for one in changes]
        if any(landed) and not all(landed):
            rest = [one for one, there in zip(changes, landed, strict=True) if not there]
            _finish(rest, sources)
    journal.finish(entry.id, "done" if any(landed) else "abandoned")
    return True


def _finish(rest: Sequence[KeyChange], sources: Sources) -> Conflict | ReadOnly | Locked | None:
    from store.providers.editing import Prepared, prepare
    from store.trees import put

    prepared = prepare(rest, sources)
    if isinstance(prepared, Prepared):
        for change in prepared.changes:
            refused = put(sources.disk, change)
            if refused is not None:
                return refused
    return None


def _sweep(entry: JournalEntry, home: HermesHome) -> None:
    """Remove what the killed desk had half written beside the files of this change."""
    begin, end = TEMPORARY
    for part in entry.parts:
        folder = Path(os.path.realpath(home.path / part.path)).parent
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith(begin) and name.endswith(end):
                    (folder / name).unlink(missing_ok=True)


def _locks(changes: Iterable[KeyChange]) -> list[Path]:
    """The files that have a lock of their own: those with host blocks (hermes-formats §7.2)."""
    found = [
        one.place.file
        for one in changes
        if isinstance(one.place, JsonPlace)
        and (one.place.file.name == "honcho.json" or one.place.file.parent.name == ".honcho")
    ]
    return list(dict.fromkeys(found))


def _name(path: Path, home: HermesHome) -> str:
    """Relative to the home; a file outside of it by its whole path."""
    return path.relative_to(home.path).as_posix() if path.is_relative_to(home.path) else str(path)


def _side(changes: Iterable[KeyChange], sources: Sources, *, before: bool) -> bytes:
    kept = []
    for one in changes:
        match one.place:
            case JsonPlace(_, block, key):
                about: dict[str, Any] = {"json": [*block, key]}
            case YamlPlace(section, key):
                about = {"yaml": [*section, key]}
            case EnvPlace(name):
                about = {"env": [name]}
        about["field"] = one.key
        value = one.before if before else one.after
        if is_secret(one.key, one.before) or is_secret(one.key, one.after):
            about["hidden"] = True
        elif value is not UNSET:
            about["value"] = value
        made = one.made or made_for(one.place, sources)
        if made is not None and not before:
            about |= {"made": made.depth} | ({"null": True} if made.null else {})
        kept.append(about)
    return ("[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in kept) + "\n]").encode(
        "utf-8", "surrogatepass"
    )


def _place(path: Path, about: dict[str, Any]) -> Place:
    if "json" in about:
        *block, key = about["json"]
        return JsonPlace(path, tuple(block), key)
    if "yaml" in about:
        *section, key = about["yaml"]
        return YamlPlace(tuple(section), key)
    return EnvPlace(about["env"][0])
