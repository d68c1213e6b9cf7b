"""The desk runs on every Python of this machine that it may be started with.

The suite runs on one; an older patch of the same Python has crashed where that one did not. Qt is
taken from the tests' own environment: its wheel serves every Python from 3.9 on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT, DeskDirs
from tests.gui.test_qt_enums import QTS_OWN

PLACES = (*os.get_exec_path(), "/usr/bin", "/usr/local/bin")
NAMES = ("python3", *(f"python3.{minor}" for minor in range(11, 16)))
VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
PNG = b"\x89PNG\r\n\x1a\n"


def _others() -> Iterator[tuple[str, str]]:
    """The version and the path of every Python that is new enough and not the one that runs now."""
    own = ".".join(map(str, sys.version_info[:3]))
    seen = {own}
    for place in dict.fromkeys(PLACES):
        for name in NAMES:
            path = shutil.which(name, path=place)
            version = _version(path) if path is not None else ""
            if path is not None and version not in seen and _is_new_enough(version):
                seen.add(version)
                yield version, path


@cache
def _version(path: str) -> str:
    try:
        asked = subprocess.run(
            [path, "-I", "-c", VERSION], capture_output=True, text=True, timeout=20, check=False
        )
    except OSError:
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def _is_new_enough(version: str) -> bool:
    return bool(version) and tuple(map(int, version.split("."))) >= (3, 11)


def _run(python: str, *words: str | Path) -> str:
    paths = os.pathsep.join((str(ROOT), sysconfig.get_path("purelib")))
    done = subprocess.run(
        [python, "-P", *words],
        env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stderr[-2000:]}"
    return done.stdout


OTHERS = [pytest.param(path, id=version) for version, path in _others()] or [
    pytest.param("", marks=pytest.mark.skip("no other Python of 3.11 or newer is here"))
]


@pytest.mark.parametrize("python", OTHERS)
def test_the_window_opens(python: str, tmp_path: Path, desk_dirs: DeskDirs) -> None:
    picture = tmp_path / "memory.png"
    _run(python, "-m", "gui", "--demo", "--screenshot", "memory", picture)
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.parametrize("python", OTHERS)
@pytest.mark.parametrize(
    "command", ["status", "pending list", "providers list", "skills list", "doctor", "advice"]
)
def test_the_commands_answer(
    python: str, command: str, fixture_home: Path, desk_dirs: DeskDirs
) -> None:
    assert _run(python, "-m", "gui", "--home", fixture_home, *command.split())


@pytest.mark.parametrize("python", OTHERS)
def test_qts_enumerations_are_what_that_python_makes(python: str) -> None:
    plain, quick = (_run(python, "-c", QTS_OWN, how) for how in ("plain", "quick"))
    assert quick == plain
