"""Commands on keys: what they say, what they refuse, and that no byte of a key stays anywhere."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from gui import secret_words
from store.dotenv import ProblemKind
from store.secrets.migrate import Why
from tests.conftest import ROOT, DeskDirs
from tests.support.command_line import CommandLine
from tests.support.keyrings import FILE
from tests.support.unprivileged import Unprivileged

CANARY = "sk-canary-5d1b90"


@pytest.fixture
def desk(
    empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """The command line on an empty home, with a keyring that is a file beside it."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.InFile")
    monkeypatch.setenv(FILE, str(tmp_path / "keyring.json"))
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD")):
            monkeypatch.delenv(name)
    return CommandLine(empty_home)


def keyring_of(desk: CommandLine) -> dict[str, str]:
    path = Path(os.environ[FILE])
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def program(desk: CommandLine, *words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "gui", "--home", str(desk.home), *words]


def environment(**env: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | env


def test_a_key_is_set_listed_given_out_and_cleared(desk: CommandLine) -> None:
    done = desk.json("secrets", "set", "MEM0_API_KEY", stdin=f" {CANARY}\n")
    assert (done["ok"], done["name"], done["trimmed"]) == (True, "MEM0_API_KEY", True)
    assert CANARY not in json.dumps(done)
    listed = desk.json("secrets", "list")
    assert listed["backend"] == "InFile"
    (row,) = listed["secrets"]
    assert (row["name"], row["where"], row["used_by"]) == ("MEM0_API_KEY", "keyring", ["mem0"])
    assert CANARY not in json.dumps(listed)

    assert desk("secrets", "export").out == f"MEM0_API_KEY={CANARY}\n"
    assert desk.json("secrets", "export")["secrets"] == {"MEM0_API_KEY": CANARY}
    assert desk.json("secrets", "clear", "MEM0_API_KEY")["was_there"] is True
    assert keyring_of(desk) == {}
    assert desk("secrets", "export").out == ""
    assert desk.json("secrets", "clear", "MEM0_API_KEY")["reason"] == "not_found"


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("keyring.backends.fail.Keyring", "no_keyring"),
        ("tests.support.keyrings.Weak", "no_keyring"),
        ("tests.support.keyrings.Locked", "keyring_locked"),
        ("tests.support.keyrings.Lying", "unreadable"),
    ],
)
def test_without_a_keyring_nothing_is_kept_anywhere(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch, backend: str, reason: str
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", backend)
    done = desk.json("secrets", "set", "A_KEY", stdin=CANARY)
    assert (done["ok"], done["reason"]) == (False, reason)
    assert done["message"].endswith(".")
    assert desk.json("secrets", "list")["secrets"] == []
    assert not (desk.home / ".env").exists()


def test_a_locked_keyring_gives_nothing_and_status_1(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk("secrets", "set", "A_KEY", stdin=CANARY)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.Locked")
    done = desk("secrets", "export")
    assert (done.status, done.out) == (1, "")
    assert "locked" in done.err
    answer = desk.json("secrets", "export")
    assert (answer["reason"], answer["secrets"]) == ("keyring_locked", {})


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("A_KEY", "", "empty"),
        ("A-KEY", "x", "invalid"),
        ("LD_PRELOAD", "x", "invalid"),
        ("A_KEY", "a\u0435b", "invalid"),
        ("A_KEY", b"\xff", "invalid"),
    ],
)
def test_what_cannot_be_a_key_is_refused(
    desk: CommandLine, name: str, value: str | bytes, reason: str
) -> None:
    assert desk.json("secrets", "set", name, stdin=value)["reason"] == reason
    assert keyring_of(desk) == {}


def test_keys_move_only_when_asked_and_a_plain_copy_is_told(desk: CommandLine) -> None:
    env = desk.home / ".env"
    env.write_text(f"# mine\nMEM0_API_KEY={CANARY}\nA_TOKEN=***\n", "utf-8")
    would = desk.json("secrets", "migrate")
    assert (would["moved"], would["would_move"]) == ([], ["MEM0_API_KEY"])
    assert [(one["name"], one["why"]) for one in would["left"]] == [("A_TOKEN", "stars")]
    assert CANARY in env.read_text("utf-8")

    told = desk("secrets", "set", "MEM0_API_KEY", stdin=CANARY)
    assert "also lies open" in told.err
    done = desk.json("secrets", "migrate", "--apply")
    assert (done["ok"], done["moved"]) == (True, ["MEM0_API_KEY"])
    assert env.read_text("utf-8") == "# mine\nA_TOKEN=***\n"
    assert desk.json("secrets", "migrate", "NOTHING_API_KEY")["reason"] == "not_found"


