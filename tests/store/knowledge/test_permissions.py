"""Notes that the system does not let us read or write, as a user whom file modes hold back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.desks import home_at
from tests.support.unprivileged import Unprivileged

LOOK = """
import json, os, sys
from pathlib import Path
from store.desk import build_desk
from store.home import home_at
from store.memory.operations import Add
home, vault = map(Path, sys.argv[1:3])
desk = build_desk(home_at(home, root=home))
knowledge = desk.knowledge
added = knowledge.add_folder(vault)
said = {"added": type(added).__name__}
done = knowledge.refresh()
for name in ("notes", "unreadable", "removed", "rebuilt", "code", "path"):
    value = getattr(done, name, None)
    said[name] = list(map(str, value)) if isinstance(value, tuple) else value
found = knowledge.search("needle")
said["found"] = [hit.path.name for hit in getattr(found, "hits", ())]
desk.library.change("memory", Add("the entry"))
note = knowledge.read(vault / "open.md")
moved = knowledge.move_to_note(
    "memory", "the entry", vault / "open.md", seen=getattr(note, "digest", "")
)
said["moved"] = getattr(moved, "code", "done")
said["memory"] = desk.library.load("memory").document.texts
desk.close()
print(json.dumps(said, default=str))
"""


@pytest.fixture
def vault(unprivileged: Unprivileged) -> Iterator[Path]:
    """A vault of the unprivileged user, beside their home."""
    home_at(unprivileged.folder / "home")
    path = unprivileged.folder / "vault"
    (path / ".obsidian").mkdir(parents=True)
    (path / "closed").mkdir()
    for name in ("open.md", "shut.md", "closed/inner.md"):
        (path / name).write_text("needle", encoding="utf-8")
    unprivileged.give(unprivileged.folder)
    yield path
    for one in (path, *path.rglob("*")):
        one.chmod(0o700)


def look(user: Unprivileged, vault: Path) -> dict[str, object]:
    env = {"MEMORY_DESK_DATA_DIR": str(user.folder / "data"), "MEMORY_DESK_LANGUAGE": "en"}
    ran = user.run_python(LOOK, user.folder / "home", vault, env=env)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert isinstance(said, dict)
    return said


def test_what_may_not_be_read_is_named_and_all_else_is_found(
    unprivileged: Unprivileged, vault: Path
) -> None:
    (vault / "shut.md").chmod(0)
    (vault / "closed").chmod(0)
    said = look(unprivileged, vault)
    assert sorted(map(str, said["unreadable"])) == [  # type: ignore[call-overload]
        str(vault / "closed"),
        str(vault / "shut.md"),
    ]
    assert said["found"] == ["open.md"]
    assert said["moved"] == "done"
    (vault / "shut.md").chmod(0o600)
    (vault / "closed").chmod(0o700)
    assert sorted(look(unprivileged, vault)["found"]) == [  # type: ignore[call-overload]
        "inner.md",
        "open.md",
        "shut.md",
    ]


def test_a_folder_closed_after_it_was_indexed_keeps_its_notes(
    unprivileged: Unprivileged, vault: Path
) -> None:
    look(unprivileged, vault)
    (vault / "closed").chmod(0)
    said = look(unprivileged, vault)
    assert said["removed"] == 0
    assert "inner.md" in said["found"]  # type: ignore[operator]


def test_in_a_vault_that_may_not_be_written_nothing_moves(
    unprivileged: Unprivileged, vault: Path
) -> None:
    vault.chmod(0o500)
    said = look(unprivileged, vault)
    assert said["moved"] == "read_only"
    assert said["memory"] == ["the entry"]
    assert (vault / "open.md").read_text(encoding="utf-8") == "needle"


def test_a_vault_that_may_not_be_read_is_not_added(unprivileged: Unprivileged, vault: Path) -> None:
    vault.chmod(0)
    said = look(unprivileged, vault)
    assert said["added"] == "Unreadable"
    assert said["notes"] == 0


def test_where_the_index_cannot_be_kept_it_is_said(unprivileged: Unprivileged, vault: Path) -> None:
    look(unprivileged, vault)
    folder = unprivileged.folder / "data" / "knowledge"
    folder.joinpath("index.sqlite").chmod(0)
    folder.chmod(0o500)
    try:
        said = look(unprivileged, vault)
        assert said["code"] == "read_only"
        assert said["found"] == []
    finally:
        folder.chmod(0o700)
