"""README's commands do what it says they do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, DeskDirs
from tests.support.leaks import wait_until

README = (ROOT / "README.md").read_text(encoding="utf-8")
# In README, a shell block with this line before it is run by the test below.
TOUR = re.findall(r"<!-- run by tests/ground -->\n```sh\n(.*?)```", README, re.DOTALL)


def test_the_two_commands_stand_first() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first
    commands = [line.partition("#")[0].strip() for line in first[1].splitlines()]
    assert commands == ["./run --demo", "./test"]
    assert all(os.access(ROOT / name, os.X_OK) for name in ("run", "test", ".ci/run"))


@pytest.mark.skipif("MEMORY_DESK_TEST_DESKTOP" not in os.environ, reason="needs a screen of ours")
def test_run_demo_opens_a_window(tmp_path: Path) -> None:
    before = _windows()
    with subprocess.Popen([ROOT / "run", "--demo"], cwd=tmp_path, stderr=subprocess.PIPE) as desk:
        try:
            wait_until(lambda: _windows() - before or desk.poll() is not None, of="a window")
            assert desk.poll() is None, desk.stderr and desk.stderr.read().decode()
        finally:
            desk.terminate()


def test_the_readme_has_a_tour() -> None:
    assert TOUR


@pytest.mark.parametrize("block", TOUR)
def test_every_command_of_the_tour_runs(
    block: str, hermes_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    command = tmp_path / "bin" / "memory-desk"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m gui "$@"\n')
    command.chmod(0o755)
    surroundings = {
        "HERMES_HOME": str(hermes_home),
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=tmp_path,
        env=os.environ | surroundings,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def _windows() -> set[str]:
    """Return the ids of the named windows on the screen that are as large as a desk's."""
    tree = subprocess.run(
        ["xwininfo", "-root", "-children"], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(r'^ +(0x\w+) "[^"]+": .*?(\d+)x(\d+)\+', tree, re.MULTILINE)
    return {window for window, width, height in found if int(width) > 400 and int(height) > 300}
