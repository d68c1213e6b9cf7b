"""The Skills page: every skill, when it is offered, what is wrong with it, what becomes of it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import N_, tr
from gui.models.skill_detail import SkillFileView, SkillView, read_skill, read_skill_file
from gui.models.skills import Act, SkillDone, SkillsView, act, category_kind
from gui.page import Page
from gui.pages.skill_detail import SkillDetailView
from gui.pages.skill_watch import SkillsFollowed
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.cards import CardList
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import Button, PlainLabel, make_action
from gui.widgets.side import Chooser
from gui.workplace import Opened, Workplace
from store.skills.cards import ArchivedSkill, SkillCard

if TYPE_CHECKING:
    from store.home import HermesHome

TWO_COLUMNS_FROM = 720
KINDS = (
    ("", N_("All skills")),
    ("problems", N_("With problems")),
    ("active", N_("In use")),
    ("stale", N_("Stale")),
    ("pinned", N_("Pinned")),
    ("archived", N_("In the archive")),
)


class SkillsPage(Page):
    """Left the skills, right one of them in full."""

    name = "skills"

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: SkillsView | None = None
        self._needle = ""
        self._stopped = self._shows_curator = False
        self._wide: bool | None = None
        self._reading = Ticket()
        self._reading_file = Ticket()
        self._pin = self._action("pin", tr("Pin"), "P", "pin")
        self._unpin = self._action("unpin", tr("Unpin"), "P", "unpin")
        self._archive = self._action("archive", tr("Archive"), "Del", "archive")
        self._restore = self._action("restore", tr("Restore"), "Ins", "restore")
        self._build()
        self._followed = SkillsFollowed(self)
        self._followed.looked.connect(self._show_progress)

    def _action(self, name: str, text: str, keys: str, what: Act) -> QAction:
        doing = partial(self._do, what)
        return make_action(self, name=f"skill_{name}", text=text, act=doing, keys=keys)

    def _build(self) -> None:
        self.trouble = Banner(name="skills_trouble")
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.addWidget(self.trouble)
        self.kinds = Chooser(self.theme, name="skill_kinds", label=tr("Which skills"))
        self.kinds.activated.connect(self._show_cards)
        self._cost = PlainLabel(name="skills_cost", role="meta", wrap=True)
        self._curator = Button(tr("What the curator would do"), name="skills_curator", kind="link")
        self._curator.clicked.connect(self._show_curator)
        self.list = CardList(self.theme, name="skills", label=tr("Skills"))
        self._actions = (self._pin, self._unpin, self._archive, self._restore)
        self.list.set_actions(self._actions, on_card=self._actions)
        self.list.chosen.connect(self._choose)
        left = QWidget()
        left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.addWidget(self.kinds, 1)
        head.addWidget(self._curator)
        column.addLayout(head)
        self._said = PlainLabel(name="skills_said", role="meta", wrap=True)
        self._stop = Button(tr("Cancel"), name="skills_cancel", kind="link")
        self._stop.clicked.connect(self._stop_or_go_on)
        said = QHBoxLayout()
        said.setContentsMargins(0, 0, BAR, 0)
        said.addWidget(self._said, 1)
        said.addWidget(self._stop)
        self._said.hide()
        self._stop.hide()
        column.addLayout(said)
        column.addWidget(self._cost)
        column.addWidget(self.list, 1)
        self.detail = SkillDetailView(self.theme)
        self.detail.file_wanted.connect(self._read_file)
        self._whole = QWidget()
        self._whole.setObjectName("page_body")
        self._flow = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._whole)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._flow.setSpacing(2 * GRID - BAR)
        self._flow.addWidget(left, 2)
        self._flow.addWidget(self.detail, 3)
        self._empty = EmptyPage(
            name="no_skills",
            title=tr("No skills yet"),
            text=tr(
                "A skill is a folder with a SKILL.md in it: how something is done. The agent "
                "writes them, you can, and they come with Hermes."
            ),
        )
        self._empty.hide()
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self._whole, 1)
        self.body.addWidget(self._empty, 1)

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Skills")

    def subtitle(self) -> str:
        return "" if self._view is None or not self._view.keys else f"{len(self._view.keys):,}"

    def search_hint(self) -> str:
        return tr("Search skills")

    def search(self, text: str) -> None:
        self._needle = text.strip()
        self._show_cards()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        usage = home.skills / ".usage.json"
        return frozenset({home.config, usage, home.skills, home.pending("skills")})

    def take_focus(self) -> None:
        if self.list.isVisible():
            self.list.take_focus()
        else:
            self.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide != self._wide:
            self._wide = wide
            way = QBoxLayout.Direction
            self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.ready and not event.spontaneous():
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        activated = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if activated and self.ready and self.isVisible():
            self.refresh()

    # -- looking -----------------------------------------------------------------------------

    def refresh(self) -> None:
        self._followed.look()

    def take(self, view: SkillsView) -> None:
        """Show what a look found."""
        self.end_look()
        self._show(view)
        self._followed.follow(view)

    def end_look(self) -> None:
        """A look has ended: say no more of it."""
        self._say("")

    def _show_progress(self, looked: tuple[int, int]) -> None:
        self._say(tr("Read {done:,} of {all:,}", done=looked[0], all=looked[1]), tr("Cancel"))

    def _stop_or_go_on(self) -> None:
        if self._stopped:
            self._say("")
            self.refresh()
            return
        self._followed.stop()
        self._say(tr("Stopped; not all skills were read."), tr("Go on"), stopped=True)

    def _say(self, words: str, action: str = "", *, stopped: bool = False) -> None:
        self._stopped = stopped
        self._said.setText(words)
        self._said.setVisible(bool(words))
        self._stop.say(action)
        self._stop.setVisible(bool(action))

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._view = None
        self._shows_curator = False
        self._say("")
        self.detail.forget()
        super().show_opened(opened)

    def show_loaded(self, loaded: SkillsView) -> None:
        before = self._skill()
        if loaded == self._view:
            self._show_chosen()  # its text may be another, all the same
            return
        self._view = loaded
        text = loaded.trouble or loaded.notes
        tone = "bad" if loaded.trouble else "warn"
        self.trouble.show_notice(
            Notice("skills", text, tone=tone) if text else None  # type: ignore[arg-type]
        )
        self._whole.setVisible(bool(loaded.keys))
        self._empty.setVisible(not loaded.keys and not loaded.trouble)
        self._cost.setText(loaded.cost)
        self._offer_kinds(loaded)
        self._show_cards()
        self._stay_with(before, loaded)
        self.header_changed.emit()

    def _stay_with(self, before: SkillCard | ArchivedSkill | None, view: SkillsView) -> None:
        """Keep the skill that was chosen, also where it has moved."""
        if before is not None and str(before.folder) not in view.skills:
            same = [key for key, one in view.skills.items() if one.name == before.name]
            if len(same) == 1 and self.list.choose(same[0]):
                return
        if self.list.current_card() is None and view.keys:
            self.list.choose(view.keys[0])
        else:
            self._show_chosen()

    def _offer_kinds(self, view: SkillsView) -> None:
        now = self.kinds.currentData()
        self.kinds.clear()
        for value, label in KINDS:
            self.kinds.addItem(tr(label), value)
        for category in view.categories:
            self.kinds.addItem(category, category_kind(category))
        self.kinds.setCurrentIndex(max(self.kinds.findData(now), 0))

    def _show_cards(self, *_: object) -> None:
        if self._view is not None:
            kind = self.kinds.currentData() or ""
            self.list.show_cards(self._view.filtered(self._needle, kind))
            self._show_actions()

    def _skill(self) -> SkillCard | ArchivedSkill | None:
        card = self.list.current_card()
        if card is None or self._view is None:
            return None
        return self._view.skills.get(str(card.key))

    def _choose(self, _: Hashable) -> None:
        self._shows_curator = False
        self._read_chosen()

    def _show_chosen(self) -> None:
        if self._shows_curator:
            self._show_curator()
            self._show_actions()
        else:
            self._read_chosen()

    def _read_chosen(self) -> None:
        self._show_actions()
        skill, desk = self._skill(), self.place.desk
        self._reading.cancel()
        if skill is not None and desk is not None:
            work = partial(read_skill, desk, skill)
            self._reading = self.place.tasks.read(self, work, self._show_skill)

    def _show_skill(self, view: SkillView) -> None:
        skill = self._skill()
        if skill is not None and str(skill.folder) == view.key:
            self.detail.show_view(view)

    def _read_file(self, path: str) -> None:
        skill, desk = self._skill(), self.place.desk
        self._reading_file.cancel()
        if skill is not None and desk is not None:
            work = partial(read_skill_file, desk, str(skill.folder), path)
            self._reading_file = self.place.tasks.read(self, work, self._show_file)

    def _show_file(self, view: SkillFileView) -> None:
        skill = self._skill()
        if skill is not None and str(skill.folder) == view.key:
            self.detail.show_file(view)

    def _show_actions(self) -> None:
        skill, view = self._skill(), self._view
        live, archived = isinstance(skill, SkillCard), isinstance(skill, ArchivedSkill)
        pinned = isinstance(skill, SkillCard) and skill.pinned
        key = "" if skill is None else str(skill.folder)
        kept = "" if view is None else view.kept.get(key, "")
        unpinnable = "" if view is None else view.unpinnable.get(key, "")
        for action, offered, reason in (
            (self._pin, live and not pinned, unpinnable),
            (self._unpin, live and pinned, unpinnable),
            (self._archive, live, kept),
            (self._restore, archived, ""),
        ):
            reason = reason if offered else ""
            action.setProperty("reason", reason)
            action.setToolTip(reason or action.text())
            action.setEnabled(offered and not reason)
            action.setVisible(offered)
        self.list.set_actions(self._actions, on_card=self._actions)  # the buttons as well

    def _show_curator(self) -> None:
        if self._view is not None:
            self._reading.cancel()
            self._shows_curator = True
            self.list.clearSelection()
            title = tr("What the curator would do")
            self.detail.show_view(SkillView("", title, (("", self._view.curator),)))

    # -- acting ------------------------------------------------------------------------------

    def _do(self, what: Act) -> None:
        skill, desk = self._skill(), self.place.desk
        if skill is not None and desk is not None:
            self.place.write(self, partial(act, desk, skill, what), self._show_done)

    def _show_done(self, done: SkillDone) -> None:
        self.take(done.view)
        self.list.choose(done.key)
        self.place.note_change(done.change_id, done.said)
