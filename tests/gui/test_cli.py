"""The command line itself: usage, options, streams, and what every command has in common."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import gui.commands.line
from gui.cli import main
from gui.commands.line import AREAS
from gui.page_names import PAGE_NAMES
from gui.pages import PAGES
from tests.conftest import DeskDirs
from tests.support.command_line import CommandLine, Ran

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def desk(hermes_home: Path, desk_dirs: DeskDirs) -> CommandLine:
    return CommandLine(hermes_home)


def run(*arguments: str | bytes, **options: object) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | dict(options.pop("env", {}))  # type: ignore[arg-type,call-overload]
    command = [sys.executable, "-P", "-m", "gui", *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60} | options
    return subprocess.run(command, env=environment, check=False, **options)  # type: ignore[call-overload,no-any-return]


# -- usage -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["entries"],
        ["entries", "frobnicate"],
        ["entries", "add", "--target", "memory"],
        ["entries", "add", "no target"],
        ["entries", "add", "--target", "soul", "text"],
        ["entries", "add", "--target", "memory", "--tarpet", "text"],
        ["entries", "replace", "--target", "memory", "-", "-"],
        ["pending", "approve"],
        ["pending", "approve", "162386ec", "--all"],
        ["history", "undo", "yesterday"],
        ["status", "--wait", "soon"],
        ["status", "--wait=-1"],
        ["status", "--wait", "nan"],
        ["status", "--wait"],
        ["status", "--profile", ""],
        ["status", "--page", "Memory"],
        ["--page", "Memory"],
        ["--screenshot", "", "x.png"],
        ["status", "--demo"],
        ["--json"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_2_and_says_why(desk: CommandLine, arguments: list[str]) -> None:
    before = desk.bytes_of_all_files()
    ran = desk(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.strip()
    assert desk.bytes_of_all_files() == before


def test_an_empty_home_option_is_wrong_usage(desk_dirs: DeskDirs) -> None:
    """A script's unset variable must not mean the current folder."""
    assert main(["--home", "", "status"], stderr=io.BytesIO()) == 2


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([area, "--help"] for area in AREAS)])
def test_help_is_a_result(desk: CommandLine, words: list[str]) -> None:
    ran = desk(*words)
    assert ran.status == 0
    assert "usage: memory-desk" in ran.out
    assert ran.err == ""


def test_the_help_names_every_command(desk: CommandLine) -> None:
    text = desk("--help").out
    assert [area for area in AREAS if f"\n    {area} " not in text] == []


def test_the_pages_are_named_in_the_help_and_when_one_is_wrong(desk: CommandLine) -> None:
    assert list(PAGE_NAMES) == [spec.name for spec in PAGES]
    names = ", ".join(PAGE_NAMES)
    assert names in " ".join(desk("--help").out.split())
    for wrong in (["--page", "foo"], ["--screenshot", "foo", "x.png"]):
        assert f"“foo” is no page; the pages are {names}" in desk(*wrong).err


def test_version_names_desk_qt_python_and_hermes(desk: CommandLine) -> None:
    ran = desk("--version")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == [
        "memory-desk",
        "Qt",
        "Python",
        "Hermes",
    ]


# -- options ---------------------------------------------------------------------------------


