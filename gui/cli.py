"""The front door: opens the window, or does what a command says (`gui/commands/line.py`)."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gui.commands.start import Start, plain_start
from gui.i18n import choose_language, tr, use_language

if TYPE_CHECKING:
    from gui.commands.streams import Streams
    from gui.instance import First

INTERRUPTED = 130


def main(
    arguments: Sequence[str] | None = None,
    *,
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    stderr: BinaryIO | None = None,
    env: Mapping[str, str] | None = None,
) -> int:
    """Do what the arguments say; the exit status. Streams and environment default to our own."""
    from gui.commands.streams import Streams

    streams = Streams(stdin, stdout, stderr)
    surroundings = os.environ if env is None else env
    try:
        words = sys.argv[1:] if arguments is None else list(arguments)
        return _main(words, streams, surroundings)
    except KeyboardInterrupt:
        return INTERRUPTED


def _main(words: Sequence[str], streams: Streams, env: Mapping[str, str]) -> int:
    _speak(env)
    asked: int | Start | None = plain_start(words)
    if asked is None:
        from gui.commands.line import answer

        asked = answer(words, streams, env)
    return _open_window(asked, streams, env) if isinstance(asked, Start) else asked


def _speak(env: Mapping[str, str]) -> None:
    from store.preferences import load_preferences

    wish = env.get("MEMORY_DESK_LANGUAGE") or load_preferences(env=env).preferences.language
    use_language(choose_language(wish, env))


def _has_display(env: Mapping[str, str]) -> bool:
    """Whether Qt has something to draw on; without it, Qt would abort the process."""
    if not sys.platform.startswith("linux"):
        return True
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def load_window() -> None:
    """Load all that the first page needs, in the order that costs least."""
    from gui.qt_loading import load_qt

    # Loading makes thousands of objects and no garbage; gui/garbage.py takes over from there.
    gc.disable()
    try:
        load_qt()
        import_module("gui.app")
        # What is loaded stays: nobody needs to look through it again.
        gc.freeze()
    finally:
        gc.enable()


def _first(start: Start, streams: Streams, env: Mapping[str, str]) -> First | int | None:
    """Be the one desk that is open, or hand over to it: the exit status then."""
    if start.demo or start.screenshot is not None:
        return None
    from gui.instance import JOINED, SILENT, Answer, join, wish_of

    wish = wish_of(env, home=start.home, profile=start.profile, page=start.page)
    found = join(env, None if start.minimised else wish)
    if found is JOINED:
        return 0
    if found is SILENT:
        streams.tell(tr("A desk is open already, but does not answer; this is a second one."))
    return None if isinstance(found, Answer) else found


def _open_window(start: Start, streams: Streams, env: Mapping[str, str]) -> int:
    if not _has_display(env):
        if start.screenshot is None:
            streams.tell(
                tr(
                    "There is no display here; memory-desk status and every other command work "
                    "without one, and so does --screenshot PAGE FILE."
                )
            )
            return 1
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # Qt reads it there
    first = _first(start, streams, env)
    if isinstance(first, int):
        return first
    try:
        load_window()
        from gui.app import Options, run
    except ImportError as error:
        streams.tell(
            tr(
                "The window cannot open, since Qt cannot be loaded ({why}); ./run names what is "
                "missing, and every command works without it.",
                why=error,
            )
        )
        return 1
    return run(
        Options(
            home=None if start.home is None else Path(start.home),
            profile=start.profile,
            page=start.page,
            screenshot=None
            if start.screenshot is None
            else (start.screenshot[0], Path(start.screenshot[1])),
            demo=start.demo,
            minimised=start.minimised,
            first=first,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
