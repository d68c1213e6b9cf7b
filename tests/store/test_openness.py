"""What of a home every user of the machine can read is found, and closed on demand."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.files import Disk
from store.home import HermesHome
from store.openness import make_private, open_files, plain_keys
from store.refusals import ReadOnly
from tests.support.desks import home_at
from tests.support.unprivileged import Unprivileged

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")


@pytest.fixture
def home(unprivileged: Unprivileged) -> Iterator[HermesHome]:
    """A home that others may enter, with one file that they can read and two that they cannot."""
    with tempfile.TemporaryDirectory(dir=unprivileged.base, prefix="open-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        home = home_at(folder / "hermes", memory=b"an entry", user=b"another")
        (home.path / ".env").write_text("# none\nOPENAI_API_KEY=sk-abc\nHOST=larch\n", "utf-8")
        for path, mode in (
            (home.path, 0o755),
            (home.memories, 0o755),
            (home.path / ".env", 0o644),
            (home.memory_file("memory"), 0o640),
            (home.memory_file("user"), 0o600),
        ):
            path.chmod(mode)
        yield home


def test_what_others_can_read_is_found_and_closed(
    home: HermesHome, unprivileged: Unprivileged
) -> None:
    env = home.path / ".env"
    if os.geteuid() == 0:
        seen = unprivileged.run_python(f"print(open({str(env)!r}).read())")
        assert "sk-abc" in seen.stdout
    assert open_files(home) == (env,)
    assert make_private(home, (env, home.memory_file("memory"))) is None
    assert open_files(home) == ()
    assert env.stat().st_mode & 0o777 == 0o600
    assert home.memory_file("memory").stat().st_mode & 0o777 == 0o640, "it was not open"
    if os.geteuid() == 0:
        unprivileged.assert_cannot_read(env)


def test_a_closed_folder_closes_all_in_it(home: HermesHome, unprivileged: Unprivileged) -> None:
    home.path.chmod(0o750)
    if os.geteuid() == 0:
        unprivileged.assert_cannot_read(home.path / ".env")
    assert open_files(home) == ()


def test_memory_backups_and_what_waits_count_too_and_locks_do_not(home: HermesHome) -> None:
    names = ("MEMORY.md.bak-1", "MEMORY.md.lock")
    for name in names:
        (home.memories / name).touch(mode=0o644)
        (home.memories / name).chmod(0o644)
    waits = home.pending("memory") / "00000001.json"
    waits.parent.mkdir(parents=True)
    for folder in (waits.parent, waits.parent.parent):
        folder.chmod(0o755)
    waits.touch()
    waits.chmod(0o644)
    assert open_files(home) == (home.path / ".env", home.memories / names[0], waits)


def test_a_file_of_somebody_else_is_said_to_stay_open(
    home: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    refused = make_private(home, open_files(home))
    monkeypatch.undo()
    assert refused == ReadOnly(str(home.path / ".env"), "Operation not permitted")


def test_keys_in_plain_text_are_named_and_nothing_else_is(home: HermesHome) -> None:
    assert plain_keys(home, disk=Disk()) == ("OPENAI_API_KEY",)
    (home.path / ".env").unlink()
    assert plain_keys(home, disk=Disk()) == ()
