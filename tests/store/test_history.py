"""The whole history: what others did, secrets left out, what is let go of, and forgetting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.desk import Desk, build_desk
from store.history import ages, later_than, of_entry
from store.history_forget import Forgotten
from store.history_texts import note_of
from store.home import HermesHome
from store.journal import Journal, JournalEntry
from store.memory.operations import Add, Remove, Replace, Whole
from store.memory.state import Written
from store.refusals import REFUSALS, Conflict, NotFound, Unreadable, Unsupported
from store.restoring import Restored, restore
from store.undo import Undone
from tests.support.desks import joined, opened

SECRET = "api_key = 'abcdefghij0123456789'"
OTHER_SECRET = 'the staging password: "0123456789abcdefghijk"'


def write(home: HermesHome, *texts: str, end: str = "") -> None:
    home.memory_file("memory").write_bytes(joined(*texts) + end.encode())


def changes(desk: Desk) -> list[JournalEntry]:
    found = desk.journal.changes()
    assert not isinstance(found, Unreadable)
    return list(found)


def latest(desk: Desk) -> JournalEntry:
    entry = desk.journal.get(changes(desk)[0].id)
    assert isinstance(entry, JournalEntry)
    return entry


def done(result: object) -> int:
    assert isinstance(result, Written), result
    assert result.change_id is not None
    return result.change_id


def everything_kept(desk: Desk) -> bytes:
    """All bytes of the journal's files."""
    return b"".join(path.read_bytes() for path in desk.journal.path.parent.iterdir())


# --- What others did ------------------------------------------------------------------------


