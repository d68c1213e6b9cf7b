"""One desk per person and data folder: a second start raises the first."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from gui.instance import JOINED, MOST_BYTES, SILENT, First, Wish, join, listen, read_wish, wish_of
from tests.conftest import ROOT, DeskDirs
from tests.support.talking import Said, Talking

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs sockets of files")


@pytest.fixture(autouse=True)
def runtime(
    tmp_path_factory: pytest.TempPathFactory, desk_dirs: DeskDirs, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A runtime folder of the test's own."""
    folder = tmp_path_factory.mktemp("run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


# -- who is the first, without a window ----------------------------------------------------------


def test_the_first_holds_it_until_it_lets_go() -> None:
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    assert join(os.environ, Wish(), wait=0) is SILENT
    first.close()
    first.close()
    again = join(os.environ, Wish(), wait=0)
    assert isinstance(again, First)
    again.close()


def test_another_data_folder_is_another_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = join(os.environ, Wish(), wait=0)
    monkeypatch.setenv("MEMORY_DESK_DATA_DIR", str(tmp_path / "other"))
    other = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    assert isinstance(other, First)
    first.close()
    other.close()


def test_nothing_is_left_in_the_data_folder(desk_dirs: DeskDirs) -> None:
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    first.close()
    assert not desk_dirs.data.exists()


def test_a_folder_that_others_could_reach_is_not_used(runtime: Path) -> None:
    place = runtime / "hermes-memory-desk"
    place.mkdir(mode=0o777)
    place.chmod(0o777)
    assert join(os.environ, Wish(), wait=0) is None
    place.rmdir()
    elsewhere = runtime / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    place.symlink_to(elsewhere)
    assert join(os.environ, Wish(), wait=0) is None


def test_a_place_too_long_for_a_socket_is_not_used(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = runtime / ("x" * 90)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    assert join(os.environ, Wish(), wait=0) is None


def test_without_a_runtime_folder_there_is_a_private_one(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    folder = tmp_path_factory.mktemp("t")
    monkeypatch.setenv("TMPDIR", str(folder))
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    (made,) = folder.iterdir()
    assert made.stat().st_mode & 0o777 == 0o700
    first.close()


def test_only_the_person_reaches_the_socket() -> None:
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    server = listen(first.address)
    assert server is not None
    assert Path(first.address).stat().st_mode & 0o777 == 0o600
    # What a crash left there is in nobody's way.
    server.close()
    again = listen(first.address)
    assert again is not None
    again.close()
    first.close()
    assert not Path(first.address).exists()


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 5_000])
def test_what_is_no_wish_is_none(line: bytes) -> None:
    assert read_wish(line) is None


def test_of_a_wish_only_what_is_known_is_taken() -> None:
    assert read_wish(b'{"page": "pending", "home": 3, "more": "x"}') == Wish(page="pending")


def test_a_wish_names_whole_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    env = {"HERMES_HOME": "there", "XDG_ACTIVATION_TOKEN": "t"}
    assert wish_of(env, home="here", profile=None, page="pending") == Wish(
        home=str(tmp_path / "here"), page="pending", surroundings=str(tmp_path / "there"), token="t"
    )


# -- two starts ------------------------------------------------------------------------------------


def start_again(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "gui", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def is_open(said: Said) -> bool:
    return bool(said["listens"] and said["page"])


def test_a_second_start_raises_the_first_and_leads_it_to_its_page(hermes_home: Path) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        done = start_again("--home", hermes_home, "--page", "pending")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        first.wait(lambda said: said["page"] == "pending", "the page")


def test_a_second_start_while_the_first_is_starting_waits_for_it(hermes_home: Path) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(lambda said: not said["listens"], "the first to begin")
        assert start_again("--home", hermes_home, "--page", "pending").returncode == 0
        first.wait(lambda said: said["page"] == "pending", "the page")


def test_a_second_start_loads_no_qt(hermes_home: Path) -> None:
    script = (
        "import sys; from gui.cli import main; status = main(sys.argv[1:]);"
        "print(status, [name for name in sys.modules if 'PySide6' in name])"
    )
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        done = subprocess.run(
            [sys.executable, "-P", "-c", script, "--home", str(hermes_home)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    assert done.stdout == "0 []\n"


def test_a_second_start_with_another_home_leads_the_first_there(
    hermes_home: Path, empty_home: Path
) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        assert start_again("--home", hermes_home, "--profile", "work").returncode == 0
        work = str(hermes_home / "profiles" / "work")
        first.wait(lambda said: said["home"] == work, "the profile")
        assert start_again("--home", empty_home).returncode == 0
        first.wait(lambda said: said["home"] == str(empty_home), "the other home")


def test_what_is_half_typed_is_asked_about_before_another_home(
    hermes_home: Path, empty_home: Path
) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        first.write("refuse edit")
        assert start_again("--home", empty_home, "--page", "pending").returncode == 0
        asked = {"asked": "Leave without saving?"}
        first.wait(lambda _: asked in first.all, "the question")
        assert start_again("--page", "settings", "--home", hermes_home).returncode == 0
        last = first.wait(lambda said: said.get("page") == "settings", "the page")
        assert last["home"] == str(hermes_home)
        assert first.all.count(asked) == 1


def test_a_first_that_was_killed_is_in_nobodys_way(hermes_home: Path) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        os.kill(first.process.pid, signal.SIGKILL)
        first.ended()
        with Talking("running_desk.py", ["--home", hermes_home], os.environ) as second:
            second.wait(is_open, "the second")
            assert start_again("--page", "pending").returncode == 0
            second.wait(lambda said: said["page"] == "pending", "the page")


def test_a_first_that_hangs_does_not_keep_a_second_away() -> None:
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    server = listen(first.address)
    assert server is not None
    assert join(os.environ, Wish(), wait=0.05) is SILENT
    server.close()
    first.close()


def test_noise_at_the_socket_harms_nobody(hermes_home: Path, runtime: Path) -> None:
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        (address,) = (runtime / "hermes-memory-desk").glob("*.socket")
        silent = [socket.socket(socket.AF_UNIX) for _ in range(20)]
        for line in silent:
            line.connect(str(address))
        for noise in (b"no\n", b"{}", b"\0" * (2 * MOST_BYTES), b""):
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(str(address))
                try:
                    line.sendall(noise)
                except OSError:  # it hung up: that was too much
                    continue
        assert start_again("--page", "pending").returncode == 0
        first.wait(lambda said: said["page"] == "pending", "the page")
        for line in silent:
            line.close()


def test_a_sample_and_a_picture_are_never_joined(hermes_home: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    with Talking("running_desk.py", ["--home", hermes_home], os.environ) as first:
        first.wait(is_open, "the first")
        assert start_again("--demo", "--screenshot", "memory", picture).returncode == 0
        assert picture.stat().st_size
        with Talking("running_desk.py", ["--demo"], os.environ) as sample:
            sample.wait(lambda said: said["page"] == "memory", "the sample")


def test_at_login_a_desk_that_is_open_stays_as_it_is() -> None:
    first = join(os.environ, Wish(), wait=0)
    assert isinstance(first, First)
    assert join(os.environ, None, wait=0) is JOINED
    first.close()
