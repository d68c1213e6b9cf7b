"""The Repair page: a file that the agent refuses, and the clean list that it would become."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.forms.steps import Steps
from gui.i18n import tr, trn
from gui.models import repair as model
from gui.models.repair import RepairView, ShownLines, Work, read_repair
from gui.page import Page
from gui.pages.repair_reading import IsCancelled, Reading
from gui.theme import BAR, GRID, HALF
from gui.widgets.bars import Banner, ConflictBar, Notice
from gui.widgets.labels import ElidedLabel, PlainLabel
from gui.words import say
from gui.workplace import Opened, Said, Workplace
from store.home import TARGETS, Target
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from gui.tasks import Ticket
    from gui.widgets.empty import EmptyPage
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.plan import PlanCheck, RepairPlan
    from store.memory.repairs import Examined, Repaired
    from store.refusals import Refusal

TWO_COLUMNS_FROM = 660


class Columns(QBoxLayout):
    """Columns that are as high as the window lets them be."""

    def hasHeightForWidth(self) -> bool:
        return False


class RepairPage(Page):
    """Left the file as it is, right the proposed entries. The person's work outlives reloads."""

    name = "repair"
    load = staticmethod(read_repair)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._target: Target | None = None
        self._encoding: str | None = None
        self._view: RepairView | None = None
        self._works: dict[Target, Work] = {}
        self._check: PlanCheck | None = None
        self._busy = False
        self._wide = True
        self._empty: EmptyPage | None = None
        self._steps = Steps(self)
        self._built = False
        self._reading = Reading(place.tasks, self)
        self._reading.given_up.connect(self._stop_waiting)
        self._weighing: Ticket | None = None
        self._missed = self._due = False
        self._apply = self._action("apply", tr("Apply repair"), "Ctrl+S", self.apply)
        self._back = self._action("back", tr("Back to memory"), "Alt+Left", self._leave)
        self._copies = self._action("copies", tr("Backups"), "Ctrl+Shift+B", self._show_copies)
        self._again = self._action("again", tr("Start over"), "", self._start_over)
        self._build()
        self._show_actions()

    def _action(self, name: str, text: str, keys: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"repair_{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        self.addAction(action)
        return action

    def _build(self) -> None:
        """Make what is there from the start; what takes long to make comes turn by turn."""
        self.why = Banner(name="repair_why")
        self.problem = Banner(name="repair_problem")
        self.problem.acted.connect(lambda _: self.problem.show_notice(None))
        self._bars = QVBoxLayout()
        self._bars.setContentsMargins(0, 0, BAR, 0)
        self._bars.setSpacing(GRID)
        for bar in (self._reading.bar, self.why, self.problem):
            self._bars.addWidget(bar)
        self._columns = QWidget()
        self._columns.setObjectName("page_body")
        self._flow = Columns(QBoxLayout.Direction.LeftToRight, self._columns)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._flow.setSpacing(HALF)
        self.body.setSpacing(GRID)
        self.body.addLayout(self._bars)
        area = self._area = QScrollArea()  # for a low window, where the columns would not fit
        area.setObjectName("repair_area")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._columns)
        self.body.addWidget(area, 1)
        area.hide()
        self._steps.run((self._build_questions, self._build_file, self._build_entries))

    def _build_questions(self) -> None:
        from gui.pages.repair_encoding import EncodingBar

        self.encoding = EncodingBar(self.theme)
        self.encoding.chosen.connect(self._choose_encoding)
        self.encoding.agreed.connect(self._agree)
        self.conflict = ConflictBar(name="repair_conflict")
        self.conflict.reload_requested.connect(self._take_theirs)
        self.conflict.keep_requested.connect(self._keep_mine)
        self.conflict.compare_requested.connect(self._compare)
        for bar in (self.encoding, self.conflict):
            self._bars.insertWidget(self._bars.count() - 1, bar)

    def _build_file(self) -> None:
        from gui.widgets.lines import LineView

        self.file = LineView(self.theme, name="repair_file", label=tr("The file as it is"))
        self._about = ElidedLabel(name="repair_about", role="dim")
        self._about.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.addWidget(PlainLabel(tr("The file as it is"), name="repair_file_title", role="head"))
        head.addWidget(self._about, 1)
        left = QWidget()
        left.setObjectName("repair_file_column")
        left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, BAR, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.file, 1)
        self._flow.addWidget(left, 1)

    def _build_entries(self) -> None:
        from gui.pages.repair_entries import EntriesColumn

        self.entries = EntriesColumn(self.theme)
        self.entries.changed.connect(self._take_work)
        self.entries.pointed.connect(self.file.point_at)
        self.entries.said.connect(self.place.said)
        self.entries.more_wanted.connect(self._go_on)
        self.entries.offer(self._again)
        self._flow.addWidget(self.entries, 1)
        self._built = True

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        file = model.file_of(self._target or "memory")
        return tr("Memory › Repair {file}", file=file) if self._wide else tr("Repair")

    def primary(self) -> QAction:
        return self._apply

    def secondary(self) -> tuple[QAction, ...]:
        return (self._copies, self._back)

    def unsaved(self) -> str:
        if self._is_unsaved():
            return tr("A repair is being worked on and is not applied.")
        return ""

    def _is_unsaved(self) -> bool:
        typed = self._built and self.entries.typed() is not None
        return typed or any(work.is_edited for work in self._works.values())

    def take_focus(self) -> None:
        if not self._built:
            self.setFocus()
        elif self.encoding.isVisible() and self.encoding.asks():
            self.encoding.take_focus()
        elif self._area.isVisible():
            self.entries.take_focus()
        elif self._empty is not None and self._empty.isVisible():
            self._home.setFocus()
        else:
            self.setFocus()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset({home.memory_file("memory"), home.memory_file("user"), home.config})

    # -- reading -----------------------------------------------------------------------------

    def show_about(self, about: object) -> None:
        if about in TARGETS and about != self._target:
            self._target = "user" if about == "user" else "memory"
            self._encoding = None
            self._close_editor()
            self._area.hide()
            self.header_changed.emit()
        self.ready = False
        self._read_soon()

    def _read_soon(self) -> None:
        """Read once the page is drawn: to understand a large file would hold up its first frame."""
        if not self._due:
            self._due = True
            self.place.tasks.later(self, self._read)

    def _read(self) -> None:
        self._due = False
        if self.isVisible():
            self.refresh()
        else:
            self._missed = True

    def refresh(self) -> None:
        desk = self.place.desk
        if desk is not None:
            self._missed = False
            work = partial(_read, desk, self._target, self._encoding)
            self._reading.start(self._looking(), work, self._take)

    def _looking(self) -> str:
        return tr("Looking at {file} …", file=model.file_of(self._target or "memory"))

    def _stop_waiting(self) -> None:
        """What is shown stays; where there is nothing yet, there is no use in being here."""
        if self.ready:
            self.take_focus()
        else:
            self._missed = True
            self._leave()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._missed = self._reading.stop() or self._missed
            self._stop_weighing()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._missed:
            self._read_soon()
        elif (work := self._work()) is not None and self._check is None:
            self._weigh(work)

    def show_opened(self, opened: Opened) -> None:
        self._works.clear()
        self._target = self._encoding = self._view = None
        self._close_editor()
        super().show_opened(opened)

    def _close_editor(self) -> None:
        if self._built:
            self.entries.close_editor()

    # -- showing -----------------------------------------------------------------------------

    def _show(self, loaded: RepairView) -> None:
        show = partial(self.show_loaded, loaded)
        if self._built:
            show()
            self._steps.run([self._be_ready])
        else:
            self._steps.run([show, partial(self._steps.run, [self._be_ready])])

    def _be_ready(self) -> None:
        if not self.ready:
            self.ready = True
            self.became_ready.emit()

    def show_loaded(self, loaded: RepairView) -> None:
        if self._target not in (None, loaded.target) or loaded.encoding != self._encoding:
            return  # an answer to what is no longer asked
        self._target = loaded.target
        examined = loaded.examined
        if examined is not None:
            self.place.watch.know(examined.path, examined.digest)
        if not loaded.fits and loaded.encoding and self._view is not None:
            self._encoding = self._view.encoding
            self.encoding.refuse(loaded.encoding)
            return
        self._view = loaded
        count = loaded.copies
        self._copies.setText(tr("Backups ({n})", n=count) if count else tr("Backups"))
        self.header_changed.emit()
        if examined is None or loaded.in_order or loaded.plan is None:
            self._works.pop(loaded.target, None)
            self._show_nothing(loaded)
        else:
            self._show_file(loaded, loaded.plan)
        self._show_actions()

    def _show_nothing(self, view: RepairView) -> None:
        """There is nothing to repair here, or nothing can be done: say so, and lead back."""
        from gui.widgets.empty import EmptyPage

        self.entries.close_editor()
        self._check = None
        for widget in (self.encoding, self._area):
            widget.hide()
        self.why.show_notice(None)
        self.conflict.tell("")
        if self._empty is None:
            self._empty = EmptyPage(name="repair_empty")
            self._home = self._empty.add_button(tr("Back to memory"), "back")
            self._empty.add_button(tr("Backups"), "copies")
            self._empty.acted.connect(self._go_from_empty)
            self.body.addWidget(self._empty, 1)
        file = model.file_of(view.target)
        if view.refusal is not None and not model.is_absent(view.refusal):
            self._empty.say(tr("{file} cannot be looked at", file=file), say(view.refusal))
        else:
            words = tr("{file} is as the agent writes it; it can be changed.", file=file)
            self._empty.say(tr("There is nothing to repair"), "\n".join((words, *view.asides)))
        self._empty.show()

    def _show_file(self, view: RepairView, plan: RepairPlan) -> None:
        if self._empty is not None:
            self._empty.hide()
        work = self._works.get(view.target)
        kept = work is not None and (
            work.is_edited
            or self.entries.typed() is not None
            or (work.went_on and work.plan.digest == plan.digest)
        )
        if work is None or not kept:
            self.entries.close_editor()
            work = self._works[view.target] = model.begin(plan)
        theirs = work.plan.digest != plan.digest
        words = tr("{file} changed on disk; your work is kept.", file=model.file_of(view.target))
        self.conflict.tell(words if theirs else "")
        self._check = view.check if work.plan is plan else None
        self._show_why(view)
        self.encoding.show_guess(view, work)
        steps = (partial(self._show_lines, view.shown), partial(self._show_entries, view))
        if self.ready:
            for step in steps:
                step()
        else:  # a little in each turn, so that the window stays at hand
            self._steps.run(steps)

    def _show_entries(self, view: RepairView) -> None:
        work = self._works.get(view.target)
        if work is None or view is not self._view:
            return  # something else was shown meanwhile
        self._area.show()
        self.entries.show_work(work, self._check)
        if self._check is None:
            self._weigh(work)
        self._show_actions()

    def _show_lines(self, shown: ShownLines) -> None:
        lines = len(shown.lines)
        if shown.more:
            all_lines = lines + shown.more
            words = trn("first {n:,} of {all:,} line", "first {n:,} of {all:,} lines",
                        lines, all=all_lines)  # fmt: skip
        else:
            words = trn("{n:,} line", "{n:,} lines", lines)
            words = f"{model.file_of(self._target or 'memory')} · {words}"
        self._about.setText(words)
        self.file.show_lines(shown.lines, shown.marks)

    def _show_why(self, view: RepairView) -> None:
        words = [*view.why, *view.asides]
        if view.why:
            strong = tr("Why the agent refuses {file}", file=model.file_of(view.target))
        else:
            strong = tr("The agent can change this file; it can be tidier.")
        words.append(
            tr("Nothing has been lost. Applying keeps a copy of the file as it is, and can be "
               "undone.")
        )  # fmt: skip
        self.why.show_notice(Notice("why", "\n".join(words), strong=strong, tone="plain"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide != self._wide:
            self._wide = wide
            self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)
            self._back.setText(tr("Back to memory") if wide else tr("Back"))
            self.header_changed.emit()

    def _show_actions(self) -> None:
        work = self._work()
        shown = work is not None and self._area.isVisibleTo(self)
        blocked = self._check is not None and bool(self._check.problems)
        self._apply.setEnabled(shown and not blocked and not self._busy)
        self._again.setVisible(shown and work is not None and work.is_edited)

    def _work(self) -> Work | None:
        return None if self._target is None else self._works.get(self._target)

    # -- working -----------------------------------------------------------------------------

    def _take_work(self, work: Work, choose: Hashable) -> None:
        if self._target is None or work.plan.target != self._target:
            return
        self._works[self._target] = work
        self._check = None
        self.entries.show_work(work, None, choose)
        self._show_actions()
        self._weigh(work)

    def _weigh(self, work: Work) -> None:
        """Find in the background what the plan costs and what stands in its way."""
        self._stop_weighing()
        self.place.tasks.later(self, partial(self._weigh_now, work))

    def _weigh_now(self, work: Work) -> None:
        examined = self._view.examined if self._view is not None else None
        if examined is not None and self._work() is work and self.isVisible():
            self._stop_weighing()
            todo = partial(model.check_work, work.plan, examined.data, examined.limit)
            self._weighing = self.place.tasks.read(self, todo, self._weighed)

    def _stop_weighing(self) -> None:
        if self._weighing is not None:
            self._weighing.cancel()
            self._weighing = None

    def _weighed(self, answer: tuple[RepairPlan, PlanCheck]) -> None:
        plan, check = answer
        work, self._weighing = self._work(), None
        if work is not None and work.plan is plan:
            self._check = check
            self.entries.show_check(check)
            self._show_actions()

    def _go_on(self, dropped: int) -> None:
        """Have the next part of a very long file proposed."""
        work, view = self._work(), self._view
        if work is not None and view is not None and view.examined is not None:
            todo = partial(_more, work, dropped, view.examined)
            self._reading.start(self._looking(), todo, self._gone_on)

    def _gone_on(self, answer: tuple[Work, Work, ShownLines]) -> None:
        before, work, shown = answer
        if self._work() is before:
            self._show_lines(shown)
            self._take_work(work, before.fresh if work.fresh > before.fresh else None)
            self.entries.take_focus()

    def _start_over(self) -> None:
        work, view = self._work(), self._view
        if work is None or view is None or view.plan is None:
            return
        self.entries.close_editor()
        self.place.said.emit(
            Said(tr("Back to what was proposed."), tr("Restore mine"), partial(self._restore, work))
        )
        plan = view.plan
        if work.plan.digest == plan.digest:
            plan = replace(plan, encoding=work.plan.encoding)
        self.conflict.tell("")
        self._take_work(model.begin(plan), None)

    def _restore(self, work: Work) -> None:
        self._take_work(work, None)
        if self._view is not None and self._view.plan is not None:
            self._show_file(self._view, self._view.plan)

    # -- the encoding --------------------------------------------------------------------------

    def _choose_encoding(self, name: str) -> None:
        work = self._work()
        if self._target is None:
            return
        if work is not None and work.is_edited:
            words = tr("Proposed anew from {encoding}.", encoding=name)
            self.place.said.emit(Said(words, tr("Restore mine"), partial(self._restore, work)))
        self._works.pop(self._target, None)
        self.entries.close_editor()
        self._encoding = name
        self.refresh()

    def _agree(self) -> None:
        work, view = self._work(), self._view
        if work is not None and view is not None and view.guess:
            work = model.agreed(work, view.guess)
            self.encoding.show_guess(view, work)
            self._take_work(work, None)
            self.entries.take_focus()

    # -- conflicts -----------------------------------------------------------------------------

    def _take_theirs(self) -> None:
        self._start_over()
        self.entries.take_focus()

    def _keep_mine(self) -> None:
        work, view = self._work(), self._view
        if work is not None and view is not None and view.plan is not None:
            self.conflict.tell("")
            self._take_work(model.based_on(work, view.plan.digest), None)
            self.entries.take_focus()

    def _compare(self) -> None:
        work, view = self._work(), self._view
        if work is not None and view is not None and view.examined is not None:
            texts = (view.examined.text, work.plan.text)
            self.place.tasks.read(self, partial(model.compare, *texts), self._show_compared)

    def _show_compared(self, lines: list[tuple[str, str]]) -> None:
        from gui.widgets.compare import CompareDialog

        CompareDialog(self.theme, "", "", self.window(), lines=lines).open()

    # -- the end -------------------------------------------------------------------------------

    def apply(self) -> None:
        """Write the work over the file; a copy of the file is made first."""
        desk, work, target = self.place.desk, self._work(), self._target
        if desk is None or work is None or target is None or not self._apply.isEnabled():
            return
        if self.entries.typed() is not None:
            self.entries.take_focus()
            self.place.said.emit(Said(tr("Save or cancel this edit first.")))
            return
        self._busy = True
        self._show_actions()
        paths = [desk.home.memory_file(each) for each in TARGETS]
        todo = partial(model.apply_repair, desk, target, work.plan)
        then = partial(self._applied, desk)
        self.place.write(self, todo, then, paths, self._failed)

    def _failed(self, _: object) -> None:
        self._busy = False
        self._show_actions()

    def _applied(self, desk: Desk, answer: tuple[Repaired | Refusal, RepairView]) -> None:
        done, view = answer
        self._busy = False
        if desk is not self.place.desk:
            return
        if isinstance(done, REFUSALS):
            notice = Notice("refused", say(done), tone="bad", action=tr("Got it"))
            self.problem.show_notice(notice)
            self._encoding = view.encoding
            self.show_loaded(view)
            return
        self.problem.show_notice(None)
        self._works.pop(done.target, None)
        self._encoding = None
        self.show_loaded(view)
        self.place.note_change(done.change_id, _told(done))
        self._leave()

    def _go_from_empty(self, name: object) -> None:
        if name == "copies":
            self._show_copies()
        else:
            self._leave()

    def _show_copies(self) -> None:
        self.place.page_wanted.emit("backups", self._target)

    def _leave(self, _: object = None) -> None:
        self.place.page_wanted.emit("memory", None)


def _told(done: Repaired) -> str:
    file = model.file_of(done.target)
    if not done.changed:
        return tr("{file} is in order already; nothing changed.", file=file)
    text = trn(
        "{file} is repaired: {n:,} entry.", "{file} is repaired: {n:,} entries.",
        done.entries, file=file,
    )  # fmt: skip
    if done.backup:
        name = Path(done.backup).name
        text += " " + tr("A copy of the file as it was is kept: {name}.", name=name)
    return text


def _read(
    desk: Desk, target: Target | None, encoding: str | None, is_cancelled: IsCancelled
) -> tuple[Desk, Any]:
    return desk, read_repair(desk, target, encoding, is_cancelled)


def _more(
    work: Work, dropped: int, examined: Examined, _: IsCancelled
) -> tuple[Work, Work, ShownLines]:
    before, new = model.go_on(work, dropped, examined.limit)
    return before, new, model.lines_of(examined, new.plan)
