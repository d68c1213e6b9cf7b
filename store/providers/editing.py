"""Changes of single keys, made of a file's bytes: the one way to a provider's settings.

A change names what stood there when it was looked at; what else is in the file stays, whoever
wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from schema.fields import UNSET
from schema.frozen import field, frozen
from store.changes import FileChange
from store.config import ConfigFile, Declined, Edit, as_text, plan_edits
from store.files import Content
from store.providers.json_text import JsonFile, parse_json, set_key, unset_key
from store.providers.masking import changed_lines, secrets_in
from store.providers.sources import EnvPlace, JsonPlace, Place, Sources, YamlPlace
from store.refusals import REFUSALS, Conflict, Invalid, Refusal, Unreadable, Unsupported
from store.yaml_values import encodable, same


@frozen
class Made:
    """The blocks that a key needed: its path from `depth` keys on. `null`: the first was null."""

    depth: int
    null: bool = False


@frozen
class KeyChange:
    """Put `after` (UNSET: nothing) where `before` stood. `key` is the field's, empty if none.

    `made` are blocks that a save made for this key: they go with it, if they are empty then.
    """

    key: str
    place: Place
    before: object = field(repr=False)
    after: object = field(repr=False)
    made: Made | None = None


@frozen
class FileLines:
    """What a save would do to one file: the lines that go (-) and come (+), secrets hidden."""

    path: Path
    lines: tuple[str, ...]


@frozen
class Prepared:
    """Files that can all be written, and how their lines would change."""

    changes: tuple[FileChange, ...] = field(repr=False)
    files: tuple[FileLines, ...]


@frozen
class Stopped:
    """Why a change cannot be made, by the field's key; empty where it is about a whole file."""

    refusals: dict[str, Refusal]


def prepare(
    changes: Sequence[KeyChange], sources: Sources, *, made: frozenset[Path] = frozenset()
) -> Prepared | Stopped:
    """Read every file anew and see what the changes make of it. Writes nothing.

    Of the files `made`, those that hold nothing afterwards are to go.
    """
    by_file: dict[Path, list[KeyChange]] = {}
    refusals: dict[str, Refusal] = {}
    for one in changes:
        by_file.setdefault(sources.file_of(one.place), []).append(one)
        refused = _refusal(one, sources)
        if refused is not None:
            refusals[one.key] = refused
    if refusals:
        return Stopped(refusals)
    done, lines = [], []
    for path, these in by_file.items():
        change = _made(path, these, sources)
        if isinstance(change, Stopped):
            return change
        if path in made and (change.after or b"").strip() in (b"", b"{}"):
            change = FileChange(change.seen, None)
        done.append(change)
        lines.append(FileLines(path, tuple(_lines(change, sources))))
    return Prepared(tuple(done), tuple(lines))


def _refusal(change: KeyChange, sources: Sources) -> Refusal | None:
    problem = sources.problem(change.place)
    if problem is not None:
        return problem
    now = sources.kept(change.place)
    if not same(now, change.before):
        return Conflict(str(sources.file_of(change.place)), shown(change.before), shown(now))
    texts = [json.dumps(change.after, ensure_ascii=False)] if change.after is not UNSET else []
    if not all(map(encodable, texts)):
        return Invalid(change.key, "not_text")
    return None


def _made(path: Path, changes: list[KeyChange], sources: Sources) -> FileChange | Stopped:
    match changes[0].place:
        case JsonPlace(_, _, _):
            return _in_json(path, changes, sources)
        case YamlPlace(_, _):
            return _in_yaml(changes, sources)
        case EnvPlace(_):
            return _in_dotenv(changes, sources)


def _in_json(path: Path, changes: list[KeyChange], sources: Sources) -> FileChange | Stopped:
    found = sources.json(path)
    if not isinstance(found, JsonFile):
        return Stopped({"": found})
    file = found
    for change in changes:
        path_in_file = _path(change.place)
        if change.after is UNSET:
            text: Any = unset_key(file, path_in_file)
        else:
            text = set_key(file, path_in_file, change.after)
        if not isinstance(text, str):
            return Stopped({change.key: text})
        if file.exists and text == file.text:
            continue
        again = parse_json(Content(path, file.encoded(text)))
        if not isinstance(again, JsonFile):
            return Stopped({change.key: Unsupported("json_edit", str(path))})
        file = again
    for block, null in _blocks_made(changes):
        if file.get(block) != {}:
            continue
        bare = set_key(file, block, None) if null else unset_key(file, block)
        emptied = parse_json(Content(path, file.encoded(bare))) if isinstance(bare, str) else bare
        if isinstance(emptied, JsonFile):
            file = emptied
    return FileChange(found.content, file.content.data)


