"""Import and export of entries at the Memory page: in the menu of its cards, and by keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.i18n import tr, trn
from gui.models.exchange import Imported, export_to, import_from
from gui.widgets.labels import make_action
from gui.words import say
from gui.workplace import Said
from store.home import TARGETS, Target
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from gui.pages.memory import MemoryPage
    from store.refusals import Refusal


class Exchange(QObject):
    """Offers both actions on each column of the page."""

    def __init__(self, page: MemoryPage) -> None:
        super().__init__(page)
        self._page = page
        self._place = page.place
        for target, column in page.columns.items():
            export = make_action(
                column, name=f"{target}_export", text=tr("Export all entries…"),
                keys="Ctrl+Shift+E", act=self._export,
            )  # fmt: skip
            bring = make_action(
                column, name=f"{target}_import", text=tr("Import entries…"),
                keys="Ctrl+Shift+I", act=partial(self._import, target),
            )  # fmt: skip
            column.offer_also((bring, export))

    def _export(self) -> None:
        desk = self._place.desk
        path = self._page.asker().save_file(
            title=tr("Export all entries"), name="hermes-memory.md", kinds=_kinds()
        )
        if desk is not None and path is not None:
            self._place.write(self, partial(export_to, desk, path), partial(self._exported, path))

    def _exported(self, path: Path, done: int | Refusal) -> None:
        if isinstance(done, REFUSALS):
            self._place.said.emit(Said(say(done)))
            return
        words = trn("Exported {n} entry to {name}.", "Exported {n} entries to {name}.", done,
                    name=path.name)  # fmt: skip
        self._place.said.emit(Said(words))

    def _import(self, target: Target) -> None:
        desk = self._place.desk
        path = self._page.asker().open_file(title=tr("Import entries"), kinds=_kinds())
        if desk is None or path is None:
            return
        paths = [desk.home.memory_file(one) for one in TARGETS]
        self._place.write(self, partial(import_from, desk, path, target), self._imported, paths)

    def _imported(self, done: Imported | Refusal) -> None:
        if isinstance(done, REFUSALS):
            self._place.said.emit(Said(say(done)))
        elif done.change is None:
            self._place.said.emit(Said(tr("All of these entries are there already.")))
        else:
            words = trn("Imported {n} entry.", "Imported {n} entries.", done.entries)
            self._place.note_change(done.change, words)


def _kinds() -> str:
    """What a file dialog offers."""
    return tr("Entries") + " (*.md *.json)"
