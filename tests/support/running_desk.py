"""A desk in a process of its own: `memory-desk`, which also says what a person would see.

Its arguments are those of `memory-desk`. After each change it says on standard output, as a JSON
object a line: is the window there, on which page, at which record. On standard input `close`
closes the window, `edit` begins to type, `answer` says yes to the next question.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import gui.app
from gui.cli import main


class Shown(gui.app.Program):
    """The program, watched."""

    def run(self) -> int:
        from PySide6.QtCore import QSocketNotifier, QTimer

        self._last: dict[str, object] = {}
        watch = QTimer(self)
        watch.timeout.connect(self._say)
        watch.start(20)
        self._orders = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._orders.activated.connect(self._obey)
        return super().run()

    def _say(self) -> None:
        page, desk = self.window.page(), self.place.desk
        column = getattr(page, "column", None)
        now = {
            "visible": self.window.isVisible(),
            "minimised": self.window.isMinimized(),
            "page": page.name if page is not None and page.ready else None,
            "record": column.list.current_key() if column is not None else None,
            "home": str(desk.home.path) if desk is not None else None,
            "listens": self._joining is not None and self._joining.listens,
            "tray": self._told is not None and self._told.has_icon,
            "told": self._told is not None,
        }
        if now != self._last:
            self._last = now
            print(json.dumps(now), flush=True)

    def _obey(self) -> None:
        for order in os.read(sys.stdin.fileno(), 4096).decode().split():
            if order == "close":
                self.window.close()
            elif order == "quit":
                self.window.quit()
            elif order == "refuse":
                self.window.asker = Refusing()
            elif order == "edit":
                page = self.window.page()
                page.unsaved = lambda: "half typed"


class Refusing:
    """Answers every question with no, and says that it was asked."""

    def confirm(self, *, title: str, text: str, yes: str, no: str) -> bool:
        print(json.dumps({"asked": title}), flush=True)
        return False

    def folder(self, *, title: str) -> Path | None:
        return None


if __name__ == "__main__":
    gui.app.Program = Shown
    sys.exit(main(sys.argv[1:]))
