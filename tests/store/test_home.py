"""Which home is meant, as the `hermes` command decides it, and what is said about the choice."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from store.home import (
    ActiveProfile,
    DataElsewhere,
    HermesHome,
    Located,
    OtherProfileActive,
    active_profile,
    create_home,
    data_elsewhere,
    locate,
    profiles,
)
from store.refusals import NotFound, ReadOnly, Refusal


@pytest.fixture
def person(tmp_path: Path) -> Path:
    return tmp_path / "ada"


@pytest.fixture
def root(person: Path) -> Path:
    """Return the usual home, with the profiles coder and writer."""
    root = person / ".hermes"
    for name in ("coder", "writer"):
        (root / "profiles" / name).mkdir(parents=True)
    return root


def _locate(
    person: Path,
    *,
    home: Path | None = None,
    profile: str | None = None,
    platform: str = "linux",
    **env: str,
) -> Located | Refusal:
    return locate(home=home, profile=profile, env=env, platform=platform, user_home=person)


def _found(result: Located | Refusal) -> HermesHome:
    assert isinstance(result, Located), result
    return result.home


def _fill(home: Path) -> None:
    (home / "memories").mkdir(parents=True, exist_ok=True)
    (home / "memories" / "USER.md").write_text("Ada likes tea.")


def test_without_anything_said_it_is_the_usual_place(person: Path, root: Path) -> None:
    assert _locate(person) == Located(HermesHome(root, root, "default"))


def test_an_environment_name_is_used_as_it_is_written(person: Path, tmp_path: Path) -> None:
    (tmp_path / "~").mkdir()
    home = _found(_locate(person, HERMES_HOME=f"  {tmp_path}/~ "))
    assert home == HermesHome(tmp_path / "~", tmp_path / "~", "default")


def test_an_empty_environment_name_counts_as_none(person: Path, root: Path) -> None:
    assert _found(_locate(person, HERMES_HOME="  ")).path == root


def test_the_active_profile_is_shown_and_said_where_nothing_names_a_home(
    person: Path, root: Path
) -> None:
    (root / "active_profile").write_text(" coder\n")
    expected = Located(
        HermesHome(root, root / "profiles" / "coder", "coder"), (ActiveProfile("coder", root),)
    )
    assert _locate(person) == expected
    assert _locate(person, HERMES_HOME=str(root)) == expected


def test_a_profile_named_by_the_environment_is_trusted_and_the_active_one_mentioned(
    person: Path, root: Path
) -> None:
    (root / "active_profile").write_text("coder\n")
    located = _locate(person, HERMES_HOME=str(root / "profiles" / "writer"))
    assert located == Located(
        HermesHome(root, root / "profiles" / "writer", "writer"),
        (OtherProfileActive("writer", "coder"),),
    )


def test_a_supervised_child_does_not_follow_the_active_profile(person: Path, root: Path) -> None:
    (root / "active_profile").write_text("coder\n")
    located = _locate(person, HERMES_S6_SUPERVISED_CHILD="1")
    assert located == Located(
        HermesHome(root, root, "default"), (OtherProfileActive("default", "coder"),)
    )


def test_a_named_profile_is_looked_for_under_the_root_of_whatever_home_is_meant(
    person: Path, root: Path, tmp_path: Path
) -> None:
    for written in ("writer", " Writer "):
        home = _found(_locate(person, profile=written, HERMES_HOME=str(root / "profiles/coder")))
        assert home == HermesHome(root, root / "profiles" / "writer", "writer")
    data = tmp_path / "data"
    (data / "profiles" / "two").mkdir(parents=True)
    found = _found(_locate(person, home=data, profile="two"))
    assert found == HermesHome(data, data / "profiles" / "two", "two")
    assert _found(_locate(person, home=found.path, profile="DEFAULT")).path == data


def test_an_explicit_home_is_exactly_that_folder_whatever_is_active(
    person: Path, root: Path
) -> None:
    (root / "active_profile").write_text("coder\n")
    located = _locate(person, home=root, HERMES_HOME=str(root / "profiles" / "writer"))
    assert located == Located(
        HermesHome(root, root, "default"), (OtherProfileActive("default", "coder"),)
    )
    assert _locate(person, home=root / "profiles" / "coder") == Located(
        HermesHome(root, root / "profiles" / "coder", "coder")
    )


def test_a_folder_inside_the_usual_place_that_is_no_profile_is_custom(
    person: Path, root: Path
) -> None:
    (root / "elsewhere").mkdir()
    home = _found(_locate(person, home=root / "elsewhere"))
    assert (home.root, home.profile) == (root, "custom")


@pytest.mark.parametrize("name", ["nobody", "../coder", "", "a/b", "coder/../writer"])
def test_a_profile_that_is_not_there_is_said_and_never_replaced_by_another(
    name: str, person: Path, root: Path
) -> None:
    assert _locate(person, profile=name) == NotFound("profile", name)
    if name:
        (root / "active_profile").write_text(name)
        assert _locate(person) == NotFound("active_profile", name)


def test_a_home_that_is_not_there_is_said(person: Path, tmp_path: Path) -> None:
    assert _locate(person) == NotFound("home", str(person / ".hermes"))
    (tmp_path / "file").touch()
    assert _locate(person, home=tmp_path / "file") == NotFound("home", str(tmp_path / "file"))
    missing = tmp_path / "profiles" / "gone"
    assert _locate(person, HERMES_HOME=str(missing)) == NotFound("home", str(missing))


# --- Windows ----------------------------------------------------------------------------------


def test_on_windows_the_usual_place_is_under_the_local_data_folder(person: Path) -> None:
    local = person / "Local"
    (local / "hermes").mkdir(parents=True)
    located = _locate(person, platform="win32", LOCALAPPDATA=str(local))
    assert _found(located).path == local / "hermes"
    fallback = person / "AppData" / "Local" / "hermes"
    fallback.mkdir(parents=True)
    assert _found(_locate(person, platform="win32")).path == fallback


def test_data_in_another_usual_place_is_pointed_out_when_this_one_is_empty(
    person: Path, root: Path
) -> None:
    local = person / "Local"
    (local / "hermes").mkdir(parents=True)
    _fill(root)
    located = _locate(person, platform="win32", LOCALAPPDATA=str(local))
    assert isinstance(located, Located)
    assert located.notices == (DataElsewhere((root,)),)
    # With something of its own there is nothing to point out.
    _fill(local / "hermes")
    located = _locate(person, platform="win32", LOCALAPPDATA=str(local))
    assert isinstance(located, Located)
    assert located.notices == ()


def test_data_elsewhere_can_be_asked_for_when_the_home_is_missing(
    person: Path, tmp_path: Path
) -> None:
    named = tmp_path / "named"
    _fill(named)
    env = {"HERMES_HOME": str(named)}
    assert data_elsewhere(tmp_path / "gone", env=env, user_home=person) == (named,)
    assert data_elsewhere(named, env=env, user_home=person) == ()


# --- Profiles ---------------------------------------------------------------------------------


def test_profiles_are_default_first_then_the_valid_names_in_order(root: Path) -> None:
    for name in ("default", "Upper", "a.b", "-x", "a" * 65, "0_9-z"):
        (root / "profiles" / name).mkdir()
    (root / "profiles" / "file").touch()
    assert [home.profile for home in profiles(root)] == ["default", "0_9-z", "coder", "writer"]
    assert profiles(root / "nowhere") == ()


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"coder\n", "coder"), (b"", "default"), (b"\xff", "default"), (b" Default ", "default")],
)
def test_the_active_profile_is_default_where_the_file_says_nothing(
    data: bytes, name: str, root: Path
) -> None:
    (root / "active_profile").write_bytes(data)
    assert active_profile(root) == name


def test_the_real_agent_sees_the_same_homes(
    hermes_python: Path, person: Path, root: Path, tmp_path: Path
) -> None:
    """Ask the agent's own entry point which home it takes, for each way of saying it."""
    other = tmp_path / "data"
    (other / "profiles" / "two").mkdir(parents=True)
    (root / "inside").mkdir()
    code = (
        "import sys, os; import hermes_cli.main;"
        "from hermes_constants import get_hermes_home, get_default_hermes_root;"
        "from hermes_cli.profiles import get_active_profile_name;"
        "print(get_hermes_home(), get_default_hermes_root(), get_active_profile_name())"
    )
    for active, profile, env in (
        (None, None, {}),
        (None, "coder", {"HERMES_HOME": str(root / "profiles" / "writer")}),
        ("coder", None, {}),
        ("coder", None, {"HERMES_HOME": str(root)}),
        ("coder", "default", {}),
        ("coder", None, {"HERMES_HOME": str(root / "profiles" / "writer")}),
        ("coder", None, {"HERMES_S6_SUPERVISED_CHILD": "1"}),
        (None, None, {"HERMES_HOME": str(other / "profiles" / "two")}),
        (None, None, {"HERMES_HOME": str(root / "inside")}),
    ):
        (root / "active_profile").write_text(active or "")
        asked = subprocess.run(
            [hermes_python, "-c", code, *(["-p", profile] if profile else [])],
            env={"HOME": str(person), "PATH": "/usr/bin:/bin", **env},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        ours = _found(_locate(person, profile=profile, **env))
        assert asked.stdout.split() == [str(ours.path), str(ours.root), ours.profile]


# --- A fresh home -----------------------------------------------------------------------------


def test_a_fresh_home_is_its_owners_only(person: Path) -> None:
    path = person / ".hermes"
    assert create_home(path, env={}, user_home=person) == HermesHome(path, path, "default")
    for folder in (path, path / "memories", path / "logs" / "curator"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert _found(_locate(person)).path == path


def test_a_fresh_home_leaves_what_is_there(person: Path) -> None:
    path = person / ".hermes"
    _fill(path)
    path.chmod(0o755)
    create_home(path, env={}, user_home=person)
    assert (path / "memories" / "USER.md").read_text() == "Ada likes tea."
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_a_fresh_home_is_refused_where_a_file_or_a_deleted_profile_was(
    person: Path, root: Path
) -> None:
    (person / "file").touch()
    assert isinstance(create_home(person / "file", env={}, user_home=person), ReadOnly)
    gone = root / "profiles" / "gone"
    assert create_home(gone, env={}, user_home=person) == NotFound("profile", "gone")
    assert not gone.exists()


def test_the_systems_rules_are_those_of_this_system_if_none_is_named(person: Path) -> None:
    assert sys.platform != "win32"
    create_home(person / ".hermes", env={}, user_home=person)
    assert _found(locate(env={"HOME": str(person)})).path == person / ".hermes"
