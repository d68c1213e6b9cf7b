"""config.yaml on disk: one key changes, and nothing is written where something is wrong."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from schema.fields import UNSET
from store.config import (
    ConfigChanged,
    ConfigFile,
    Declined,
    Edit,
    Plan,
    plan_edits,
    read_config,
    set_value,
    take_back,
    unset_value,
    write_plan,
)
from store.files import Disk
from store.home import HermesHome
from store.refusals import Conflict, Invalid, Managed, NotFound, ReadOnly, Unreadable
from tests.support.unprivileged import Unprivileged

KEY = "memory.memory_char_limit"
DISK = Disk(newline="\n")


@pytest.fixture
def home(empty_home: Path) -> HermesHome:
    return HermesHome(empty_home, empty_home, "default")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HERMES_MANAGED_DIR": str(tmp_path / "nobody")}


def test_the_real_agents_file_changes_by_one_line(hermes_home: Path, env: dict[str, str]) -> None:
    home = HermesHome(hermes_home, hermes_home, "default")
    before = home.config.read_bytes().splitlines(keepends=True)
    assert b"  write_approval: true\n" in before
    changed = set_value(home, "memory.write_approval", False, disk=DISK, env=env)
    assert isinstance(changed, ConfigChanged)
    assert changed.line is not None
    before[changed.line - 1] = b"  write_approval: false\n"
    assert home.config.read_bytes().splitlines(keepends=True) == before


def test_a_missing_file_is_made_with_just_that_section(
    home: HermesHome, env: dict[str, str]
) -> None:
    changed = set_value(home, KEY, 3000, disk=DISK, env=env)
    assert changed == ConfigChanged(KEY, True, UNSET, 3000, 2)
    assert home.config.read_bytes() == b"memory:\n  memory_char_limit: 3000\n"
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o600


def test_a_new_file_has_the_line_ends_of_the_system(home: HermesHome, env: dict[str, str]) -> None:
    set_value(home, KEY, 3000, disk=Disk(newline="\r\n"), env=env)
    assert home.config.read_bytes() == b"memory:\r\n  memory_char_limit: 3000\r\n"


def test_unsetting_in_a_missing_file_makes_none(home: HermesHome, env: dict[str, str]) -> None:
    assert unset_value(home, KEY, disk=DISK, env=env) == ConfigChanged(
        KEY, False, UNSET, UNSET, None
    )
    assert not home.config.exists()


def test_byte_order_mark_line_ends_and_mode_stay(home: HermesHome, env: dict[str, str]) -> None:
    home.config.write_bytes(b"\xef\xbb\xbfmemory:\r\n  memory_char_limit: 1 # \xc3\xa9\r\n")
    home.config.chmod(0o640)
    set_value(home, KEY, 2, disk=DISK, env=env)
    assert home.config.read_bytes() == (
        b"\xef\xbb\xbfmemory:\r\n  memory_char_limit: 2 # \xc3\xa9\r\n"
    )
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o640


def test_the_file_behind_a_link_is_written_and_the_link_stays(
    home: HermesHome, env: dict[str, str], tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.yaml"
    real.write_text("memory:\n  memory_char_limit: 1\n")
    home.config.symlink_to(real)
    set_value(home, KEY, 2, disk=DISK, env=env)
    assert home.config.is_symlink()
    assert real.read_text() == "memory:\n  memory_char_limit: 2\n"


def test_a_value_that_is_there_already_writes_nothing(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory: {memory_char_limit: 5}")
    before = home.config.stat()
    changed = set_value(home, KEY, 5, disk=DISK, env=env, seen=5)
    assert changed == ConfigChanged(KEY, False, 5, 5, 1)
    assert home.config.stat().st_ino == before.st_ino


@pytest.mark.parametrize("stored", ["'5'", "5.0", "yes"])
def test_a_value_of_another_kind_is_not_there_already(
    stored: str, home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text(f"memory:\n  memory_char_limit: {stored}\n")
    changed = set_value(home, KEY, 5 if stored != "yes" else 1, disk=DISK, env=env)
    assert isinstance(changed, ConfigChanged)
    assert changed.changed


def test_a_template_is_seen_as_written_and_never_resolved(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory:\n  provider: ${P}\n  x: ${SECRET}\n")
    file = read_config(home, disk=DISK)
    assert isinstance(file, ConfigFile)
    assert file.get("memory.provider") == "${P}"
    set_value(home, KEY, 5, disk=DISK, env={**env, "SECRET": "hunter2", "P": "mem0"})
    assert home.config.read_text() == (
        "memory:\n  provider: ${P}\n  x: ${SECRET}\n  memory_char_limit: 5\n"
    )


# --- What stands in the way -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "line", "column"),
    [
        (b"memory:\n  x: 1\nbroken: [unclosed\n", 4, 1),
        (b"memory:\n\tx: 1\n", 2, 1),
        (b"a: b: c\n", 1, 5),
        (b"ok: 1\nwhen: 2024-13-01\n", 2, 7),
        (b"\xc3\xa9: 1\na: \x07\n", 2, 4),
        (b"a: 1\n---\nb: 2\n", 2, 1),
        (b"x: *nowhere\n", 1, 4),
        (b"- a list\n", 1, 1),
        (b"just text", 1, 1),
        (b"[" * 50_000, 1, 1001),
    ],
)
def test_broken_yaml_is_refused_with_its_place_and_untouched(
    broken: bytes, line: int, column: int, home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_bytes(broken)
    for refused in (
        read_config(home, disk=DISK),
        set_value(home, KEY, 5, disk=DISK, env=env),
        unset_value(home, KEY, disk=DISK, env=env),
    ):
        assert isinstance(refused, Invalid)
        assert refused.problem
        assert (refused.line, refused.column) == (line, column)
    assert home.config.read_bytes() == broken


@pytest.mark.parametrize(
    ("data", "byte", "utf16"),
    [(b"a: caf\xe9\n", 6, False), ("a: 1\n".encode("utf-16"), 0, True)],
)
def test_bytes_that_are_no_text_are_refused_with_their_place(
    data: bytes, byte: int, utf16: bool, home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_bytes(data)
    refused = set_value(home, KEY, 5, disk=DISK, env=env)
    assert isinstance(refused, Unreadable)
    assert (refused.byte, refused.utf16) == (byte, utf16)
    assert home.config.read_bytes() == data


def test_a_file_that_may_not_be_read_is_not_taken_for_empty(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory:\n  x: 1\n")

    def refuse(step: str, path: Path) -> None:
        if step == "read" and path == home.config:
            raise PermissionError(13, "Permission denied")

    refused = set_value(home, KEY, 5, disk=Disk(fault=refuse), env=env)
    assert isinstance(refused, Unreadable)
    assert home.config.read_text() == "memory:\n  x: 1\n"


def test_a_change_since_the_page_was_opened_is_shown_with_both_values(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory:\n  memory_char_limit: 7\n")
    refused = set_value(home, KEY, 9, disk=DISK, env=env, seen=5)
    assert refused == Conflict(str(home.config), "5", "7")
    assert unset_value(home, KEY, disk=DISK, env=env, seen=UNSET) == Conflict(
        str(home.config), "", "7"
    )
    assert home.config.read_text() == "memory:\n  memory_char_limit: 7\n"


def test_a_change_in_the_very_moment_is_not_overwritten(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("a: 1\n")
    reads = []

    def meanwhile(step: str, path: Path) -> None:
        if step == "read" and path == home.config:
            reads.append(path)
            if len(reads) == 2:
                path.write_text("a: 2\n")

    refused = set_value(home, KEY, 5, disk=Disk(fault=meanwhile), env=env)
    assert isinstance(refused, Conflict)
    assert home.config.read_text() == "a: 2\n"


def test_a_refused_write_leaves_the_file(home: HermesHome, env: dict[str, str]) -> None:
    home.config.write_text("a: 1\n")

    def full(step: str, path: Path) -> None:
        if step == "fsync":
            raise OSError(28, "No space left on device")

    assert isinstance(set_value(home, KEY, 5, disk=Disk(fault=full), env=env), ReadOnly)
    assert home.config.read_text() == "a: 1\n"
    assert [path.name for path in home.path.iterdir()] == ["config.yaml"]


def test_a_home_that_is_gone_does_not_come_back(home: HermesHome, env: dict[str, str]) -> None:
    home.path.rmdir()
    assert isinstance(set_value(home, KEY, 5, disk=DISK, env=env), NotFound)
    assert not home.path.exists()


@pytest.mark.parametrize("system", ["true", "homebrew", "false", "other"])
def test_nothing_is_written_in_a_managed_installation(
    system: str, home: HermesHome, env: dict[str, str]
) -> None:
    names = {"true": "NixOS", "homebrew": "Homebrew", "false": "false", "other": "other"}
    refused = set_value(home, KEY, 5, disk=DISK, env={**env, "HERMES_MANAGED": system})
    assert refused == Managed(names[system], KEY)
    (home.path / ".managed").touch()
    assert unset_value(home, KEY, disk=DISK, env=env) == Managed("NixOS", KEY)
    assert not home.config.exists()


def test_only_the_keys_that_an_administrator_sets_are_closed(
    home: HermesHome, env: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "nobody"
    folder.mkdir()
    (folder / "config.yaml").write_text("memory:\n  memory_char_limit: 100\ncurator: off\n")
    for key in (KEY, "curator.backup.keep"):
        assert set_value(home, key, 5, disk=DISK, env=env) == Managed(str(folder), key)
    assert isinstance(
        set_value(home, "memory.user_char_limit", 5, disk=DISK, env=env), ConfigChanged
    )


SET_AS_USER = """
import sys
from pathlib import Path
from store.config import set_value
from store.files import Disk
from store.home import HermesHome
home = HermesHome(Path(sys.argv[1]), Path(sys.argv[1]), "default")
print(type(set_value(home, "memory.memory_char_limit", 5, disk=Disk(), env={})).__name__)
"""


def _closed_home(user: Unprivileged, text: str) -> Path:
    folder = user.folder / "home"
    folder.mkdir()
    (folder / "config.yaml").write_text(text)
    user.give(folder)
    return folder


def test_a_file_closed_to_its_reader_is_refused_and_untouched(unprivileged: Unprivileged) -> None:
    folder = _closed_home(unprivileged, "a: 1\n")
    (folder / "config.yaml").chmod(0o000)
    unprivileged.assert_cannot_read(folder / "config.yaml")
    assert unprivileged.run_python(SET_AS_USER, folder).stdout == "Unreadable\n"
    (folder / "config.yaml").chmod(0o600)
    assert (folder / "config.yaml").read_text() == "a: 1\n"


def test_a_folder_closed_to_writing_is_refused_and_untouched(unprivileged: Unprivileged) -> None:
    folder = _closed_home(unprivileged, "a: 1\n")
    folder.chmod(0o500)
    assert unprivileged.run(["touch", folder / "new"]).returncode != 0
    assert unprivileged.run_python(SET_AS_USER, folder).stdout == "ReadOnly\n"
    folder.chmod(0o700)
    assert [path.name for path in folder.iterdir()] == ["config.yaml"]
    assert (folder / "config.yaml").read_text() == "a: 1\n"


# --- Several keys at once -----------------------------------------------------------------------

TEXT = "# mine\nmemory:\n  memory_char_limit: 1 # why\n  user_char_limit: 5\nmodel: x\n"
EDITS = (
    Edit(KEY, 2, seen=1),
    Edit("memory.user_char_limit", UNSET, seen=5),
    Edit("curator.enabled", False, seen=UNSET),
)
EDITED = "# mine\nmemory:\n  memory_char_limit: 2 # why\nmodel: x\ncurator:\n  enabled: false\n"


def test_a_plan_shows_the_whole_change_and_writes_nothing(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text(TEXT)
    plan = plan_edits(home, EDITS, disk=DISK, env=env)
    assert isinstance(plan, Plan)
    assert (plan.read.yaml.text, plan.would.yaml.text) == (TEXT, EDITED)
    assert home.config.read_text() == TEXT


def test_a_plan_is_written_in_one_go_and_only_on_what_it_read(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text(TEXT)
    plan = plan_edits(home, EDITS, disk=DISK, env=env)
    assert isinstance(plan, Plan)
    home.config.write_text(TEXT + "# more\n")
    assert write_plan(plan, disk=DISK) == Conflict(str(home.config))
    assert home.config.read_text() == TEXT + "# more\n"
    home.config.write_text(TEXT)
    assert write_plan(plan, disk=DISK) is None
    assert home.config.read_text() == EDITED


def test_every_edit_that_cannot_be_made_is_named_and_none_is_made(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory:\n  memory_char_limit: 9\nskills: []\n")
    edits = (*EDITS, Edit("skills.write_approval", True))
    declined = plan_edits(home, edits, disk=DISK, env=env)
    assert isinstance(declined, Declined)
    assert dict(declined.refusals) == {
        KEY: Conflict(str(home.config), "1", "9"),
        "memory.user_char_limit": Conflict(str(home.config), "5", ""),
        "skills.write_approval": Invalid("skills", "not_a_section", 3, 9),
    }


def test_a_file_that_cannot_be_read_declines_all_edits_as_one(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("a: [")
    declined = plan_edits(home, EDITS, disk=DISK, env=env)
    assert isinstance(declined, Declined)
    assert [*declined.refusals] == [""]


@pytest.mark.parametrize("before", [TEXT.encode(), b"\xef\xbb\xbfa: 1\r\n", None])
def test_taking_back_restores_every_byte_and_can_itself_be_taken_back(
    before: bytes | None, home: HermesHome, env: dict[str, str]
) -> None:
    if before is not None:
        home.config.write_bytes(before)
    plan = plan_edits(home, (Edit(KEY, 3000),), disk=DISK, env=env)
    assert isinstance(plan, Plan)
    assert write_plan(plan, disk=DISK) is None
    after = home.config.read_bytes()
    back = take_back(home, plan, disk=DISK, env=env)
    assert isinstance(back, Plan)
    assert (home.config.read_bytes() if home.config.exists() else None) == before
    assert isinstance(take_back(home, back, disk=DISK, env=env), Plan)
    assert home.config.read_bytes() == after


def test_a_change_is_not_taken_back_once_the_file_changed_or_is_managed(
    home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text(TEXT)
    plan = plan_edits(home, EDITS, disk=DISK, env=env)
    assert isinstance(plan, Plan)
    assert write_plan(plan, disk=DISK) is None
    managed = take_back(home, plan, disk=DISK, env={**env, "HERMES_MANAGED": "nix"})
    assert managed == Managed("NixOS", KEY)
    home.config.write_text(EDITED + "# more\n")
    assert take_back(home, plan, disk=DISK, env=env) == Conflict(str(home.config))
    assert home.config.read_text() == EDITED + "# more\n"