def _blocks_made(changes: Sequence[KeyChange]) -> list[tuple[tuple[str, ...], bool]]:
    """The blocks that were made for keys that go, the deepest first, and which were null before."""
    found: dict[tuple[str, ...], bool] = {}
    for one in changes:
        if one.made is not None and one.after is UNSET:
            path = _path(one.place)
            for depth in range(one.made.depth, len(path)):
                found[path[:depth]] = one.made.null and depth == one.made.depth
    return sorted(found.items(), key=lambda block: -len(block[0]))


def made_for(place: Place, sources: Sources) -> Made | None:
    """Which blocks would be made if a key were put at `place` now."""
    path = _path(place)
    found: object = UNSET
    if isinstance(place, JsonPlace):
        file = sources.json(place.file)
        found = file.data if isinstance(file, JsonFile) else UNSET
    elif isinstance(place, YamlPlace):
        config = sources.config()
        found = config.yaml.data if isinstance(config, ConfigFile) else UNSET
    for depth in range(1, len(path)):
        found = found.get(path[depth - 1], UNSET) if isinstance(found, Mapping) else UNSET
        if found is None and isinstance(place, YamlPlace):
            # A section without a value stays as it was.
            return Made(depth + 1) if depth + 1 < len(path) else None
        if not isinstance(found, Mapping):
            return Made(depth, found is None)
    return None


def _in_yaml(changes: list[KeyChange], sources: Sources) -> FileChange | Stopped:
    edits = []
    keys = {}
    for change in changes:
        dotted = ".".join(_path(change.place))
        odd = any("." in part for part in _path(change.place))
        if odd or isinstance(change.after, dict | list):
            return Stopped({change.key: Unsupported("config_shape", dotted)})
        keys[dotted] = change.key
        edits.append(Edit(dotted, change.after, change.before))  # type: ignore[arg-type]
    plan = plan_edits(sources.home, edits, disk=sources.disk, env=sources.env)
    for block, _ in _blocks_made(changes):
        if isinstance(plan, Declined) or plan.would.get(".".join(block)) not in (None, {}):
            continue
        further = (*plan.edits, Edit(".".join(block), UNSET))
        emptied = plan_edits(sources.home, further, disk=sources.disk, env=sources.env)
        plan = plan if isinstance(emptied, Declined) else emptied
    if isinstance(plan, Declined):
        return Stopped({keys.get(key, key): why for key, why in plan.refusals.items()})
    return FileChange(plan.read.content, plan.would.content.data)


def _in_dotenv(changes: list[KeyChange], sources: Sources) -> FileChange | Stopped:
    from store.dotenv import parse_dotenv
    from store.dotenv_edit import with_value, without

    found = sources.dotenv()
    if isinstance(found, Unreadable):
        return Stopped({"": found})
    dotenv = found
    for change in changes:
        name = _path(change.place)[0]
        if change.after is UNSET:
            made: Any = without(dotenv, name)
        else:
            made = with_value(dotenv, name, str(change.after), newline=sources.disk.newline)
        if isinstance(made, REFUSALS):
            return Stopped({change.key: made})
        again = parse_dotenv(Content(dotenv.content.path, made))
        if isinstance(again, Unreadable):
            return Stopped({change.key: again})
        dotenv = again
    return FileChange(found.content, dotenv.content.data)


def _path(place: Place) -> tuple[str, ...]:
    """From the root of its file to the value."""
    return (place.name,) if isinstance(place, EnvPlace) else place.path


def _lines(change: FileChange, sources: Sources) -> Iterable[str]:
    before, after = _text(change.seen.data), _text(change.after)
    hidden: set[str] = set()
    for data in (change.seen, Content(change.seen.path, change.after)):
        if change.seen.path.suffix in (".json", ".conf"):
            read = parse_json(data)
            hidden |= set(secrets_in(read.data)) if isinstance(read, JsonFile) else set()
    return changed_lines(before, after, secrets=frozenset(hidden))


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8-sig", "replace")


def shown(value: object) -> str:
    """A stored value for a person, short."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return as_text(value)
