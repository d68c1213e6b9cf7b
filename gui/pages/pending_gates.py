"""Whether writes wait for approval: shown and switched at the foot of the Pending page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from gui.i18n import tr
from gui.models.pending import Gate, PendingView
from gui.theme import GRID, HALF, Theme
from gui.widgets.checks import CheckBox
from gui.widgets.labels import PlainLabel
from gui.words import say


class Gates(QWidget):
    """A box for each kind of writes, and who else decides about it."""

    wished = Signal(object)
    """A `Gate` that the person wants to have the other way round."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("gates")
        self.setAccessibleName(tr("What waits for approval"))
        self._gates: dict[str, Gate] = {}
        words = {
            "memory": tr("Memory writes wait for approval"),
            "skills": tr("Skill writes wait for approval"),
        }
        self.boxes = {
            name: CheckBox(theme, label, name=f"gate_{name}") for name, label in words.items()
        }
        self._words = PlainLabel(name="gates_words", role="meta", wrap=True).select_with_mouse()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(2, 0, 0, 0)
        for name, box in self.boxes.items():
            box.clicked.connect(partial(self._wish, name))
            self._row.addWidget(box)
        self._row.addWidget(self._words, 1)
        self.set_narrow(False)

    def show_view(self, view: PendingView) -> None:
        """Show how it stands."""
        self._gates = {gate.subsystem: gate for gate in view.gates}
        for gate in view.gates:
            box = self.boxes[gate.subsystem]
            box.setChecked(gate.on)
            box.setEnabled(not gate.managed_by and view.config_problem is None)
            box.setToolTip(gate.key)
        note = "" if view.config_problem is None else say(view.config_problem)
        managed = next((gate.managed_by for gate in view.gates if gate.managed_by), "")
        if managed and not note:
            note = tr("{source} manages this; change it there.", source=managed)
        self._words.setText(note)

    def can_switch(self, gate: Gate) -> bool:
        """Whether it is this person, here, who decides about it."""
        return self.boxes[gate.subsystem].isEnabled()

    def set_narrow(self, narrow: bool) -> None:
        """Stand below each other where there is no room side by side."""
        way = QBoxLayout.Direction
        self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
        self._row.setSpacing(HALF if narrow else 2 * GRID)
        side = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignRight
        self._words.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)

    def _wish(self, name: str, _: bool = False) -> None:
        gate = self._gates.get(name)
        if gate is not None:
            # The box shows what is on disk, not what is wished.
            self.boxes[name].setChecked(gate.on)
            self.wished.emit(gate)
