"""The page on where a text belongs: three questions, and the way to each layer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.forms.area import FormArea
from gui.i18n import tr
from gui.models.belongs import (
    ANSWER_WORDS,
    LAYER_REASONS,
    LAYER_WORDS,
    QUESTION_WORDS,
    Belongs,
    Sent,
    say_suggestion,
    send_to_file,
    send_to_skill,
    suggestion_for,
)
from gui.models.drafts import DraftSent
from gui.models.knowledge import MoveToNote
from gui.models.room import MakeRoom
from gui.page import Page
from gui.pages.plain_files import may_stand
from gui.tasks import Fault
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.keys import KeyButton
from gui.widgets.labels import PlainLabel, make_action, restyle
from gui.widgets.questions import Questions
from gui.workplace import Opened, Said, Workplace
from store.advice.layers import LAYERS, QUESTIONS, Answers, Layer, Question
from store.advice.plain import secrets_among
from store.memory.threats import scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.desk import Desk

KEYS: dict[Layer, str] = {"user": "U", "memory": "M", "skill": "S", "note": "N"}
SHOWN_CHARS = 4_000


class BelongsPage(Page):
    """A text, the questions with what it suggests answered, and four ways to send it."""

    name = "belongs"

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._about = Belongs("")
        self._answers = Answers()
        self._lacking: MakeRoom | None = None
        self._back = make_action(
            self, name="belongs_back", text=tr("Back"), keys="Alt+Left", act=self._leave
        )
        self._back.setShortcuts([self._back.shortcut(), QKeySequence("Esc")])
        self._send: dict[Layer, QAction] = {
            layer: make_action(
                self, name=f"send_{layer}", text=tr(LAYER_WORDS[layer]), keys=KEYS[layer],
                act=partial(self.send, layer),
            )
            for layer in LAYERS
        }  # fmt: skip
        for action in (self._back, *self._send.values()):
            self.addAction(action)
        self._build()

    def _build(self) -> None:
        self.problem = Banner(name="belongs_problem")
        self.problem.acted.connect(self._act_on_problem)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.addWidget(self.problem)
        card = QFrame()
        card.setObjectName("belongs_card")
        card.setProperty("tone", "plain")
        self._text = PlainLabel(name="belongs_text", wrap=True).select_with_mouse()
        inside = QVBoxLayout(card)
        inside.setContentsMargins(12, 10, 12, 10)
        inside.addWidget(self._text)
        self.questions = Questions(
            name="questions",
            label=tr("Three questions"),
            asked=[(one, tr(QUESTION_WORDS[one]), _answers_in_words(one)) for one in QUESTIONS],
        )
        self.questions.answered.connect(self._take_answer)
        self.questions.accepted.connect(self._accept)
        self._hint = PlainLabel(name="belongs_hint", role="warn", wrap=True)
        area = FormArea(name="belongs_area")
        for widget in (card, self._asking(), self._sending()):
            area.add(widget)
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(area, 1)

    def _asking(self) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(tr("Three questions"), name="asking_title", role="head"))
        column.addWidget(
            PlainLabel(
                tr("Answered as the text suggests. Keys 1 and 2 answer, Return takes the result."),
                name="asking_how", role="meta", wrap=True,
            )
        )  # fmt: skip
        column.addWidget(self.questions)
        column.addWidget(self._hint)
        return whole

    def _sending(self) -> QWidget:
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(tr("Send to"), name="sending_title", role="head"))
        card = QFrame()
        card.setObjectName("ways_to_send")
        card.setProperty("tone", "plain")
        grid = QGridLayout(card)
        grid.setContentsMargins(12, 10, 12, 10)
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        self._buttons: dict[Layer, KeyButton] = {}
        self._marks: dict[Layer, PlainLabel] = {}
        for row, layer in enumerate(LAYERS):
            button = self._buttons[layer] = KeyButton(self._send[layer])
            button.setMinimumWidth(20 * GRID)
            mark = self._marks[layer] = PlainLabel(
                tr("suggested"), name=f"suggested_{layer}", role="mark"
            )
            why = PlainLabel(tr(LAYER_REASONS[layer]), name=f"why_{layer}", role="dim", wrap=True)
            beside = QHBoxLayout()
            beside.setSpacing(GRID)
            beside.addWidget(why, 1)
            beside.addWidget(mark, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(button, row, 0)
            grid.addLayout(beside, row, 1)
        column.addWidget(card)
        return whole

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Where does this belong?")

    def secondary(self) -> tuple[QAction, ...]:
        return (self._back,)

    def take_focus(self) -> None:
        self.questions.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_about(self, about: object) -> None:
        if isinstance(about, Belongs):
            self._show_text(about)
        self.refresh()

    def show_opened(self, opened: Opened) -> None:
        self._show_text(Belongs(""))
        super().show_opened(opened)

    # -- showing -----------------------------------------------------------------------------

    def _show_text(self, about: Belongs) -> None:
        self._about = about
        suggestion = suggestion_for(about.text)
        self._answers = suggestion.answers
        cut = len(about.text) > SHOWN_CHARS
        self._text.setText(about.text[:SHOWN_CHARS] + ("…" if cut else ""))
        hint = say_suggestion(suggestion) if about.text else ""
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.problem.show_notice(None)
        self._allow(True)
        self.questions.begin()
        self._show_answers()

    def _show_answers(self) -> None:
        answers = self._answers
        self.questions.show_answers(answers.asked(), {one: answers.of(one) for one in QUESTIONS})
        suggested = answers.layer()
        for layer, button in self._buttons.items():
            here = layer == self._about.source
            mark = self._marks[layer]
            mark.setText(tr("it is here") if here else tr("suggested"))
            mark.setVisible(here or layer == suggested)
            kind = "primary" if layer == suggested and not here else ""
            if (button.property("kind") or "") != kind:
                button.setProperty("kind", kind)
                restyle(button)

    def _take_answer(self, answer: tuple[Question, bool]) -> None:
        self._answers = self._answers.having(*answer)
        self._show_answers()

    # -- sending -----------------------------------------------------------------------------

    def _accept(self) -> None:
        layer = self._answers.layer()
        if layer is None:
            return
        if layer == self._about.source:
            self.place.said.emit(Said(tr("It is where it belongs.")))
            self._leave()
        else:
            self.send(layer)

    def send(self, layer: Layer) -> None:
        """Send the text there."""
        desk, about = self.place.desk, self._about
        if desk is None or not self._send[layer].isEnabled() or not self._may_send(layer):
            return
        if layer == "note":
            self._send_to_note(about)
            return
        work: Callable[[], Sent]
        if layer == "skill":
            work = partial(send_to_skill, desk, about)
        else:
            work = partial(send_to_file, desk, about, layer)
        files = [desk.home.memory_file("memory"), desk.home.memory_file("user")]
        paths = [*files, desk.home.pending("skills")]
        self._allow(False)
        then = partial(self._sent, desk, about, layer)
        self.place.write(self, work, then, paths, self._failed)

    def _allow(self, may: bool) -> None:
        """Let the text be sent where it is not; not while it is on its way."""
        about = self._about
        for layer, action in self._send.items():
            action.setEnabled(may and bool(about.text) and layer != about.source)

    def _failed(self, _: Fault) -> None:
        self._allow(True)

    def _may_send(self, layer: Layer) -> bool:
        """Ask before a secret goes to a plain file, or out of reach."""
        about = self._about
        if layer not in ("note", "skill"):
            return self._may_lose()
        held = secrets_among([about.text])
        return bool(may_stand(self.asker(), [about.text], held, entries=about.source is not None))

    def _may_lose(self) -> bool:
        """Ask first where there is no way back: of a secret the history keeps no text."""
        about = self._about
        if about.source is None or "hardcoded_secret" not in scan(about.text):
            return True
        return self.asker().confirm(
            title=tr("This cannot be undone"),
            text=tr("The entry holds a password, key or token, and the history keeps none."),
            yes=tr("Go on"),
            no=tr("Leave it"),
        )

    def _send_to_note(self, about: Belongs) -> None:
        wanted = MoveToNote(
            about.source or about.draft or "memory", about.text, fresh=about.source is None,
            draft=about.draft,
        )  # fmt: skip
        self.place.page_wanted.emit("knowledge", wanted)

    def _sent(self, desk: Desk, about: Belongs, layer: Layer, sent: Sent) -> None:
        self._allow(True)
        if desk is not self.place.desk:
            return
        if not sent.done:
            self._lacking = None
            if sent.lacking and layer in ("memory", "user"):
                self._lacking = MakeRoom(layer, sent.lacking)
            action = tr("Got it") if self._lacking is None else tr("Make room…")
            self.problem.show_notice(Notice("refused", sent.said, tone="bad", action=action))
            return
        if about is self._about and self.isVisible():
            back = DraftSent(about.draft, about.text) if about.draft is not None else None
            self.place.page_wanted.emit(about.back, back)
        self.place.note_change(sent.change_id, sent.said)

    # -- ways elsewhere ----------------------------------------------------------------------

    def _act_on_problem(self, _: Notice) -> None:
        wanted, self._lacking = self._lacking, None
        self.problem.show_notice(None)
        if wanted is not None:
            self.place.page_wanted.emit("room", wanted)

    def _leave(self) -> None:
        self.place.page_wanted.emit(self._about.back, None)


def _answers_in_words(question: Question) -> tuple[str, str]:
    yes, no = ANSWER_WORDS[question]
    return tr(yes), tr(no)