def test_options_may_stand_before_and_after_the_command(
    hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    listing = ["entries", "list", "--target", "memory"]
    options = ["--home", str(hermes_home), "--profile", "work", "--json", "--wait=1"]
    answers = []
    for words in (
        [*options, *listing],
        [*listing, *options],
        ["entries", *options, "list", "--target", "memory"],
        [*options[:2], "entries", *options[2:4], "list", *options[4:], "--target", "memory"],
    ):
        out = io.BytesIO()
        assert main(words, stdout=out) == 0
        answers.append(out.getvalue())
    assert len(set(answers)) == 1
    assert "CI runner" in answers[0].decode()


def test_ids_may_stand_on_both_sides_of_an_option(desk: CommandLine) -> None:
    ran = desk("pending", "reject", "162386ec", "--json", "6df3bc83")
    assert ran.data["done"] == ["162386ec", "6df3bc83"]


@pytest.mark.parametrize("text", ["-x", "--json", "--help", "--", "-- -", "-5 degrees"])
def test_after_two_hyphens_a_text_may_begin_with_one(desk: CommandLine, text: str) -> None:
    ran = desk("--json", "entries", "add", "--target", "memory", "--", text)
    assert ran.data["changed"] is True
    assert desk.memory.read_text("utf-8").endswith(f"\n§\n{text}")


def test_a_hyphen_reads_standard_input(desk: CommandLine) -> None:
    desk.json("entries", "add", "--target", "memory", "-", stdin="first line\r\nzweite Zeile ü\n")
    assert desk.memory.read_text("utf-8").endswith("\n§\nfirst line\nzweite Zeile ü")


def test_the_home_of_the_environment_is_used(
    hermes_home: Path, desk_dirs: DeskDirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_HOME", str(hermes_home))
    out = io.BytesIO()
    assert main(["status", "--json"], stdout=out) == 0
    assert json.loads(out.getvalue())["home"] == str(hermes_home)


# -- streams ---------------------------------------------------------------------------------


def test_output_is_utf8_whatever_the_locale(hermes_home: Path, desk_dirs: DeskDirs) -> None:
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = run("entries", "list", "--target", "user", "--home", str(hermes_home), env=environment)
    assert ran.returncode == 0
    assert "喜欢" not in ran.stdout.decode("utf-8")
    assert "偏好：先给结论" in ran.stdout.decode("utf-8")
    ran = run(
        *("entries", "list", "--target", "user", "--json", "--home", str(hermes_home)),
        env=environment,
    )
    assert "偏好：先给结论" in ran.stdout.decode("utf-8"), "non-ASCII is kept in JSON"


def test_bytes_that_are_no_text_are_refused(hermes_home: Path, desk_dirs: DeskDirs) -> None:
    before = CommandLine(hermes_home).bytes_of_all_files()
    home = ["--home", str(hermes_home), "--json"]
    for given in (
        ["entries", "add", "--target", "memory", b"caf\xe9"],
        ["entries", "remove", "--target", "memory", b"\xff\xfe"],
        ["entries", "replace", "--target", "memory", "Printer", b"\xed\xa0\x80"],
    ):
        ran = run(*home, *given)
        assert ran.returncode == 1, ran.stderr
        assert json.loads(ran.stdout)["reason"] == "invalid"
    ran = run("config", "get", b"\xff", *home)
    assert json.loads(ran.stdout)["reason"] == "not_found"
    ran = run(*home, "entries", "add", "--target", "memory", "-", input=b"caf\xe9")
    assert json.loads(ran.stdout)["column"] == 4
    assert CommandLine(hermes_home).bytes_of_all_files() == before


def test_a_home_whose_name_is_no_text_works(tmp_path: Path, desk_dirs: DeskDirs) -> None:
    home = os.fsencode(tmp_path) + b"/h\xff"
    os.mkdir(home)
    ran = run("status", "--json", "--home", home)
    assert ran.returncode == 0, ran.stderr
    assert os.fsencode(json.loads(ran.stdout)["home"]) == home


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Run with standard output and error on a terminal; the status and what was shown."""
    ours, theirs = pty.openpty()
    ran = run(*arguments, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    return ran.returncode, shown.decode().replace("\r\n", "\n")


def test_control_characters_are_escaped_on_a_terminal_and_only_there(desk: CommandLine) -> None:
    desk.write("evil\x1b[2Jentry\x9b1m", "tab\tand\nline stay", "turned \u202e round")
    listing = ("entries", "list", "--target", "memory")
    status, shown = on_a_terminal("--home", str(desk.home), *listing)
    assert status == 0
    assert "evil\\u001b[2Jentry\\u009b1m" in shown
    assert "turned \\u202e round" in shown
    assert "tab\tand\n   line stay" in shown
    status, shown = on_a_terminal("--home", str(desk.home), "--json", *listing)
    assert "\x9b" not in shown
    assert json.loads(shown)["entries"][0]["text"] == "evil\x1b[2Jentry\x9b1m"
    assert "evil\x1b[2Jentry\x9b1m" in desk(*listing).out
    status, shown = on_a_terminal(
        *("--home", str(desk.home), "entries", "remove", "--target", "memory", "no \x1b[31m")
    )
    assert status == 1
    assert "“no \\u001b[31m”" in shown


def test_a_snapshot_ends_its_line_on_a_terminal_and_only_there(desk: CommandLine) -> None:
    command = ("snapshot", "--target", "memory")
    exact = desk(*command).out
    assert not exact.endswith("\n")
    assert on_a_terminal("--home", str(desk.home), *command) == (0, exact + "\n")


def test_a_reader_that_goes_away_is_no_error(hermes_home: Path, desk_dirs: DeskDirs) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = run("entries", "list", "--target", "user", "--home", str(hermes_home), stdout=writing)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_status_1(
    hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = run("status", "--home", str(hermes_home), stdout=full)
    assert ran.returncode == 1
    assert b"could not be written" in ran.stderr


# -- the window ------------------------------------------------------------------------------


def test_without_a_command_the_window_gets_the_options(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import gui.app

    asked: list[gui.app.Options] = []
    monkeypatch.setattr(gui.app, "run", lambda options: asked.append(options) or 7)
    picture = tmp_path / "picture.png"
    ran = desk("--profile", "work", "--page", "pending", "--screenshot", "memory", picture)
    assert ran == Ran(7, "", "")
    assert desk("--demo").status == 7
    assert asked == [
        gui.app.Options(
            home=desk.home, profile="work", page="pending", screenshot=("memory", picture)
        ),
        gui.app.Options(home=desk.home, demo=True),
    ]


def test_without_qt_the_window_is_missed_and_nothing_else(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gui.app", None)
    ran = desk()
    assert (ran.status, ran.out) == (1, "")
    assert "Qt cannot be loaded" in ran.err
    assert desk("status").status == 0


NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is about X and Wayland")
def test_without_a_display_the_window_says_so_calmly(
    hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    ran = run("--home", str(hermes_home), env=NO_DISPLAY)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode().startswith("There is no display here; memory-desk status and")
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="is about X and Wayland")
def test_without_a_display_a_picture_is_drawn_all_the_same(
    hermes_home: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    picture = tmp_path / "page.png"
    ran = run("--home", str(hermes_home), "--screenshot", "memory", str(picture), env=NO_DISPLAY)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", ["status", "entries list --target memory", "history undo"])
def test_without_a_home_every_command_points_to_the_window(
    tmp_path: Path, desk_dirs: DeskDirs, command: str
) -> None:
    ran = CommandLine(tmp_path / "nowhere")(*command.split())
    assert (ran.status, ran.out) == (1, "")
    assert [line.partition(" ")[0] for line in ran.err.splitlines()] == ["There", "Open"]


def test_the_persons_language_is_spoken(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_DESK_LANGUAGE", "zh_CN")
    assert "主目录" in desk("status").out
    monkeypatch.setenv("MEMORY_DESK_LANGUAGE", "en")
    assert desk("status").out.startswith("Home")


def test_an_interrupt_is_quiet(desk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gui.commands.line, "_answer", interrupted)
    assert desk("status") == Ran(130, "", "")


# -- what is imported ------------------------------------------------------------------------


def test_no_command_imports_what_it_does_not_need(hermes_home: Path, desk_dirs: DeskDirs) -> None:
    code = (
        "import sys; from gui.cli import main; status = main(sys.argv[1:]);"
        "print(status, [name for name in ('PySide6', 'difflib', 'keyring', 'urllib.request')"
        " if name in sys.modules], file=sys.stderr)"
    )
    command = [sys.executable, "-P", "-c", code, "--home", str(hermes_home)]
    for arguments, heavy in (
        (["status"], []),
        (["entries", "list", "--target", "memory"], []),
        (["snapshot", "--target", "memory"], []),
        (["entries", "add", "--target", "memory", "x"], []),
        (["pending", "show", "162386ec"], ["difflib"]),
    ):
        ran = subprocess.run(
            [*command, *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stderr.splitlines()[-1] == f"0 {heavy}", arguments
