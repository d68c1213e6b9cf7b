"""A folder of hostile plugins in the window: the page stays at hand, plain and bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.forms.form import SCREENFUL, Form
from gui.theme import Theme
from schema.fields import Declaration, Field, Group, Text
from tests.gui.conftest import Start
from tests.gui.providers_driver import ProvidersDriver
from tests.support.fake_hermes import new_style, put_plugin

PLAIN = "class Provider(MemoryProvider):\n    pass\n"
MARKUP = (
    '<b>bold</b><img src="file:///etc/passwd"><a href="http://evil.example/x">go</a>&amp;\u202e'
)
FIELDS = (
    f"ProviderField(key='a', label={MARKUP!r}, description={MARKUP!r}, placeholder={MARKUP!r}, "
    f"info={MARKUP!r}), "
    f"ProviderField(key='s', label='S & &T', kind='select', options=(Option('v', {MARKUP!r}, "
    f"{MARKUP!r}),)), "
    f"ProviderField(key='k', label={MARKUP!r}, kind='secret', env_key='EVIL_API_KEY'), "
    f"ProviderField(key='j', label='J', kind='json', group={MARKUP!r})"
)


@pytest.fixture
def hostile(empty_home: Path, tmp_path: Path) -> Path:
    """Fill the home's plugins; a file appears at the path that is given if any of them is run."""
    plugins, mark = empty_home / "plugins", tmp_path / "was-run"
    run = f"open({str(mark)!r}, 'w').close()\n"
    one = "ProviderField(key='a', label='A')"
    put_plugin(plugins / "writes", run + PLAIN, run + new_style(one, name="writes"))
    put_plugin(plugins / "loops", "while True: pass\n" + PLAIN, "while True: pass\n")
    put_plugin(plugins / "deep", PLAIN, "CONFIG_SCHEMA = " + "(" * (50 << 20) + ")" * (50 << 20))
    many = "*[ProviderField(key=f'k{i}', label='x') for i in range(10**6)]"
    put_plugin(plugins / "many", PLAIN, new_style(many, name="many"))
    some = ", ".join(f"ProviderField(key='k{i}', label='Field {i}')" for i in range(600))
    put_plugin(plugins / "some", PLAIN, new_style(some, name="some"))
    put_plugin(plugins / "escapes", PLAIN, new_style(one, name="../../x"))
    put_plugin(
        plugins / "markup",
        PLAIN,
        new_style(FIELDS, name="markup", more="docs_url='file:///etc/passwd',"),
        f"description: {MARKUP!r}\nversion: '<h1>1</h1>'\n",
    )
    put_plugin(plugins / "a b", PLAIN)
    return mark


@pytest.mark.timeout(120)
def test_a_hostile_folder_is_shown_as_plain_text_and_never_run(
    start: Start, empty_home: Path, hostile: Path
) -> None:
    before = _files(empty_home)
    page = ProvidersDriver(start(empty_home))
    assert {"writes", "loops", "deep", "many", "some", "escapes", "markup"} <= set(page.cards())
    assert "broken" in page.cards()["a b"]
    for name, said in (
        ("loops", ""),
        ("deep", "too large"),
        ("many", "items"),
        ("escapes", "cannot be the name"),
    ):
        assert page.page.list.choose(name)
        page.desk.wait(lambda: page.detail.is_shown(), name)
        page.desk.rest()
        assert said in _said(page.detail.unread), name
        assert page.shown() == []
    assert page.page.list.choose("a b")
    page.desk.rest()
    assert "no provider of this name" in _said(page.desk.window)
    page.choose("writes")
    assert page.shown() == ["a"]
    page.choose("markup")
    page.all_fields() if "j" not in page.shown() else None
    labels = page.desk.window.findChildren(QLabel)
    assert any("<b>bold</b>" in label.text() for label in labels)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    # A tooltip cannot be told its format: a text that would be taken for rich must be disarmed.
    tips = [one.toolTip() for one in page.desk.window.findChildren(QWidget) if one.toolTip()]
    assert not [tip for tip in tips if RichText.mightBeRichText(tip) and "&lt;" not in tip]
    assert not hostile.exists(), "a plugin was run"
    assert _files(empty_home) == before


def test_a_form_of_many_fields_is_searched_a_screenful_at_a_time(
    start: Start, empty_home: Path, hostile: Path
) -> None:
    page = ProvidersDriver(start(empty_home))
    page.choose("some")
    page.desk.wait(lambda: len(page.shown()) == 500, "the first 500, and no more")
    page.page.search("field 49")
    assert len(page.shown()) == 11
    page.page.search("")
    assert len(page.shown()) <= 11 + SCREENFUL
    page.desk.wait(lambda: len(page.shown()) == 500, "all fields again")
    page.choose("writes")
    assert page.shown() == ["a"]


def test_few_rows_are_made_and_shown_in_one_turn(qtbot: QtBot, theme: Theme) -> None:
    fields: tuple[Field, ...] = tuple(Text(key=f"k{n}", label=f"Field {n}") for n in range(500))
    form = Form(Declaration((Group("", "All"),), fields), theme, name="form")
    qtbot.addWidget(form)
    form.show()
    made = 0
    for step in form.build_steps():
        step()
        assert len(form.rows) - made <= 3
        made = len(form.rows)
    assert made == 500
    assert form.filter("") == 500
    assert sum(row.isVisible() for row in form.rows.values()) == SCREENFUL
    # A new search while the rest is on its way: only what fits it comes.
    assert form.filter("field 49") == 11
    qtbot.waitUntil(lambda: sum(row.isVisible() for row in form.rows.values()) == 11)
    assert form.filter("") == 500
    qtbot.waitUntil(lambda: all(row.isVisible() for row in form.rows.values()), timeout=20_000)


def _said(bar: QWidget) -> str:
    return " ".join(label.text() for label in bar.findChildren(QLabel))


def _files(home: Path) -> dict[str, int]:
    return {str(path): path.stat().st_size for path in home.rglob("*") if path.is_file()}
