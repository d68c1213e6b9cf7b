"""The left side of the Pending page: what waits, which of it is ticked, and where that leads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models.cards import Card, Mark
from gui.models.pending import AnyBrief, Item, Known, PendingView
from gui.models.pending_filter import Filter, listed
from gui.models.pending_near import Near
from gui.models.pending_words import card_of
from gui.pages.pending_filters import Filters
from gui.pages.pending_judging import Judging
from gui.pages.pending_totals import Totals
from gui.pages.pending_work import Decision
from gui.tasks import Ticket
from gui.theme import BAR, GRID, Theme
from gui.widgets.checks import CheckBox
from gui.widgets.keys import KeyButton
from gui.widgets.labels import PlainLabel
from gui.widgets.pending_cards import PendingList
from gui.words import excerpt, say
from gui.workplace import Workplace
from store.pending.records import Record
from store.refusals import Refusal

AHEAD = 12
"""So many cards below the view count as in view."""


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
        self._items: Mapping[str, Item] = {}
        self._ticked: dict[str, str] = {}  # with the digests that were seen
        self._filter = Ticket()
        self.notes: dict[str, Refusal] = {}
        self.drafts: set[str] = set()
        self.judging = Judging(place.tasks, self._near_view)
        self._build(place.theme, ways)
        self._connect()
        self._make_actions()

    def _build(self, theme: Theme, ways: Sequence[QAction]) -> None:
        self.all_box = CheckBox(theme, tr("Select all"), name="select_all")
        self.filters = Filters(theme, self.all_box)
        self.list = PendingList(
            theme, name="pending_cards", label=tr("What waits"), make=self._make_card
        )
        self._nothing = PlainLabel(name="nothing_fits", role="dim", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.totals = Totals(self._place.tasks)
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
        column.addWidget(self.filters)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing)
        column.addStretch(0)
        column.addLayout(below)
        self._nothing.hide()

    def _connect(self) -> None:
        self.all_box.clicked.connect(self.tick_all)
        self.list.chosen.connect(self._tell_chosen)
        self.list.toggled.connect(self.toggle)
        self.list.opened.connect(self._tell_opened)
        self.list.verticalScrollBar().valueChanged.connect(self.judging.go_on)
        self.filters.changed.connect(self._refilter)
        self.judging.learned.connect(self._remake_learned)
        self.judging.recounted.connect(self._recounted)
        self.judging.compared.connect(self._refilter)

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

    def hasHeightForWidth(self) -> bool:
        # Below each other, list and record share the height; the list has no height of its own.
        return False

    # -- what is shown -----------------------------------------------------------------------

    def show_view(self, view: PendingView) -> None:
        """Show the queue as it now is; selection, place and ticks stay with their records."""
        self._view = view
        self._items = view.items
        self.judging.begin(view)
        self.filters.offer_profiles(view.profiles > 1, view.everywhere)
        self._keep_ticks({key for key, seen in self._ticked.items() if self._digest(key) == seen})
        self.notes = {key: why for key, why in self.notes.items() if key in self._items}
        self.list.pending_model().forget()
        self._refilter()
        self.judging.go_on()

    def _digest(self, key: str) -> str | None:
        item = self._items.get(key)
        return item.digest if isinstance(item, Record) else None

    def forget(self) -> None:
        """Be empty: another home is open."""
        self._view = None
        self._items, self.notes = {}, {}
        self.judging.forget()
        self._keep_ticks(set())
        self.list.show_keys(())

    def item(self, key: str | None) -> Item | None:
        """Give the item with that key, if it waits."""
        return self._items.get(key) if key is not None else None

    def current(self) -> Item | None:
        """Give the selected item."""
        return self.item(self.list.current_key())

    def current_key(self) -> str | None:
        """Give the key of the selected item, if it waits."""
        key = self.list.current_key()
        return key if key in self._items else None

    def brief(self, key: str | None) -> AnyBrief | None:
        """Give what is known of a record's effect."""
        return self.judging.briefs.get(key) if key is not None else None

    def near(self, key: str | None) -> Near | None:
        """Give what a record is near to."""
        return self.judging.near.get(key) if key is not None else None

    def known(self) -> Known | None:
        """Give what is on screen."""
        view = self._view
        return None if view is None else Known(view, self.judging.briefs.copy(), self._near_view())

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
        return card_of(
            item,
            self.judging.briefs.get(key),
            key=key,
            ticked=key in self._ticked,
            now=view.at,
            more=self._marks(key),
            profile=view.inbox_of(key).profile,
        )

    def _marks(self, key: str) -> list[Mark]:
        more = []
        if key in self.notes:
            more.append(Mark(tr("declined"), "bad", say(self.notes[key])))
        if key in self.drafts:
            more.append(Mark(tr("being edited"), "plain"))
        near = self.judging.near.get(key)
        if near is not None and near.entry:
            tip = tr("In the file already: “{text}”", text=excerpt(near.entry, 200))
            more.append(Mark(tr("near an entry"), "warn", tip))
        if near is not None and (others := len(near.group) - 1) > 0:
            tip = tr("They share at least 7 of 10 words, and stand below each other.")
            more.append(Mark(trn("like {n} other", "like {n} others", others), "plain", tip))
        return more

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
        self.untick([*decision.done, *(key for key, _ in decision.refused)])

    def lead_to(self, key: str) -> bool:
        """Select a record, whatever the filter hid; False if it does not wait."""
        if key not in self._items:
            return False
        self.filters.choose(Filter())
        self._refilter_at_once()
        return self.list.choose(key)

    # -- filters -----------------------------------------------------------------------------

    def search(self, needle: str) -> None:
        """Show only what has `needle` in it."""
        self.filters.search(needle)

    def _refilter(self, *_: object) -> None:
        self._filter.cancel()
        if self._view is None:
            return
        wanted, judged = self.filters.wanted(), self.judging.judged
        self._refilter_at_once()
        if wanted.lets_all and not judged.near:
            return
        self._filter = Ticket()
        given_up = self._filter.is_cancelled
        work = partial(listed, self._view, wanted, judged, given_up)
        self._place.tasks.read(self, work, self._show_keys, ticket=self._filter)

    def _refilter_at_once(self) -> None:
        """Show what can be shown without looking at each: what was, without what went."""
        everything = self.filters.wanted().lets_all
        if everything and not self.judging.near:
            self._show_keys(tuple(self._items))
            return
        shown = [key for key in self.list.pending_model().keys if key in self._items]
        if everything and len(shown) < len(self._items):  # what is new finds its place later
            present = set(shown)
            shown += [key for key in self._items if key not in present]
        self._show_keys(tuple(shown))

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
        self.judging.go_on()
        self._tell_chosen()

    # -- judging -----------------------------------------------------------------------------

    @property
    def stale(self) -> frozenset[str]:
        """The records that can no longer apply, as far as is known."""
        return self.judging.stale

    def _remake_learned(self, keys: Collection[str]) -> None:
        in_view = set(self.list.seen_keys())
        self.list.pending_model().drop(set(keys) - in_view)
        if shown := in_view.intersection(keys):
            self.remake(shown)

    def _recounted(self) -> None:
        self.judged.emit()
        if self.filters.wanted().state != "all":
            self._refilter()

    # -- ticks -------------------------------------------------------------------------------

    def ticked(self) -> tuple[str, ...]:
        """Give the keys of the ticked records in the order of the list."""
        if not self._ticked:
            return ()
        return tuple(key for key in self.list.pending_model().keys if key in self._ticked)

    def applicable(self) -> tuple[str, ...]:
        """Give those of them that would be applied, as far as is known."""
        return tuple(key for key in self.ticked() if key not in self.totals.refused)

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

    def tick_near(self) -> None:
        """Tick all records that are near to the selected one, or take the ticks away."""
        near = self.near(self.current_key())
        shown = self.list.pending_model().keys
        keys = set(near.group).intersection(shown) if near is not None else set()
        if keys:
            ticked = set(self._ticked)
            self._set_ticks(ticked - keys if keys <= ticked else ticked | keys)

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
        self.totals.weigh(self._view, self.list.pending_model().keys, self._ticked.keys())

    # -- small things --------------------------------------------------------------------------

    def _tell_chosen(self, *_: object) -> None:
        self.chosen.emit()

    def _tell_opened(self, _: object) -> None:
        self.opened.emit()
