"""The Backups page: copies beside the memory files, and what each has that the file lacks."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models import backups as model
from gui.models.backups import BackupsView, read_backups
from gui.page import Page
from gui.theme import BAR, GRID, HALF
from gui.widgets.bars import Banner, Notice
from gui.widgets.cards import CardList
from gui.widgets.labels import ElidedLabel, PlainLabel
from gui.words import FILE_STATES, say, word
from gui.workplace import Said, Workplace
from store.home import FILE_NAMES, TARGETS
from store.refusals import REFUSALS, Guessed

if TYPE_CHECKING:
    from gui.widgets.empty import EmptyPage
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.backups import BackupGroup, Pruned, Restored
    from store.memory.state import Written
    from store.refusals import Refusal

TWO_COLUMNS_FROM = 660


class BackupsPage(Page):
    """Left the copies, those with the same content as one; right the entries of the chosen one."""

    name = "backups"
    load = staticmethod(read_backups)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: BackupsView | None = None
        self._wide = True
        self._about: object = None
        self._empty: EmptyPage | None = None
        self._back = self._action("back", tr("Back to memory"), "Alt+Left", self._leave)
        self._tidy = self._action("tidy", tr("Remove twins"), "Ctrl+T", self._remove_twins)
        self._taking = self._action("take", tr("Take back"), "Ins", self._take_chosen)
        self._whole = self._action("restore", tr("Restore"), "Ctrl+Return", self._restore)
        self._build()
        self._tidy.setEnabled(False)

    def _action(self, name: str, text: str, keys: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"backups_{name}")
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        return action

    def _build(self) -> None:
        for action in (self._back, self._tidy):
            self.addAction(action)
        self.problem = Banner(name="backups_problem")
        self.problem.acted.connect(lambda _: self.problem.show_notice(None))
        self.groups = CardList(self.theme, name="backups_groups", label=tr("Copies"))
        self.groups.set_actions((self._whole,), on_card=(self._whole,))
        self.groups.chosen.connect(self._choose)
        self.groups.opened.connect(self._go_to_entries)
        self.entries = CardList(self.theme, name="backups_entries", label=tr("What is in it"))
        self.entries.set_actions((self._taking,), on_card=(self._taking,))
        self.entries.opened.connect(self._take_back)
        self._of = ElidedLabel(name="backups_of", role="dim")
        self._of.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._doubt = PlainLabel(name="backups_doubt", role="problem", wrap=True)
        self._doubt.hide()
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.addWidget(self.problem)
        self._columns = QWidget()
        self._columns.setObjectName("page_body")
        self._flow = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._columns)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._flow.setSpacing(HALF)
        self._flow.addWidget(self._column("backups_left", tr("Copies"), self.groups), 1)
        self._flow.addWidget(
            self._column("backups_right", tr("What is in it"), self.entries, self._of, self._doubt),
            1,
        )
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self._columns, 1)
        self._columns.hide()

    def _column(
        self,
        name: str,
        title: str,
        cards: CardList,
        beside: QWidget | None = None,
        above: QWidget | None = None,
    ) -> QWidget:
        widget = QWidget()
        widget.setObjectName(name)
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.addWidget(PlainLabel(title, name=f"{name}_title", role="head"))
        if beside is None:
            head.addStretch(1)
        else:
            head.addWidget(beside, 1)
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        if above is not None:
            column.addWidget(above)
        column.addWidget(cards, 1)
        return widget

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Memory › Backups") if self._wide else tr("Backups")

    def secondary(self) -> tuple[QAction, ...]:
        return (self._tidy, self._back)

    def take_focus(self) -> None:
        if self._columns.isVisible():
            self.groups.setFocus()
        elif self._empty is not None and self._empty.isVisible():
            self._home.setFocus()
        else:
            self.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide != self._wide:
            self._wide = wide
            self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)
            self._back.setText(tr("Back to memory") if wide else tr("Back"))
            self.header_changed.emit()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset(home.memory_file(target) for target in TARGETS)

    # -- showing -----------------------------------------------------------------------------

    def show_about(self, about: object) -> None:
        self._about = about
        self.refresh()

    def show_loaded(self, loaded: BackupsView) -> None:
        self._view = loaded
        self._columns.setVisible(bool(loaded.groups))
        twins = loaded.twins
        self._tidy.setEnabled(twins > 0)
        self._tidy.setText(trn("Remove {n} twin", "Remove {n} twins", twins))
        if not loaded.groups:
            self._show_nothing()
            return
        if self._empty is not None:
            self._empty.hide()
        self.groups.show_cards([model.group_card(group, loaded.now) for group in loaded.groups])
        if self.groups.current_card() is None or self._about is not None:
            wanted = [one for one in loaded.groups if one.target == self._about] or loaded.groups
            self._about = None
            self.groups.choose(model.key_of(wanted[0]))
        self._choose(None)

    def _show_nothing(self) -> None:
        from gui.widgets.empty import EmptyPage

        if self._empty is None:
            self._empty = EmptyPage(
                name="backups_empty",
                title=tr("There are no backups"),
                text=tr("When the agent refuses a broken file, or the desk repairs one, a copy of "
                        "the file as it was stays beside it and is shown here."),
            )  # fmt: skip
            self._home = self._empty.add_button(tr("Back to memory"), "back")
            self._empty.acted.connect(self._leave)
            self.body.addWidget(self._empty, 1)
        self._empty.show()

    def _chosen(self) -> BackupGroup | None:
        card = self.groups.current_card()
        return None if card is None or self._view is None else self._view.group(card.key)

    def _choose(self, _: Hashable) -> None:
        group = self._chosen()
        cards = [] if group is None else model.entry_cards(group)
        self.entries.show_cards(cards)
        self._of.setText("" if group is None else group.files[0].path.name)
        doubt = group is not None and bool(group.doubt)
        self._doubt.setVisible(doubt)
        if group is not None and doubt:
            self._doubt.setText(
                tr("Its bytes were read as {encoding}, a guess. Put the whole copy in place of the "
                   "file, and Repair shows it before anything is written.",
                   encoding=group.encoding)
            )  # fmt: skip
        self._taking.setEnabled(group is not None and not doubt)
        self._whole.setEnabled(
            group is not None and group.problem is None and not group.same_as_file
        )

    def _go_to_entries(self, _: Hashable) -> None:
        self.entries.setFocus()
        if self.entries.current_card() is None and self.entries.card_model().rowCount():
            self.entries.choose(self.entries.card_model().cards[0].key)

    # -- changing ----------------------------------------------------------------------------

    def _write(self, work: Any, then: Any) -> None:
        desk = self.place.desk
        if desk is not None:
            paths = [desk.home.memory_file(target) for target in TARGETS]
            self.place.write(self, work, then, paths)

    def _take_chosen(self) -> None:
        card = self.entries.current_card()
        if card is not None:
            self._take_back(card.key)

    def _take_back(self, key: Hashable) -> None:
        desk, group = self.place.desk, self._chosen()
        if desk is None or group is None or not isinstance(key, int):
            return
        if group.doubt:
            self._refuse(Guessed(str(group.files[0].path), group.encoding))
            return
        then = partial(self._taken_back, FILE_NAMES[group.target])
        self._write(partial(model.take_entry_back, desk, group, key), then)

    def _taken_back(self, file: str, answer: tuple[Written | Refusal, Desk]) -> None:
        done, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if isinstance(done, REFUSALS):
            self._refuse(done)
        elif done.changed:
            self.problem.show_notice(None)
            self.place.note_change(done.change_id, tr("The entry is in {file} again.", file=file))
        else:
            self.place.said.emit(Said(tr("{file} has that entry already.", file=file)))

    def _restore(self) -> None:
        desk, group, view = self.place.desk, self._chosen(), self._view
        if desk is None or group is None or view is None or not self._whole.isEnabled():
            return
        file, digest = group.files[0].path, view.digests.get(group.target, "")
        self._write(partial(model.put_in_place, desk, group, file, digest), self._restored)

    def _restored(self, answer: tuple[Restored | Refusal, Desk]) -> None:
        done, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if isinstance(done, REFUSALS):
            self._refuse(done)
            return
        self.problem.show_notice(None)
        file = FILE_NAMES[done.target]
        text = tr("{file} is again what {copy} holds.", file=file, copy=done.file.name)
        if done.state != "clean":
            state = word(FILE_STATES, done.state)
            text += " " + tr("The agent finds it {state}: see Repair.", state=state)
        self.place.note_change(done.change_id, text)

    def _remove_twins(self) -> None:
        desk = self.place.desk
        if desk is not None and self._tidy.isEnabled():
            self._write(partial(model.tidy_up, desk), self._removed_twins)

    def _removed_twins(self, answer: tuple[Pruned | Refusal, Desk]) -> None:
        done, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if isinstance(done, REFUSALS):
            self._refuse(done)
            return
        if done.kept:
            self._refuse(done.kept[0][1])
        count = len(done.removed)
        text = trn("Removed {n} twin of a backup.", "Removed {n} twins of backups.", count)
        if count:
            self.place.said.emit(Said(text, tr("Undo"), partial(self._put_twins_back, done)))

    def _put_twins_back(self, done: Pruned) -> None:
        desk = self.place.desk
        if desk is not None:
            self._write(partial(model.untidy, desk, done), self._twins_are_back)

    def _twins_are_back(self, answer: tuple[tuple[Refusal, ...], Desk]) -> None:
        refused, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if refused:
            self._refuse(refused[0])
        else:
            self.place.said.emit(Said(tr("Undone.")))

    def _refuse(self, refusal: Refusal) -> None:
        self.problem.show_notice(Notice("refused", say(refusal), tone="bad", action=tr("Got it")))

    def _leave(self, _: object = None) -> None:
        self.place.page_wanted.emit("memory", None)
