"""Colours by role: complete, readable, from one place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QStyleHints
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gui.theme import Scheme, Theme, mono_font, roles

ROOT = Path(__file__).resolve().parents[2]

GROUNDS_OF = {
    "text": ["background", "side", "card", "hover", "accent_background", "warn_background",
             "bad_background"],
    "dim": ["background", "side", "card", "hover", "accent_background"],
    "accent": ["background", "card", "accent_background"],
    "accent_text": ["accent", "accent_hover"],
    "ok": ["card", "background", "ok_background"],
    "warn": ["card", "background", "warn_background"],
    "bad": ["card", "background", "bad_background"],
    "added": ["added_background"],
    "removed": ["removed_background"],
    "toast_text": ["toast"],
    "toast_accent": ["toast"],
}  # fmt: skip
SHAPES_ON = {"ok_bar": "track", "warn_bar": "track", "bad_bar": "track"}


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(p) for p in (color.redF(), color.greenF(), color.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(QColor(one)), luminance(QColor(other))))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", list(Scheme), ids=lambda scheme: scheme.name.lower())
def test_text_stands_out_from_every_ground_it_stands_on(scheme: Scheme) -> None:
    least = 7.0 if scheme.value >= Scheme.CONTRAST_LIGHT.value else 4.5
    table = {name: colors[scheme.value] for name, colors in roles().items()}
    faint = {
        f"{role} on {ground}": round(contrast(table[role], table[ground]), 2)
        for role, grounds in GROUNDS_OF.items()
        for ground in grounds
        if contrast(table[role], table[ground]) < least
    }
    assert faint == {}


@pytest.mark.parametrize("scheme", list(Scheme), ids=lambda scheme: scheme.name.lower())
def test_bars_and_lines_of_fields_stand_out_enough_to_be_seen(scheme: Scheme) -> None:
    table = {name: colors[scheme.value] for name, colors in roles().items()}
    for bar, track in SHAPES_ON.items():
        assert contrast(table[bar], table[track]) >= 2.5, bar


def test_every_role_that_the_style_sheet_names_exists_and_the_other_way_round() -> None:
    rules = (ROOT / "resources" / "styles" / "desk.qss").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "gui").rglob("*.py"))
    named = {name for name in re.findall(r"@(\w+)", rules) if not name.endswith("_size")}
    assert named - set(roles()) == set()
    unused = {name for name in roles() if name not in named and f'"{name}"' not in code}
    assert unused - {"ok_bar", "warn_bar", "bad_bar", "ok_background"} == set()


def test_no_python_of_the_window_names_a_colour() -> None:
    for path in (ROOT / "gui").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"#[0-9a-fA-F]{6}\b|Qt\.GlobalColor\.(?!transparent)", text), path


@pytest.mark.parametrize("wish", ["light", "dark"])
def test_the_persons_choice_comes_before_the_systems(
    qtbot: QtBot, qapp: QApplication, wish: str
) -> None:
    theme = Theme(qapp)
    try:
        theme.choose(wish)
        assert theme.scheme is (Scheme.DARK if wish == "dark" else Scheme.LIGHT)
        assert theme.color("background") == qapp.palette().window().color()
    finally:
        theme.choose("system")


class SystemHints(QObject):
    """What a desktop tells Qt; the virtual screen of the tests has none that would."""

    colorSchemeChanged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.scheme = Qt.ColorScheme.Unknown

    def colorScheme(self) -> Qt.ColorScheme:
        return self.scheme

    def turn(self, scheme: Qt.ColorScheme) -> None:
        self.scheme = scheme
        self.colorSchemeChanged.emit(scheme)


def test_the_look_follows_the_system_while_the_window_is_open(
    qtbot: QtBot, qapp: QApplication
) -> None:
    system = SystemHints()
    theme = Theme(qapp, hints=cast(QStyleHints, system))
    try:
        with qtbot.waitSignal(theme.changed):
            system.turn(Qt.ColorScheme.Dark)
        assert theme.scheme is Scheme.DARK
        assert qapp.palette().window().color() == theme.color("background")
        with qtbot.waitSignal(theme.changed):
            system.turn(Qt.ColorScheme.Light)
        assert theme.scheme is Scheme.LIGHT
        assert qapp.palette().window().color() == theme.color("background")
    finally:
        Theme(qapp)


def test_signs_are_drawn_as_they_stand_in_the_file(qapp: QApplication) -> None:
    """Some fonts draw "->" as one arrow, and the x of "62x29" as a cross."""
    theme = Theme(qapp, "light")
    calt = QFont.Tag("calt")
    for font in (theme.font(), theme.meta_font(bold=True), mono_font(theme.font()), qapp.font()):
        assert font.isFeatureSet(calt)
        assert font.featureValue(calt) == 0
    label = QLabel("62x29 -> 0x1F")
    label.setProperty("role", "meta")
    label.ensurePolished()
    assert label.font().isFeatureSet(calt)
    label.deleteLater()
