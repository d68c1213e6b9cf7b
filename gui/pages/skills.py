"""The Skills page: every skill, when it is offered, what is wrong with it, what becomes of it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import N_, tr
from gui.models.skills import (
    Act,
    SkillDone,
    SkillsView,
    SkillView,
    act,
    category_kind,
    read_skill,
    read_skills,
)
from gui.page import Page
from gui.pages.skill_detail import SkillDetailView
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
    load = staticmethod(read_skills)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: SkillsView | None = None
        self._needle = ""
        self._wide: bool | None = None
        self._reading = Ticket()
        self._pin = self._action("pin", tr("Pin"), "P", "pin")
        self._unpin = self._action("unpin", tr("Unpin"), "P", "unpin")
        self._archive = self._action("archive", tr("Archive"), "Del", "archive")
        self._restore = self._action("restore", tr("Restore"), "Ins", "restore")
        self._build()

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
        actions = (self._pin, self._unpin, self._archive, self._restore)
        self.list.set_actions(actions, on_card=actions)
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
        column.addWidget(self._cost)
        column.addWidget(self.list, 1)
        self.detail = SkillDetailView(self.theme)
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
        return frozenset({home.config, home.skills / ".usage.json"})

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

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._view = None
        self.detail.forget()
        super().show_opened(opened)

    def show_loaded(self, loaded: SkillsView) -> None:
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
        if self.list.current_card() is None and loaded.keys:
            self.list.choose(loaded.keys[0])
        else:
            self._choose(None)
        self.header_changed.emit()

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

    def _show_actions(self) -> None:
        skill = self._skill()
        own = isinstance(skill, SkillCard) and not skill.external and not skill.linked
        pinned = isinstance(skill, SkillCard) and skill.pinned
        for action, possible in (
            (self._pin, own and not pinned),
            (self._unpin, own and pinned),
            (self._archive, own),
            (self._restore, isinstance(skill, ArchivedSkill)),
        ):
            action.setEnabled(possible)
            action.setVisible(possible)

    def _show_curator(self) -> None:
        if self._view is not None:
            self.list.clearSelection()
            title = tr("What the curator would do")
            self.detail.show_view(SkillView("", title, (("", self._view.curator),)))

    # -- acting ------------------------------------------------------------------------------

    def _do(self, what: Act) -> None:
        skill, desk = self._skill(), self.place.desk
        if skill is not None and desk is not None:
            self.place.write(self, partial(act, desk, skill, what), self._show_done)

    def _show_done(self, done: SkillDone) -> None:
        self.show_loaded(done.view)
        self.list.choose(done.key)
        self.place.note_change(done.change_id, done.said)
