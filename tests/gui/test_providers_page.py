"""The Providers page: the list, the forms, saving where the provider reads, using and asking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver
from tests.gui.providers_driver import ProvidersDriver
from tests.support.keyrings import FILE

EIGHT = {
    *("byterover", "hindsight", "holographic", "honcho", "mem0"),
    *("openviking", "retaindb", "supermemory"),
}


@pytest.fixture
def page(start: Start, empty_home: Path) -> ProvidersDriver:
    return ProvidersDriver(start(empty_home))


def _config(home: Path) -> Path:
    return home / "hindsight" / "config.json"


def test_the_built_in_memory_and_all_eight_are_listed(page: ProvidersDriver) -> None:
    cards = page.cards()
    assert set(cards) >= {"", *EIGHT}
    assert "always on" in cards[""]
    assert page.chosen() == ""


def test_a_form_comes_up_for_each_and_leaves_every_byte(
    page: ProvidersDriver, empty_home: Path
) -> None:
    before = _bytes(empty_home)
    for name in sorted(EIGHT):
        page.choose(name)
        assert page.shown(), name
        assert not page.detail.edited_rows()
    assert _bytes(empty_home) == before


def test_looking_at_every_form_of_a_real_home_leaves_every_byte(
    start: Start, hermes_home: Path
) -> None:
    odd = {
        "hindsight/config.json": '\ufeff{"mode": "elsewhere",\t"bank_id": 7, "x": [1.0, 1e3]}',
        "honcho.json": '{"hosts": {"hermes": {"saveMessages": "no", "sessions": {"a": 1}}}}',
        "mem0.json": '{"rerank": "perhaps", "api_key": "kept", "api_key": "twice"}',
        "supermemory.json": '{"max_recall_results": 99, ',
    }
    for name, text in odd.items():
        (hermes_home / name).parent.mkdir(exist_ok=True)
        (hermes_home / name).write_text(text, "utf-8")
    with (hermes_home / "config.yaml").open("a", encoding="utf-8") as config:
        config.write("\nplugins:\n  hermes-memory-store: {hrr_dim: '12', auto_extract: yes}\n")
    before = {name: data for name, data in _bytes(hermes_home).items() if "state.db-" not in name}
    desk = start(hermes_home)
    for profile in ("default", "work"):
        if profile != "default":
            desk.window.side.profile_wanted.emit(profile)
            desk.wait(lambda: _profile(desk) == profile, profile)  # noqa: B023 - waited for here
            desk.rest()
        page = ProvidersDriver(desk)
        for name in sorted(EIGHT):
            detail = page.choose(name)
            detail._switch_scope()
            desk.rest()
            assert not detail.edited_rows(), name
            page.save()
    desk.close()
    # What SQLite keeps beside a database of conversations is not ours.
    after = _bytes(hermes_home)
    assert {name: after[name] for name in after if "state.db-" not in name} == before


def _profile(desk: MemoryDriver) -> str:
    opened = desk.program.place.desk
    return "" if opened is None else opened.home.profile


def test_a_value_is_saved_where_the_provider_reads_it_and_undone(
    page: ProvidersDriver, empty_home: Path
) -> None:
    _config(empty_home).parent.mkdir()
    _config(empty_home).write_text('{"bank_id": "mine", "custom": 1}', "utf-8")
    page.desk.wait(lambda: _source(page, "bank_id").startswith("from config.json"), "the file")
    page.pick("recall_budget", _option(page, "recall_budget", "high"))
    lines = page.lines()
    assert any(line.startswith("+") and "recall_budget" in line for line in lines)
    page.save()
    saved = json.loads(_config(empty_home).read_text("utf-8"))
    assert saved == {"bank_id": "mine", "custom": 1, "recall_budget": "high"}
    assert "saved" in page.desk.toast()
    page.desk.press_toast()
    page.desk.rest()
    assert _config(empty_home).read_text("utf-8") == '{"bank_id": "mine", "custom": 1}'
    page.desk.wait(lambda: not page.detail.edited_rows(), "the old value")


def _source(page: ProvidersDriver, key: str) -> str:
    page.choose("hindsight")
    return page.label(key, "source")


def test_a_change_of_mode_changes_which_fields_there_are(page: ProvidersDriver) -> None:
    page.choose("hindsight")
    page.all_fields()
    assert "llm_model" not in page.shown()
    page.pick("mode", _option(page, "mode", "local_embedded"))
    assert "llm_model" in page.shown()
    page.pick("llm_provider", _option(page, "llm_provider", "anthropic"))
    assert page.line("llm_model").placeholderText() == "claude-haiku-4-5"


def _option(page: ProvidersDriver, key: str, value: str) -> str:
    options = {one.value: one.label for one in page.row(key).field.options}  # type: ignore[union-attr]
    return options[value]


def test_a_stored_choice_that_is_not_in_the_list_is_kept(start: Start, empty_home: Path) -> None:
    _config(empty_home).parent.mkdir()
    _config(empty_home).write_text('{"recall_budget": "enormous"}', "utf-8")
    page = ProvidersDriver(start(empty_home))
    page.choose("hindsight")
    page.type("bank_id", "other")
    page.save()
    saved = json.loads(_config(empty_home).read_text("utf-8"))
    assert saved == {"recall_budget": "enormous", "bank_id": "other"}


def test_a_file_that_does_not_parse_makes_the_form_read_only(
    start: Start, empty_home: Path
) -> None:
    _config(empty_home).parent.mkdir()
    _config(empty_home).write_text('{"mode": ', "utf-8")
    page = ProvidersDriver(start(empty_home))
    page.choose("hindsight")
    assert not page.line("bank_id").isEnabled()
    assert "config.json" in page.desk.text("provider_trouble_text")
    assert _config(empty_home).read_text("utf-8") == '{"mode": '


def test_what_is_wrong_is_said_at_the_field_and_keeps_the_form_from_being_saved(
    page: ProvidersDriver,
) -> None:
    page.choose("honcho")
    page.all_fields()
    page.type("userPeerAliases", '["a",')
    assert page.label("userPeerAliases", "problem") == "Line 1, column 6: a value is missing here."
    assert not page.page.save_action.isEnabled()


def test_a_change_from_outside_keeps_the_draft(start: Start, empty_home: Path) -> None:
    _config(empty_home).parent.mkdir()
    _config(empty_home).write_text('{"bank_id": "a"}', "utf-8")
    page = ProvidersDriver(start(empty_home))
    page.choose("hindsight")
    page.type("bank_id", "mine")
    _config(empty_home).write_text('{"bank_id": "theirs"}', "utf-8")
    page.desk.wait(page.detail.conflict.isVisible, "the conflict bar")
    assert page.line("bank_id").text() == "mine"
    page.press_in_detail("provider_conflict_keep")
    page.save()
    assert json.loads(_config(empty_home).read_text("utf-8")) == {"bank_id": "mine"}


def test_using_a_provider_says_where_turns_go_and_asks_first(
    page: ProvidersDriver, empty_home: Path
) -> None:
    config = empty_home / "config.yaml"
    before = config.read_text("utf-8") if config.exists() else ""
    page.choose("holographic")
    page.desk.asker.answers = [False]  # type: ignore[attr-defined]
    page.page.use_action.trigger()
    page.desk.rest()
    assert page.desk.asker.asked  # type: ignore[attr-defined]
    assert (config.read_text("utf-8") if config.exists() else "") == before
    page.desk.asker.answers = [True]  # type: ignore[attr-defined]
    page.page.use_action.trigger()
    page.desk.rest()
    assert "provider: holographic" in config.read_text("utf-8")
    page.desk.wait(lambda: page.page.use_action.text() == "Switch off", "the other way")
    page.page.use_action.trigger()
    page.desk.rest()
    assert "holographic" not in config.read_text("utf-8")


def test_a_link_shows_its_address_first_and_other_schemes_are_not_opened(
    page: ProvidersDriver,
) -> None:
    page.choose("honcho")
    page.desk.asker.answers = [False]  # type: ignore[attr-defined]
    page.press_in_detail("provider_docs")
    assert page.desk.asker.asked == ["Open this page in the browser?"]  # type: ignore[attr-defined]
    page.detail.link_wanted.emit("file:///etc/passwd")
    assert "Not opened" in page.desk.toast()


def test_the_list_and_the_form_are_searched(page: ProvidersDriver) -> None:
    page.choose("honcho")
    page.page.search("dialectic")
    assert page.shown()
    assert all("dialectic" in key.lower() for key in page.shown())
    page.page.search("mem0")
    assert set(page.cards()) == {"mem0"}


def test_no_text_is_cut_in_a_narrow_window(page: ProvidersDriver) -> None:
    page.desk.window.resize(640, 760)
    for name in ("holographic", "hindsight"):
        detail = page.choose(name)
        page.desk.wait(lambda: not _cut(detail), "the short form")  # noqa: B023 - waited for here
        detail._switch_scope()
        page.desk.wait(lambda: not _cut(detail), "all fields")  # noqa: B023 - waited for here
        page.page.search("s")
        page.page.search("")
        page.desk.wait(lambda: not _cut(detail), "all again")  # noqa: B023 - waited for here


def _cut(detail: QWidget) -> list[str]:
    labels = [one for one in detail.findChildren(QLabel) if one.isVisible() and one.wordWrap()]
    return [one.text() for one in labels if one.height() < one.heightForWidth(one.width())]


def test_a_draft_outlives_a_look_at_another_provider(page: ProvidersDriver) -> None:
    page.choose("hindsight")
    page.type("bank_id", "mine")
    page.choose("honcho")
    page.choose("hindsight")
    assert page.line("bank_id").text() == "mine"
    assert page.page.unsaved()
    page.page.revert()
    assert not page.page.unsaved()


def test_the_whole_page_works_by_keyboard(page: ProvidersDriver, empty_home: Path) -> None:
    page.choose("hindsight")
    desk = page.desk
    page.page.list.setFocus()
    desk.keys(page.page.list, Qt.Key.Key_Return)
    desk.wait(lambda: page.detail.isAncestorOf(_focus(desk)), "the form to have the keyboard")
    line = page.line("bank_id")
    for _ in range(40):
        if _focus(desk) is line:
            break
        desk.keys(_focus(desk), Qt.Key.Key_Tab)
    assert _focus(desk) is line
    desk.qtbot.keyClicks(line, "x")
    page.save()
    assert "bank_id" in json.loads(_config(empty_home).read_text("utf-8"))


def test_a_key_goes_to_the_keyring_and_into_no_file(
    start: Start, empty_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "keyring.json"
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.InFile")
    monkeypatch.setenv(FILE, str(kept))
    page = ProvidersDriver(start(empty_home))
    page.choose("supermemory")
    assert page.label("api_key", "source") in ("not set", "required")
    page.press("api_key", "set")
    page.type("api_key", "sk-canary-1")
    page.save()
    assert "sk-canary-1" in kept.read_text("utf-8")
    assert page.label("api_key", "source") == "in the keyring"
    assert not any(b"canary" in data for data in _bytes(empty_home).values())
    page.press("api_key", "clear")
    page.save()
    assert json.loads(kept.read_text("utf-8")) == {}
    assert page.label("api_key", "source") in ("not set", "required")


def _focus(_: object) -> QWidget:
    focused = QApplication.focusWidget()
    assert focused is not None
    return focused


def _bytes(home: Path) -> dict[str, bytes]:
    files = (path for path in home.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def test_opening_the_page_with_the_home_is_no_change_from_outside(
    start: Start, empty_home: Path
) -> None:
    desk = start(empty_home, page="providers")
    heard: list[object] = []
    desk.program.place.store_changed.connect(heard.append)
    ProvidersDriver(desk)
    desk.wait(lambda: not desk.program.tasks.busy, "rest")
    outside = [one for one in heard if one.initiator is None]  # type: ignore[attr-defined]
    assert outside == []
