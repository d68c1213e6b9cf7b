"""Fixtures that every test may use, and the guards that every test runs under."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.leaks import Leaks
from tests.support.unprivileged import Unprivileged, make_unprivileged

ROOT = Path(__file__).resolve().parent.parent
FIXTURE_HOME = ROOT / "tests" / "fixtures" / "hermes-home-0.19.tar.gz"

# How long an example takes is the machine's affair; a law holds or it does not.
settings.register_profile("desk", deadline=None)
settings.load_profile("desk")

if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
    # Outside ./test and without a screen, Qt's tests still run; ./test gives them a real one.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave tests/benchmarks to those who name it: they measure, and take their time."""
    if collection_path != ROOT / "tests" / "benchmarks":
        return None
    named = any("benchmarks" in argument for argument in config.invocation_params.args)
    return None if named else True


# --- Guards ---------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_surroundings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Give each test a home folder of its own, and nothing of the machine's Hermes or desk."""
    for name in list(os.environ):
        if name.startswith(("HERMES_", "MEMORY_DESK_", "OBSIDIAN_")) and name not in {
            "HERMES_PYTHON",
            "MEMORY_DESK_TEST_DESKTOP",
        }:
            monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.mktemp("person")
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def nothing_left_behind(own_surroundings: Path) -> Iterator[None]:
    """Fail a test that leaves a window, a running timer or a thread behind."""
    leaks = Leaks()
    yield
    left = leaks.found()
    if left:
        pytest.fail("left behind: " + "; ".join(left), pytrace=False)


# --- Hermes homes ---------------------------------------------------------------------------


@pytest.fixture(scope="session")
def fixture_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home that hermes-agent 0.19.0 wrote, unpacked once. For reading only."""
    place = tmp_path_factory.mktemp("fixture")
    with tarfile.open(FIXTURE_HOME) as archive:
        # The modes of files and folders are part of the fixture; other filters change them.
        archive.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)
        archive.extractall(place)
    return place / "hermes-home"


@pytest.fixture
def hermes_home(fixture_home: Path, tmp_path: Path) -> Path:
    """Return a copy of the fixture home that the test may change."""
    return Path(shutil.copytree(fixture_home, tmp_path / "hermes-home", symlinks=True))


@pytest.fixture
def empty_home(tmp_path: Path) -> Path:
    """Return a Hermes home in which there is nothing yet."""
    home = tmp_path / "empty-home"
    home.mkdir(mode=0o700)
    return home


@dataclass(frozen=True, slots=True)
class DeskDirs:
    """The desk's own folders during a test; none of them exists yet."""

    data: Path
    config: Path
    log: Path


@pytest.fixture
def desk_dirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DeskDirs:
    """Point the desk's data, config and log folders into the test's own folder."""
    dirs = DeskDirs(*(tmp_path / "desk" / name for name in ("data", "config", "log")))
    monkeypatch.setenv("MEMORY_DESK_DATA_DIR", str(dirs.data))
    monkeypatch.setenv("MEMORY_DESK_CONFIG_DIR", str(dirs.config))
    monkeypatch.setenv("MEMORY_DESK_LOG_DIR", str(dirs.log))
    return dirs


@pytest.fixture(scope="session")
def hermes_python() -> Path:
    """Return the Python of an environment that holds hermes-agent 0.19.0."""
    named = os.environ.get("HERMES_PYTHON")
    python = Path(named) if named else ROOT / ".venv-hermes" / "bin" / "python"
    if not python.is_file():
        pytest.fail(f"no hermes-agent at {python}: run ./test once, or set HERMES_PYTHON")
    return python


# --- Another desktop ------------------------------------------------------------------------


@pytest.fixture
def session_bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the test a session bus of its own, with nobody on it."""
    from tools.with_desktop import start_bus

    with ExitStack() as stack:
        base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bus-")))
        (base / "runtime").mkdir()
        environment = dict(os.environ)
        start_bus(stack, environment, base)
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", environment["DBUS_SESSION_BUS_ADDRESS"])
        yield


# --- Another user ---------------------------------------------------------------------------


@pytest.fixture(scope="session")
def _unprivileged() -> Iterator[Unprivileged]:
    with make_unprivileged(ROOT) as user:
        yield user


@pytest.fixture
def unprivileged(_unprivileged: Unprivileged) -> Iterator[Unprivileged]:
    """Run programs as a user whom file modes hold back: see tests/support/unprivileged.py."""
    with _unprivileged.with_new_folder() as user:
        yield user
