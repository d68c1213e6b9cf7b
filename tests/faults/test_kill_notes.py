"""Killed at each system call of a move to a note, of its undo, or while notes are indexed."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.desk import Desk
from store.knowledge.index import FILE
from store.knowledge.indexing import Refreshed
from store.knowledge.reading import Note
from store.knowledge.searching import NotesFound
from store.memory.operations import Add
from store.undo import Undone
from tests.faults import test_kill
from tests.faults.test_kill import Scene, Victim, points_of

ENTRY = "second\nwith a line more"
# As the server of test_kill, for what has no command: the words are the verb and its paths.
SERVER = """
import ctypes, json, os, sys
from pathlib import Path
from store.desk import build_desk
from store.home import home_at
import store.undo, store.journal, store.knowledge.moving
PR_SET_PTRACER, ANY = 0x59616D61, ctypes.c_ulong(-1)

def work(words):
    home = Path(words[1])
    desk = build_desk(home_at(home, root=home))
    match words[2]:
        case "move":
            note = Path(words[3])
            seen = desk.knowledge.read(note).digest
            done = desk.knowledge.move_to_note(
                "memory", words[4], note, seen=seen, pointer=words[5])
        case "move two":
            note = Path(words[3])
            seen = desk.knowledge.read(note).digest
            done = desk.knowledge.move_all_to_note(
                "memory", (words[4], "third"), note, seen=seen, pointers=("", words[5]))
        case "undo":
            done = desk.undo.undo()
        case _:
            done = desk.knowledge.refresh()
    desk.close()
    return int(hasattr(done, "code"))

while line := sys.stdin.buffer.raw.readline():
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANY, 0, 0, 0)
        os.write(1, b"%d\\n" % os.getpid())
        os.read(0, 1)
        os._exit(work(json.loads(line)))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(1, b"%d\\n" % status)
