"""Import, export and copies to other profiles at the Memory page, in the menu of its cards."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from gui.i18n import tr, trn
from gui.models.exchange import (
    Copied,
    Imported,
    copy_to,
    export_to,
    import_from,
    other_profiles,
)
from gui.pages.memory_wishes import say_none_done
from gui.widgets.labels import make_action
from gui.words import say
from gui.workplace import ChangeIn, Said
from store.home import TARGETS, Target
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from gui.pages.memory import MemoryPage
    from store.refusals import Refusal


class Exchange(QObject):
    """Offers both actions on each column of the page."""

    def __init__(self, page: MemoryPage) -> None:
        super().__init__(page)
        self._page = page
        self._place = page.place
        self._menus: dict[Target, QMenu] = {}
        self._copies: dict[Target, QAction] = {}
        for target, column in page.columns.items():
            export = make_action(
                column, name=f"{target}_export", text=tr("Export all entries…"),
                keys="Ctrl+Shift+E", act=self._export,
            )  # fmt: skip
            bring = make_action(
                column, name=f"{target}_import", text=tr("Import entries…"),
                keys="Ctrl+Shift+I", act=partial(self._import, target),
            )  # fmt: skip
            copy = make_action(
                column, name=f"{target}_copy_to", text=tr("Copy to profile"), act=_nothing
            )
            self._copies[target] = copy
            self._menus[target] = QMenu(column)
            self._menus[target].setObjectName(f"{target}_profiles")
            copy.setMenu(self._menus[target])
            copy.setVisible(False)
            column.offer_also((copy, bring, export), several=(copy,))
        self._place.opened.connect(self._look)
        self._look()

    def _look(self, _: object = None) -> None:
        desk = self._place.desk
        if desk is not None:
            self._place.tasks.read(self, partial(other_profiles, desk), self._offer_profiles)

    def _offer_profiles(self, names: tuple[str, ...]) -> None:
        for target, menu in self._menus.items():
            menu.clear()
            for name in names:
                # An ampersand would be taken for a key.
                action = menu.addAction(name.replace("&", "&&"))
                action.setObjectName(f"{target}_copy_to_{name}")
                action.triggered.connect(partial(self._copy, target, name))
            self._copies[target].setVisible(bool(names))

    def _copy(self, target: Target, profile: str, _: bool = False) -> None:
        desk, texts = self._place.desk, self._page.columns[target].chosen_texts()
        if desk is not None and texts:
            work = partial(copy_to, desk, profile, target, texts)
            self._place.write(self, work, self._copied)

    def _copied(self, done: Copied | Refusal) -> None:
        if isinstance(done, REFUSALS):
            self._place.said.emit(Said(say_none_done(done)))
        elif not done.changed:
            words = trn(
                "{profile} has that entry already.",
                "{profile} has these entries already.",
                done.entries,
                profile=done.home.profile,
            )
            self._place.said.emit(Said(words))
        else:
            words = trn(
                "Entry copied to {profile}.",
                "{n:,} entries copied to {profile}.",
                done.entries,
                profile=done.home.profile,
            )
            change = () if done.change is None else (ChangeIn(done.home, done.change),)
            self._place.note_changes(change, words)

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


def _nothing() -> None:
    """Its menu does the work."""


def _kinds() -> str:
    """What a file dialog offers."""
    return tr("Entries") + " (*.md *.json)"
