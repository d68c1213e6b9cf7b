"""The Settings page: Hermes' own settings as a form, and the desk's."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from gui.forms.area import FormArea
from gui.forms.form import Form
from gui.forms.preview import PreviewPane
from gui.forms.row import FieldRow
from gui.forms.staged import StagedPage
from gui.forms.steps import Step
from gui.i18n import tr, trn
from gui.models.settings import (
    Preview,
    Saved,
    SettingsView,
    conflict_words,
    preview,
    preview_over,
    read_settings_view,
)
from gui.pages.settings_desk import DeskSection
from gui.pages.settings_saving import Saver
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, ConflictBar, Notice
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import make_action
from gui.widgets.usage import LimitLines
from gui.words import say
from gui.workplace import Opened, Said, Workplace
from schema.fields import UNSET
from schema.settings import HERMES_SETTINGS
from store.config import Declined, Edit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.home import HermesHome
    from store.refusals import Refusal

TWO_COLUMNS_FROM = 820
ROOM_FOR_WORDS = 480
"""Narrower than this, the buttons beside the title have short names."""


class SettingsPage(StagedPage):
    """A draft of the settings, what saving it would change, and the way back."""

    name = "settings"
    load = staticmethod(read_settings_view)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._base: SettingsView | None = None
        self._latest: SettingsView | None = None
        self._wanted = ""
        self._needle = ""
        self._ticket: Ticket | None = None
        self._wide: bool | None = None
        self._save = make_action(self, name="save", text=tr("Save"), act=self.save, keys="Ctrl+S")
        self._revert = make_action(self, name="revert", text=tr("Revert"), act=self.revert)
        for action in (self._save, self._revert):
            action.setEnabled(False)
            self.addAction(action)
        self.saver = Saver(place, self)
        self.saver.written.connect(self._show_saved)
        self.saver.declined.connect(self._show_declined)
        self._build()
        self.form.edited.connect(self._hear_edit)
        self.banner.acted.connect(self._act)
        self.conflict.reload_requested.connect(self.revert)
        self.conflict.keep_requested.connect(self._keep)
        self.conflict.compare_requested.connect(self._compare)
        if place.desk is not None:
            self.own.refresh()
        self.begin()

    def build_steps(self) -> list[Step]:
        return [*self.form.build_steps(), *self.own.build_steps()]

    def show_steps(self) -> list[Step]:
        return [*self.form.show_steps(), *self.own.form.show_steps()]

    def _build(self) -> None:
        # From the outside in: a widget that moves to another parent is styled once more.
        bars = QVBoxLayout()
        bars.setContentsMargins(0, 0, BAR, 0)
        bars.setSpacing(GRID)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID - BAR)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setRowStretch(0, 1)
        self.body.addLayout(bars)
        self.body.addLayout(self._grid, 1)
        self.banner = Banner(name="settings_banner")
        self.conflict = ConflictBar(name="settings_conflict")
        bars.addWidget(self.banner)
        bars.addWidget(self.conflict)
        self._area = FormArea(name="settings_area")
        self._grid.addWidget(self._area, 0, 0)
        inside = self._area.inside()
        self.form = Form(HERMES_SETTINGS, self.theme, inside, name="hermes_form")
        self.own = DeskSection(self.place, inside)
        self._limits = LimitLines(self.theme, self.form.rows)
        self._nothing = EmptyPage(name="no_setting", text=tr("No setting fits this search."))
        self._nothing.hide()
        for widget in (self.form, self.own, self._nothing):
            self._area.add(widget)
        self.pane = PreviewPane(self.theme, name="preview", file="config.yaml")

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Settings")

    def search_hint(self) -> str:
        return tr("Search settings")

    def search(self, text: str) -> None:
        if not self.is_shown():
            return
        self._needle = text.strip()
        found = self.form.filter(self._needle) + self.own.form.filter(self._needle)
        self._nothing.setVisible(not found)

    def primary(self) -> QAction:
        return self._save

    def secondary(self) -> tuple[QAction, ...]:
        return (self._revert,)

    def unsaved(self) -> str:
        edited = len(self.form.edited_rows())
        return (
            trn(
                "{n} setting is changed and not saved.",
                "{n} settings are changed and not saved.",
                edited,
            )
            if edited
            else ""
        )

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset({home.config, home.memory_file("memory"), home.memory_file("user")})

    # -- the keyboard ------------------------------------------------------------------------

    def take_focus(self) -> None:
        last = self.focusWidget()
        left = last is not None and last is not self and last.isEnabled() and last.isVisible()
        if last is not None and left and not self._needle:
            last.setFocus()
            self._area.keep_in_sight(last)
        elif not self.is_shown():
            self.setFocus()
        else:
            # The first that a search found; with nothing found the keyboard stays where it is.
            rows = [*self.form.rows.values(), *self.own.form.rows.values()]
            open_ = [row for row in rows if row.isVisible() and row.editor.isEnabled()]
            if open_:
                self._area.lead_to(open_[0])

    def focus_key(self, key: str) -> None:
        """Lead to the setting `key`; once it is there, if the page is still empty."""
        row = self.form.rows.get(key)
        if not self.is_shown():
            self._wanted = key
        elif row is not None:
            self.search("")
            self._area.lead_to(row)

    def show_focus(self) -> None:
        wanted, self._wanted = self._wanted, ""
        if wanted:
            self.focus_key(wanted)

    def event(self, event: QEvent) -> bool:
        # While the last thing done here can be undone, Ctrl+Z means that and nothing elsewhere.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Undo)
            and self.saver.can_undo()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo) and self.saver.can_undo():
            self.saver.undo()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # another page is opened, for which the search is emptied
            self.search("")
            for row in self.form.rows.values():
                row.editor.forget_steps()

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._base = None
        self.saver.forget()
        self.own.refresh()
        super().show_opened(opened)

    def show_loaded(self, loaded: SettingsView) -> None:
        self.place.watch.know(loaded.config, loaded.digest)
        self._latest = loaded
        self._show_trouble(loaded)
        if self._base is None or not self.form.edited_rows():
            self._take_over(loaded)
        elif loaded.readable and loaded.stored() != self._base.stored():
            # The rows stay as they are; only what locks them is told.
            for key, row in self.form.rows.items():
                row.restate(loaded.state_over(key, row.state))
            self.conflict.tell(tr("config.yaml was changed elsewhere. Your changes here are kept."))
        else:
            for key, row in self.form.rows.items():
                state = loaded.states[key]
                row.restate(state if loaded.readable else loaded.state_over(key, row.state))
            self.conflict.tell("")
        self._after_showing()

    def _take_over(self, view: SettingsView) -> None:
        """Show what is stored, and forget the draft."""
        self._base = view
        self.conflict.tell("")
        for key, row in self.form.rows.items():
            row.show_state(view.states[key])

    def _adopt(self, view: SettingsView) -> None:
        """Take `view` for what is stored, and keep what differs from it in the draft."""
        self._base = view
        self.conflict.tell("")
        for key, row in self.form.rows.items():
            if row.is_edited():
                row.rebase(view.states[key])
            if not row.is_edited():
                row.show_state(view.states[key])

    def _show_trouble(self, view: SettingsView) -> None:
        trouble = view.trouble
        self.banner.show_notice(
            None
            if trouble is None
            else Notice(trouble.name, trouble.text, trouble.strong, trouble.tone, trouble.action)
        )

    def _after_showing(self) -> None:
        self._show_usage()
        self._show_draft()

    def _show_usage(self) -> None:
        if self._latest is not None:
            self._limits.show_used(self._latest.used)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide == self._wide:
            return
        self._wide = wide
        self._grid.removeWidget(self.pane)
        self._grid.addWidget(self.pane, 0 if wide else 1, 1 if wide else 0)
        self._grid.setColumnStretch(0, 3)
        self._grid.setColumnStretch(1, 2 if wide else 0)
        self.pane.setContentsMargins(0, GRID if wide else 0, BAR, GRID)
        self.pane.stand_below(not wide)
        self._show_pane()

    # -- the draft ---------------------------------------------------------------------------

    def _hear_edit(self, row: FieldRow) -> None:
        self._show_usage()
        self._show_draft()

    def _edits(self) -> tuple[Edit, ...]:
        """What is to be stored, without what cannot be."""
        return tuple(
            Edit(row.field.key, row.editor.value(), seen=row.state.value)  # type: ignore[arg-type]
            for row in self.form.edited_rows()
            if row.problem() is None
        )

    def _show_draft(self) -> None:
        edited = len(self.form.edited_rows())
        roomy = edited and self.width() >= ROOM_FOR_WORDS
        self._save.setText(
            trn("Save {n} change", "Save {n} changes", edited) if roomy else tr("Save")
        )
        open_ = self._latest is not None and self._latest.readable
        wrong = self.form.first_problem()
        self._save.setEnabled(edited > 0 and open_ and not wrong)
        self._save.setToolTip(wrong)
        self._revert.setEnabled(edited > 0)
        self._show_pane()
        self._look_ahead()

    def _look_ahead(self) -> None:
        desk = self.place.desk
        if self._ticket is not None:
            self._ticket.cancel()
        if desk is None or self._latest is None:
            return
        if not self._latest.readable:
            words = tr("Its lines are shown here once it can be read.")
            self.pane.refuse(tr("Cannot be read"), words)
            return
        if self.form.first_problem():
            self._say_refused()
            return
        work = partial(preview, desk, self._edits())
        self._ticket = self.place.tasks.read(self, work, self._show_preview)

    def _show_preview(self, found: Preview) -> None:
        if found.refusals:
            self._refuse(found.refusals)
            self._say_refused()
        else:
            self.pane.show_lines(found.lines, found.changed)
        self._show_pane()

    def _say_refused(self) -> None:
        words = tr("The reason stands at the setting.")
        self.pane.refuse(tr("Cannot be saved as it is"), words)

    def _show_pane(self) -> None:
        self.pane.setVisible(bool(self._wide) or self._revert.isEnabled())

    def _refuse(self, refusals: Mapping[str, Refusal]) -> FieldRow | None:
        """Say at each setting why it is not saved; the first of them."""
        refused = [row for key, row in self.form.rows.items() if key in refusals]
        for row in refused:
            row.refuse(conflict_words(refusals[row.field.key]))
        return refused[0] if refused else None

    def revert(self) -> None:
        """Forget the draft."""
        if self._latest is not None:
            self._take_over(self._latest)
            self._after_showing()

    def _keep(self) -> None:
        if self._latest is not None:
            self._adopt(self._latest)
            self._after_showing()
            rows = self.form.edited_rows()
            if rows:
                self._area.lead_to(rows[0])

    def _compare(self) -> None:
        desk = self.place.desk
        if desk is not None:
            work = partial(preview_over, desk, self._edits())
            self.place.tasks.read(self, work, self._show_comparison)

    def _show_comparison(self, found: Preview) -> None:
        from gui.widgets.compare import CompareDialog

        disk = "\n".join(line for kind, line in found.lines if kind != "added")
        mine = "\n".join(line for kind, line in found.lines if kind != "removed")
        CompareDialog(self.theme, disk, mine, self.window()).open()

    # -- saving ------------------------------------------------------------------------------

    def save(self) -> None:
        """Store the draft, all of it or nothing."""
        self.saver.save(self._edits())

    def _show_saved(self, view: SettingsView) -> None:
        self.place.watch.know(view.config, view.digest)
        self._latest = view
        self._show_trouble(view)
        self._adopt(view)
        self._after_showing()

    def _show_declined(self, answer: Saved) -> None:
        self.show_loaded(answer.view)
        if isinstance(answer.done, Declined):
            first = self._refuse(answer.done.refusals)
            if first is not None:
                self._area.lead_to(first)
            for key, refusal in answer.done.refusals.items():
                if key not in self.form.rows:
                    self.place.said.emit(Said(say(refusal)))

    # -- the banner --------------------------------------------------------------------------

    def _act(self, _: Notice) -> None:
        trouble = self._latest.trouble if self._latest is not None else None
        if trouble is None or self._latest is None:
            return
        if trouble.act == "folder":
            self.own.open(self._latest.config.parent)
        elif trouble.act == "remove":
            self.saver.save((Edit(trouble.key, UNSET),))
        else:
            self.focus_key(trouble.key)
