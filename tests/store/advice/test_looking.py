"""Advice looks at notes by the index that is there, and at nothing where there is none."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from store.advice.judge import Advice
from store.advice.looking import NOTES, NOTES_FILES, advice_of
from store.desk import Desk, build_desk
from store.home import home_at
from store.knowledge.desk import PLACE
from store.knowledge.folders import FILE as FOLDERS
from store.knowledge.index import FILE as INDEX
from store.preferences import change_preferences, data_dir
from tests.conftest import DeskDirs

KEPT = "Prefers tea"
ENTRY = "The tide gauge at Warnemünde reports every six minutes over LoRa"
CHINESE = "潮位站每六分钟通过无线电上报一次水位数据"


def desk_with(home: Path, *entries: str) -> Desk:
    path = home / "memories" / "MEMORY.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n§\n".join(entries), "utf-8")
    return build_desk(home_at(home, root=home))


def with_notes(desk: Desk, vault: Path, **notes: str) -> None:
    (vault / ".obsidian").mkdir(parents=True)
    for name, text in notes.items():
        (vault / f"{name}.md").write_text(text, "utf-8")
    desk.knowledge.add_folder(vault)
    desk.knowledge.refresh()


def beside(desk: Desk) -> list[Advice]:
    return [one for one in advice_of(desk, clock=time.time) if one.beside]


@pytest.mark.parametrize("entry", [ENTRY, CHINESE])
def test_an_entry_that_a_note_holds_word_for_word_is_named(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path, entry: str
) -> None:
    desk = desk_with(empty_home, KEPT, entry)
    filler = "\n\n".join(f"Line {number} about gulls and ropes." for number in range(200))
    with_notes(desk, tmp_path / "Vault", Gauges=f"# Gauges\n\n{filler}\n\n- {entry}\n", Tea="tea")
    (one,) = beside(desk)
    assert (one.kind, one.entry, one.beside, one.beside_in) == (
        "contained", entry, "Gauges", "note"
    )  # fmt: skip
    assert one.actions == ("delete",)


def test_lines_that_are_broken_elsewhere_are_the_same_words(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    desk = desk_with(empty_home, KEPT, ENTRY)
    with_notes(desk, tmp_path / "Vault", Gauges=ENTRY.replace(" reports ", "\nreports "))
    assert [one.beside for one in beside(desk)] == ["Gauges"]


def test_a_passage_that_says_much_the_same_is_named(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    desk = desk_with(empty_home, KEPT, ENTRY)
    said = "Every six minutes the Warnemünde tide gauge sends a report over LoRa"
    with_notes(desk, tmp_path / "Vault", Gauges=f"# Ropes\n\nGulls.\n\n- {said}\n- Ropes are wet\n")
    (one,) = beside(desk)
    assert (one.kind, one.actions) == ("near_duplicate", ("to_note", "delete"))


def test_a_note_that_changed_or_went_since_is_not_spoken_of(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    desk = desk_with(empty_home, KEPT, ENTRY)
    vault = tmp_path / "Vault"
    with_notes(desk, vault, Gauges=ENTRY, Other=f"Once more: {ENTRY}")
    (vault / "Gauges.md").write_text("Something else altogether", "utf-8")
    (vault / "Other.md").unlink()
    assert beside(desk) == []


def test_short_words_that_stand_anywhere_are_no_reason(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    desk = desk_with(empty_home, KEPT, ENTRY, "Uses zsh")
    with_notes(desk, tmp_path / "Vault", Shells="My brother uses zsh, I do not")
    assert beside(desk) == []


def test_a_broken_index_is_neither_mended_nor_waited_for(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    desk = desk_with(empty_home, KEPT, ENTRY)
    with_notes(desk, tmp_path / "Vault", Gauges=ENTRY)
    index = data_dir() / NOTES / NOTES_FILES[1]
    index.write_bytes(b"no database" * 1_000)
    before = index.read_bytes()
    assert beside(desk) == []
    assert index.read_bytes() == before


def test_the_names_of_the_files_are_those_of_the_notes() -> None:
    assert (NOTES, NOTES_FILES) == (PLACE, (FOLDERS, INDEX))


def test_without_folders_nothing_of_the_notes_is_loaded(
    empty_home: Path, desk_dirs: DeskDirs
) -> None:
    desk_with(empty_home, KEPT, ENTRY)
    work = (
        "import sys, time; from pathlib import Path; from store.desk import build_desk;"
        "from store.home import home_at; from store.advice.looking import advice_of;"
        "home = Path(sys.argv[1]); before = set(sys.modules);"
        "advice_of(build_desk(home_at(home, root=home)), clock=time.time);"
        "print([one for one in sys.modules if one.startswith('store.knowledge.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", work, str(empty_home)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert not (data_dir() / NOTES).exists()


def test_how_long_is_long_is_chosen(empty_home: Path, desk_dirs: DeskDirs) -> None:
    desk = desk_with(empty_home, KEPT)
    desk.recover()
    desk.library.change("memory", _adding(ENTRY))
    later = time.time() + 40 * 86_400

    def untouched() -> list[str]:
        found = advice_of(desk, clock=lambda: later)
        return [one.entry for one in found if one.kind == "untouched"]

    assert untouched() == []
    change_preferences(untouched_days=30)
    assert untouched() == [ENTRY]
    change_preferences(untouched_days=41)
    assert untouched() == []


def _adding(text: str):  # type: ignore[no-untyped-def]
    from store.memory.operations import Add

    return Add(text)
