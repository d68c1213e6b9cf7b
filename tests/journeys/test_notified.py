"""A person is elsewhere, is told that something waits, and comes to the very record."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gui.models.pending_filter import Filter
from tests.gui.conftest import Start
from tests.gui.driver import entries_of
from tests.gui.pending_driver import PendingDriver
from tests.support.agent import Agent
from tests.support.talking import Talking

SECRET = "fir is the GPU machine"


@pytest.mark.usefixtures("session_bus")
def test_a_notification_leads_to_its_record(
    start: Start, hermes_home: Path, hermes_python: Path
) -> None:
    leaves: list[str] = []
    with Talking("desktop_services.py", ["notifications"], os.environ) as services:
        services.wait(lambda said: "ready" in said, "the service")
        desk = start(hermes_home)
        desk.wait(lambda: desk.program._told is not None, "the desk to listen")
        desk.rest()
        desk.program._told.notifier().chosen.connect(leaves.append)
        # The person searched on the Memory page, and went elsewhere.
        desk.window.search.setText("python")
        desk.window.showMinimized()

        with Agent(hermes_python, hermes_home) as agent:
            staged = [
                agent.ask(
                    "stage",
                    origin="background_review",
                    arguments={"action": "add", "target": "memory", "content": text},
                )["pending_id"]
                for text in (SECRET, "larch is the old one", "birch is the new one")
            ]
            desk.wait(lambda: "notify" in services.heard()[-1], "a notification")
            (said,) = [said for said in services.heard() if "notify" in said]
            assert said["title"] == "3 new writes wait for you"
            assert said["text"] == "3 for the memory"
            assert SECRET not in str(services.heard())

            # A click, and there it is.
            services.tell(open=said["notify"])
            desk.wait(lambda: not desk.window.isMinimized(), "the window to come forward")
            desk.wait(lambda: desk.window.page().name == "pending", "the page")
            pending = PendingDriver(desk)
            desk.wait(lambda: pending.current() == staged[0], "the record")
            assert desk.window.search.text() == ""
            assert desk.window.isVisible()
            assert leaves == ["leave-of-the-desktop"]

            # It is decided on the spot.
            desk.window.activateWindow()
            desk.wait(desk.window.isActiveWindow, "the window to be active")
            pending.decide("A")
            assert entries_of(hermes_home / "memories" / "MEMORY.md")[-1] == SECRET
            assert agent.ask("pending")["ids"][-2:] == staged[1:]

            # Elsewhere again; this time a filter hides what came.
            pending.page.column.filters.choose(Filter(about="user"))
            pending.page.column.filters.changed.emit()
            desk.rest()
            assert staged[1] not in pending.ids()
            desk.window.showMinimized()
            last = agent.ask(
                "stage",
                origin="foreground",
                arguments={"action": "add", "target": "memory", "content": "yew is nobody's"},
            )["pending_id"]
            desk.wait(lambda: services.heard()[-1] != said, "the next one")
            assert services.heard()[-1]["title"] == "1 new write waits for you"
            services.tell(open=services.heard()[-1]["notify"])
            desk.wait(lambda: pending.current() == last, "the record")
            desk.rest()
            assert last in pending.ids()
            assert desk.window.isActiveWindow()
