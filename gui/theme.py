"""Colours by role, sizes and the style sheet, for light, dark and high contrast.

The colours stand in `resources/styles/roles.txt`, the rules in `resources/styles/desk.qss`.
Nothing else in the window names a colour.
"""

from __future__ import annotations

import os
import re
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette

import resources

if TYPE_CHECKING:
    from importlib.abc import ResourceLoader

    from PySide6.QtGui import QStyleHints
    from PySide6.QtWidgets import QApplication

GRID = 8
"""Distances are multiples of this; inside cards of half of it."""
HALF = GRID // 2
RADIUS = 8
SIDE_WIDTH = 196
BAR = 12
"""The room right of a column in which its scroll bar runs."""
LINE_HEIGHT = 1.45
"""Of memory text, so that Chinese and Latin sit well on one line."""

_TITLE, _HEAD, _META = 1.4, 1.1, 0.9

# Where no desktop names a font, Qt says "Sans Serif" at 9 points: then what is good and there.
_UNNAMED = "Sans Serif"
_GOOD_FONTS = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans")
_GOOD_SIZE = 10.0
# Han characters get their Simplified Chinese forms, whatever the system's locale.
_HAN_FONTS = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei UI")


class Scheme(Enum):
    """The columns of roles.txt, in their order."""

    LIGHT = 0
    DARK = 1
    CONTRAST_LIGHT = 2
    CONTRAST_DARK = 3


@cache
def roles() -> dict[str, tuple[str, str, str, str]]:
    """Give every role with its colour in each scheme, as `#rrggbb`."""
    table: dict[str, tuple[str, str, str, str]] = {}
    for line in _style("roles.txt").splitlines():
        if line and not line.startswith("# "):
            name, light, dark, contrast_light, contrast_dark = line.split()
            table[name] = (light, dark, contrast_light, contrast_dark)
    return table


