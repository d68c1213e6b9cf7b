"""A queue that is listed again and again: records are read once, and never shown outdated."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from store.desk import Desk, open_desk
from store.files import Disk
from store.pending.queue import PendingQueue
from tests.conftest import DeskDirs


@pytest.fixture
def desk(empty_home: Path, desk_dirs: DeskDirs) -> Desk:
    opened = open_desk(home=empty_home)
    assert isinstance(opened, Desk)
    yield opened
    opened.close()


def contents(queue: PendingQueue) -> list[str]:
    return [record.raw["payload"]["content"] for record in queue.load().records]


def test_what_changed_between_two_listings_is_seen(desk: Desk) -> None:
    first, second = (
        desk.queue.stage({"action": "add", "target": "memory", "content": text}) for text in "ab"
    )
    assert sorted(contents(desk.queue)) == ["a", "b"]
    path = desk.home.pending("memory") / f"{first}.json"
    raw = json.loads(path.read_text())
    raw["payload"]["content"] = "c"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(raw))
    old = path.stat()
    os.utime(temporary, ns=(old.st_atime_ns, old.st_mtime_ns))  # not even the time tells
    temporary.replace(path)
    (desk.home.pending("memory") / f"{second}.json").unlink()
    assert contents(desk.queue) == ["c"]


def test_a_record_that_stays_is_not_read_again(desk: Desk) -> None:
    read: list[str] = []
    queue = PendingQueue(
        desk.home,
        library=desk.library,
        disk=Disk(fault=lambda call, path: read.append(path.name) if call == "read" else None),
    )
    for text in "ab":
        desk.queue.stage({"action": "add", "target": "memory", "content": text})
    queue.load()
    read.clear()
    added = desk.queue.stage({"action": "add", "target": "memory", "content": "c"})
    assert len(queue.load().records) == 3
    assert read == [f"{added}.json"]