"""
State = tuple[bytes, bytes]


class NoteScene(Scene):
    """A home with three entries, and a vault with a note, whose index is up to date."""

    @property
    def vault(self) -> Path:
        return self.folder / "now" / "vault"

    @property
    def note(self) -> Path:
        return self.vault / "Note.md"

    def make(self, *, moved: bool = False, notes: int = 0) -> None:
        (self.home / "memories").mkdir(parents=True)
        (self.vault / ".obsidian").mkdir(parents=True)
        self.note.write_bytes(b"\xef\xbb\xbf# Note\r\n\r\nlast line")
        desk = self.desk()
        for text in ("first", ENTRY, "third"):
            desk.library.change("memory", Add(text))
        desk.knowledge.add_folder(self.vault)
        desk.knowledge.refresh()
        if moved:
            desk.knowledge.move_to_note("memory", ENTRY, self.note, seen=self.seen(desk))
        for number in range(notes):
            (self.vault / f"{number}.md").write_text(f"needle {number}", encoding="utf-8")
        desk.close()
        (self.folder / "now").rename(self.folder / "start")

    def seen(self, desk: Desk) -> str:
        note = desk.knowledge.read(self.note)
        assert isinstance(note, Note)
        return note.digest

    def both(self) -> State:
        return self.note.read_bytes(), (self.home / "memories" / "MEMORY.md").read_bytes()

    def left(self) -> list[str]:
        return sorted(path.name for path in self.vault.iterdir())


@pytest.fixture
def scene(tmp_path: Path) -> NoteScene:
    if shutil.which("strace") is None:
        pytest.fail("no strace: run ./test once, or install it")
    return NoteScene(tmp_path)


@pytest.fixture
def victim(scene: NoteScene, monkeypatch: pytest.MonkeyPatch) -> Iterator[Victim]:
    monkeypatch.setattr(test_kill, "SERVER", SERVER)
    victim = Victim(scene)
    yield victim
    victim.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "verb", ["move", "move, a pointer stays", "move two", "move two, a pointer stays", "undo"]
)
def test_a_move_killed_at_any_moment_is_finished_or_never_was(
    scene: NoteScene, victim: Victim, verb: str
) -> None:
    scene.make(moved=verb == "undo")
    words = [verb.partition(",")[0], str(scene.note), ENTRY, "see Note" if "," in verb else ""]
    scene.start_again()
    old, names = scene.both(), scene.left()
    status, trace = victim.run(words)
    assert status == 0
    new = scene.both()
    assert old[0] != new[0]
    assert old[1] != new[1]
    ends = set()
    points = list(points_of(trace))
    assert {"write", "fsync", "rename", "pwrite64"} <= {one.name for one in points}
    for point in points:
        scene.start_again()
        kill = f"inject={point.name}:signal=KILL:when={point.count}"
        status, _ = victim.run(words, "-e", kill)
        assert status == -signal.SIGKILL, point
        torn = scene.both()
        assert torn[0] in (old[0], new[0]), point
        assert torn[1] in (old[1], new[1]), point
        assert torn != ((new if verb == "undo" else old)[0], (old if verb == "undo" else new)[1])
        ends.add(_next_start(scene, old, new, point, undo=verb == "undo"))
        assert scene.left() == names, point
    assert ends == {old, new}


def _next_start(
    scene: NoteScene, old: State, new: State, point: test_kill.Point, *, undo: bool
) -> State:
    desk = scene.desk()
    try:
        desk.recover()
        end = scene.both()
        assert end in (old, new), point
        assert desk.journal.unfinished() == (), point
        if not undo and end == new:
            undone = desk.undo.undo()
            assert isinstance(undone, Undone), point
            assert undone.exact, point
            assert scene.both() == old, point
        # The index follows the note, whatever came between.
        assert isinstance(desk.knowledge.refresh(), Refreshed), point
        found = desk.knowledge.search('"with a line more"')
        assert isinstance(found, NotesFound), point
        assert bool(found.hits) == (b"with a line more" in scene.note.read_bytes()), point
    finally:
        desk.close()
    return end


@pytest.mark.timeout(600)
def test_after_a_kill_the_note_may_have_been_changed_by_others(
    scene: NoteScene, victim: Victim
) -> None:
    """Killed between the two files; then the note is synced; the entry is still in one place."""
    scene.make()
    scene.start_again()
    words = ["move", str(scene.note), ENTRY, ""]
    _, trace = victim.run(words)
    renames = [point for point in points_of(trace) if point.name.startswith("rename")]
    scene.start_again()
    second = renames[-1]
    victim.run(words, "-e", f"inject={second.name}:signal=KILL:when={second.count}")
    note, memory = scene.both()
    assert b"with a line more" in note
    assert b"with a line more" in memory
    scene.note.write_bytes(note + b"\r\nadded by another device")
    desk = scene.desk()
    desk.recover()
    assert scene.note.read_bytes() == note + b"\r\nadded by another device"
    assert desk.library.load("memory").document.texts == ("first", "third")
    assert desk.journal.unfinished() == ()
    desk.close()


@pytest.mark.timeout(600)
def test_an_index_killed_at_any_moment_is_complete_after_the_next_look(
    scene: NoteScene, victim: Victim
) -> None:
    scene.make(notes=20)
    scene.start_again()
    status, trace = victim.run(["index"])
    assert status == 0
    for point in points_of(trace):
        scene.start_again()
        status, _ = victim.run(
            ["index"], "-e", f"inject={point.name}:signal=KILL:when={point.count}"
        )
        assert status == -signal.SIGKILL, point
        desk = scene.desk()
        done = desk.knowledge.refresh()
        assert isinstance(done, Refreshed), point
        assert (done.notes, done.rebuilt) == (21, False), point
        found = desk.knowledge.search("needle")
        assert isinstance(found, NotesFound), point
        assert len(found.hits) == 20, point
        desk.close()


@pytest.mark.timeout(600)
def test_a_first_index_killed_while_it_is_made_is_made_by_the_next_look(
    scene: NoteScene, victim: Victim
) -> None:
    scene.make(notes=3)
    for path in (scene.folder / "start" / "data" / "knowledge").glob(f"{FILE}*"):
        path.unlink()
    scene.start_again()
    status, trace = victim.run(["index"])
    assert status == 0
    for point in points_of(trace):
        scene.start_again()
        victim.run(["index"], "-e", f"inject={point.name}:signal=KILL:when={point.count}")
        desk = scene.desk()
        done = desk.knowledge.refresh()
        assert isinstance(done, Refreshed), point
        assert done.notes == 4, point
        desk.close()