class Theme(QObject):
    """The look in use. Follows the system as long as `wish` is "system"."""

    changed = Signal()

    def __init__(
        self, app: QApplication, wish: str = "system", hints: QStyleHints | None = None
    ) -> None:
        super().__init__()
        self._app = app
        self._wish = wish
        self._hints = hints or app.styleHints()
        self._colors: dict[str, QColor] = {}
        self.scheme = Scheme.LIGHT
        app.setFont(_ui_font(app.font()))
        self.apply()
        self._hints.colorSchemeChanged.connect(self.apply)
        if hasattr(self._hints, "accessibility"):  # Qt 6.10
            self._hints.accessibility().contrastPreferenceChanged.connect(self.apply)

    def choose(self, wish: str) -> None:
        """Take "light", "dark" or "contrast", or follow the "system"."""
        self._wish = wish
        schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
        self._hints.setColorScheme(schemes.get(wish, Qt.ColorScheme.Unknown))
        self.apply()

    def color(self, role: str) -> QColor:
        """Give the colour of a role of roles.txt in the scheme in use."""
        found = self._colors.get(role)
        if found is None:
            found = self._colors[role] = QColor(roles()[role][self.scheme.value])
        return found

    def font(self, scale: float = 1.0, *, bold: bool = False) -> QFont:
        """Give the window's font, `scale` times its size."""
        font = QFont(self._app.font())
        if scale != 1.0:
            font.setPointSizeF(_points(font) * scale)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def meta_font(self, *, bold: bool = False) -> QFont:
        """Give the font of what stands below a text: sizes, ages, marks."""
        return self.font(_META, bold=bold)

    def apply(self, *_: object) -> None:
        """Take over what the system or the person now wants."""
        self.scheme = self._wanted()
        self._colors.clear()
        self._app.setPalette(self._palette())
        self._app.setStyleSheet(self._style_sheet())
        self.changed.emit()

    def _wanted(self) -> Scheme:
        hints = self._hints
        dark = self._wish == "dark" or (
            self._wish in ("system", "contrast") and hints.colorScheme() == Qt.ColorScheme.Dark
        )
        contrast = self._wish == "contrast"
        if self._wish == "system" and hasattr(hints, "accessibility"):
            high = Qt.ContrastPreference.HighContrast
            contrast = hints.accessibility().contrastPreference() == high
        if contrast:
            return Scheme.CONTRAST_DARK if dark else Scheme.CONTRAST_LIGHT
        return Scheme.DARK if dark else Scheme.LIGHT

    def _palette(self) -> QPalette:
        palette = QPalette()
        for part, role in (
            (QPalette.ColorRole.Window, "background"),
            (QPalette.ColorRole.WindowText, "text"),
            (QPalette.ColorRole.Base, "card"),
            (QPalette.ColorRole.AlternateBase, "hover"),
            (QPalette.ColorRole.Text, "text"),
            (QPalette.ColorRole.PlaceholderText, "dim"),
            (QPalette.ColorRole.Button, "card"),
            (QPalette.ColorRole.ButtonText, "text"),
            (QPalette.ColorRole.ToolTipBase, "card"),
            (QPalette.ColorRole.ToolTipText, "text"),
            (QPalette.ColorRole.Highlight, "accent"),
            (QPalette.ColorRole.HighlightedText, "accent_text"),
            (QPalette.ColorRole.Accent, "accent"),
            (QPalette.ColorRole.Link, "accent"),
        ):
            palette.setColor(part, self.color(role))
        for part in (
            QPalette.ColorRole.Text,
            QPalette.ColorRole.ButtonText,
            QPalette.ColorRole.WindowText,
        ):
            palette.setColor(QPalette.ColorGroup.Disabled, part, self.color("dim"))
        return palette

    def _style_sheet(self) -> str:
        points = _points(self._app.font())
        values = {name: colors[self.scheme.value] for name, colors in roles().items()}
        values |= {
            "title_size": f"{points * _TITLE:.1f}pt",
            "head_size": f"{points * _HEAD:.1f}pt",
            "meta_size": f"{points * _META:.1f}pt",
        }
        return re.sub("@([a-z_]+)", lambda found: values[found[1]], _rules())


@cache
def _rules() -> str:
    return _style("desk.qss")


def _style(name: str) -> str:
    # What importlib.resources does, without its 6 ms: the window waits for this one.
    loader = cast("ResourceLoader", resources.__loader__)
    folder = os.path.dirname(str(resources.__file__))
    return loader.get_data(os.path.join(folder, "styles", name)).decode("utf-8")


def _points(font: QFont) -> float:
    """Give the size in points, also of a font that is set in pixels."""
    points = font.pointSizeF()
    return points if points > 0 else QFontInfo(font).pointSizeF()


def _ui_font(font: QFont) -> QFont:
    """Give the system's font at its size, followed by fonts for Han characters."""
    font = QFont(font)
    families = [font.family()]
    if font.family() == _UNNAMED:
        families = [*_GOOD_FONTS, _UNNAMED]
        font.setPointSizeF(_GOOD_SIZE)
    font.setFamilies([*families, *_HAN_FONTS])
    if hasattr(font, "setFeature"):
        # Fonts for programs draw an arrow for "->" and a cross for the x of "62x29": that is not
        # what stands in the file.
        font.setFeature(QFont.Tag("calt"), 0)
    return font


def mono_font(font: QFont) -> QFont:
    """Give a font of fixed width for files and diffs, in the size of `font`."""
    mono = QFont(font)
    # Han characters are equally wide in every font: those of the texts serve here too, since a
    # second font of them takes 5 MB.
    mono.setFamilies(
        [
            "JetBrains Mono",
            "SF Mono",
            "Menlo",
            "Consolas",
            "DejaVu Sans Mono",
            "monospace",
            *_HAN_FONTS,
        ]
    )
    mono.setStyleHint(QFont.StyleHint.Monospace)
    mono.setPointSizeF(_points(font) * _META)
    return mono
