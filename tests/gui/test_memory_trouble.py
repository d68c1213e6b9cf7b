"""Files that the agent ignores or would not write: named, explained, never touched by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction

from gui.widgets.bars import Banner
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent


def banner(desk: MemoryDriver, target: str = "memory") -> str:
    notice = desk.find(Banner, f"{target}_banner").notice()
    return "" if notice is None else f"{notice.strong} {notice.text}"


def enabled(desk: MemoryDriver, action: str) -> bool:
    found = desk.column("memory").findChild(QAction, f"memory_{action}")
    assert found is not None
    return found.isEnabled()


def test_a_file_in_drift_says_what_is_wrong_and_offers_only_add(
    start: Start, empty_home: Path
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_bytes("one\n\n§\n\ntwo".encode())
    desk = start(empty_home)
    assert "cannot be updated by the agent" in banner(desk)
    assert "spacing" in banner(desk)
    assert not enabled(desk, "edit")
    assert not enabled(desk, "delete")
    desk.column("memory").begin_edit(("one", 0))
    assert desk.column("memory").editor() is None
    desk.click("memory_add")
    desk.qtbot.keyClicks(desk.editor("memory").field, "three")
    desk.save(desk.editor("memory"))
    desk.wait(lambda: entries_of(path) == ["one", "two", "three"], "the mended file")
    desk.wait(lambda: banner(desk) == "", "the banner to go")
    assert ".bak." in desk.toast()
    assert [copy.read_bytes() for copy in path.parent.glob("*.bak.*")] == [
        "one\n\n§\n\ntwo".encode()
    ]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"User prefers caf\xe9 mode", "16"),
        ("第一条\n§\n第二条".encode("gbk"), "UTF-8"),
        ("one".encode("utf-16"), "UTF-16"),
    ],
    ids=["latin-1", "gbk", "utf-16"],
)
def test_a_file_that_is_no_utf8_is_named_and_left_alone(
    start: Start, empty_home: Path, data: bytes, says: str
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_bytes(data)
    desk = start(empty_home)
    assert "MEMORY.md cannot be read." in banner(desk)
    assert says in banner(desk)
    assert not desk.sees("memory_add")
    desk.column("memory").begin_add()
    assert desk.column("memory").editor() is None
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("config", "says", "action", "after"),
    [
        (
            "memory:\n  memory_enabled: false  # for now\n",
            "memory.memory_enabled is off (line 2 of config.yaml)",
            "Switch on",
            "memory:\n  memory_enabled: true  # for now\n",
        ),
        ("# mine\nmemory: nothing\n", "(line 2)", "Remove that line", "# mine\n"),
        (
            'memory:\n  memory_char_limit: "3000"\n',
            "memory.memory_char_limit in config.yaml is no plain number",
            "Set it to 3,000",
            "memory:\n  memory_char_limit: 3000\n",
        ),
    ],
    ids=["switched off", "no mapping", "quoted limit"],
)
def test_a_file_that_the_agent_ignores_says_where_that_is_set_and_mends_it(
    start: Start, empty_home: Path, config: str, says: str, action: str, after: str
) -> None:
    (empty_home / "config.yaml").write_text(config)
    write_as_agent(empty_home / "memories" / "MEMORY.md", "one")
    desk = start(empty_home)
    assert "The agent ignores MEMORY.md." in banner(desk)
    assert says in banner(desk)
    notice = desk.find(Banner, "memory_banner").notice()
    assert notice is not None
    assert notice.action == action
    desk.click("memory_banner_action")
    desk.wait(lambda: banner(desk) == "", "the banner to go")
    assert (empty_home / "config.yaml").read_text() == after


def test_a_limit_of_nothing_is_named_as_the_cause_and_can_be_set(
    start: Start, empty_home: Path
) -> None:
    (empty_home / "config.yaml").write_text("memory:\n  memory_char_limit: 0\n")
    write_as_agent(empty_home / "memories" / "MEMORY.md", "one")
    desk = start(empty_home)
    assert "memory.memory_char_limit in config.yaml is 0" in banner(desk)
    desk.click("memory_banner_action")
    desk.wait(lambda: banner(desk) == "", "the banner to go")
    assert (empty_home / "config.yaml").read_text() == "memory:\n  memory_char_limit: 2200\n"


def test_adding_is_not_offered_to_a_file_whose_one_entry_is_over_the_budget(
    start: Start, empty_home: Path
) -> None:
    write_as_agent(empty_home / "memories" / "MEMORY.md", "h" * 3000)
    desk = start(empty_home)
    assert "longer than the whole budget" in banner(desk)
    assert "Adding" not in banner(desk)


def test_a_profile_switched_off_leaves_the_other_file_alone(start: Start, empty_home: Path) -> None:
    (empty_home / "config.yaml").write_text("memory:\n  user_profile_enabled: false\n")
    desk = start(empty_home)
    assert banner(desk) == ""
    assert "The agent ignores USER.md." in banner(desk, "user")


def test_a_change_of_config_shows_at_once(desk: MemoryDriver, hermes_home: Path) -> None:
    assert banner(desk) == ""
    config = hermes_home / "config.yaml"
    text = config.read_text()
    assert "memory:\n" in text
    config.write_text(text.replace("memory:\n", "memory:\n  memory_enabled: false\n", 1))
    desk.wait(lambda: "ignores" in banner(desk), "the banner")


def test_a_refusal_without_an_editor_stands_above_the_cards(
    desk: MemoryDriver, hermes_home: Path
) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    (hermes_home / "memories" / "USER.md").write_bytes(b"not \xff utf-8")
    text = entries_of(memory)[0]
    before = memory.read_bytes()
    desk.choose("memory", text)
    desk.act("memory", "move")
    desk.wait(lambda: desk.sees("memory_problem"), "the refusal")
    assert "UTF-8" in desk.text("memory_problem_text")
    assert memory.read_bytes() == before
    desk.click("memory_problem_action")
    assert not desk.sees("memory_problem")


def test_a_file_that_may_not_be_read_is_not_empty(start: Start, empty_home: Path) -> None:
    # As root everything can be read; what the page does with it is shown by a fault of the disk.
    from store import files

    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, "one")
    read = files.Disk.read

    def refuse(self: files.Disk, wanted: Path) -> object:
        if wanted == path:
            return files.Unreadable(str(wanted), "Permission denied")
        return read(self, wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files.Disk, "read", refuse)
        desk = start(empty_home)
        assert "MEMORY.md cannot be read." in banner(desk)
        assert "Permission denied" in banner(desk)
        assert not desk.sees("memory_empty")
    assert entries_of(path) == ["one"]
