"""The index follows the notes: what is in it, what is read again, and what it survives."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from store.desk import Desk
from store.files import Disk
from store.knowledge import indexing
from store.knowledge.index import FILE
from store.knowledge.indexing import ForgottenInNotes, Refreshed
from tests.store.knowledge.conftest import Vault


def index_of(tmp_path: Path) -> Path:
    return tmp_path / "data" / "knowledge" / FILE


def long_ago(path: Path) -> Path:
    os.utime(path, ns=(10**18, 10**18))
    return path


def test_notes_are_indexed_and_what_is_hidden_or_attached_is_not(vault: Vault) -> None:
    vault.put("one.md", "needle")
    vault.put("deep/er/two.txt", "needle")
    vault.put(".trash/gone.md", "needle")
    vault.put(".obsidian/templates.md", "needle")
    vault.put(".hidden.md", "needle")
    vault.put("picture.png", "needle")
    vault.put("long.md", b"needle " * 400_000)
    done = vault.refresh()
    assert (done.notes, done.added) == (2, 2)
    assert done.too_big == (vault.path / "long.md",)
    assert sorted(vault.found("needle")) == ["deep/er/two.txt", "one.md"]


def test_links_are_not_followed_and_a_circle_of_them_does_no_harm(
    vault: Vault, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private.md").write_text("needle", encoding="utf-8")
    note = vault.put("real.md", "needle")
    (vault.path / "out").symlink_to(outside)
    (vault.path / "out.md").symlink_to(outside / "private.md")
    (vault.path / "again.md").symlink_to(note)
    (vault.path / "circle").symlink_to(vault.path)
    (vault.path / "broken.md").symlink_to("nowhere")
    done = vault.refresh()
    assert done.links == 5
    assert vault.found("needle") == ["real.md"]


def test_only_what_changed_is_read_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        vault.put(f"{number}.md", f"note {number}")
    monkeypatch.setattr(indexing, "SETTLED", -3600.0)
    vault.refresh()
    vault.put("3.md", "changed")
    vault.put("5.md", "new")
    (vault.path / "4.md").unlink()
    read = []
    real = Disk.read

    def noted(self: Disk, path: Path, **how: object) -> object:
        read.append(path.name)
        return real(self, path, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Disk, "read", noted)
    done = vault.refresh()
    assert (done.notes, done.added, done.changed, done.removed) == (5, 1, 1, 1)
    assert sorted(name for name in read if name.endswith(".md")) == ["3.md", "5.md"]


def test_a_note_written_twice_within_the_same_moment_is_found(vault: Vault) -> None:
    note = vault.put("a.md", "first")
    before = note.stat()
    vault.refresh()
    note.write_text("later", encoding="utf-8")  # as long as before
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    vault.refresh()
    assert vault.found("later") == ["a.md"]
    assert vault.found("first") == []


def test_a_renamed_note_stays_the_same_note(vault: Vault) -> None:
    note = vault.put("old name.md", "a text of its own")
    vault.refresh()
    (vault.path / "folder").mkdir()
    note.rename(vault.path / "folder" / "new name.md")
    done = vault.refresh()
    assert (done.notes, done.added, done.renamed, done.removed) == (1, 0, 1, 0)
    assert vault.found("new") == ["folder/new name.md"]
    assert vault.found("old") == []


def test_a_watcher_that_names_a_changed_a_new_and_a_gone_note_is_enough(vault: Vault) -> None:
    changed, gone = vault.put("changed.md", "before"), vault.put("gone.md", "before")
    vault.refresh()
    changed.write_text("after", encoding="utf-8")
    gone.unlink()
    new = vault.put("sub/new.md", "after")
    done = vault.knowledge.update([changed, gone, new.parent])
    assert isinstance(done, Refreshed)
    assert (done.added, done.changed, done.removed) == (1, 1, 1)
    assert sorted(vault.found("after")) == ["changed.md", "sub/new.md"]
    assert vault.found("before") == []


def test_a_watcher_that_names_a_folder_sees_a_rename_in_it(vault: Vault) -> None:
    note = vault.put("sub/a.md", "some words")
    vault.refresh()
    note.rename(note.with_name("b.md"))
    done = vault.knowledge.update([note.parent])
    assert isinstance(done, Refreshed)
    assert (done.renamed, done.added, done.removed) == (1, 0, 0)
    shutil.rmtree(note.parent)
    vault.knowledge.update([note.parent])
    assert vault.found("words") == []


def test_a_watcher_that_names_what_is_no_note_brings_nothing_in(
    vault: Vault, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("needle", encoding="utf-8")
    link = vault.path / "link.md"
    link.symlink_to(outside)
    hidden = vault.put(".trash/x.md", "needle")
    (vault.path / "away").symlink_to(tmp_path)
    done = vault.knowledge.update([outside, link, hidden, vault.path / "away" / "outside.md"])
    assert isinstance(done, Refreshed)
    assert done.notes == 0


def test_hidden_folders_named_by_a_watcher_bring_nothing_in(vault: Vault) -> None:
    hidden = vault.put(".trash/x.md", "needle")
    done = vault.knowledge.update([hidden.parent])
    assert isinstance(done, Refreshed)
    assert done.notes == 0


def test_odd_names_are_kept_as_they_are(vault: Vault) -> None:
    names = ["with\nline.md", "空 格.md", "‮odd‬.md", "a'b\"c;--.md", "-dash.md", "é.md"]
    for name in names:
        vault.put(name, "needle")
    raw = os.path.join(os.fsencode(vault.path), b"latin-\xe9.md")
    with open(raw, "wb") as stream:
        stream.write(b"needle")
    vault.refresh()
    found = {os.fsencode(hit.path) for hit in vault.search("needle").hits}
    assert found == {os.fsencode(vault.path / name) for name in names} | {raw}


def test_every_encoding_is_read_and_what_is_no_text_is_only_listed(vault: Vault) -> None:
    vault.put("utf8.md", "记忆断裂".encode())
    vault.put("bom.md", "\ufeff记忆断裂".encode())
    vault.put("utf16.md", "\ufeff记忆断裂的问题".encode("utf-16-le"))
    vault.put("gbk.md", ("记忆断裂，这是一个关于记忆的问题。" * 5).encode("gb18030"))
    vault.put("binary.md", b"\x00\x01\x02needle\x00")
    vault.refresh()
    assert sorted(vault.found("记忆断裂")) == ["bom.md", "gbk.md", "utf16.md", "utf8.md"]
    cards = vault.knowledge.notes()
    assert isinstance(cards, tuple)
    assert {card.path.name: card.problem for card in cards}["binary.md"] == "not_text"
    assert vault.found("binary") == ["binary.md"]


def test_the_index_is_for_its_owner_alone(vault: Vault, tmp_path: Path) -> None:
    vault.put("a.md", "words")
    vault.refresh()
    folder = index_of(tmp_path).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or path.suffix == ".lock"
    index_of(tmp_path).chmod(0o644)
    vault.refresh()
    assert stat.S_IMODE(index_of(tmp_path).stat().st_mode) == 0o600


@pytest.mark.parametrize("how", ["no database", "damaged", "another version", "foreign"])
def test_a_broken_index_is_set_aside_and_made_anew(vault: Vault, tmp_path: Path, how: str) -> None:
    for number in range(50):
        vault.put(f"{number}.md", f"note {number} " * 200)
    vault.refresh()
    path = index_of(tmp_path)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    match how:
        case "no database":
            path.write_bytes(b"not a database at all" * 100)
        case "damaged":
            size = path.stat().st_size
            with path.open("r+b") as stream:
                stream.seek(4096)
                stream.write(b"\xff" * (size - 4096))
        case "another version":
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("PRAGMA user_version = 999")
        case _:
            path.unlink()
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE note(x)")
    done = vault.refresh()
    assert done.rebuilt
    assert (done.notes, done.added) == (50, 50)
    assert path.with_name(f"{FILE}.broken").exists()
    assert vault.found("note 7") != []
    assert not vault.refresh().rebuilt


def test_given_up_it_keeps_what_is_done_and_goes_on_later(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "BATCH", 2)
    for number in range(10):
        vault.put(f"{number}.md", f"note {number}")
    steps: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        steps.append((done, total))

    done = vault.knowledge.refresh(
        progress=progress, is_cancelled=lambda: bool(steps) and steps[-1][0] >= 4
    )
    assert isinstance(done, Refreshed)
    assert not done.complete
    assert done.notes == 4
    assert steps == [(0, 10), (2, 10), (4, 10)]
    assert vault.refresh().notes == 10


def test_a_folder_that_is_not_there_keeps_its_notes_for_later(vault: Vault) -> None:
    vault.put("a.md", "needle")
    vault.refresh()
    away = vault.path.with_name("unmounted")
    vault.path.rename(away)
    done = vault.refresh()
    assert done.missing == (vault.path,)
    assert done.notes == 1
    assert vault.search("needle").missing == (vault.path,)
    assert vault.found("needle") == []
    away.rename(vault.path)
    assert vault.refresh().added == 0
    assert vault.found("needle") == ["a.md"]


def test_a_folder_that_is_removed_leaves_nothing_in_the_index(vault: Vault, tmp_path: Path) -> None:
    vault.put("a.md", "unmistakable words")
    vault.refresh()
    vault.knowledge.remove_folder(vault.path)
    for path in index_of(tmp_path).parent.iterdir():
        assert b"unmistakable" not in path.read_bytes()
    assert (vault.path / "a.md").exists()


def test_what_is_forgotten_stands_nowhere_in_the_index(vault: Vault, tmp_path: Path) -> None:
    text = "the unmistakable zebrafish password"
    still, gone = vault.put("still.md", f"# A\n\n{text}\n\nrest"), vault.put("gone.md", text)
    vault.put("before.md", text)
    vault.put("other.md", "a zebra")
    vault.refresh()
    vault.put("before.md", "nothing any more")
    vault.refresh()
    gone.write_text("changed", encoding="utf-8")
    (index_of(tmp_path).parent / f"{FILE}.broken").write_bytes(text.encode())
    done = vault.knowledge.forget(text)
    assert done == ForgottenInNotes(2, (still,))
    for path in index_of(tmp_path).parent.iterdir():
        assert b"zebrafish" not in path.read_bytes(), path
    assert vault.found("zebrafish") == []
    assert vault.found("rest") == ["still.md"]
    assert text in still.read_text(encoding="utf-8")
    vault.refresh()
    assert vault.found("zebrafish") == []
    assert vault.found("zebra") == ["other.md"]


def test_two_desks_index_the_same_notes_without_harm(vault: Vault, desk: Desk) -> None:
    for number in range(20):
        vault.put(f"{number}.md", f"note {number}")
    other = desk.at(desk.home)
    assert vault.refresh().added == 20
    again = other.knowledge.refresh()
    assert isinstance(again, Refreshed)
    assert (again.added, again.notes) == (0, 20)
    other.close()
