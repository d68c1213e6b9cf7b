"""What can be done on the Pending page, by which keys, and when."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gui.i18n import tr, trn
from gui.models.pending import AnyBrief, Item
from gui.models.pending_edit import texts_of_record
from schema.frozen import frozen
from store.pending.records import Record


@frozen
class Situation:
    """What decides on what is possible. `item` is the chosen one, `brief` its effect if known.

    `free`: nothing is being decided or edited. `ticked`, `applicable` ones of them, and `stale`
    count records; `alike` those that are near to the chosen one. `short`: there is little room.
    """

    item: Item | None
    brief: AnyBrief | None
    free: bool
    ticked: int
    applicable: int
    alike: int
    stale: int
    short: bool


class PendingActions(QObject):
    """The actions; their owner connects them. They work wherever the keyboard is on `page`."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self.approve = self._action("approve", tr("Approve"), "A")
        self.edit = self._action("edit", tr("Edit, then approve"), "E")
        self.reject = self._action("reject", tr("Reject"), "R")
        self.next = self._action("next", tr("Next"), "J")
        self.previous = self._action("previous", tr("Previous"), "K")
        self.undo = self._action("undo", tr("Undo"), "U")
        self.approve_ticked = self._action("approve_selected", "", "Shift+A")
        self.reject_ticked = self._action("reject_selected", "", "Shift+R")
        self.clear_stale = self._action("clear_stale", "", "Shift+C")
        self.alike = self._action("select_alike", tr("Select alike"), "G")
        self.filter = self._action("filter", tr("Filter"), "F")
        self.show_file = self._action("show_file_text", tr("Show file"), "O")
        self.set_aside = self._action("set_aside", tr("Set aside"), "S")
        for action in (self.next, self.previous):
            action.setAutoRepeat(True)

    def _action(self, name: str, text: str, keys: str) -> QAction:
        action = QAction(text, self._page)
        action.setObjectName(name)
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        # A key that is held down decides once, not on all that follows.
        action.setAutoRepeat(False)
        self._page.addAction(action)
        return action

    @property
    def decisions(self) -> tuple[QAction, ...]:
        """What can be done with the chosen record."""
        return self.approve, self.edit, self.reject, self.show_file, self.set_aside

    @property
    def ways(self) -> tuple[QAction, ...]:
        """How to go through the queue."""
        return self.next, self.previous, self.undo

    def suit(self, now: Situation) -> None:
        """Allow what can be done, and nothing else."""
        record = now.item if isinstance(now.item, Record) and now.free else None
        usable = record is not None and record.problem is None
        refused = now.brief is not None and now.brief.refusal is not None
        self.approve.setEnabled(usable and not refused)
        self.reject.setEnabled(record is not None)
        self.edit.setEnabled(record is not None and bool(texts_of_record(record)))
        unusable = now.item is not None and not _is_usable(now.item)
        broken = now.item is not None and not isinstance(now.item, Record)
        for action in (self.approve, self.edit):
            action.setVisible(not unusable)
        self.reject.setVisible(not broken)
        for action in (self.show_file, self.set_aside):
            action.setVisible(unusable)
            action.setEnabled(unusable and now.free)
        self.alike.setVisible(now.alike > 0)
        self.alike.setEnabled(now.alike > 0)
        self._name_bulk(now)
        for action, shown in (
            (self.approve_ticked, now.ticked > 0),
            (self.reject_ticked, now.ticked > 0),
            (self.clear_stale, now.stale > 0 and not now.ticked),
        ):
            action.setVisible(shown)
            action.setEnabled(now.free and shown)
        if not now.applicable:
            self.approve_ticked.setEnabled(False)

    def _name_bulk(self, now: Situation) -> None:
        ticked = now.ticked
        approve = trn("Approve {n:,} selected", "Approve {n:,} selected", ticked)
        reject = trn("Reject {n:,} selected", "Reject {n:,} selected", ticked)
        if now.applicable < ticked:
            approve = trn(
                "Approve the {n:,} that still applies",
                "Approve the {n:,} that still apply",
                now.applicable,
            )
        if now.short:
            approve = trn("Approve {n:,}", "Approve {n:,}", now.applicable)
            reject = trn("Reject {n:,}", "Reject {n:,}", ticked)
        self.approve_ticked.setText(approve)
        self.reject_ticked.setText(reject)
        self.clear_stale.setText(trn("Clear {n:,} stale", "Clear {n:,} stale", now.stale))


def _is_usable(item: Item) -> bool:
    return isinstance(item, Record) and item.problem is None
