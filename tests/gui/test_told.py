"""What waits is told: once for a burst, without its text, and not where nobody listens."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from gui.news import Waiting
from gui.tasks import Fault
from gui.told import Told, note_of
from store.preferences import Preferences
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import Driver
from tests.support.talking import Said, Talking

SECRET = "Likes her tea in the small blue pot"


def stage(home: Path, *ids: str, subsystem: str = "memory", text: str = SECRET) -> None:
    """Stage records as the agent does: each a file of its own, put there whole."""
    folder = home / "pending" / subsystem
    for record_id in ids:
        payload = {"action": "add", "target": "memory", "content": text, "old_text": None}
        record = {
            **{"id": record_id, "subsystem": subsystem, "action": "add", "summary": text},
            **{"origin": "background_review", "created_at": 1796053386.0, "payload": payload},
        }
        beside = folder / f".{record_id}.tmp"
        beside.write_text(json.dumps(record))
        beside.replace(folder / f"{record_id}.json")


def told_of(desk: Driver) -> Told:
    desk.wait(lambda: desk.program._told is not None, "the desk to listen")
    desk.rest()
    told = desk.program._told
    assert told is not None
    desk.wait(lambda: told.news._home is not None, "what waits already to be known")
    return told


@pytest.fixture
def services(session_bus: None) -> Iterator[Talking]:
    with Talking("desktop_services.py", ["notifications"], os.environ) as services:
        services.wait(lambda said: "ready" in said, "the service")
        yield services


@pytest.fixture
def away(start: Start, hermes_home: Path) -> Driver:
    """A desk whose window is minimised: the person is elsewhere."""
    desk = start(hermes_home)
    told_of(desk)
    desk.window.showMinimized()
    return desk


def notified(desk: Driver, services: Talking) -> list[Said]:
    desk.wait(lambda: "ready" not in services.heard()[-1], "a notification")
    return [said for said in services.heard() if "notify" in said]


def test_a_burst_is_told_once_with_numbers_and_without_any_text(
    away: Driver, services: Talking, hermes_home: Path
) -> None:
    stage(hermes_home, "00000001", "00000002")
    stage(hermes_home, "00000003", subsystem="skills")
    (said,) = notified(away, services)
    assert said["title"] == "3 new writes wait for you"
    assert said["text"] == "2 for the memory · 1 for skills"
    assert said["actions"] == ["default", "Show"]
    assert SECRET not in json.dumps(services.heard())

    # The next burst takes its place: had the first been told in parts, this would show here.
    stage(hermes_home, "00000004")
    away.wait(lambda: len(notified(away, services)) == 2, "the next burst")
    said = services.heard()[-1]
    assert (said["notify"], said["replaces"]) == (1, 1)
    assert said["title"] == "4 new writes wait for you"


def test_what_was_put_away_is_not_told_again(
    away: Driver, services: Talking, hermes_home: Path
) -> None:
    stage(hermes_home, "00000001")
    told, before = told_of(away), len(notified(away, services))
    services.tell(dismiss=1)
    away.wait(lambda: not told._standing, "the notification to be put away")
    stage(hermes_home, "00000002")
    away.wait(lambda: len(notified(away, services)) > before, "the next one")
    assert services.heard()[-1]["title"] == "1 new write waits for you"
    assert services.heard()[-1]["replaces"] == 0


def test_what_was_decided_on_elsewhere_is_taken_away(
    away: Driver, services: Talking, hermes_home: Path
) -> None:
    stage(hermes_home, "00000001")
    notified(away, services)
    away.wait(lambda: away.program._told._notifier._voice._shown == 1, "its number")
    (hermes_home / "pending" / "memory" / "00000001.json").unlink()
    away.wait(lambda: "close" in services.heard()[-1], "the notification to go")
    assert services.heard()[-1] == {"close": 1}


def test_who_is_at_the_window_is_not_told(
    start: Start, services: Talking, hermes_home: Path
) -> None:
    desk = start(hermes_home)
    with desk.qtbot.waitSignal(told_of(desk).news.came, timeout=20_000):
        stage(hermes_home, "00000001")
    desk.window.showMinimized()
    stage(hermes_home, "00000002")
    assert notified(desk, services)[0]["title"] == "1 new write waits for you"


def test_who_wants_no_notifications_gets_none(
    away: Driver, services: Talking, hermes_home: Path
) -> None:
    away.program.place.preferences = Preferences(notifications=False)
    with away.qtbot.waitSignal(told_of(away).news.came, timeout=20_000):
        stage(hermes_home, "00000001")
    away.program.place.preferences = Preferences()
    stage(hermes_home, "00000002")
    assert notified(away, services)[0]["title"] == "1 new write waits for you"


def test_another_home_has_nothing_new(away: Driver, services: Talking, hermes_home: Path) -> None:
    stage(hermes_home, "00000001")
    notified(away, services)
    away.wait(lambda: away.program._told._notifier._voice._shown == 1, "its number")
    away.program.place.open(hermes_home, "work")
    away.wait(lambda: "close" in services.heard()[-1], "the notification to go")


@pytest.mark.parametrize("bus", ["nobody on it", "none", "odd", "deaf"])
def test_where_nobody_shows_notifications_it_is_quiet(
    bus: str, away: Driver, hermes_home: Path, tmp_path: Path, request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    faults: list[Fault] = []
    away.program.tasks.fault_happened.connect(faults.append)
    told, other = told_of(away), socket.socket(socket.AF_UNIX)
    if bus == "nobody on it":
        request.getfixturevalue("session_bus")
    elif bus == "none":
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    elif bus == "odd":
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:")
    else:
        place = tmp_path / "deaf"
        other.bind(str(place))
        other.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={place}")
    with away.qtbot.waitSignal(told.notifier().failed, timeout=20_000):
        stage(hermes_home, "00000001")
    other.close()
    assert faults == []
    assert away.toast() == ""


def test_a_service_that_dies_is_found_again(
    away: Driver, session_bus: None, hermes_home: Path
) -> None:
    for record_id in ("00000001", "00000002"):
        with Talking("desktop_services.py", ["notifications"], os.environ) as services:
            services.wait(lambda said: "ready" in said, "the service")
            stage(hermes_home, record_id)
            assert notified(away, services)[-1]["notify"] >= 1


def test_kinds_are_named_only_where_there_are_any() -> None:
    note = note_of([Waiting("skills", "00000001")])
    assert (note.title, note.text) == ("1 new write waits for you", "1 for skills")


# -- the tray -----------------------------------------------------------------------------------

own_screen = pytest.mark.skipif(
    "MEMORY_DESK_TEST_DESKTOP" not in os.environ, reason="needs a screen of ours"
)


@pytest.fixture
def tray(session_bus: None) -> Iterator[Talking]:
    with Talking("desktop_services.py", ["tray"], os.environ) as tray:
        tray.wait(lambda said: "ready" in said, "the tray")
        yield tray


def keep(dirs: DeskDirs, **preferences: object) -> None:
    dirs.config.mkdir(parents=True)
    (dirs.config / "preferences.json").write_text(json.dumps(preferences))


def desk_on(home: Path, *arguments: str) -> Talking:
    return Talking("running_desk.py", ["--home", home, *arguments], os.environ)


@own_screen
def test_the_tray_counts_and_a_click_brings_the_window_back(
    tray: Talking, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    def counts(count: int, said: Said) -> bool:
        tray.tell(look=True)
        return said.get("tooltip") == f"Hermes Memory Desk: {count} writes wait"

    keep(desk_dirs, tray="stay")
    with desk_on(hermes_home) as desk:
        tray.wait(lambda said: "item" in said, "the icon")
        desk.wait(lambda said: said["tray"] and said["page"] == "memory", "the window")
        tray.wait(partial(counts, 10), "the count")
        for name in os.listdir(hermes_home / "pending" / "skills"):
            (hermes_home / "pending" / "skills" / name).unlink()
        tray.wait(partial(counts, 4), "the count to follow")
        desk.write("close")
        desk.wait(lambda said: not said["visible"], "the window to be closed")
        tray.tell(click=True)
        desk.wait(lambda said: said["visible"], "the window to come back")
        desk.write("quit")
        assert desk.ended() == 0


@own_screen
def test_closing_the_window_ends_the_desk_unless_it_was_asked_to_stay(
    tray: Talking, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    with desk_on(hermes_home) as desk:
        desk.wait(lambda said: said["tray"] and said["page"] == "memory", "the window")
        desk.write("close")
        assert desk.ended() == 0


@own_screen
def test_minimised_it_starts_in_the_tray_and_without_a_window(
    tray: Talking, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    with desk_on(hermes_home, "--minimised") as desk:
        desk.wait(lambda said: said["tray"] and said["page"] == "memory", "the icon")
        assert not any(said["visible"] for said in desk.heard())
        tray.wait(lambda said: "item" in said, "the icon to be known")
        tray.tell(click=True)
        desk.wait(lambda said: said["visible"] and not said["minimised"], "the window")


@own_screen
def test_a_tray_that_comes_later_at_login_is_waited_for(
    session_bus: None, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    with desk_on(hermes_home, "--minimised") as desk:
        desk.wait(lambda said: said["told"] and said["page"] == "memory", "the desk")
        with Talking("desktop_services.py", ["tray"], os.environ) as tray:
            desk.wait(lambda said: said["tray"], "the icon")
            assert not any(said["visible"] for said in desk.heard())
            tray.wait(lambda said: "item" in said, "the icon to be known")
            tray.tell(click=True)
            desk.wait(lambda said: said["visible"], "the window")


@own_screen
@pytest.mark.parametrize("wish", ["on", "off"])
def test_without_a_tray_it_starts_as_a_minimised_window(
    wish: str, session_bus: None, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    keep(desk_dirs, tray=wish)
    with desk_on(hermes_home, "--minimised") as desk:
        desk.wait(lambda said: said["visible"] and said["minimised"], "the minimised window")
        assert not desk.heard()[-1]["tray"]
