"""The Keys page: a value goes in and never comes out; where keys lie; how Hermes gets them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from gui.page_names import PAGE_NAMES
from gui.pages.keys import KeysPage
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver
from tests.gui.providers_driver import ProvidersDriver
from tests.support.keyrings import FILE

CANARY = "sk-canary-77c0ffee"
OTHER = "sk-canary-2nd-decade"


class KeysDriver:
    """The page, its cards, and the editor in the place of one."""

    def __init__(self, desk: MemoryDriver) -> None:
        self.desk = desk
        desk.window.open_page("keys")
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> KeysPage:
        page = self.desk.window.page()
        assert isinstance(page, KeysPage)
        return page

    def cards(self) -> dict[str, str]:
        return {str(card.key): card.spoken() for card in self.page.list.card_model().cards}

    def act(self, name: str, action: str) -> None:
        assert self.page.list.choose(name)
        found = self.page.findChild(QAction, action)
        assert found is not None
        assert found.isEnabled()
        found.trigger()
        self.desk.rest()

    def type(self, value: str, name: str = "") -> None:
        if name:
            self._line("key_name", name)
        self._line("key_value", value)
        self.desk.keys(self._find("key_value"), Qt.Key.Key_Return)
        self.desk.rest()

    def _line(self, line: str, text: str) -> None:
        widget = self._find(line)
        widget.setFocus()
        self.desk.qtbot.keyClicks(widget, text)

    def _find(self, line: str) -> QLineEdit:
        return self.desk.find(QLineEdit, line)


@pytest.fixture
def keyring_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.InFile")
    path = tmp_path / "keyring.json"
    monkeypatch.setenv(FILE, str(path))
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD")):
            monkeypatch.delenv(name)
    return path


@pytest.fixture
def keys(start: Start, empty_home: Path, keyring_file: Path) -> KeysDriver:
    return KeysDriver(start(empty_home))


def test_an_empty_page_says_what_would_be_here(keys: KeysDriver) -> None:
    assert keys.desk.sees("no_keys")
    assert keys.cards() == {}
    assert "InFile" in keys.desk.text("keys_keyring")


def test_a_key_is_set_replaced_and_cleared_and_stays_nowhere_else(
    keys: KeysDriver, keyring_file: Path, empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    keys.page.begin_new()
    keys.type(CANARY, "MEM0_API_KEY")
    assert "in the keyring" in keys.cards()["MEM0_API_KEY"]
    assert CANARY in keyring_file.read_text("utf-8")
    keys.act("MEM0_API_KEY", "key_replace")
    keys.type(OTHER)
    assert OTHER in keyring_file.read_text("utf-8")
    assert CANARY not in keyring_file.read_text("utf-8")
    for secret in (CANARY, OTHER):
        assert _traces(secret, tmp_path, keyring_file) == []
        assert secret not in _shown(keys.desk.window)
    keys.desk.asker.answers = [True]
    keys.act("MEM0_API_KEY", "key_clear")
    assert json.loads(keyring_file.read_text("utf-8")) == {}
    assert keys.cards() == {}


def test_what_is_half_typed_is_forgotten_when_the_page_is_left(keys: KeysDriver) -> None:
    keys.page.begin_new()
    line = keys.desk.find(QLineEdit, "key_value")
    keys.desk.qtbot.keyClicks(line, CANARY)
    assert keys.page.unsaved()
    keys.desk.window.open_page("memory")
    keys.desk.rest()
    assert line.text() == ""


def test_a_key_in_a_plain_file_is_moved_and_every_other_byte_stays(
    start: Start, empty_home: Path, keyring_file: Path
) -> None:
    dotenv = empty_home / ".env"
    dotenv.write_bytes(f"# mine\nA=1\nOPENAI_API_KEY={CANARY}\nB=2".encode())
    dotenv.chmod(0o644)
    keys = KeysDriver(start(empty_home))
    spoken = keys.cards()["OPENAI_API_KEY"]
    assert "readable in .env, line 3" in spoken
    assert "others can read it" in spoken
    assert CANARY not in spoken
    keys.act("OPENAI_API_KEY", "key_tighten")
    assert dotenv.stat().st_mode & 0o777 == 0o600
    keys.act("OPENAI_API_KEY", "key_move")
    assert dotenv.read_bytes() == b"# mine\nA=1\nB=2"
    assert CANARY in keyring_file.read_text("utf-8")
    assert "in the keyring" in keys.cards()["OPENAI_API_KEY"]


@pytest.mark.parametrize("backend", ["Locked", "Weak"])
def test_without_a_keyring_nothing_is_written_unless_the_person_chooses_it(
    start: Start,
    empty_home: Path,
    keyring_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    backend: str,
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", f"tests.support.keyrings.{backend}")
    keys = KeysDriver(start(empty_home))
    if backend == "Locked":  # one that is there, but refuses: what was typed stays to try again
        keys.page.begin_new()
        keys.type(CANARY, "MEM0_API_KEY")
        assert keys.desk.text("key_problem")
        assert keys.desk.find(QLineEdit, "key_value").text() == CANARY
        assert not (empty_home / ".env").exists()
        return
    assert keys.desk.sees("keys_trouble")
    keys.page.begin_new()
    assert "can read the key" in keys.desk.text("key_words")
    assert not (empty_home / ".env").exists()
    keys.type(CANARY, "MEM0_API_KEY")
    assert (empty_home / ".env").read_text("utf-8") == f"MEM0_API_KEY={CANARY}\n"
    assert (empty_home / ".env").stat().st_mode & 0o077 == 0


def test_the_handover_is_set_up_and_taken_back_to_the_byte(
    start: Start, empty_home: Path, keyring_file: Path
) -> None:
    config = empty_home / "config.yaml"
    config.write_text("# mine\nmemory:\n  memory_enabled: true  # yes\n", "utf-8")
    before = _bytes(empty_home)
    keys = KeysDriver(start(empty_home))
    assert "does not read the keyring yet" in keys.desk.text("handover_title")
    keys.desk.click("handover_apply")
    keys.desk.rest()
    assert "takes its keys from the keyring" in keys.desk.text("handover_title")
    assert (empty_home / "plugins").is_dir()
    keys.desk.click("handover_undo")
    keys.desk.rest()
    assert _bytes(empty_home) == before


def test_a_broken_handover_offers_repair(
    start: Start, empty_home: Path, keyring_file: Path
) -> None:
    keys = KeysDriver(start(empty_home))
    keys.desk.click("handover_apply")
    keys.desk.rest()
    (record,) = empty_home.glob("plugins/*/command.json")
    record.write_text(json.dumps({"command": ["/gone/memory-desk"]}), "utf-8")
    keys.page.refresh()
    keys.desk.rest()
    assert "broken" in keys.desk.text("handover_title")
    keys.desk.click("handover_repair")
    keys.desk.rest()
    assert "takes its keys" in keys.desk.text("handover_title")


def test_the_keyring_is_not_asked_by_other_pages_and_no_item_is_read_by_any(
    start: Start, hermes_home: Path, keyring_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (hermes_home / "config.yaml").open("a", encoding="utf-8") as config:
        config.write("\nmodel: {api_key: '${RETAINDB_API_KEY}'}\n")
    keys = KeysDriver(start(hermes_home))
    for name in ("RETAINDB_API_KEY", "HONCHO_API_KEY"):
        keys.page.begin_new()
        keys.type(CANARY, name)
    keys.desk.close()
    asked = keyring_file.with_name("asked")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.Counting")
    monkeypatch.setenv("DESK_TEST_ASKED", str(asked))
    desk = start(hermes_home)
    for page in PAGE_NAMES:
        if page not in ("providers", "keys"):
            desk.window.open_page(page)
            desk.rest()
            assert not asked.exists(), page
    # The two may learn which keyring there is; a key is set or not by the desk's own index.
    providers = ProvidersDriver(desk)
    for name in ("retaindb", "honcho"):
        providers.choose(name)
    shown = KeysDriver(desk)
    assert "in the keyring" in shown.cards()["RETAINDB_API_KEY"]
    assert set(asked.read_text("utf-8").split("\n")) == {"asked", ""}
    # And it would be seen.
    shown.act("RETAINDB_API_KEY", "key_replace")
    shown.type(OTHER)
    assert "read RETAINDB_API_KEY" in asked.read_text("utf-8")


def _bytes(home: Path) -> dict[str, bytes]:
    files = (path for path in home.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def _traces(secret: str, place: Path, but: Path) -> list[str]:
    needle = secret.encode()
    files = (path for path in place.rglob("*") if path.is_file() and path != but)
    return [str(path) for path in files if needle in path.read_bytes()]


def _shown(window: QWidget) -> str:
    texts = [label.text() for label in window.findChildren(QLabel)]
    for widget in window.findChildren(QWidget):
        texts += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
    return "\n".join(texts) + QApplication.clipboard().text()
