"""./run on systems that lack something: it says what, and installs only when it may.

What lacks is played by small programs first on the PATH; the script itself is the real one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

# All that the script calls on the way to the environment, but for the programs that are played.
USED = ("bash", "cat", "cut", "dirname", "env", "flock", "id", "readlink", "rm", "sha256sum")


class System:
    """A copy of the script in a folder, and a PATH that holds only what is put there."""

    def __init__(self, place: Path) -> None:
        self.root = place / "checkout"
        self.bin = place / "bin"
        self.bin.mkdir(parents=True)
        (self.root / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "run", self.root)
        shutil.copy(ROOT / "tools" / "house.sh", self.root / "tools")
        shutil.copytree(ROOT / "requirements", self.root / "requirements")
        for name in USED:
            program = shutil.which(name)
            assert program
            (self.bin / name).symlink_to(program)
        self.play("id", "echo 1000")

    def play(self, name: str, script: str) -> None:
        """Put a program on the PATH that does what `script` says."""
        program = self.bin / name
        program.unlink(missing_ok=True)
        program.write_text(f"#!/bin/bash\n{script}\n")
        program.chmod(0o755)

    def have_environment(self) -> None:
        """Put an environment in place whose Python only says what it was asked to run."""
        site = self.root / ".venv" / "lib" / "python3.11" / "site-packages" / "PySide6"
        site.mkdir(parents=True)
        python = self.root / ".venv" / "bin" / "python"
        python.parent.mkdir()
        python.write_text('#!/bin/bash\necho "started:" "$@"\n')
        python.chmod(0o755)
        mark = f'root={self.root}; . "$root/tools/house.sh"; mark_ready .venv run'
        subprocess.run(["bash", "-c", mark], check=True)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        surroundings = {"PATH": str(self.bin), "HOME": os.environ["HOME"], "DISPLAY": ":0"}
        return subprocess.run(
            [self.root / "run", *arguments],
            env=surroundings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.fixture
def without_a_library(system: System) -> System:
    system.have_environment()
    for name in ("awk", "grep", "sort"):
        (system.bin / name).symlink_to(str(shutil.which(name)))
    system.play("ldd", "echo '        libxcb-cursor.so.0 => not found'")
    return system


def test_a_python_that_is_too_old_is_named(system: System) -> None:
    old = '[[ "$*" == *platform* ]] && echo 3.10.12 && exit; exit 1'
    system.play("python3", old)
    refused = system.run()
    assert refused.returncode == 1
    assert "needs Python 3.11" in refused.stderr
    assert "python3 here is 3.10.12" in refused.stderr


def test_a_missing_venv_package_is_named_with_its_command(system: System) -> None:
    has_no_ensurepip = (
        '[[ "$*" == *ensurepip* ]] && exit 1\n[[ "$*" == *venv* ]] && echo python3.11-venv\nexit 0'
    )
    system.play("python3", has_no_ensurepip)
    refused = system.run()
    assert refused.returncode == 1
    assert "sudo apt-get install --no-install-recommends python3.11-venv" in refused.stderr


def test_a_missing_library_is_named_with_its_command(without_a_library: System) -> None:
    refused = without_a_library.run("--demo")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "sudo apt-get install --no-install-recommends libxcb-cursor0" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [("status", "--json"), ("--home", "somewhere", "entries", "list"), ("--version",)],
)
def test_what_opens_no_window_needs_no_library(
    without_a_library: System, arguments: tuple[str, ...]
) -> None:
    done = without_a_library.run(*arguments)
    assert done.stdout == f"started: -P -m gui {' '.join(arguments)}\n"


@pytest.mark.parametrize(
    "arguments",
    [(), ("--page", "pending"), ("--demo", "--screenshot", "memory", "a.png")],
)
def test_what_opens_a_window_is_looked_at_first(
    without_a_library: System, arguments: tuple[str, ...]
) -> None:
    assert without_a_library.run(*arguments).returncode == 1


def test_install_gets_the_library_with_sudo_and_goes_on(without_a_library: System) -> None:
    asked = without_a_library.root / "asked"
    without_a_library.play("sudo", f'echo "$@" >> "{asked}"')
    without_a_library.play("apt-get", "exit 1")
    done = without_a_library.run("--demo", "--install")
    assert done.stdout == "started: -P -m gui --demo\n"
    assert (
        asked.read_text()
        .splitlines()[-1]
        .endswith("apt-get install -y -qq --no-install-recommends libxcb-cursor0")
    )


def test_a_text_that_reads_like_an_option_of_run_reaches_the_command(system: System) -> None:
    system.have_environment()
    done = system.run("entries", "add", "--target", "user", "--", "--install")
    assert done.stdout.endswith("entries add --target user -- --install\n")


def test_an_environment_made_from_other_pins_is_made_anew(system: System) -> None:
    system.have_environment()
    (system.root / "requirements" / "run.txt").write_text("# other pins\n")
    system.play("python3", '[[ "$*" == *"-m venv"* ]] && echo "making" >&2 && exit 1; exit 0')
    refused = system.run("status")
    assert refused.returncode == 1
    assert "Making .venv failed" in refused.stderr
