"""The right side of the Providers page: a form, its draft, and what saving it would do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.forms.area import FormArea
from gui.forms.form import Form, few
from gui.forms.preview import PreviewPane
from gui.forms.row import FieldRow
from gui.forms.state import Cleared
from gui.forms.steps import Steps
from gui.i18n import tr, trn
from gui.models.providers import (
    Keys,
    ProviderPreview,
    ProviderSaved,
    ProviderView,
    Typed,
    preview,
    read_provider,
    save,
)
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, ConflictBar, Notice
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import ActionButton, Button, PlainLabel
from gui.words import say
from gui.workplace import Said, Workplace
from schema.fields import UNSET
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.desk import Desk

TWO_COLUMNS_FROM = 880


class ProviderDetail(QWidget):
    """A draft of one provider's settings. Writes only when it is told to save."""

    shown = Signal()
    """All of its form is there, or why it cannot be."""
    draft_changed = Signal()
    """What is edited, or whether it can be saved, is no longer what it was."""
    saved = Signal()
    """Something of this provider was written."""
    link_wanted = Signal(object)
    """An address that the person wants to see."""
    ask_wanted = Signal()
    """The person wants the plugin itself to be asked."""

    def __init__(self, place: Workplace, name: str, use: QAction, parent: QWidget) -> None:
        """Make the side of provider `name`; `use` lets the agent use it, or no longer."""
        super().__init__(parent)
        self.setObjectName(f"provider_{name}")
        self.name = name
        self._place = place
        self._base: ProviderView | None = None
        self._latest: ProviderView | None = None
        self._keys: tuple[str, ...] = ()
        self._building = False
        self._ticket: Ticket | None = None
        self._wide: bool | None = None
        self._all = False
        self._needle = ""
        self._wanted: tuple[Form, frozenset[str], str] | None = None
        self.form: Form | None = None
        self._steps = Steps(self)
        self._build(use)

    def _build(self, use: QAction) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.setSpacing(GRID)
        self._title = PlainLabel(name="provider_title", role="head")
        self._where = PlainLabel(name="provider_where", role="meta")
        self._where.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._docs = Button(tr("Documentation"), name="provider_docs", kind="link")
        self._docs.clicked.connect(self._want_docs)
        self._scope = Button("", name="provider_scope", kind="link")
        self._scope.clicked.connect(self._switch_scope)
        self.use_button = ActionButton(use)
        head.addWidget(self._title)
        head.addStretch(1)
        head.addWidget(self.use_button)
        ways = QHBoxLayout()
        ways.setContentsMargins(0, 0, BAR, 0)
        ways.setSpacing(GRID)
        ways.addWidget(self._where, 1)
        ways.addWidget(self._scope)
        ways.addWidget(self._docs)
        self._column.addLayout(head)
        self._column.addLayout(ways)
        self.trouble = Banner(name="provider_trouble")
        self.unread = Banner(name="provider_unread")
        self.notes = Banner(name="provider_notes")
        self.conflict = ConflictBar(name="provider_conflict")
        self.unread.acted.connect(self._want_ask)
        self.conflict.reload_requested.connect(self.revert)
        self.conflict.keep_requested.connect(self._keep)
        self.conflict.compare_requested.connect(self._look_ahead)
        bars = QVBoxLayout()
        bars.setContentsMargins(0, 0, BAR, 0)
        bars.setSpacing(GRID)
        for bar in (self.trouble, self.unread, self.notes, self.conflict):
            bars.addWidget(bar)
        self._column.addLayout(bars)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(2 * GRID - BAR)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setRowStretch(0, 1)
        self._column.addLayout(self._grid, 1)
        self.area = FormArea(name="provider_area")
        self._grid.addWidget(self.area, 0, 0)
        self.pane = PreviewPane(self._place.theme, name="provider_preview", file="")
        self._nothing = EmptyPage(name="no_field")
        self._nothing.hide()
        self.area.add(self._nothing)
        for widget in (self._docs, self._scope):
            widget.hide()

    # -- showing -----------------------------------------------------------------------------

    def is_shown(self) -> bool:
        """Whether its form is there."""
        return self._latest is not None

    def refresh(self) -> None:
        """Read the form again."""
        desk = self._place.desk
        if desk is not None:
            self._place.tasks.read(self, partial(read_provider, desk, self.name), self._take)

    def _take(self, found: ProviderView | Refusal) -> None:
        if isinstance(found, REFUSALS):
            self.trouble.show_notice(Notice("refused", say(found), tone="bad"))
            self.shown.emit()
            return
        self.show_view(found)

    def show_view(self, view: ProviderView) -> None:
        """Show what was read; a draft stays, and is told of what changed under it."""
        self._show_head(view)
        if self.form is None or self._keys != view.keys:
            self._make_form(view)
            return
        self._latest = view
        if self._building:
            return
        if not self.edited_rows():
            self._take_over(view)
        elif self._base is not None and view.stored() != self._base.stored():
            self.conflict.tell(tr("This was changed elsewhere. Your changes here are kept."))
        self._after()

    def _make_form(self, view: ProviderView) -> None:
        self._steps.forget()
        if self.form is not None:
            self.form.hide()
            self.form.deleteLater()
        self._base, self._latest = None, view
        self._keys, self._building = view.keys, True
        self.form = Form(
            view.declaration, self._place.theme, self.area.inside(), name=f"form_{view.name}"
        )
        self.form.edited.connect(self._hear_edit)
        self.form.link_wanted.connect(self.link_wanted)
        self.area.add(self.form)
        self._steps.run([*self.form.build_steps(), self._fill])

    def _fill(self) -> None:
        """Show in the rows what is stored, a few at a time, and then the rows."""
        view = self._latest
        if view is not None:
            steps = [partial(self._show_stored, view, keys) for keys in few(list(view.keys))]
            self._steps.run([*steps, partial(self._reveal, view)])

    def _show_stored(self, view: ProviderView, keys: list[str]) -> None:
        if self.form is not None:
            for key in keys:
                self.form.rows[key].show_state(view.states[key])
                self.form.rows[key].show_default(view.default(key))

    def _reveal(self, view: ProviderView) -> None:
        self._building = False
        self._base = view
        if self._latest is not None and self._latest is not view:
            self._take_over(self._latest)
        self._after()
        # Not before what was shown is laid out.
        self._steps.run([self.shown.emit])

    def _take_over(self, view: ProviderView) -> None:
        """Show what is stored, and forget the draft."""
        if self.form is None or self._building:
            return
        self._base = view
        self.conflict.tell("")
        self._show_stored(view, list(view.keys))

    def _adopt(self, view: ProviderView) -> None:
        """Take `view` for what is stored, and keep what differs from it in the draft."""
        if self.form is None:
            return
        self._base = view
        self.conflict.tell("")
        for key, row in self.form.rows.items():
            if row.is_edited():
                row.rebase(view.states[key])
            if not row.is_edited():
                row.show_state(view.states[key])

    def _show_head(self, view: ProviderView) -> None:
        self._title.setText(view.form.schema.label or view.name)
        self._where.setText(view.where)
        self._where.setToolTip("\n".join(map(str, view.form.files)))
        self._docs.setVisible(bool(view.form.schema.docs_url))
        short = view.inline()
        self._scope.setVisible(len(short) < len(view.keys))
        every = trn("All {n} field", "All {n} fields", len(view.keys))
        self._scope.say(tr("Main fields") if self._all else every)
        self._tell(self.trouble, "trouble", view.trouble, "bad")
        self._tell(self.unread, "unread", view.unread, "warn", tr("Ask the plugin…"))
        self._tell(self.notes, "notes", view.notes, "plain")

    def _tell(self, bar: Banner, name: str, text: str, tone: str, action: str = "") -> None:
        notice = Notice(name, text, tone=tone, action=action)  # type: ignore[arg-type]
        bar.show_notice(notice if text else None)

    def _after(self) -> None:
        self._show_rows()
        self._show_pane()
        self.draft_changed.emit()

    def _show_rows(self) -> None:
        """Show the rows whose conditions hold, of the short form or of all."""
        view, form = self._latest, self.form
        if view is None or form is None or self._building:
            return
        typed = self.typed()
        shown = view.shown(typed)
        if not self._all and not self._needle:
            edited = {row.key for row in form.rows.values() if row.is_edited()}
            shown &= view.inline() | edited
        for key, default in view.defaults(typed).items():
            form.rows[key].show_default(default)
        wanted = (form, shown, self._needle)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        form.show_only(shown)
        found = form.filter(self._needle)
        self._nothing.say("", self._empty_words(view))
        self._nothing.setVisible(not found)

    def _empty_words(self, view: ProviderView) -> str:
        if self._needle:
            return tr("No field fits this search.")
        if view.keys:
            return tr("None of its fields applies now.")
        if view.unread:
            return tr("Its fields are not known yet.")
        return tr("This provider declares nothing that could be set.")

    def _switch_scope(self) -> None:
        self._all = not self._all
        if self._latest is not None:
            self._show_head(self._latest)
        self._show_rows()

    def search(self, needle: str) -> None:
        """Show only the fields that are about `needle`, whether short or not."""
        if needle != self._needle:
            self._needle = needle
            self._show_rows()

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

    def take_focus(self) -> None:
        """Put the keyboard into the first field that is shown."""
        rows = [] if self.form is None else list(self.form.rows.values())
        for row in rows:
            if row.isVisible() and row.editor.isEnabled():
                self.area.lead_to(row)
                return

    # -- the draft ---------------------------------------------------------------------------

    def edited_rows(self) -> list[FieldRow]:
        """The rows in which there is something to save."""
        return [] if self.form is None else self.form.edited_rows()

    def typed(self) -> Typed:
        """What is typed, by the field's key; keys are left out."""
        typed = {}
        for row in self.edited_rows():
            if not row.editor.is_secret:
                raw = row.editor.raw()
                typed[row.field.key] = UNSET if raw is None else raw
        return typed

    def keys(self) -> Keys:
        """The keys that are to be stored or cleared, by the field's key."""
        found: dict[str, str | Cleared] = {}
        for row in self.edited_rows():
            if row.editor.is_secret:
                value = row.editor.value()
                if isinstance(value, str | Cleared):
                    found[row.field.key] = value
        return found

    def problem(self) -> str:
        """Say what keeps the draft from being saved; empty if nothing does."""
        if self._latest is not None and not self._latest.readable:
            return self._latest.trouble
        return "" if self.form is None else self.form.first_problem()

    def _hear_edit(self, row: FieldRow) -> None:
        self._after()
        self._look_ahead()

    def _look_ahead(self) -> None:
        desk, view = self._place.desk, self._latest
        if self._ticket is not None:
            self._ticket.cancel()
        if desk is None or view is None:
            return
        if self.problem():
            self.pane.refuse(
                tr("Cannot be saved as it is"), tr("The reason stands at the setting.")
            )
            return
        work = partial(preview, desk, view.form, self.typed())
        self._ticket = self._place.tasks.read(self, work, self._show_preview)

    def _show_preview(self, found: ProviderPreview) -> None:
        if found.trouble or found.refusals:
            words = found.trouble or tr("The reason stands at the setting.")
            self.pane.refuse(tr("Cannot be saved as it is"), words)
            self._refuse(found.refusals)
        else:
            keys = self.keys()
            words = (
                ""
                if not keys
                else trn(
                    "{n} key goes to the keyring, and into no file.",
                    "{n} keys go to the keyring, and into no file.",
                    len(keys),
                )
            )
            self.pane.show_files(found.files, found.changed, words)
        self._show_pane()

    def _show_pane(self) -> None:
        edited = bool(self.edited_rows())
        self.pane.setVisible(bool(self._wide) or edited)
        if not edited and self._latest is not None:
            self.pane.refuse(
                tr("Where it is kept"),
                self._latest.where or tr("Its settings come from the environment alone."),
            )

    def _refuse(self, words: Mapping[str, str]) -> FieldRow | None:
        """Say at each field why it is not saved; the first of them."""
        rows = [] if self.form is None else list(self.form.rows.values())
        refused = [row for row in rows if row.field.key in words and not row.isHidden()]
        for row in refused:
            row.refuse(words[row.field.key])
        return refused[0] if refused else None

    def revert(self) -> None:
        """Forget the draft."""
        if self._latest is not None:
            self._take_over(self._latest)
            self._after()

    def _keep(self) -> None:
        if self._latest is not None:
            self._adopt(self._latest)
            self._after()
            self._look_ahead()

    # -- saving ------------------------------------------------------------------------------

    def save(self) -> None:
        """Store the draft: keys in the keyring, the rest where the provider reads it."""
        desk, view = self._place.desk, self._latest
        if desk is None or view is None or self.problem():
            return
        work = partial(save, desk, view.form, self.typed(), self.keys())
        self._place.write(self, work, partial(self._show_saved, desk), view.form.files)

    def _show_saved(self, desk: Desk, answer: ProviderSaved) -> None:
        if desk is not self._place.desk:
            return
        for row in self.edited_rows():
            if row.field.key in answer.kept_keys:
                row.show_state(row.state)
        if answer.view is not None:
            self._latest = answer.view
            self._show_head(answer.view)
            self._adopt(answer.view)
        self._after()
        if answer.done:
            self._place.note_change(answer.change_id, answer.said)
        else:
            first = self._refuse(answer.refusals)
            if first is not None:
                self.area.lead_to(first)
            else:
                words = answer.refusals.get("", "") or next(iter(answer.refusals.values()), "")
                self._place.said.emit(Said(words))
        self.saved.emit()

    # -- links and asking --------------------------------------------------------------------

    def _want_docs(self) -> None:
        if self._latest is not None:
            self.link_wanted.emit(self._latest.form.schema.docs_url)

    def _want_ask(self, _: Notice) -> None:
        self.ask_wanted.emit()
