"""What lies beside a memory file, what each copy has that the file lacks, and taking it back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from store.memory import backups
from store.memory.backups import (
    BackupFile,
    BackupGroup,
    Pruned,
    Restored,
    find_backup,
    kind_of,
    list_backups,
    prune,
    restore,
    take_back,
)
from store.memory.state import Written
from store.refusals import Conflict, Invalid, Locked, NotFound, OverBudget, Unreadable
from store.undo import Undone
from tests.corpus.test_corpus_is_sound import CASES, WITH_COPIES, Case
from tests.support.desks import Faults, everything_in, home_at, joined, limits, opened
from tests.support.holder import holding


def put(home: HermesHome, **files: bytes) -> None:
    """Files of the memories folder: `_bak_7` stands for MEMORY.md.bak.7."""
    for name, data in files.items():
        (home.memories / ("MEMORY.md" + name.replace("_", "."))).write_bytes(data)


def only_group(desk: Desk) -> BackupGroup:
    (group,) = list_backups(desk.library, "memory")
    return group


# -- looking ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", WITH_COPIES, ids=[case.name for case in WITH_COPIES])
def test_each_copy_of_the_corpus_has_what_was_said_to_be_only_there(
    case: Case, tmp_path: Path
) -> None:
    home = home_at(tmp_path / "home", config=limits(memory=case.expected["limit"]))
    shutil.copytree(CASES / case.name, home.memories, dirs_exist_ok=True)
    with opened(home, tmp_path / "data") as desk:
        groups = list_backups(desk.library, "memory")
    found = {file.path.name: list(one.only_here) for one in groups for file in one.files}
    assert found == {one["file"]: one["entries"] for one in case.expected["siblings"]}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("MEMORY.md.bak.1793520000", "backup"),
        ("MEMORY.md.bak", "backup"),
        ("MEMORY.md.bak-old", "backup"),
        ("MEMORY.md~", "copy"),
        ("MEMORY.md.~1~", "copy"),
        ("#MEMORY.md#", "copy"),
        ("MEMORY的副本.md", "copy"),
        ("MEMORY.conflicted-copy.md", "copy"),
        ("MEMORY.md", None),
        ("MEMORY.md.lock", None),
        ("MEMORY.md.rej", None),
        ("MEMORY2.md", None),
        ("MEMORIES.md", None),
        ("USER.md.bak.1793520000", None),
        (".mem_abc.tmp", None),
    ],
)
def test_a_name_tells_what_a_file_is(name: str, kind: str | None) -> None:
    assert kind_of(name, "MEMORY.md") == kind


def test_backups_with_the_same_content_are_one_group_newest_first(desk: Desk) -> None:
    put(desk.home, **{"": b"one"}, _bak_5=b"old", _bak_7=b"same", _bak_9=b"same")
    new, old = list_backups(desk.library, "memory")
    assert [file.path.name for file in new.files] == ["MEMORY.md.bak.9", "MEMORY.md.bak.7"]
    assert new.files[0] == BackupFile(desk.home.memories / "MEMORY.md.bak.9", 9.0, 4)
    assert [file.at for file in old.files] == [5.0]


def test_a_copy_of_the_file_as_it_is_is_said_to_be_that(desk: Desk) -> None:
    broken = "one\n\n§\ntwo".encode()
    put(desk.home, **{"": broken, "_bak_7": broken})
    group = only_group(desk)
    assert (group.same_as_file, group.only_here) == (True, ())
    assert group.entries == ("one", "two")


def test_a_file_that_is_gone_lacks_everything(desk: Desk) -> None:
    put(desk.home, _bak_7=joined("one", "two"))
    assert only_group(desk).only_here == ("one", "two")


def test_an_identity_does_not_make_another_entry_of_the_same_words(desk: Desk) -> None:
    comment = '<!-- hermes-memory-entry:{"id":"7"} -->\n'
    put(desk.home, **{"": joined("one"), "_bak_7": joined(comment + "one", comment + "two")})
    group = only_group(desk)
    assert group.only_here == (comment + "two",)
    done = take_back(desk.library, "memory", group.only_here[0])
    assert isinstance(done, Written)
    assert desk.home.memory_file("memory").read_bytes() == joined("one", "two")


def test_what_cannot_be_read_is_listed_with_the_reason(home: HermesHome, tmp_path: Path) -> None:
    put(home, _bak_7=b"one")
    faults = Faults()
    with opened(home, tmp_path / "data", disk=faults.disk()) as desk:
        faults.step = "read"
        (group,) = list_backups(desk.library, "memory")
    assert isinstance(group.problem, Unreadable)
    assert (group.sha256, group.entries) == ("", ())


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_and_folders_are_no_copies(desk: Desk) -> None:
    put(desk.home, **{"": b"one"})
    (desk.home.memories / "MEMORY.md.bak.7").symlink_to("MEMORY.md")
    (desk.home.memories / "MEMORY.md.bak.8").mkdir()
    assert list_backups(desk.library, "memory") == ()


def test_a_copy_is_found_by_name_and_by_path(desk: Desk) -> None:
    put(desk.home, _bak_7=b"one")
    path = desk.home.memories / "MEMORY.md.bak.7"
    by_name, by_path = (find_backup(desk.library, str(one)) for one in (path.name, path))
    assert by_name == by_path == (only_group(desk).files[0], only_group(desk))
    for other in ("MEMORY.md.bak.8", "MEMORY.md", f"elsewhere/{path.name}"):
        assert find_backup(desk.library, other) == NotFound("backup", other)


def test_a_guessed_copy_is_read_as_a_person_says(desk: Desk) -> None:
    put(desk.home, _bak_7="林晓住在杭州。".encode("gb18030"))
    assert (only_group(desk).doubt, only_group(desk).encoding) == ("guess", "gb18030")
    found = find_backup(desk.library, "MEMORY.md.bak.7", encoding="gb18030")
    assert isinstance(found, tuple)
    assert (found[1].doubt, found[1].entries) == ("", ("林晓住在杭州。",))
    refused = find_backup(desk.library, "MEMORY.md.bak.7", encoding="utf-8")
    assert refused == Invalid("given", "encoding")


# -- taking back -----------------------------------------------------------------------------


def test_an_entry_is_taken_back_under_the_rules_of_an_add(desk: Desk) -> None:
    put(desk.home, **{"": b"one", "_bak_7": joined("one", "two", "x" * 2200)})
    assert isinstance(take_back(desk.library, "memory", "two"), Written)
    assert isinstance(take_back(desk.library, "memory", "x" * 2200), OverBudget)
    assert desk.home.memory_file("memory").read_bytes() == joined("one", "two")


def test_the_whole_is_taken_back_byte_for_byte_and_undone(desk: Desk) -> None:
    broken = "one\r\n\r\n§\r\ntwo".encode()
    put(desk.home, **{"": b"one", "_bak_7": broken})
    file = desk.home.memory_file("memory")
    digest = desk.library.load("memory").digest
    done = restore(desk.library, "memory", desk.home.memories / "MEMORY.md.bak.7", digest=digest)
    assert isinstance(done, Restored)
    assert (done.changed, done.state) == (True, "drift")
    assert file.read_bytes() == broken
    (entry,) = desk.journal.changes()  # type: ignore[misc]
    assert (entry.intent.action, entry.intent.come) == ("restore", ("two",))
    undone = desk.undo.undo(done.change_id)
    assert isinstance(undone, Undone)
    assert undone.exact
    assert file.read_bytes() == b"one"


def test_a_file_that_is_gone_comes_back(desk: Desk) -> None:
    put(desk.home, _bak_7=b"one")
    done = restore(desk.library, "memory", desk.home.memories / "MEMORY.md.bak.7", digest="")
    assert isinstance(done, Restored)
    assert (done.state, desk.home.memory_file("memory").read_bytes()) == ("clean", b"one")


def test_a_copy_that_is_no_text_is_said_to_be_unreadable_for_the_agent(desk: Desk) -> None:
    put(desk.home, _bak_7=b"caf\xe9")
    done = restore(desk.library, "memory", desk.home.memories / "MEMORY.md.bak.7", digest="")
    assert isinstance(done, Restored)
    assert done.state == "unreadable"


def test_nothing_is_put_over_a_file_that_was_not_seen(desk: Desk) -> None:
    put(desk.home, **{"": b"one", "_bak_7": b"two"})
    digest = desk.library.load("memory").digest
    put(desk.home, **{"": b"three"})
    copy = desk.home.memories / "MEMORY.md.bak.7"
    assert isinstance(restore(desk.library, "memory", copy, digest=digest), Conflict)
    with holding(desk.home.memories / "MEMORY.md.lock"):
        refused = restore(desk.library, "memory", copy, digest=digest, wait=0)
    assert isinstance(refused, Locked)
    assert desk.home.memory_file("memory").read_bytes() == b"three"
    copy.unlink()
    assert isinstance(restore(desk.library, "memory", copy, digest=digest), NotFound)


# -- tidying up ------------------------------------------------------------------------------


def test_of_twins_only_the_newest_stays_and_no_content_is_lost(desk: Desk) -> None:
    put(desk.home, _bak_1=b"a", _bak_2=b"b", _bak_3=b"a", _bak_4=b"a")
    put(desk.home, **{"~": b"a", "": b"a"})
    contents = set(everything_in(desk.home.memories).values())
    done = prune(desk.library)
    assert isinstance(done, Pruned)
    assert [path.name for path in done.removed] == ["MEMORY.md.bak.3", "MEMORY.md.bak.1"]
    left = everything_in(desk.home.memories)
    assert set(left) == {"MEMORY.md", "MEMORY.md~", "MEMORY.md.bak.2", "MEMORY.md.bak.4"}
    assert set(left.values()) == contents
    assert prune(desk.library) == Pruned(())


def test_only_the_file_that_is_asked_for_is_tidied(desk: Desk) -> None:
    put(desk.home, _bak_1=b"a", _bak_2=b"a")
    assert prune(desk.library, targets=("user",)) == Pruned(())


def test_a_twin_goes_only_while_the_other_has_its_bytes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(desk.home, _bak_1=b"a", _bak_2=b"a")
    listed = list_backups(desk.library, "memory")

    def written_since(*args: object, **more: object) -> tuple[BackupGroup, ...]:
        put(desk.home, _bak_2=b"b")
        return listed

    monkeypatch.setattr(backups, "list_backups", written_since)
    done = prune(desk.library, targets=("memory",))
    assert isinstance(done, Pruned)
    assert done.removed == ()
    assert isinstance(done.kept[0][1], Conflict)
    assert (desk.home.memories / "MEMORY.md.bak.1").read_bytes() == b"a"