def test_odd_lines_are_told_by_name_and_never_shown(desk: CommandLine) -> None:
    text = f"A_API_KEY={CANARY}B_URL=y\nC=1 # c\nC=2\nno line\n"
    (desk.home / ".env").write_text(text, "utf-8")
    told = desk.json("secrets", "list")["dotenv"]
    assert [(one["problem"], one["line"], one["names"]) for one in told] == [
        ("glued", 1, ["A_API_KEY", "B_URL"]),
        ("duplicate", 3, ["C"]),
        ("no_line", 4, []),
    ]
    said = desk("secrets", "list")
    assert "Line 1 of .env (A_API_KEY B_URL): two names" in said.err
    assert CANARY not in said.out + said.err
    assert (desk.home / ".env").read_text("utf-8") == text


def test_every_odd_line_and_every_reason_has_words() -> None:
    assert set(get_args(ProblemKind)) == set(secret_words.ODD_LINES)
    reasons = {word for part in get_args(Why) for word in (get_args(part) or (part,))}
    assert reasons - {""} == set(secret_words.LEFT)


def test_the_status_knows_names_without_asking(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk("secrets", "set", "A_KEY", stdin=CANARY)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.no_such_thing")
    said = desk.json("status")["secrets"]
    assert (said["backend"], said["available"], said["set"]) == (None, None, ["A_KEY"])


def test_a_change_of_a_key_is_in_the_history_and_cannot_be_undone(desk: CommandLine) -> None:
    desk("secrets", "set", "A_KEY", stdin=CANARY)
    (change,) = desk.json("history", "list")["changes"]
    assert (change["action"], change["undoable"]) == ("set_key", False)
    assert desk.json("history", "undo", str(change["id"]))["reason"] == "unsupported"
    assert desk.json("history", "undo")["reason"] == "not_found"


def test_export_shows_nothing_on_a_terminal(desk: CommandLine) -> None:
    desk("secrets", "set", "A_KEY", stdin=CANARY)
    ours, theirs = pty.openpty()
    done = subprocess.run(
        program(desk, "secrets", "export"),
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=60,
        check=False,
    )
    os.close(theirs)
    assert done.returncode == 1
    assert b"not shown on a terminal" in done.stderr
    os.set_blocking(ours, False)
    with open(ours, "rb", buffering=0) as shown:
        try:
            said = shown.read(1000) or b""
        except OSError:  # how Linux says that the other end is closed
            said = b""
    assert CANARY.encode() not in said


def test_exec_gives_a_program_the_keys_and_its_own_place(desk: CommandLine) -> None:
    desk("secrets", "set", "A_KEY", stdin=CANARY)
    show = "import os; print(os.getpid(), os.environ['A_KEY'], os.environ['HERMES_HOME'])"
    words = program(desk, "secrets", "exec", "--", sys.executable, "-c", show)
    with subprocess.Popen(words, env=environment(), stdout=subprocess.PIPE, text=True) as started:
        out, _ = started.communicate(timeout=60)
    assert out.split() == [str(started.pid), CANARY, str(desk.home)]
    assert desk("secrets", "exec", "--", "no-such-program").status == 1


COMMANDS = [
    ["--version"],
    ["status"],
    ["doctor"],
    ["profiles"],
    ["entries", "list", "--target", "memory"],
    ["pending", "list"],
    ["history", "list"],
    ["config", "get", "memory.provider"],
    ["secrets", "handover"],
    ["secrets", "migrate"],
]


def test_no_other_command_loads_the_keyring(desk: CommandLine) -> None:
    watch = (
        "import json, sys\n"
        "from gui.cli import main\n"
        "for words in json.loads(sys.argv[1]):\n"
        "    main(words)\n"
        "    loaded = {'keyring', 'secretstorage'} & set(sys.modules)\n"
        "    assert not loaded, (words, loaded)\n"
        "print('none of them')\n"
    )
    words = [["--home", str(desk.home), *one] for one in COMMANDS]
    done = subprocess.run(
        [sys.executable, "-c", watch, json.dumps(words)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.endswith("none of them\n"), done.stderr


def test_an_export_for_which_hermes_waits_loads_no_other_layer(desk: CommandLine) -> None:
    watch = (
        "import sys\n"
        "from gui.cli import main\n"
        "main(sys.argv[1:])\n"
        "loaded = {'store.memory.library', 'store.skills', 'store.sessions', 'yaml'}\n"
        "assert not loaded & set(sys.modules), loaded & set(sys.modules)\n"
        "print('none of them')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch, "--home", str(desk.home), "secrets", "export"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.stdout.endswith("none of them\n"), done.stderr


# -- a key that leaves no trace --------------------------------------------------------------


def traces(*places: Path, but: Path) -> list[str]:
    """Where the canary's bytes are, in files and in their names."""
    found = []
    for place in places:
        for path in place.rglob("*"):
            if CANARY in path.name:
                found.append(f"the name of {path}")
            if path.is_file() and not path.is_symlink() and path != but:
                data = path.read_bytes()
                forms = (CANARY.encode(), CANARY.encode("utf-16-le"), CANARY[::-1].encode())
                found += [str(path) for form in forms if form in data]
    return found


def processes_with(text: bytes) -> list[str]:
    """Other processes whose arguments or environment hold `text`."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or entry.name == str(os.getpid()):
            continue
        for name in ("cmdline", "environ"):
            try:
                if text in (entry / name).read_bytes():
                    found.append(f"{entry.name}: {name}")
            except OSError:
                continue
    return found


def test_a_key_leaves_its_bytes_nowhere_but_in_the_keyring(
    desk: CommandLine, desk_dirs: DeskDirs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.chdir(temporary)
    said: list[str] = []

    def run(*words: str, stdin: str = "", **env: str) -> None:
        done = subprocess.run(
            program(desk, *words),
            input=stdin,
            env=environment(**env),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        said.append(done.stdout + done.stderr)

    locked, lying = (f"tests.support.keyrings.{name}" for name in ("Locked", "Lying"))
    failing = "tests.support.keyrings.Failing"
    run("secrets", "set", "A_API_KEY", stdin=CANARY)
    run("secrets", "set", "A_API_KEY", stdin=CANARY + "-2")
    for backend in (locked, lying, failing, "keyring.backends.fail.Keyring"):
        run("secrets", "set", "B_API_KEY", stdin=CANARY, PYTHON_KEYRING_BACKEND=backend)
        run("secrets", "export", PYTHON_KEYRING_BACKEND=backend)
    run("secrets", "set", "NOT-A-NAME", stdin=CANARY)
    run("secrets", "set", "C_API_KEY", stdin=CANARY + "\u0435")
    (desk.home / ".env").write_text(f"MEM0_API_KEY={CANARY}\nX=1\n", "utf-8")
    (desk.home / "mem0.json").write_text(json.dumps({"api_key": CANARY, "host": "h"}), "utf-8")
    (desk.home / "config.yaml").write_text("model: {api_key: '${A_API_KEY}'}\n", "utf-8")
    run("secrets", "list")
    run("secrets", "migrate", "--apply", PYTHON_KEYRING_BACKEND=locked)
    run("secrets", "migrate", "--apply", "--json")
    run("secrets", "handover", "--apply")
    run("secrets", "list", "--json")
    run("status")
    run("doctor", "--json")
    run("history", "list")
    run("secrets", "handover", "--undo")
    waiting = "import sys, pathlib; print('up', flush=True); sys.stdin.read()"
    words = program(desk, "secrets", "exec", "--", sys.executable, "-c", waiting)
    with subprocess.Popen(
        words, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
        # Its environment is what it was started for; its arguments, and all others, are not.
        assert processes_with(CANARY.encode()) == [f"{child.pid}: environ"]
        child.communicate(timeout=30)
    run("secrets", "clear", "B_API_KEY")

    assert CANARY in Path(os.environ[FILE]).read_text("utf-8"), "or nothing was tried"
    assert [text for text in said if CANARY in text] == []
    assert traces(tmp_path, desk.home, but=Path(os.environ[FILE])) == []
    assert not list(temporary.iterdir())
    for name in ("A_API_KEY", "MEM0_API_KEY"):
        run("secrets", "clear", name)
    assert keyring_of(desk) == {}


def test_files_that_may_not_be_read_are_told_and_kept(unprivileged: Unprivileged) -> None:
    home = unprivileged.folder / "home"
    home.mkdir()
    env = home / ".env"
    env.write_text(f"MEM0_API_KEY={CANARY}\n", "utf-8")
    env.chmod(0)
    unprivileged.give(home)
    unprivileged.assert_cannot_read(env)
    done = unprivileged.run_desk(
        *("--home", home, "secrets", "migrate", "--apply"),
        env={"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"},
    )
    assert str(env) in done.stderr
    assert CANARY not in done.stdout + done.stderr
    assert env.stat().st_mode & 0o777 == 0


def test_a_folder_that_may_not_be_written_leaves_the_key_where_it_is(
    unprivileged: Unprivileged,
) -> None:
    home = unprivileged.folder / "home"
    home.mkdir()
    env = home / ".env"
    env.write_text(f"MEM0_API_KEY={CANARY}\n", "utf-8")
    unprivileged.give(home)
    home.chmod(0o500)
    kept = unprivileged.folder / "kept.json"
    (unprivileged.folder / "keyrings.py").write_bytes(
        (ROOT / "tests" / "support" / "keyrings.py").read_bytes()
    )
    own = {
        "PYTHON_KEYRING_BACKEND": "keyrings.InFile",
        FILE: str(kept),
        "PYTHONPATH": os.pathsep.join(map(str, (*unprivileged.import_path, unprivileged.folder))),
    }
    command = ("--home", home, "--json", "secrets")
    done = unprivileged.run_desk(*command, "migrate", "--apply", env=own)
    assert done.returncode == 1, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["moved"], answer["reason"]) == ([], "read_only")
    assert env.read_text("utf-8") == f"MEM0_API_KEY={CANARY}\n"
    listed = json.loads(unprivileged.run_desk(*command, "list", env=own).stdout)
    assert listed["interrupted"] == ["MEM0_API_KEY"], "it is in two places, and that is said"
