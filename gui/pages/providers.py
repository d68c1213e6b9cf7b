"""The Providers page: every memory provider there is, and the form of the one that is chosen."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget

from gui.i18n import tr, trn
from gui.models.provider_use import ask_it, check_ask, check_use, say_ask, say_use, switch_off, use
from gui.models.providers import ProvidersView, ProviderView, read_providers
from gui.page import Page
from gui.pages.provider_detail import ProviderDetail
from gui.theme import BAR, GRID
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import make_action
from gui.widgets.titled_cards import ExplainedList
from gui.words import say
from gui.workplace import Opened, Said, Workplace
from store.providers.desk import AskCheck, UseCheck, Used
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable

    from store.home import HermesHome

LIST_WIDTH = 34 * GRID
NARROW_LIST = 22 * GRID
WIDE_FROM = 760
OPENABLE = ("https", "http")
"""What an address of a plugin may begin with to be opened."""


class ProvidersPage(Page):
    """A list of providers; beside it the draft of one of them."""

    name = "providers"
    load = staticmethod(read_providers)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: ProvidersView | None = None
        self._details: dict[str, ProviderDetail] = {}
        self._current = ""
        self._needle = ""
        self.save_action = make_action(
            self, name="save", text=tr("Save"), act=self.save, keys="Ctrl+S"
        )
        self.revert_action = make_action(self, name="revert", text=tr("Revert"), act=self.revert)
        self.use_action = make_action(self, name="use", text=tr("Use provider"), act=self.use)
        for action in (self.save_action, self.revert_action, self.use_action):
            action.setEnabled(False)
            self.addAction(action)
        self._build()
        place.watch_also(paths_of)

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID - BAR)
        self.body.addLayout(row, 1)
        self.list = ExplainedList(self.theme, name="providers", label=tr("Providers"))
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.chosen.connect(self._choose)
        self.list.opened.connect(self._open)
        row.addWidget(self.list)
        self._stack = QStackedWidget()
        self._stack.setObjectName("provider_stack")
        row.addWidget(self._stack, 1)
        self._built_in = _built_in_page()
        self._built_in.acted.connect(self._go_to_memory)
        self._stack.addWidget(self._built_in)
        self._none = EmptyPage(name="no_provider", text=tr("No provider fits this search."))
        self._stack.addWidget(self._none)

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Providers")

    def search_hint(self) -> str:
        return tr("Search providers and fields")

    def search(self, text: str) -> None:
        self._needle = text.strip()
        self._show_cards()
        detail = self._detail()
        if detail is not None:
            detail.search(self._field_needle())

    def _field_needle(self) -> str:
        """What to look for among the fields: nothing where it is the provider that was meant."""
        view = self._view
        if view is None or not self._needle:
            return ""
        return "" if view.filtered(self._needle) else self._needle

    def primary(self) -> QAction:
        return self.save_action

    def secondary(self) -> tuple[QAction, ...]:
        return (self.revert_action,)

    def unsaved(self) -> str:
        edited = sum(len(detail.edited_rows()) for detail in self._details.values())
        return (
            trn(
                "{n} setting of a provider is changed and not saved.",
                "{n} settings of providers are changed and not saved.",
                edited,
            )
            if edited
            else ""
        )

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return paths_of(home)

    def take_focus(self) -> None:
        self.list.setFocus()

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        for detail in self._details.values():
            self._stack.removeWidget(detail)
            detail.hide()
            detail.deleteLater()
        self._details.clear()
        self._view = None
        super().show_opened(opened)

    def show_loaded(self, loaded: ProvidersView) -> None:
        self._view = loaded
        self._show_cards()
        if not self.ready:  # a home was opened: begin with what it uses
            self.list.choose(loaded.first())
            self._choose(loaded.first())
        for detail in self._details.values():
            detail.refresh()
        self._show_actions()

    def _show(self, loaded: ProvidersView) -> None:
        # Ready is the page once the form beside the list is there.
        self.show_loaded(loaded)

    def _announce(self) -> None:
        if not self.ready:
            self.ready = True
            self.became_ready.emit()

    def _show_cards(self) -> None:
        view = self._view
        if view is None:
            return
        found = view.filtered(self._needle) or view.cards
        self.list.show_cards(found)

    def _choose(self, key: Hashable) -> None:
        view = self._view
        if view is None or not isinstance(key, str):
            return
        self._current = key
        row = view.rows.get(key)
        if row is None:
            self._stack.setCurrentWidget(self._built_in)
            self._announce()
        else:
            detail = self._details.get(key)
            if detail is None:
                detail = self._details[key] = ProviderDetail(
                    self.place, row.name, self.use_action, self._stack
                )
                detail.shown.connect(self._announce)
                detail.draft_changed.connect(self._show_actions)
                detail.saved.connect(self.refresh)
                detail.link_wanted.connect(self._open_link)
                detail.ask_wanted.connect(self._ask)
                self._stack.addWidget(detail)
                detail.refresh()
            detail.search(self._field_needle())
            self._stack.setCurrentWidget(detail)
        self._show_actions()

    def _open(self, key: Hashable) -> None:
        """Go from the list into the form."""
        detail = self._detail()
        if detail is not None:
            detail.take_focus()

    def _detail(self) -> ProviderDetail | None:
        return self._details.get(self._current)

    def _show_actions(self) -> None:
        detail, view = self._detail(), self._view
        edited = 0 if detail is None else len(detail.edited_rows())
        wrong = "" if detail is None else detail.problem()
        self.save_action.setText(
            trn("Save {n} change", "Save {n} changes", edited) if edited else tr("Save")
        )
        self.save_action.setEnabled(edited > 0 and not wrong)
        self.save_action.setToolTip(wrong)
        self.revert_action.setEnabled(edited > 0)
        row = None if view is None else view.rows.get(self._current)
        active = row is not None and row.active
        off = active or (row is None and view is not None and bool(view.active))
        self.use_action.setText(tr("Switch off") if off else tr("Use provider"))
        usable = row is not None and row.state not in ("shadowed", "broken", "not_loaded")
        self.use_action.setEnabled(off or usable)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A field whose own steps are used up leaves the key to the page.
        if event.matches(QKeySequence.StandardKey.Undo):
            self.place.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.place.redo()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.setFixedWidth(LIST_WIDTH if self.width() >= WIDE_FROM else NARROW_LIST)

    # -- the draft ---------------------------------------------------------------------------

    def save(self) -> None:
        """Store the draft of the provider that is shown."""
        detail = self._detail()
        if detail is not None:
            detail.save()

    def revert(self) -> None:
        """Forget the draft of the provider that is shown."""
        detail = self._detail()
        if detail is not None:
            detail.revert()

    # -- using a provider --------------------------------------------------------------------

    def use(self) -> None:
        """Let the agent use the chosen provider, or none where it does already."""
        desk, view = self.place.desk, self._view
        if desk is None or view is None:
            return
        row = view.rows.get(self._current)
        if row is None or row.active:
            self.place.write(self, partial(switch_off, desk), self._show_used, [desk.home.config])
        else:
            self.place.tasks.read(self, partial(check_use, desk, row.name), self._confirm_use)

    def _confirm_use(self, check: UseCheck | Refusal) -> None:
        desk = self.place.desk
        if desk is None:
            return
        if not isinstance(check, UseCheck):
            self.place.said.emit(Said(say(check)))
            return
        title, text, yes = say_use(check)
        sure = check.agreed and check.row.state == "ready"
        if not sure and not self.asker().confirm(title=title, text=text, yes=yes, no=tr("Cancel")):
            return
        work = partial(use, desk, check)
        self.place.write(self, work, self._show_used, [desk.home.config])

    def _show_used(self, answer: Used | Refusal) -> None:
        if not isinstance(answer, Used):
            self.place.said.emit(Said(say(answer)))
            return
        words = (
            tr("The agent will use {provider} from its next session on.", provider=answer.active)
            if answer.active
            else tr("The agent will use its built-in memory alone from its next session on.")
        )
        self.place.note_change(answer.change_id, words)
        self.refresh()

    # -- asking the plugin -------------------------------------------------------------------

    def _ask(self) -> None:
        desk, detail = self.place.desk, self._detail()
        if desk is not None and detail is not None:
            work = partial(check_ask, desk, detail.name)
            self.place.tasks.read(self, work, self._confirm_ask)

    def _confirm_ask(self, check: AskCheck | Refusal) -> None:
        desk = self.place.desk
        if desk is None:
            return
        if not isinstance(check, AskCheck):
            self.place.said.emit(Said(say(check)))
            return
        title, text = say_ask(check)
        agreed = check.agreed or self.asker().confirm(
            title=title, text=text, yes=tr("Run it once"), no=tr("Cancel")
        )
        if agreed:
            work = partial(ask_it, desk, check)
            self.place.tasks.read(self, work, self._show_asked)

    def _show_asked(self, answer: ProviderView | Refusal) -> None:
        if isinstance(answer, REFUSALS):
            self.place.said.emit(Said(say(answer)))
            return
        detail = self._details.get(answer.name)
        if detail is not None:
            detail.show_view(answer)
            self.place.said.emit(Said(tr("The plugin has answered; these are its fields.")))

    # -- ways elsewhere ----------------------------------------------------------------------

    def _open_link(self, address: str) -> None:
        """Show where a link of a plugin leads, and open it if the person wants to."""
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        if not url.isValid() or url.scheme() not in OPENABLE or not url.host():
            words = tr("Not opened, since it is no web page: {address}", address=address[:200])
            self.place.said.emit(Said(words))
            return
        shown = bytes(url.toEncoded().data()).decode("ascii", "replace")
        if self.asker().confirm(
            title=tr("Open this page in the browser?"), text=shown, yes=tr("Open"), no=tr("Cancel")
        ):
            QDesktopServices.openUrl(url)

    def _go_to_memory(self, _: str) -> None:
        self.place.page_wanted.emit("memory", None)


def paths_of(home: HermesHome) -> frozenset[Path]:
    """The files in which the known providers of a home keep their settings."""
    names = ("honcho", "mem0", "supermemory", "hindsight")
    files = {home.path / f"{name}.json" for name in names}
    files |= {home.path / name / "config.json" for name in names}
    return frozenset({*files, home.config, home.path / ".env"})


def _built_in_page() -> EmptyPage:
    page = EmptyPage(
        name="built_in",
        title=tr("Hermes' own memory"),
        text=tr(
            "MEMORY.md and USER.md are always in use; a provider is used beside them. What the "
            "agent keeps there is on the page Memory, how much it may keep in Settings."
        ),
    )
    page.add_button(tr("Open Memory"), "memory", "primary")
    return page
