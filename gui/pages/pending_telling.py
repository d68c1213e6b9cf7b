"""What the Pending page says of what it did: progress and news in the banner, results as toasts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from gui.i18n import tr, trn
from gui.models.pending import PendingView
from gui.pages.pending_editing import Lost
from gui.pages.pending_work import Decision, told
from gui.widgets.bars import Banner, Notice
from gui.workplace import Workplace


class Telling(QObject):
    """Speaks through `banner` and the toast of the window."""

    stop_wanted = Signal()
    """The rest of what is being decided is to be left as it is."""
    answered = Signal()
    """The person has dealt with what the banner said."""

    def __init__(self, place: Workplace, banner: Banner) -> None:
        super().__init__()
        self._place = place
        self._banner = banner
        self._lost_text = ""
        self._providers_named: set[str] = set()
        banner.acted.connect(self._act)

    def show_progress(self, decision: Decision) -> None:
        """Say how far a decision got."""
        values = {"n": decision.total - len(decision.waiting), "all": decision.total}
        text = tr("Rejecting: {n:,} of {all:,}", **values)
        if decision.verb == "approve":
            text = tr("Approving: {n:,} of {all:,}", **values)
        self._banner.show_notice(Notice("progress", text, tone="plain", action=tr("Stop")))

    def tell(self, decision: Decision, view: PendingView, *, edited: bool) -> None:
        """Say what a decision came to; with `edited`, the editor has said why it was declined."""
        if not edited or not decision.refused:
            self._place.note_changes(decision.changes, told(decision))
        elif decision.changes:  # the edit is in the record, and can be taken back
            words = tr("The edit is kept in the record, which still waits.")
            self._place.note_changes(decision.changes, words)
        if decision.verb == "approve" and decision.done:
            self._name_provider(view.provider)

    def _name_provider(self, name: str) -> None:
        """Say once that an external provider hears nothing of this."""
        if name and name not in self._providers_named:
            self._providers_named.add(name)
            text = tr(
                "The provider {name} keeps a copy of its own, which is not updated by this.",
                name=name,
            )
            notice = Notice("provider", text, tone="plain", action=tr("Got it"))
            self._banner.show_notice(notice)

    def tell_lost(self, lost: Lost) -> None:
        """Say that a text that was being edited has no record any more."""
        self._lost_text = lost.text
        self._banner.show_notice(Notice("lost", lost.words, action=tr("Copy text")))

    def _act(self, notice: Notice) -> None:
        if notice.name == "progress":
            self.stop_wanted.emit()
        elif notice.name == "lost":
            QApplication.clipboard().setText(self._lost_text)
        self._banner.show_notice(None)
        self.answered.emit()


def waiting_words(count: int, ticked: int, stale: int) -> str:
    """Say how many wait, and how many of them are ticked or can no longer apply."""
    if ticked:
        return tr("{n:,} of {count:,} selected", n=ticked, count=count)
    words = trn("{n:,} waits", "{n:,} wait", count)
    if stale:
        gone = trn("{n:,} can no longer apply", "{n:,} can no longer apply", stale)
        words = f"{words} · {gone}"
    return words
