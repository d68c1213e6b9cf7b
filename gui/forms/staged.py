"""A page with so many widgets that they are made and shown a few at a time."""

from __future__ import annotations

from typing import Any, Literal

from gui.forms.steps import Step, Steps
from gui.page import Page
from gui.workplace import Workplace


class StagedPage(Page):
    """Is built, then given what was read, then shown, each in steps; ready after the last."""

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._stage: Literal["building", "built", "showing", "shown"] = "building"
        self._waiting: Any = None
        self._steps = Steps(self)

    def build_steps(self) -> list[Step]:
        """What makes the page, each but a little work. Nothing is shown by it."""
        raise NotImplementedError

    def show_steps(self) -> list[Step]:
        """What shows the page once it is built and filled."""
        raise NotImplementedError

    def show_focus(self) -> None:
        """The page is there: lead to what was asked for meanwhile."""

    def is_shown(self) -> bool:
        """Whether all of the page is there."""
        return self._stage == "shown"

    def begin(self) -> None:
        """Build the page, from the end of the constructor on."""
        self._steps.run([*self.build_steps(), self._go_on])

    def _show(self, loaded: Any) -> None:
        self._waiting = loaded
        if self._stage == "building":
            return
        self.show_loaded(loaded)
        if self._stage == "built":
            self._stage = "showing"
            self._steps.run([*self.show_steps(), self._go_on])
        elif self._stage == "shown":
            self._announce()

    def _go_on(self) -> None:
        if self._stage == "building":
            self._stage = "built"
            if self._waiting is not None:
                self._show(self._waiting)
        else:
            self._stage = "shown"
            self._announce()
            self.show_focus()

    def _announce(self) -> None:
        if not self.ready:
            self.ready = True
            self.became_ready.emit()
