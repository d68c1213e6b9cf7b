"""A key goes through every way of the window, and its bytes stay nowhere but in the keyring."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from store.home import HermesHome
from store.secrets.index import service_of
from store.secrets.ring import Keyring
from store.secrets.states import Present
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.providers_driver import ProvidersDriver
from tests.gui.test_cli_secrets import processes_with
from tests.gui.test_keys_page import KeysDriver

CANARY = "sk-canary-5d1e77-window"
NAMES = ("MY_MODEL_API_KEY", "HINDSIGHT_API_KEY", "MEM0_API_KEY", "OPENAI_API_KEY")
"""Set on the page, in a provider's form, moved from .env, kept in .env by choice."""

pytestmark = pytest.mark.skipif(
    "MEMORY_DESK_TEST_DESKTOP" not in os.environ, reason="needs a keyring of ours"
)


@pytest.fixture
def keyring(empty_home: Path) -> Iterator[Keyring]:
    """The real keyring of the desktop, with nothing of this test left in it afterwards."""
    found = Keyring(limit=20.0)
    yield found
    for name in NAMES:
        found.delete(service_of(_home(empty_home)), name)


@pytest.mark.timeout(180)
def test_a_key_leaves_its_bytes_nowhere_but_in_the_keyring(
    start: Start,
    empty_home: Path,
    keyring: Keyring,
    desk_dirs: DeskDirs,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    qtlog: object,
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD")):
            monkeypatch.delenv(name)
    (empty_home / ".env").write_text(f"# mine\nMEM0_API_KEY={CANARY}\nX=1\n", "utf-8")
    (empty_home / "config.yaml").write_text("model: {api_key: '${MY_MODEL_API_KEY}'}\n", "utf-8")
    desk = start(empty_home)
    service = service_of(_home(empty_home))

    def look(*, but: tuple[Path, ...] = ()) -> None:
        assert CANARY not in _shown(desk.window)
        for place in (tmp_path, empty_home, desk_dirs.data, desk_dirs.config, desk_dirs.log):
            assert _traces(place, but) == []
        assert processes_with(CANARY.encode()) == []

    dotenv = empty_home / ".env"
    # Set, replaced: typed text is all that the window ever has of it.
    keys = KeysDriver(desk)
    look(but=(dotenv,))
    keys.page.begin_new()
    keys.type(CANARY, "MY_MODEL_API_KEY")
    assert keyring.read(service, "MY_MODEL_API_KEY") == Present(_secret(CANARY))
    keys.act("MY_MODEL_API_KEY", "key_replace")
    keys.type(CANARY + "-2")
    assert keyring.read(service, "MY_MODEL_API_KEY") == Present(_secret(CANARY + "-2"))
    look(but=(dotenv,))
    # Half typed and left.
    keys.page.begin_new()
    desk.qtbot.keyClicks(desk.find(QLineEdit, "key_value"), CANARY)
    # In the form of a provider.
    page = ProvidersDriver(desk)
    look(but=(dotenv,))
    page.choose("hindsight")
    page.press("api_key", "set")
    desk.qtbot.keyClicks(page.line("api_key"), CANARY)
    page.desk.rest()
    assert CANARY not in _labels(desk.window)
    page.save()
    assert keyring.read(service, "HINDSIGHT_API_KEY") == Present(_secret(CANARY))
    look(but=(dotenv,))
    # Moved, and handed over: what Hermes starts says it, and nobody else.
    keys = KeysDriver(desk)
    keys.act("MEM0_API_KEY", "key_move")
    assert keyring.read(service, "MEM0_API_KEY") == Present(_secret(CANARY))
    assert dotenv.read_text("utf-8") == "# mine\nX=1\n"
    look()
    desk.click("handover_apply")
    desk.rest()
    (record,) = empty_home.glob("plugins/*/command.json")
    command = json.loads(record.read_text("utf-8"))["command"]
    asked = subprocess.run(
        [*command, "--home", str(empty_home), "--json", "secrets", "export"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert asked.stdout.count(CANARY) == 3, asked.stderr
    look()
    desk.click("handover_undo")
    desk.rest()
    # Cleared.
    desk.asker.answers = [True, True, True]
    for name in NAMES[:3]:
        keys.act(name, "key_clear")
        assert not isinstance(keyring.read(service, name), Present)
    look()
    # Refused by a locked keyring: kept in the field to try again, and forgotten with the page.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.Locked")
    desk = start(empty_home)
    keys = KeysDriver(desk)
    keys.page.begin_new()
    keys.type(CANARY, "OPENAI_API_KEY")
    assert desk.text("key_problem")
    assert CANARY not in _labels(desk.window)
    assert desk.find(QLineEdit, "key_value").echoMode() == QLineEdit.EchoMode.Password
    assert [_traces(place, ()) for place in (tmp_path, empty_home, desk_dirs.data)] == [[]] * 3
    desk.window.open_page("memory")
    desk.rest()
    look()
    assert not list(temporary.iterdir())
    said = capfd.readouterr()
    assert CANARY not in said.out + said.err
    assert not [one for one in qtlog.records if CANARY in one.message]  # type: ignore[attr-defined]


def test_the_pixels_of_a_typed_key_tell_only_its_length(start: Start, empty_home: Path) -> None:
    QApplication.setCursorFlashTime(0)
    desk = start(empty_home)
    keys = KeysDriver(desk)
    keys.page.begin_new()
    field = desk.find(QLineEdit, "key_value")
    seen = []
    for typed in (CANARY, CANARY.swapcase(), CANARY.replace("5d1e77", "9a4c20"), CANARY[:-1]):
        field.clear()
        desk.qtbot.keyClicks(field, typed)
        desk.rest()
        seen.append(desk.window.grab().toImage())
    assert seen[0] == seen[1] == seen[2]
    assert seen[0] != seen[3]
    field.clear()


def _home(path: Path) -> HermesHome:
    return HermesHome(path, path, "default")


def _secret(value: str) -> object:
    from store.secrets.states import Secret

    return Secret(value)


def _traces(place: Path, but: tuple[Path, ...]) -> list[str]:
    found = []
    for path in place.rglob("*"):
        if CANARY in path.name:
            found.append(f"the name of {path}")
        if path.is_file() and not path.is_symlink() and path not in but:
            data = path.read_bytes()
            forms = (CANARY.encode(), CANARY.encode("utf-16-le"), CANARY[::-1].encode())
            found += [str(path) for form in forms if form in data]
    return found


def _labels(window: QWidget) -> str:
    texts = [window.windowTitle(), QApplication.clipboard().text()]
    for widget in window.findChildren(QWidget):
        texts += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        texts += [widget.whatsThis(), widget.statusTip()]
        if isinstance(widget, QLabel | QAbstractButton):
            texts.append(widget.text())
        elif isinstance(widget, QComboBox):
            texts += [widget.itemText(row) for row in range(widget.count())]
        elif isinstance(widget, QPlainTextEdit | QTextEdit):
            texts.append(widget.toPlainText())
    return "\n".join(texts)


def _shown(window: QWidget) -> str:
    """Every text of the window, what is typed in its lines included."""
    lines = [line.text() + line.placeholderText() for line in window.findChildren(QLineEdit)]
    return "\n".join([_labels(window), *lines])