def test_a_journal_begins_with_what_is_there_and_takes_it_for_no_change(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one")
    assert desk.look_back() == ()
    assert desk.look_back() == ()
    assert changes(desk) == []


@pytest.mark.parametrize(
    ("texts", "end", "who", "action", "gone", "come"),
    [
        (("one", "two", "three"), "", "agent", "add", (), ("three",)),
        (("one", "2"), "", "agent", "replace", ("two",), ("2",)),
        (("two",), "", "agent", "remove", ("one",), ()),
        (("two", "one"), "", "agent", "rewrite", (), ()),
        (("1", "2"), "", "agent", "batch", ("one", "two"), ("1", "2")),
        (("one", "two", "three"), "\n", "other", "add", (), ("three",)),
        (("one", "one", "two"), "", "other", "rewrite", (), ()),
    ],
)
def test_a_change_of_others_is_told_in_entries_and_by_who_it_may_be(
    desk: Desk,
    home: HermesHome,
    texts: tuple[str, ...],
    end: str,
    who: str,
    action: str,
    gone: tuple[str, ...],
    come: tuple[str, ...],
) -> None:
    write(home, "one", "two")
    desk.look_back()
    before = home.memory_file("memory").read_bytes()
    write(home, *texts, end=end)
    assert desk.look_back() == (1,)
    assert desk.look_back() == ()
    entry = latest(desk)
    assert (entry.intent.who, entry.intent.action) == (who, action)
    assert (entry.intent.gone, entry.intent.come) == (gone, come)
    assert entry.parts[0].after == home.memory_file("memory").read_bytes()
    assert isinstance(desk.undo.undo(entry.id), Undone)
    assert home.memory_file("memory").read_bytes() == before


def test_a_deleted_file_comes_back(desk: Desk, home: HermesHome) -> None:
    write(home, "one", "two")
    desk.look_back()
    home.memory_file("memory").unlink()
    (number,) = desk.look_back()
    assert latest(desk).intent.action == "delete"
    assert desk.undo.undo(number) == Undone(number, number + 1, exact=True)
    assert home.memory_file("memory").read_bytes() == joined("one", "two")


def test_what_others_did_just_before_a_change_is_told_apart_from_it(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one")
    done(desk.library.change("memory", Add("mine")))
    write(home, "one", "mine", "theirs")
    done(desk.library.change("memory", Add("mine too")))
    assert [(one.intent.who, one.intent.come) for one in changes(desk)] == [
        ("desk", ("mine too",)),
        ("agent", ("theirs",)),
        ("desk", ("mine",)),
    ]


def test_nothing_is_noted_while_a_change_has_not_ended(desk: Desk, home: HermesHome) -> None:
    from store.changes import Intent, Part

    write(home, "one")
    desk.look_back()
    part = Part("memories/MEMORY.md", joined("one"), joined("one", "two"))
    assert isinstance(desk.journal.begin(Intent("desk", "add", "memory"), [part]), int)
    write(home, "one", "two")
    assert desk.look_back() == ()
    desk.recover()
    assert [one.intent.who for one in changes(desk)] == ["desk"]


def test_looking_back_makes_no_folder_of_memories(tmp_path: Path) -> None:
    home = HermesHome(tmp_path / "h", tmp_path / "h", "default")
    home.path.mkdir()
    with opened(home, tmp_path / "data") as desk:
        assert desk.look_back() == ()
    assert list(home.path.iterdir()) == []


# --- Ages -----------------------------------------------------------------------------------


def test_every_entry_has_its_age_and_last_editor_where_they_are_known(
    home: HermesHome, tmp_path: Path
) -> None:
    now = [100.0]
    write(home, "old", "reworded")
    with opened(home, tmp_path / "data", clock=lambda: now[0]) as desk:
        desk.look_back()
        now[0] = 200.0
        done(desk.library.change("memory", Replace(Whole("reworded"), "better")))
        write(home, "old", "better", "theirs")
        now[0] = 300.0
        desk.look_back()
        taken = done(desk.library.change("memory", Remove(Whole("old"))))
        assert isinstance(desk.undo.undo(taken), Undone)
        found = ages(desk.journal, {"memory": ("old", "better", "theirs"), "user": ()})["memory"]
    told = {text: (age.at, age.who, age.how) for text, age in found.items()}
    assert told == {"better": (200.0, "desk", "edited"), "theirs": (300.0, "agent", "added")}


def test_the_history_of_an_entry_goes_through_its_rewordings(desk: Desk, home: HermesHome) -> None:
    write(home, "other")
    one = done(desk.library.change("memory", Add("first")))
    done(desk.library.change("memory", Add("something else")))
    two = done(desk.library.change("memory", Replace(Whole("first"), "second")))
    assert [change.id for change in of_entry(changes(desk), "second")] == [two, one]


# --- What builds on what --------------------------------------------------------------------


def test_an_undo_names_what_builds_on_it_and_taking_that_back_first_helps(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one")
    before = home.memory_file("memory").read_bytes()
    first = done(desk.library.change("memory", Replace(Whole("one"), "two")))
    done(desk.library.change("memory", Add("beside it")))
    second = done(desk.library.change("memory", Replace(Whole("two"), "three")))
    third = done(desk.library.change("memory", Replace(Whole("three"), "four")))
    refused = desk.undo.undo(first)
    assert isinstance(refused, Conflict)
    assert refused.later == (second, third)
    for number in (third, second, first):
        assert isinstance(desk.undo.undo(number), Undone)
    entry = desk.journal.get(first)
    assert isinstance(entry, JournalEntry)
    assert later_than(desk.journal, entry) == ()
    assert home.memory_file("memory").read_bytes() == joined("one", "beside it")
    assert restore(desk.undo, first, before=True) == Restored(first, third + 4)
    assert home.memory_file("memory").read_bytes() == before


# --- Secrets --------------------------------------------------------------------------------


def secret_added(desk: Desk, home: HermesHome) -> int:
    write(home, "one", "two", SECRET)
    (number,) = desk.look_back()
    return number


def test_a_change_about_a_secret_is_kept_without_it_and_cannot_be_undone(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one", "two")
    desk.look_back()
    number = secret_added(desk, home)
    entry = latest(desk)
    assert (entry.withheld, entry.undoable) == (True, False)
    assert entry.intent.come == (note_of(SECRET),)
    assert desk.undo.undo(number) == Unsupported("left_out", "1")
    desk.journal.close()
    assert SECRET.encode() not in everything_kept(desk)


def test_changes_beside_a_secret_can_be_undone_byte_for_byte(desk: Desk, home: HermesHome) -> None:
    write(home, "one", SECRET, "two")
    before = home.memory_file("memory").read_bytes()
    number = done(desk.library.change("memory", Replace(Whole("two"), "2")))
    assert number == 1
    assert SECRET.encode() not in everything_kept(desk)
    assert latest(desk).undoable
    assert desk.undo.undo(number) == Undone(1, 2, exact=True)
    assert home.memory_file("memory").read_bytes() == before
    assert restore(desk.undo, 1) == Restored(1, 3)
    assert home.memory_file("memory").read_bytes() == joined("one", SECRET, "2")


def test_a_removed_secret_is_gone_for_good_and_the_rest_comes_back(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one", SECRET, "two")
    edit = done(desk.library.change("memory", Replace(Whole("two"), "2")))
    gone = done(desk.library.change("memory", Remove(Whole(SECRET))))
    desk.journal.close()
    assert SECRET.encode() not in everything_kept(desk)
    assert desk.undo.undo(gone) == Unsupported("left_out", str(gone))
    assert restore(desk.undo, edit) == Unsupported("left_out", str(edit))
    assert desk.undo.undo(edit) == Undone(edit, gone + 1, exact=False)
    assert home.memory_file("memory").read_bytes() == joined("one", "two")


def test_a_secret_is_kept_until_a_change_has_ended_so_that_a_crash_can_be_mended(
    home: HermesHome, tmp_path: Path
) -> None:
    from store.changes import Intent, Part

    write(home, "one", SECRET)
    with opened(home, tmp_path / "data") as desk:
        part = Part("memories/MEMORY.md", joined("one", SECRET), joined("one"))
        intent = Intent("desk", "remove", "memory", (SECRET,), ())
        assert desk.journal.begin(intent, [part]) == 1
        write(home, "one")
    with opened(home, tmp_path / "data") as desk:
        assert len(desk.recover()) == 1
        assert latest(desk).withheld
        desk.journal.close()
        assert SECRET.encode() not in everything_kept(desk)


def test_a_record_with_a_secret_leaves_nothing_when_it_is_rejected(
    desk: Desk, home: HermesHome
) -> None:
    from tests.support.desks import everything_in

    write(home, "one")
    folder = home.pending("memory")
    folder.mkdir(parents=True)
    record = (
        '{"id": "0000000a", "subsystem": "memory", "payload": '
        '{"action": "add", "target": "memory", "content": "token = \\"0123456789abcdefghijk\\""}}'
    )
    (folder / "0000000a.json").write_text(record, "utf-8")
    assert len(desk.queue.reject(["0000000a"]).done) == 1
    assert (latest(desk).withheld, latest(desk).undoable) == (True, False)
    desk.journal.close()
    assert b"0123456789abcdefghijk" not in everything_kept(desk)
    assert "0000000a.json" not in "".join(everything_in(home.path))


def test_the_text_of_a_secret_is_found_again_in_every_spelling_of_its_file(
    desk: Desk, home: HermesHome
) -> None:
    path = home.memory_file("memory")
    for number, line in enumerate(("\n", "\r\n")):
        secret = f"two lines\n{OTHER_SECRET}"
        text = f"  one\n§\n{secret}\n§\ntwo {number}\n".replace("\n", line)
        path.write_bytes(text.encode())
        desk.look_back()
        path.write_bytes(text.replace("one", "1").encode())
        (change,) = desk.look_back()
        assert OTHER_SECRET.encode() not in everything_kept(desk)
        assert isinstance(desk.undo.undo(change), Undone)
        assert path.read_bytes() == text.encode()


# --- Letting go -----------------------------------------------------------------------------


@pytest.fixture
def aged(home: HermesHome, tmp_path: Path) -> Iterator[Callable[[float], Desk]]:
    """A desk with a change at each of the seconds 1 to 9, and the moment to open it at."""
    now = [0.0]
    write(home, "one")
    with opened(home, tmp_path / "data", clock=lambda: now[0]) as desk:
        for number in range(1, 10):
            now[0] = float(number)
            done(desk.library.change("memory", Add(f"entry {number}")))

        def at(moment: float) -> Desk:
            now[0] = moment
            return desk

        yield at


def test_what_is_too_old_or_too_much_goes_and_the_rest_can_be_undone(
    aged: Callable[[float], Desk], home: HermesHome
) -> None:
    desk = aged(20.0)
    whole = home.memory_file("memory").read_bytes()
    assert desk.journal.prune(since=4.0, most=100) == 3
    assert [one.id for one in changes(desk)] == [9, 8, 7, 6, 5, 4]
    assert desk.journal.prune(since=4.0, most=2) == 4
    assert desk.journal.prune(since=4.0, most=2) == 0
    assert [one.id for one in changes(desk)] == [9, 8]
    assert b"entry 3" in everything_kept(desk)  # the file as it was still says so
    for number in (9, 8):
        assert isinstance(desk.undo.undo(number), Undone)
    assert home.memory_file("memory").read_bytes() == joined(
        "one", *(f"entry {number}" for number in range(1, 8))
    )
    assert whole != home.memory_file("memory").read_bytes()


def test_how_a_file_was_last_stays_known_when_all_changes_went(
    aged: Callable[[float], Desk], home: HermesHome
) -> None:
    desk = aged(20.0)
    assert desk.journal.prune(since=15.0, most=100) == 9
    assert changes(desk) == []
    assert desk.look_back() == ()
    write(home, "something else")
    (number,) = desk.look_back()
    assert number == 10
    assert len(latest(desk).intent.gone) == 10


def test_a_change_that_has_not_ended_is_never_let_go_of(
    aged: Callable[[float], Desk],
) -> None:
    from store.changes import Intent

    desk = aged(20.0)
    assert desk.journal.begin(Intent("desk", "add", "memory"), ()) == 10
    desk.journal.prune(since=99.0, most=1)
    assert [one.id for one in desk.journal.unfinished()] == [10]  # type: ignore[union-attr]


def test_the_desk_lets_go_by_the_persons_choice(home: HermesHome, tmp_path: Path) -> None:
    from store.preferences import change_preferences

    env = {"MEMORY_DESK_DATA_DIR": str(tmp_path / "d"), "MEMORY_DESK_CONFIG_DIR": str(tmp_path)}
    now = [0.0]
    write(home, "one")
    with closing(build_desk(home, env=env, clock=lambda: now[0])) as desk:
        done(desk.library.change("memory", Add("two")))
        now[0] = 10 * 86_400.0
        done(desk.library.change("memory", Add("three")))
        desk.look_back()
        assert len(changes(desk)) == 2
        change_preferences(env=env, history_days=9)
        desk.look_back()
        assert [one.intent.come for one in changes(desk)] == [("three",)]


# --- Forgetting -----------------------------------------------------------------------------

PRIVATE = "the name of the neighbour's daughter is Wilhelmine"


def test_what_is_forgotten_stands_nowhere_any_more(desk: Desk, home: HermesHome) -> None:
    path = home.memory_file("memory")
    write(home, "one")
    done(desk.library.change("memory", Add(PRIVATE)))
    done(desk.library.change("memory", Add("another")))
    (path.parent / "MEMORY.md.bak.1700000000").write_bytes(joined("one", PRIVATE, "x") + b"\n\n")
    home.memory_file("user").write_bytes(joined(PRIVATE))
    result = desk.forget(PRIVATE)
    assert isinstance(result, Forgotten)
    assert (result.entries, len(result.backups), result.changes) == (2, 1, 4)
    assert path.read_bytes() == joined("one", "another")
    assert (path.parent / "MEMORY.md.bak.1700000000").read_bytes() == joined(
        "one", "", "x"
    ) + b"\n\n"
    for file in (*home.path.rglob("*"), *desk.journal.path.parent.iterdir()):
        assert not file.is_file() or b"Wilhelmine" not in file.read_bytes(), file
    assert desk.journal.forgetting() == ()


def test_the_change_beside_what_was_forgotten_can_still_be_undone(
    desk: Desk, home: HermesHome
) -> None:
    write(home, "one", PRIVATE)
    number = done(desk.library.change("memory", Add("another")))
    assert isinstance(desk.forget(PRIVATE), Forgotten)
    assert isinstance(desk.undo.undo(number), Undone)
    assert home.memory_file("memory").read_bytes() == joined("one")
    assert desk.undo.undo(number + 1) == Unsupported("left_out", str(number + 1))


def test_an_entry_of_which_a_forgotten_one_is_a_part_stays(desk: Desk, home: HermesHome) -> None:
    write(home, "one", "one and two")
    done(desk.library.change("memory", Add("three")))
    assert isinstance(desk.forget("one"), Forgotten)
    assert home.memory_file("memory").read_bytes() == joined("one and two", "three")


def test_a_file_that_refuses_keeps_all_of_it_from_being_forgotten(
    desk: Desk, home: HermesHome
) -> None:
    write(home, PRIVATE, "two", end="\n\n\n§\n\n")
    desk.look_back()
    result = desk.forget(PRIVATE)
    assert isinstance(result, REFUSALS)
    assert PRIVATE.encode() in home.memory_file("memory").read_bytes()
    assert desk.journal.forgetting() == ()


def test_what_a_crash_kept_from_being_forgotten_is_forgotten_at_the_next_start(
    home: HermesHome, tmp_path: Path
) -> None:
    write(home, "one", PRIVATE)
    with opened(home, tmp_path / "data") as desk:
        done(desk.library.change("memory", Add("two")))
        assert desk.journal.start_forgetting(PRIVATE) is None
    with opened(home, tmp_path / "data") as desk:
        desk.recover()
        assert home.memory_file("memory").read_bytes() == joined("one", "two")
        desk.journal.close()
        assert b"Wilhelmine" not in everything_kept(desk)


def test_a_journal_that_is_damaged_is_set_aside_and_history_goes_on(
    home: HermesHome, tmp_path: Path
) -> None:
    write(home, "one")
    with opened(home, tmp_path / "data") as desk:
        done(desk.library.change("memory", Add("two")))
        path = desk.journal.path
    path.write_bytes(b"no database at all" * 500)
    with opened(home, tmp_path / "data") as desk:
        assert desk.look_back() == ()
        number = done(desk.library.change("memory", Add("three")))
        assert desk.journal.set_aside is not None
        assert number == 1
        assert desk.undo.undo(number) == Undone(1, 2, exact=True)
        assert desk.undo.undo(9) == NotFound("change", "9")


def test_journals_alone_tell_nothing(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "none.sqlite")) as journal:
        assert journal.known("memories/MEMORY.md") is None
        assert journal.prune(since=0.0, most=1) == 0
        assert journal.forgetting() == ()
        assert not journal.path.exists()
