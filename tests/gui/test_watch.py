"""Changes on disk are noticed, whoever makes them and however."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer
from pytestqt.qtbot import QtBot

from gui import watch as watch_module
from gui.tasks import Tasks
from gui.watch import Watch, Watched


class Reports:
    """What a watch has told."""

    def __init__(self, watch: Watch) -> None:
        self.told: list[frozenset[Path]] = []
        watch.changed.connect(self.told.append)


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    tasks = Tasks()
    yield tasks
    assert tasks.close(10)


@pytest.fixture
def watch(tasks: Tasks) -> Watch:
    return Watch(tasks)


def replace(path: Path, text: str) -> None:
    """Write as the agent does: a temporary file beside it, renamed over it."""
    temporary = path.with_name(".mem_x.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def follow(watch: Watch, qtbot: QtBot, watched: Watched) -> Reports:
    """Follow, and wait for the first look."""
    reports = Reports(watch)
    watch.follow(watched)
    qtbot.waitUntil(lambda: reports.told != [])
    reports.told.clear()
    return reports


def test_three_atomic_replaces_are_three_refreshes(
    watch: Watch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path})))
    for count, text in enumerate(("one", "two", "three"), start=1):
        replace(path, text)
        qtbot.waitUntil(lambda count=count: len(reports.told) == count)
    assert reports.told == [frozenset({path})] * 3


def test_a_file_deleted_and_made_again_is_noticed_both_times(
    watch: Watch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path})))
    path.unlink()
    qtbot.waitUntil(lambda: len(reports.told) == 1)
    path.write_text("again")
    qtbot.waitUntil(lambda: len(reports.told) == 2)
    replace(path, "and replaced")
    qtbot.waitUntil(lambda: len(reports.told) == 3)


def test_a_file_written_in_place_is_noticed_after_it_was_replaced(
    watch: Watch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path})))
    with path.open() as someone_reads:  # so the old file lives on under the watch
        replace(path, "one")
        qtbot.waitUntil(lambda: len(reports.told) == 1)
        path.write_text("two, in place")
        qtbot.waitUntil(lambda: len(reports.told) == 2)
        assert someone_reads.read() == "zero"


def test_a_folder_that_comes_later_is_noticed(watch: Watch, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "home" / "memories" / "MEMORY.md"
    reports = follow(watch, qtbot, Watched(frozenset({path})))
    path.parent.mkdir(parents=True)
    path.write_text("hello")
    qtbot.waitUntil(lambda: reports.told == [frozenset({path})])
    replace(path, "hello again")
    qtbot.waitUntil(lambda: len(reports.told) == 2)


def test_a_folder_of_records_tells_of_new_gone_and_rewritten_ones(
    watch: Watch, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "pending" / "memory"
    reports = follow(watch, qtbot, Watched(frozenset(), frozenset({folder})))
    folder.mkdir(parents=True)
    record = folder / "0a1b2c3d.json"
    record.write_text("{}")
    qtbot.waitUntil(lambda: len(reports.told) >= 1)
    reports.told.clear()
    replace(record, '{"id": 1}')
    qtbot.waitUntil(lambda: len(reports.told) == 1)
    record.unlink()
    qtbot.waitUntil(lambda: len(reports.told) == 2)


def test_a_file_only_touched_is_no_news(watch: Watch, qtbot: QtBot, tmp_path: Path) -> None:
    path, other = tmp_path / "MEMORY.md", tmp_path / "USER.md"
    path.write_text("same")
    other.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path, other})))
    os.utime(path, (1, 1))
    replace(path, "same")
    replace(other, "one")
    qtbot.waitUntil(lambda: reports.told != [])
    assert reports.told == [frozenset({other})]


def test_what_the_desk_wrote_itself_is_no_news(watch: Watch, qtbot: QtBot, tmp_path: Path) -> None:
    path, other = tmp_path / "MEMORY.md", tmp_path / "USER.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path, other})))
    watch.hold([path])
    replace(path, "by us")
    replace(other, "by the agent")
    qtbot.waitUntil(lambda: reports.told == [frozenset({other})])
    watch.know(path, mark("by us"))
    watch.release([path])
    replace(other, "by the agent again")
    qtbot.waitUntil(lambda: len(reports.told) == 2)
    assert path not in frozenset().union(*reports.told)


def test_what_another_wrote_while_the_desk_did_is_told_afterwards(
    watch: Watch, qtbot: QtBot, tmp_path: Path
) -> None:
    path, other = tmp_path / "MEMORY.md", tmp_path / "USER.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path, other})))
    watch.hold([path])
    watch.know(path, mark("by us"))
    replace(path, "by the agent, on top of ours")
    replace(other, "so that we know the watch has looked")
    qtbot.waitUntil(lambda: reports.told == [frozenset({other})])
    watch.release([path])
    assert reports.told[1:] == [frozenset({path})]


def test_where_the_system_will_not_watch_the_desk_looks_by_itself(
    watch: Watch, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(QFileSystemWatcher):
        def addPath(self, path: str) -> bool:
            return False

    monkeypatch.setattr(watch_module, "QFileSystemWatcher", Refusing)
    monkeypatch.setattr(watch_module, "FAST_POLL_MS", 50)
    path = tmp_path / "MEMORY.md"
    path.write_text("zero")
    reports = follow(watch, qtbot, Watched(frozenset({path})))
    replace(path, "one")
    qtbot.waitUntil(lambda: reports.told == [frozenset({path})])


def test_all_of_qt_that_the_watch_needs_is_made_in_the_ui_thread(
    watch: Watch, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Made by Python in the background it hung the window now and then: see Tasks.host.
    made: list[threading.Thread] = []

    def make(kind: Callable[..., QObject], *arguments: object) -> QObject:
        made.append(threading.current_thread())
        return kind(*arguments)

    for kind in (QFileSystemWatcher, QTimer):
        monkeypatch.setattr(watch_module, kind.__name__, partial(make, kind))
    follow(watch, qtbot, Watched(frozenset({tmp_path / "MEMORY.md"})))
    assert set(made) == {threading.main_thread()}
