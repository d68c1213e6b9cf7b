"""A start of the window: what the command line asks of it, and the words that ask for no more."""

from __future__ import annotations

from collections.abc import Sequence

from gui.page_names import PAGE_NAMES
from schema.frozen import frozen

_VALUES = {"--home": "home", "--profile": "profile", "--page": "page"}
_SWITCHES = {"--demo": "demo", "--minimised": "minimised"}


@frozen
class Start:
    """What the window is to show at first. `screenshot` is a page and a file."""

    home: str | None = None
    profile: str | None = None
    page: str | None = None
    screenshot: tuple[str, str] | None = None
    demo: bool = False
    minimised: bool = False


def plain_start(words: Sequence[str]) -> Start | None:
    """Read words that do nothing but open the window; None leaves all others to the parser.

    Most starts are such, and they need none of the modules that commands and help do.
    """
    asked: dict[str, str | bool] = {}
    rest = iter(words)
    for word in rest:
        if word in _SWITCHES:
            asked[_SWITCHES[word]] = True
            continue
        value = next(rest, "")
        if word not in _VALUES or not value.strip() or value.startswith("-"):
            return None
        asked[_VALUES[word]] = value
    if asked.get("page", PAGE_NAMES[0]) not in PAGE_NAMES or {"demo", "minimised"} <= asked.keys():
        return None
    return Start(**asked)  # type: ignore[arg-type]  # by name, each is of its kind
