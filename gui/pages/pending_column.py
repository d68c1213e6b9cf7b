"""The left side of the Pending page: what waits, which of it is ticked, and where that leads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import N_, tr, trn
from gui.models.cards import Card, Mark
from gui.models.memory import file_words
from gui.models.pending import (
    MANY,
    Brief,
    Item,
    Known,
    PendingView,
    card_of,
    grow_old_at_once,
    stale_ids,
)
from gui.pages.pending_work import Decision, Kind, filtered, judge_more, weigh
from gui.tasks import Ticket
from gui.theme import BAR, GRID, Theme
from gui.widgets.checks import CheckBox
from gui.widgets.keys import KeyButton
from gui.widgets.labels import PlainLabel, restyle
from gui.widgets.pending_cards import PendingList
from gui.widgets.side import Chooser
from gui.words import say
from gui.workplace import Workplace
from store.pending.end_state import EndState, FileEnd
from store.pending.records import Record
from store.refusals import Refusal

BATCH = 40
"""So many records are judged in one go, those in view first."""
AHEAD = 12
"""So many cards below the view count as in view."""

KINDS: tuple[tuple[Kind, str], ...] = (
    ("all", N_("All kinds")),
    ("memory", N_("Agent memory")),
    ("user", N_("User profile")),
    ("auto", N_("Background reviews")),
    ("stale", N_("Can no longer apply")),
    ("trouble", N_("Not usable")),
)


class PendingColumn(QWidget):
    """The list with its boxes and filters. Writes nothing."""

    chosen = Signal()
    """Another record is selected, or none."""
    ticks_changed = Signal()
    judged = Signal()
    """More is known of what can no longer apply."""
    opened = Signal()
    """The person wants to look closer at the selected record."""

    def __init__(self, place: Workplace, ways: Sequence[QAction]) -> None:
        super().__init__()
        self.setObjectName("pending_column")
        self.setAccessibleName(tr("What waits"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._place = place
        self._view: PendingView | None = None
        self._number = 0
        self._items: Mapping[str, Item] = {}
        self._briefs: dict[str, Brief] = {}
        self._ticked: dict[str, str] = {}  # with the digests that were seen
        self._stale: frozenset[str] = frozenset()
        self._unjudged: Iterator[Record] = iter(())
        self._judging = self._all_judged = False
        self._needle = ""
        self._filter = Ticket()
        self._weighing = Ticket()
        self.notes: dict[str, Refusal] = {}
        self.drafts: set[str] = set()
        self._build(place.theme, ways)
        self._make_actions()

    def _build(self, theme: Theme, ways: Sequence[QAction]) -> None:
        self.all_box = CheckBox(theme, tr("Select all"), name="select_all")
        self.all_box.clicked.connect(self.tick_all)
        self.kinds = Chooser(theme, name="kinds", label=tr("Kinds"))
        for kind, label in KINDS:
            self.kinds.addItem(tr(label), kind)
        self.kinds.activated.connect(self._refilter)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, BAR, 0)
        head.addWidget(self.all_box, 1)
        head.addWidget(self.kinds)
        self.list = PendingList(
            theme, name="pending_cards", label=tr("What waits"), make=self._make_card
        )
        self.list.chosen.connect(self._tell_chosen)
        self.list.toggled.connect(self.toggle)
        self.list.opened.connect(self._tell_opened)
        self.list.verticalScrollBar().valueChanged.connect(self._judge_next)
        self._nothing = PlainLabel(name="nothing_fits", role="dim", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.totals = QFrame()
        self.totals.setObjectName("totals")
        self.totals.setProperty("tone", "plain")
        self._total_words = PlainLabel(name="total_words", wrap=True)
        inner = QVBoxLayout(self.totals)
        inner.setContentsMargins(12, GRID, 12, GRID)
        inner.addWidget(self._total_words)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, BAR, 0)
        below.addWidget(self.totals)
        self._ways = QWidget()
        self._ways.setObjectName("ways")
        keys = QHBoxLayout(self._ways)
        keys.setContentsMargins(0, 0, 0, 0)
        for action in ways:
            keys.addWidget(KeyButton(action, kind="way"))
        keys.addStretch(1)
        below.addWidget(self._ways)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, GRID)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing)
        column.addStretch(0)
        column.addLayout(below)
        self._nothing.hide()
        self.totals.hide()

    def _make_actions(self) -> None:
        for name, keys, slot in (
            ("tick", "Space", self._toggle_current),
            ("tick_all", "Ctrl+A", self.tick_all),
        ):
            action = QAction(self)
            action.setObjectName(name)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setAutoRepeat(False)
            action.triggered.connect(slot)
            self.list.addAction(action)

    # -- what is shown -----------------------------------------------------------------------

    def show_view(self, view: PendingView) -> None:
        """Show the queue as it now is; selection, place and ticks stay with their records."""
        self._view = view
        self._number += 1
        self._items = view.items
        self._briefs = dict(view.briefs)
        self._unjudged = iter(view.unjudged)
        self._all_judged = not view.unjudged
        self._keep_ticks({key for key, seen in self._ticked.items() if self._digest(key) == seen})
        self.notes = {key: why for key, why in self.notes.items() if key in self._items}
        self._recount(view.stale)
        self.list.pending_model().forget()
        self._refilter()
        self._judge_next()

    def _digest(self, key: str) -> str | None:
        item = self._items.get(key)
        return item.digest if isinstance(item, Record) else None

    def forget(self) -> None:
        """Be empty: another home is open."""
        self._view = None
        self._number += 1
        self._items, self._briefs, self._unjudged = {}, {}, iter(())
        self.notes, self._stale = {}, frozenset()
        self._keep_ticks(set())
        self.list.show_keys(())

    def item(self, key: str | None) -> Item | None:
        """Give the item with that key, if it waits."""
        return self._items.get(key) if key is not None else None

    def current(self) -> Item | None:
        """Give the selected item."""
        return self.item(self.list.current_key())

    def brief(self, key: str) -> Brief | None:
        """Give what is known of a record's effect."""
        return self._briefs.get(key)

    def known(self) -> Known | None:
        """Give what is on screen."""
        view = self._view
        return None if view is None else Known(view, self._briefs.copy(), self._near_view())

    def _near_view(self) -> tuple[str, ...]:
        """Give the records whose cards are in view, or soon will be."""
        seen = self.list.seen_keys()
        keys = self.list.pending_model().keys
        end = self.list.pending_model().row_of(seen[-1]) + 1 if seen else 0
        return (*seen, *keys[end : end + AHEAD])

    def remake(self, keys: Collection[str] | None = None) -> None:
        """Make cards anew, since what they tell has changed."""
        self.list.pending_model().forget(keys)

    def _make_card(self, key: str) -> Card:
        item = self._items.get(key)
        view = self._view
        if item is None or view is None:  # asked for while the list is being changed
            return Card(key=key, text="")
        more = []
        if key in self.notes:
            more.append(Mark(tr("declined"), "bad", say(self.notes[key])))
        if key in self.drafts:
            more.append(Mark(tr("being edited"), "plain"))
        return card_of(
            item, self._briefs.get(key), ticked=key in self._ticked, now=view.at, more=more
        )

    def show_ages(self, now: float) -> None:
        """Let the ages be those of `now`, UTC seconds."""
        if self._view is not None:
            self._view = replace(self._view, at=now)
            self.remake()

    def take_focus(self) -> None:
        """Put the keyboard into the list."""
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def settle(self, decision: Decision) -> None:
        """Note what was declined, and untick what was decided on."""
        self.notes.update(decision.refused)
        self.untick([key for key, _ in (*decision.done, *decision.refused)])

    def lead_to(self, key: str) -> bool:
        """Select a record, whatever the filter hid; False if it does not wait."""
        if key not in self._items:
            return False
        if self._needle or self.kind() != "all":
            self._needle = ""
            self.kinds.setCurrentIndex(0)
            self._refilter()
        return self.list.choose(key)

    # -- filters -----------------------------------------------------------------------------

    def search(self, needle: str) -> None:
        """Show only what has `needle` in it."""
        self._needle = needle.strip()
        self._refilter()

    def kind(self) -> Kind:
        """Give the kind of records that is shown."""
        kind: Kind = self.kinds.currentData()
        return kind

    def _refilter(self, *_: object) -> None:
        self._filter.cancel()
        if self._view is None:
            return
        if not self._needle and self.kind() == "all":
            self._show_keys(tuple(self._items))
            return
        keys = self.list.pending_model().keys
        self._show_keys(tuple(key for key in keys if key in self._items))
        self._filter = Ticket()
        work = partial(
            filtered,
            self._view,
            self._needle,
            self.kind(),
            self._stale,
            self._filter.is_cancelled,
        )
        self._place.tasks.read(self, work, self._show_keys, ticket=self._filter)

    def _show_keys(self, keys: tuple[str, ...]) -> None:
        self.list.show_keys(keys)
        if keys and self.list.current_key() is None:
            self.list.choose(keys[0])
        # What cannot be seen must not be approved along.
        self._keep_ticks(self._ticked.keys() & set(keys) if self._ticked else set())
        self._nothing.setText(tr("Nothing that waits fits this filter."))
        self._nothing.setVisible(not keys)
        self.list.setVisible(bool(keys))
        self._show_all_box()
        self._judge_next()
        self._tell_chosen()

    # -- judging -----------------------------------------------------------------------------

    @property
    def stale(self) -> frozenset[str]:
        """The records that can no longer apply, as far as is known."""
        return self._stale

    def _judge_next(self, *_: object) -> None:
        view = self._view
        if self._judging or view is None:
            return
        batch = [
            item
            for key in self._near_view()
            if key not in self._briefs and isinstance(item := self._items.get(key), Record)
        ]
        for record in self._unjudged:
            if record.id not in self._briefs:
                batch.append(record)
            if len(batch) >= BATCH:
                break
        if not batch:
            if len(self._briefs) > MANY and not self._all_judged:
                grow_old_at_once()
            self._all_judged = True
            return
        self._judging = True
        work = partial(judge_more, batch, view.states, self._number)
        self._place.tasks.read(self, work, self._take_briefs, self._give_up_judging)

    def _take_briefs(self, answer: tuple[int, dict[str, Brief]]) -> None:
        self._judging = False
        number, briefs = answer
        if number == self._number:  # else it was judged by files that are no longer so
            self._briefs.update(briefs)
            in_view = set(self.list.seen_keys())
            self.list.pending_model().drop(briefs.keys() - in_view)
            if shown := briefs.keys() & in_view:
                self.remake(shown)
            self._recount(self._stale | stale_ids(briefs))
        self._judge_next()

    def _give_up_judging(self, _: object) -> None:
        self._judging = False

    def _recount(self, stale: frozenset[str]) -> None:
        if stale != self._stale:
            self._stale = stale
            self.judged.emit()
            if self.kind() == "stale":
                self._refilter()

    # -- ticks -------------------------------------------------------------------------------

    def ticked(self) -> tuple[Record, ...]:
        """Give the ticked records in the order of the list."""
        if not self._ticked:
            return ()
        keys = self.list.pending_model().keys
        chosen = (self._items[key] for key in keys if key in self._ticked)
        return tuple(item for item in chosen if isinstance(item, Record))

    def ticked_count(self) -> int:
        """Give how many records are ticked."""
        return len(self._ticked)

    def toggle(self, key: str) -> None:
        """Tick a record, or take its tick away."""
        if isinstance(self._items.get(key), Record):
            self._set_ticks(self._ticked.keys() ^ {key})

    def _toggle_current(self) -> None:
        key = self.list.current_key()
        if key is not None:
            self.toggle(key)

    def tick_all(self, *_: object) -> None:
        """Tick all records that the list shows; none if all of them are."""
        keys = self.list.pending_model().keys
        records = {key for key in keys if isinstance(self._items.get(key), Record)}
        self._set_ticks(set() if records == self._ticked.keys() else records)

    def untick(self, keys: Collection[str]) -> None:
        """Take ticks away."""
        self._keep_ticks(self._ticked.keys() - set(keys))

    def _keep_ticks(self, kept: set[str]) -> None:
        if kept != self._ticked.keys():
            self._set_ticks(kept)
        elif kept:
            self._weigh()

    def _set_ticks(self, ticked: set[str]) -> None:
        changed = ticked ^ self._ticked.keys()
        self._ticked = {
            key: item.digest for key in ticked if isinstance(item := self._items.get(key), Record)
        }
        self.list.pending_model().forget(changed)
        self._show_all_box()
        self._weigh()
        self.ticks_changed.emit()

    def _show_all_box(self) -> None:
        count = len(self._ticked)
        keys = self.list.pending_model().keys
        every = bool(count) and all(map(self._is_ticked_if_it_can_be, keys))
        self.all_box.tick(some=bool(count), all_of_them=every)
        words = trn("{n} selected", "{n} selected", count) if count else tr("Select all")
        self.all_box.say(words)

    def _is_ticked_if_it_can_be(self, key: str) -> bool:
        return key in self._ticked or not isinstance(self._items.get(key), Record)

    def _weigh(self) -> None:
        """Work out where approving all ticked records leads."""
        self._weighing.cancel()
        if not self._ticked or self._view is None:
            self.totals.hide()
            return
        self._weighing = Ticket()
        keys, given_up = self.list.pending_model().keys, self._weighing.is_cancelled
        work = partial(weigh, self._view, tuple(keys), self._ticked.keys(), given_up)
        self._place.tasks.read(self, work, self._show_totals, ticket=self._weighing)

    def _show_totals(self, end: EndState) -> None:
        lines = [_end_words(file) for file in end.files]
        if end.refused:
            count = len(end.refused)
            lines.append(
                trn("{n} of them would be declined.", "{n} of them would be declined.", count)
            )
        self._total_words.setText("\n".join(lines))
        tone = "bad" if end.refused else "plain"
        if self.totals.property("tone") != tone:
            self.totals.setProperty("tone", tone)
            restyle(self.totals)
        self.totals.show()

    def total_words(self) -> str:
        """Give what is said about the end state of what is ticked."""
        return "" if self.totals.isHidden() else self._total_words.text()

    # -- small things --------------------------------------------------------------------------

    def _tell_chosen(self, *_: object) -> None:
        self.chosen.emit()

    def _tell_opened(self, _: object) -> None:
        self.opened.emit()


def _end_words(end: FileEnd) -> str:
    from store.memory.budget import percent

    return tr(
        "{file}: {before}% → {after}% — {would_be:,}/{limit:,} chars",
        file=file_words(end.target),
        before=percent(end.chars_before, end.limit),
        after=percent(end.chars_after, end.limit),
        would_be=end.chars_after,
        limit=end.limit,
    )
