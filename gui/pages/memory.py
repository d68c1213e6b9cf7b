"""The Memory page: both files, and what the agent will see of them."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.i18n import tr
from gui.models.drafts import DraftSent, EditEntry, NewEntry, ShowEntry
from gui.models.memory import OTHER, Fix, MemoryView, file_words, read_memory
from gui.page import Page
from gui.pages.memory_column import QWIDGETSIZE_MAX, FileColumn
from gui.pages.memory_wishes import AnyWish, Wish, carry_out, told
from gui.theme import BAR, GRID, HALF
from gui.widgets.bars import Banner, Notice
from gui.widgets.labels import ElidedLabel, PlainLabel, make_action
from gui.widgets.texts import SnapshotView
from gui.words import say
from gui.workplace import Said, Workplace
from store.home import TARGETS, Target
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent, QShowEvent

    from gui.models.pasted import Pasted
    from gui.pages.memory_chosen import ChosenBar
    from gui.pages.memory_elsewhere import Elsewhere
    from gui.pages.memory_marks import Marks
    from gui.pages.memory_past import Past
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.state import Written
    from store.refusals import Refusal

TWO_COLUMNS_FROM = 660
THREE_COLUMNS_FROM = 1240


class Columns(QGridLayout):
    """A grid that fits the window, or with one column is as high as what is in it."""

    whole = False

    def hasHeightForWidth(self) -> bool:
        return self.whole


class MemoryPage(Page):
    """MEMORY.md and USER.md as cards, with the next prompt beside them."""

    name = "memory"
    load = staticmethod(read_memory)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: MemoryView | None = None
        self._new: NewEntry | None = None
        self._wanted: ShowEntry | EditEntry | None = None
        self._past: Past | None = None
        self._marks: Marks | None = None
        self.chosen: ChosenBar | None = None
        self.elsewhere: Elsewhere | None = None
        self._used: Target = "memory"
        self._columns = 0
        self.columns: dict[Target, FileColumn] = {
            target: FileColumn(place.theme, target) for target in TARGETS
        }
        self._add = make_action(
            self, name="add_entry", text=tr("Add entry"), keys="Ctrl+N", act=self._begin_add
        )
        self._add.setEnabled(False)
        self.addAction(self._add)
        self._copies = make_action(
            self, name="backups", text=tr("Backups"), keys="Ctrl+Shift+B", act=self._show_copies
        )
        self._history = make_action(
            self, name="history", text=tr("History"), keys="Ctrl+Shift+H",
            act=partial(place.page_wanted.emit, "history", None),
        )  # fmt: skip
        self._room = make_action(
            self, name="room", text=tr("Make room…"), keys="Ctrl+R", act=self._make_room
        )
        for action in (self._copies, self._history, self._room):
            self.addAction(action)
        self._build()
        for column in self.columns.values():
            column.wished.connect(self._carry_out)
            column.fix_wanted.connect(self._fix)
            column.repair_wanted.connect(partial(place.page_wanted.emit, "repair"))
            column.said.connect(place.said)
            column.origin_wanted.connect(self._ask_origin)
            column.note_wanted.connect(partial(self._ask_note, column.target))
            column.belongs_wanted.connect(partial(self._ask_belongs, column.target, False))
            column.edit.belongs_wanted.connect(partial(self._ask_belongs, column.target, True))
            column.used.connect(self._remember_used)
            column.fitted.connect(self._hug)
            column.room_wanted.connect(partial(self._make_room, column.target))
            column.choice.changed.connect(partial(self._show_choice, column))

    def _build(self) -> None:
        self.snapshot = SnapshotView(
            self.theme, name="snapshot", label=tr("What the agent will see")
        )
        self._gaps = PlainLabel(name="snapshot_gaps", role="meta", wrap=True)
        head = QHBoxLayout()
        title, when = tr("What the agent will see"), tr("takes effect next session")
        head.addWidget(PlainLabel(title, name="snapshot_title", role="head"))
        told = ElidedLabel(when, name="snapshot_when", role="dim")
        told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(told, 1)
        self._prompt = QWidget()
        self._prompt.setObjectName("prompt")
        # All columns are equally wide, whatever their words ask for.
        self._prompt.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = self._prompt_column = QVBoxLayout(self._prompt)
        column.setContentsMargins(0, 0, BAR, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self._gaps)
        column.addWidget(self.snapshot, 1000)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setObjectName("memory_area")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        inside.setObjectName("page_body")
        self._grid = Columns(inside)
        self._grid.setContentsMargins(0, HALF, 0, GRID)
        self._grid.setHorizontalSpacing(2 * GRID - BAR)
        self._grid.setVerticalSpacing(2 * GRID)
        self._area.setWidget(inside)
        self.found = Banner(name="found")
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.addWidget(self.found)
        self.body.addLayout(above)
        self.body.addWidget(self._area)

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Memory")

    def search_hint(self) -> str:
        return tr("Search, or paste a refusal")

    def primary(self) -> QAction:
        return self._add

    def secondary(self) -> tuple[QAction, ...]:
        return (self._history, self._copies)

    def unsaved(self) -> str:
        if any(column.draft() is not None for column in self.columns.values()):
            return tr("An entry is being edited and is not saved.")
        return ""

    def take_focus(self) -> None:
        used = self.columns[self._used]
        for column in (used, *self.columns.values()):
            if column.take_focus():
                return
        used.setFocus()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset({home.memory_file("memory"), home.memory_file("user"), home.config})

    # -- showing -----------------------------------------------------------------------------

    def show_loaded(self, loaded: MemoryView) -> None:
        self._view = loaded
        for target, column in self.columns.items():
            view = loaded.file(target)
            self.place.watch.know(Path(view.state.path), view.state.digest)
            column.show_view(view)
        prompt = loaded.prompt()
        self.snapshot.show_text(prompt)
        self.snapshot.setVisible(bool(prompt))
        gaps = "\n".join(loaded.prompt_gaps())
        self._gaps.setText(gaps)
        self._gaps.setVisible(bool(gaps))
        self._add.setEnabled(loaded.file(self._used).addable)
        troubles = (loaded.file(target).trouble for target in TARGETS)
        if any(trouble is not None and trouble.repair for trouble in troubles):
            self.place.tasks.later(self, self._expect_repair)
        if self._new is not None:
            self._begin_new(self._new)
        wanted, self._wanted = self._wanted, None
        if isinstance(wanted, EditEntry):
            self._begin_edit(wanted)
        elif wanted is not None and self.columns[wanted.target].lead_to(wanted.text):
            self.columns[wanted.target].list.take_focus()
        self.place.tasks.later(self, self._show_ages)

    def _show_ages(self) -> None:
        """Ask how old the entries are and what is advised; nothing of it before the first frame."""
        if self._past is None or self._marks is None:
            from gui.pages.memory_exchange import Exchange
            from gui.pages.memory_marks import Marks
            from gui.pages.memory_past import Past

            self._past, self._marks = Past(self), Marks(self)
            Exchange(self)
        self._past.read()
        self._marks.read()

    def _expect_repair(self) -> None:
        """Load what the Repair page stands on before it is wanted, which takes a moment."""
        work = partial(import_module, "gui.models.repair")
        self.place.tasks.read(self, work, self._expected)

    def _expected(self, _: object) -> None:
        """Take note of nothing: what is loaded is there for whoever asks."""

    def show_about(self, about: object) -> None:
        if isinstance(about, DraftSent):
            self.columns[about.target].edit.let_go(about.text)
        self._new = about if isinstance(about, NewEntry) else None
        self._wanted = about if isinstance(about, ShowEntry | EditEntry) else None
        self.refresh()

    def _begin_new(self, wanted: NewEntry) -> None:
        self._new = None
        if not self.columns[wanted.target].edit.begin_new(wanted.text):
            words = tr("Save or put aside what you are editing, then try again.")
            self.place.said.emit(Said(words))

    def _begin_edit(self, wanted: EditEntry) -> None:
        column = self.columns[wanted.target]
        column.lead_to(wanted.text)
        if not column.edit.begin_both(wanted.text, wanted.merged) and column.draft() is None:
            self.place.said.emit(Said(tr("That entry is no longer as it was.")))

    def _ask_note(self, target: Target, texts: tuple[str, ...]) -> None:
        """Have entries moved to a note, once it is known which of them hold a secret."""
        then = partial(self._to_note, target, texts)
        self.place.tasks.read(self, partial(find_secrets, texts), then)

    def _to_note(self, target: Target, texts: tuple[str, ...], secrets: frozenset[str]) -> None:
        from gui.models.knowledge import MoveToNote
        from gui.pages.plain_files import may_stand

        going = may_stand(self.asker(), texts, secrets)
        if going:
            self.place.page_wanted.emit("knowledge", MoveToNote(target, going[0], going[1:]))

    def _ask_belongs(self, target: Target, new: bool, text: str) -> None:
        from gui.models.belongs import Belongs

        about = Belongs(text, draft=target) if new else Belongs(text, source=target)
        self.place.page_wanted.emit("belongs", about)

    def _ask_origin(self, text: str) -> None:
        from gui.pages.sessions import Origin

        self.place.page_wanted.emit("sessions", Origin(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.width()
        columns = 3 if width >= THREE_COLUMNS_FROM else 2 if width >= TWO_COLUMNS_FROM else 1
        if columns != self._columns:
            self._columns = columns
            self._flow(columns)
        self._hug()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._hug()  # what was measured while the page was hidden need not hold

    def _flow(self, columns: int) -> None:
        memory, user, prompt = self.columns["memory"], self.columns["user"], self._prompt
        places = {
            1: ((memory, 0, 0, 1), (user, 1, 0, 1), (prompt, 2, 0, 1)),
            2: ((memory, 0, 0, 2), (user, 0, 1, 1), (prompt, 1, 1, 1)),
            3: ((memory, 0, 0, 1), (user, 0, 1, 1), (prompt, 0, 2, 1)),
        }[columns]
        for widget, row, column, rows in places:
            self._grid.removeWidget(widget)
            self._grid.addWidget(widget, row, column, rows, 1)
        for column in range(3):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        stretches = {1: (0, 0, 1), 2: (3, 2, 0), 3: (1, 0, 0)}[columns]
        for row, stretch in enumerate(stretches):
            self._grid.setRowStretch(row, stretch)
        self.snapshot.setMinimumHeight(160 if columns > 1 else 280)
        # One column scrolls as a whole, so its parts need no room for bars of their own.
        whole = self._grid.whole = columns == 1
        self._prompt_column.setContentsMargins(0, 0, 0 if whole else BAR, 0)
        bars = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(
            bars.ScrollBarAlwaysOn if whole else bars.ScrollBarAsNeeded
        )
        for file_column in (memory, user):
            file_column.show_whole(whole)
        self._grid.invalidate()

    def _hug(self) -> None:
        """Above the prompt, let the user profile take no more room than is needed."""
        user = self.columns["user"]
        most = user.wanted_height() if self._columns == 2 else QWIDGETSIZE_MAX
        user.setMaximumHeight(most)

    # -- searching ---------------------------------------------------------------------------

    def search(self, text: str) -> None:
        from gui.models.pasted import read_refusal

        pasted = read_refusal(text)
        for column in self.columns.values():
            column.filter("" if pasted is not None else text.strip())
        self._search_elsewhere("" if pasted is not None else text.strip())
        if pasted is None or self._view is None:
            self.found.show_notice(None)
            return
        self._lead_to(pasted, self._view)

    def _search_elsewhere(self, needle: str) -> None:
        """Offer to look in the other profiles too, while something is searched for."""
        if self.elsewhere is None and needle:
            from gui.pages.memory_elsewhere import Elsewhere

            self.elsewhere = Elsewhere(self.place)
            self._put_below(self.elsewhere, inset=0)
        if self.elsewhere is not None:
            self.elsewhere.search(needle)

    def _put_below(self, widget: QWidget, *, inset: int = BAR) -> None:
        """Have it below the columns, in line with them."""
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, inset, GRID)
        below.addWidget(widget)
        self.body.addLayout(below)

    def _lead_to(self, pasted: Pasted, view: MemoryView) -> None:
        """Go to the entry that a pasted refusal is about, and say how to mend it."""
        from gui.models.pasted import place_of

        place = place_of(pasted, {target: view.file(target).state for target in TARGETS})
        self._used = place.target
        if place.repair:
            self.place.page_wanted.emit("repair", place.target)
            return
        if place.text is not None:
            self.columns[place.target].lead_to(place.text)
        file = file_words(place.target)
        self.found.show_notice(Notice("found", place.words, strong=file, tone="plain"))

    def _show_copies(self) -> None:
        self.place.page_wanted.emit("backups", self._used)

    def _make_room(self, target: Target | None = None, characters: int | None = None) -> None:
        from gui.models.room import MakeRoom

        target = target or self._used
        wanted = characters or self.columns[target].edit.lacking() or None
        self.place.page_wanted.emit("room", MakeRoom(target, wanted))

    # -- changing ----------------------------------------------------------------------------

    def _begin_add(self) -> None:
        self.columns[self._used].begin_add()

    def _remember_used(self, target: Target) -> None:
        self._used = target

    def _carry_out(self, wish: AnyWish) -> None:
        desk = self.place.desk
        if desk is None or not self._may_lose(wish.target, wish.gone):
            return
        paths = [desk.home.memory_file(target) for target in TARGETS]
        work, then = partial(carry_out, desk, wish), partial(self._answered, desk, wish)
        self.place.write(self, work, then, paths)

    def _may_lose(self, target: Target, texts: Collection[str]) -> bool:
        """Ask first where there is no way back: of a secret the history keeps no text."""
        column = self.columns[target]
        state, gone = column.state(), frozenset(texts)
        secret = state is not None and any(
            "hardcoded_secret" in entry.threats for entry in state.entries if entry.text in gone
        )
        if not secret or self.asker().confirm(
            title=tr("This cannot be undone"),
            text=tr("The entry holds a password, key or token, and the history keeps none."),
            yes=tr("Go on"),
            no=tr("Leave it"),
        ):
            return True
        if column.edit.editor is not None:
            column.edit.editor.set_busy(False)
        return False

    def _answered(
        self, desk: Desk, wish: AnyWish, answer: tuple[Written | Refusal, MemoryView]
    ) -> None:
        done, view = answer
        if desk is not self.place.desk:
            return
        column = self.columns[wish.target]
        if isinstance(done, REFUSALS):
            self.show_loaded(view)
            column.refused(wish, done)
            return
        if isinstance(wish, Wish) and wish.typed:
            column.saved()
        column.problem.show_notice(None)
        column.choice.end()
        self.show_loaded(view)
        if isinstance(wish, Wish):
            column.lead_to(wish.choose)
        from store.history_texts import holds_secret

        lost = any(map(holds_secret, wish.gone))  # the history keeps none, so there is no way back
        self.place.note_change(None if lost else done.change_id, told(wish, done))

    def _show_choice(self, column: FileColumn) -> None:
        """Say below the columns what is chosen; entries of one column at a time."""
        if not len(column.choice) and self.chosen is None:
            return
        if self.chosen is None:
            from gui.pages.memory_chosen import ChosenBar

            self.chosen = ChosenBar()
            self._put_below(self.chosen)
        self.chosen.show_choice(column)
        if len(column.choice):
            self.columns[OTHER[column.target]].choice.end()

    def _fix(self, fix: Fix) -> None:
        desk = self.place.desk
        if desk is not None:
            work = partial(mend_config, desk, fix)
            self.place.write(self, work, self._mended, [desk.home.config])

    def _mended(self, answer: tuple[Any, MemoryView]) -> None:
        done, view = answer
        self.show_loaded(view)
        if isinstance(done, REFUSALS):
            self.place.said.emit(Said(say(done)))
        else:
            self.place.said.emit(Said(tr("config.yaml is changed; it takes effect next session.")))


def find_secrets(texts: tuple[str, ...]) -> frozenset[str]:
    """Those of these entries that hold a password, key or token. Runs in the background."""
    from store.advice.plain import secrets_among

    return secrets_among(texts)


def mend_config(desk: Desk, fix: Fix) -> tuple[object, MemoryView]:
    """Change the value of config.yaml that keeps the agent from a file. Runs in the background."""
    from store.config import set_value, unset_value

    if fix.value is None:
        done: object = unset_value(desk.home, fix.key, disk=desk.disk, env=desk.env)
    else:
        done = set_value(desk.home, fix.key, fix.value, disk=desk.disk, env=desk.env)
    return done, read_memory(desk)
