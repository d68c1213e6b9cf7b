"""The desk's own settings survive what people and crashes do to them."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from store.files import Disk
from store.preferences import (
    Preferences,
    change_preferences,
    config_dir,
    data_dir,
    load_preferences,
    log_dir,
    preferences_file,
)
from store.refusals import ReadOnly


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"MEMORY_DESK_CONFIG_DIR": str(tmp_path / "config")}


def test_nothing_chosen_is_every_default_and_no_file(env: dict[str, str]) -> None:
    assert load_preferences(env=env).preferences == Preferences()
    assert not preferences_file(env).exists()


def test_a_choice_is_there_at_the_next_start(env: dict[str, str]) -> None:
    change_preferences(env=env, colour_scheme="dark", not_asked_again=("forget",))
    again = load_preferences(env=env).preferences
    assert again == Preferences(colour_scheme="dark", not_asked_again=("forget",))
    assert stat.S_IMODE(preferences_file(env).stat().st_mode) == 0o600


def test_keys_of_another_version_survive_a_change(env: dict[str, str]) -> None:
    preferences_file(env).parent.mkdir()
    preferences_file(env).write_text('{"a_newer_key": {"x": 1}, "language": "zh_CN"}')
    change_preferences(env=env, hermes="/opt/hermes")
    stored = json.loads(preferences_file(env).read_text())
    assert stored == {"a_newer_key": {"x": 1}, "language": "zh_CN", "hermes": "/opt/hermes"}


def test_a_change_in_one_window_keeps_what_another_chose_meanwhile(env: dict[str, str]) -> None:
    change_preferences(env=env, language="zh_CN")
    change_preferences(env=env, colour_scheme="light")
    assert load_preferences(env=env).preferences.language == "zh_CN"


def test_a_value_of_another_kind_counts_as_not_chosen(env: dict[str, str]) -> None:
    preferences_file(env).parent.mkdir()
    preferences_file(env).write_text(
        '{"colour_scheme": "purple", "language": true, "geometry": 5, "not_asked_again": "all",'
        ' "last_home": "/h"}'
    )
    loaded = load_preferences(env=env)
    assert loaded.preferences == Preferences(last_home="/h")
    assert set(loaded.ignored) == {"colour_scheme", "language", "geometry", "not_asked_again"}


@pytest.mark.parametrize("text", ["{", "[]", "null", '"text"', "\udcff", "[" * 100_000])
def test_a_broken_file_is_set_aside_and_never_stops_anything(
    text: str, env: dict[str, str]
) -> None:
    file = preferences_file(env)
    file.parent.mkdir()
    broken = text.encode("utf-8", "surrogateescape")
    file.write_bytes(broken)
    loaded = load_preferences(env=env)
    assert loaded.broken
    assert loaded.preferences == Preferences()
    assert file.read_bytes() == broken
    assert change_preferences(env=env, language="en") == Preferences(language="en")
    assert file.with_name("preferences.json.broken").read_bytes() == broken


def test_a_second_broken_file_does_not_replace_the_first(env: dict[str, str]) -> None:
    file = preferences_file(env)
    file.parent.mkdir()
    for text in ("{1", "{2"):
        file.write_text(text)
        change_preferences(env=env, language="en")
    kept = sorted(path.read_text() for path in file.parent.glob("*.broken*"))
    assert kept == ["{1", "{2"]


def test_a_refused_write_is_said_and_leaves_the_file(env: dict[str, str]) -> None:
    change_preferences(env=env, language="en")
    before = preferences_file(env).read_bytes()

    def full(step: str, path: Path) -> None:
        if step == "write":
            raise OSError(28, "No space left on device")

    refused = change_preferences(env=env, disk=Disk(fault=full), language="zh_CN")
    assert isinstance(refused, ReadOnly)
    assert preferences_file(env).read_bytes() == before


def test_a_choice_that_does_not_exist_is_a_fault_of_the_caller(env: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="colour"):
        change_preferences(env=env, colour="red")
    with pytest.raises(TypeError, match="language"):
        change_preferences(env=env, language="false")


def test_each_folder_can_be_named_and_none_is_made_by_asking(tmp_path: Path) -> None:
    names = {"CONFIG": config_dir, "DATA": data_dir, "LOG": log_dir}
    for name, folder in names.items():
        assert folder({f"MEMORY_DESK_{name}_DIR": str(tmp_path / name)}) == tmp_path / name
        assert "hermes-memory-desk" in str(folder({}))
    assert list(tmp_path.iterdir()) == []
