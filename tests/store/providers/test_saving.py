"""What a save writes, where it refuses, and the way back."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from schema.fields import UNSET
from schema.values import Problem
from store.changes import Intent
from store.files import Disk, Step
from store.home import HermesHome
from store.providers.editing import KeyChange
from store.providers.forms import Form
from store.providers.saving import Mistakes, Saved, SavePlan, Unstuck, write_changes
from store.providers.sources import JsonPlace, Sources, YamlPlace
from store.providers.undoing import parts_of
from store.refusals import Conflict, Invalid, Locked, ReadOnly, Unreadable, Unsupported
from store.undo import Undone
from tests.store.providers.conftest import World
from tests.support.desks import Faults, everything_in
from tests.support.fake_hermes import provider_code, put_plugin

HINDSIGHT = "hindsight/config.json"


def test_only_the_lines_of_what_was_changed_differ(world: World) -> None:
    path = world.write(
        HINDSIGHT,
        '{\n    "mode" : "cloud",   "odd": 1.0e3,\n    "custom": {"a": [1, 2]},\n'
        '    "bank_id": "b",\n    "custom": {"again": true}\n}\n',
    )
    before = path.read_text()
    world.save("hindsight", {"bank_id": "ö"})
    assert path.read_text() == before.replace('"b"', '"ö"')


def test_an_untouched_form_writes_nothing(world: World) -> None:
    world.write(HINDSIGHT, '{"mode": "local_embedded"}')
    before = everything_in(world.home.path)
    plan = world.plan("hindsight", {})
    assert plan.changes == ()
    assert world.providers().save(plan) == Saved((), ())
    assert everything_in(world.home.path) == before


def test_a_stored_value_outside_of_the_options_is_shown_and_kept(world: World) -> None:
    path = world.write(HINDSIGHT, '{"mode": "retired"}')
    state = world.state("hindsight", "mode")
    assert (state.value, state.stored) == ("retired", "retired")
    # Its own declaration names two; the third is ours, since its loader takes it as well.
    options = ("cloud", "local_external", "local_embedded")
    assert state.problem == Problem("mode", "not_an_option", options=options)
    saved = world.save("hindsight", {"recall_budget": "high", "mode": "retired"})
    assert saved.changed == ("recall_budget",)
    assert json.loads(path.read_bytes()) == {"mode": "retired", "recall_budget": "high"}


def test_unset_and_set_to_the_default_are_two_things(world: World) -> None:
    state = world.state("hindsight", "recall_budget")
    assert (state.is_set, state.source, state.default) == (False, "default", "mid")
    world.save("hindsight", {"recall_budget": "mid"})
    state = world.state("hindsight", "recall_budget")
    assert (state.is_set, state.source, state.value) == (True, "file", "mid")
    world.save("hindsight", {"recall_budget": UNSET})
    assert not world.state("hindsight", "recall_budget").is_set


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"api_key": "x",', Invalid),
        ('["a"]', Invalid),
        ("null", Invalid),
        ("", Invalid),
        ("[" * 100_000, Invalid),
        (b"\xff\xfe{\x00}\x00", Unreadable),
        (b'{"a": "caf\xe9"}', Unreadable),
    ],
)
def test_a_file_that_does_not_say_an_object_makes_the_form_read_only(
    world: World, text: str | bytes, kind: type
) -> None:
    path = world.write(HINDSIGHT, "")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    form = world.form("hindsight")
    assert isinstance(form.locked, kind)
    refused = world.providers().plan(form, {"bank_id": "x"})
    assert isinstance(refused, kind)
    assert path.read_bytes() == before


def test_the_place_of_the_mistake_is_named(world: World) -> None:
    world.write(HINDSIGHT, '{\n  "a": 1,\n  "b" 2\n}')
    locked = world.form("hindsight").locked
    assert isinstance(locked, Invalid)
    assert (locked.problem, locked.line, locked.column) == ("not_json", 3, 7)


def test_a_byte_order_mark_loses_nothing(world: World) -> None:
    path = world.write("mem0.json", "")
    path.write_bytes(b"\xef\xbb\xbf" + b'{"api_key":"k","host":"h","custom":1}')
    state = world.state("mem0", "host")
    assert (state.value, state.source) == ("h", "file")
    assert "bom" in [note.code for note in world.form("mem0").notes]
    world.save("mem0", {"host": "http://other"})
    assert path.read_bytes() == b'{"api_key":"k","host":"http://other","custom":1}'


def test_every_mistake_is_told_at_once_and_nothing_is_written(world: World) -> None:
    plan = world.providers().plan(
        world.form("hindsight"),
        {"mode": "nope", "filters": "{1}", "recal_budget": "x", "bank_id": "fine", "api_key": "k"},
    )
    assert isinstance(plan, Mistakes)
    assert set(plan.problems) == {"mode", "filters", "recal_budget", "api_key"}
    assert plan.problems["recal_budget"] == Problem(
        "recal_budget", "unknown_key", options=("recall_budget",)
    )
    assert isinstance(plan.problems["api_key"], Unsupported)
    assert everything_in(world.home.path) == {}


def test_what_someone_else_changed_meanwhile_is_a_conflict(world: World) -> None:
    path = world.write(HINDSIGHT, '{"bank_id": "a", "mode": "cloud"}')
    plan = world.plan("hindsight", {"bank_id": "mine"})
    path.write_text('{"bank_id": "theirs", "mode": "cloud"}')
    assert world.providers().save(plan) == Conflict(str(path), "a", "theirs")
    assert json.loads(path.read_bytes())["bank_id"] == "theirs"


def test_what_someone_else_changed_beside_it_stays(world: World) -> None:
    path = world.write(HINDSIGHT, '{"bank_id": "a", "mode": "cloud"}')
    plan = world.plan("hindsight", {"bank_id": "mine"})
    path.write_text('{"bank_id": "a", "mode": "local_external", "new": 1}')
    assert isinstance(world.providers().save(plan), Saved)
    assert json.loads(path.read_bytes()) == {"bank_id": "mine", "mode": "local_external", "new": 1}


def test_a_profile_that_is_switched_meanwhile_is_not_written_to(world: World) -> None:
    root = world.home.root
    for name in ("a", "b"):
        (root / "profiles" / name).mkdir(parents=True)
    home_a = HermesHome(root, root / "profiles" / "a", "a")
    home_b = HermesHome(root, root / "profiles" / "b", "b")
    world.env["HERMES_HOME"] = str(home_a.path)
    of_b = world.providers(home_b)
    form = of_b.form("hindsight")
    assert isinstance(form, Form)
    plan = of_b.plan(form, {"bank_id": "for b"})
    assert isinstance(plan, SavePlan)
    world.providers(home_a).form("hindsight")
    assert isinstance(of_b.save(plan), Saved)
    assert everything_in(home_a.path) == {}
    assert list(everything_in(home_b.path)) == [HINDSIGHT]


def test_an_undo_puts_back_keys_and_removes_what_the_save_made(world: World) -> None:
    saved = world.save("hindsight", {"bank_id": "x", "filters": '{"a": [1]}'})
    desk = world.desk()
    assert isinstance(desk.undo.undo(saved.change_id), Undone)
    assert everything_in(world.home.path) == {}
    path = world.write(HINDSIGHT, '{\n  "bank_id": "old",\n  "x": 1\n}')
    before = path.read_bytes()
    saved = world.save("hindsight", {"bank_id": "new", "recall_budget": "low"})
    assert isinstance(desk.undo.undo(saved.change_id), Undone)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "apiKey": "kept",\n  "hosts": {\n    "other": {\n      "x": 1\n    }\n  }\n}\n',
        '{"apiKey": "kept", "hosts": null}',
        '{"apiKey": "kept", "hosts": {}}',
        '{"apiKey": "kept"}',
    ],
)
def test_an_undo_takes_the_blocks_that_the_save_made_away(world: World, text: str) -> None:
    path = world.write("honcho.json", text)
    saved = world.save("honcho", {"workspace": "work", "peerName": "ada"})
    assert json.loads(path.read_bytes())["hosts"]["hermes"]["workspace"] == "work"
    undo = world.desk().undo
    undone = undo.undo(saved.change_id)
    assert isinstance(undone, Undone)
    assert path.read_text("utf-8") == text
    # Forth and back again.
    again = undo.undo(undone.change_id)
    assert isinstance(again, Undone)
    assert json.loads(path.read_bytes())["hosts"]["hermes"]["peerName"] == "ada"
    assert isinstance(undo.undo(again.change_id), Undone)
    assert path.read_text("utf-8") == text


def test_a_block_that_others_filled_stays_after_an_undo(world: World) -> None:
    path = world.write("honcho.json", '{"apiKey": "kept"}')
    saved = world.save("honcho", {"workspace": "work"})
    data = json.loads(path.read_bytes())
    data["hosts"]["hermes"]["theirs"] = 1
    path.write_text(json.dumps(data), "utf-8")
    assert isinstance(world.desk().undo.undo(saved.change_id), Undone)
    kept = json.loads(path.read_bytes())
    assert kept == {"apiKey": "kept", "hosts": {"hermes": {"theirs": 1}}}


@pytest.mark.parametrize(
    "text",
    [
        "# mine\nmodel: x\n",
        "memory:\n  # mine\n  provider: holographic\nmodel: x  # theirs\n",
        "memory:\n  byterover:\nmodel: x\n",
        "memory: {}\nmodel: x\n",
        None,
    ],
)
def test_an_undo_takes_the_sections_that_the_save_made_away(world: World, text: str | None) -> None:
    path = world.home.config
    if text is not None:
        path.write_text(text, "utf-8")
    saved = world.save("byterover", {"auto_extract": "false"})
    assert "auto_extract" in path.read_text("utf-8")
    assert isinstance(world.desk().undo.undo(saved.change_id), Undone)
    assert (path.read_text("utf-8") if path.exists() else None) == text


def test_an_undo_keeps_what_others_wrote_since(world: World) -> None:
    path = world.write(HINDSIGHT, '{"bank_id": "old"}')
    saved = world.save("hindsight", {"bank_id": "new"})
    path.write_text('{"bank_id": "new", "theirs": true}')
    assert isinstance(world.desk().undo.undo(saved.change_id), Undone)
    assert json.loads(path.read_bytes()) == {"bank_id": "old", "theirs": True}
    saved = world.save("hindsight", {"bank_id": "newer"})
    path.write_text('{"bank_id": "other"}')
    assert isinstance(world.desk().undo.undo(saved.change_id), Conflict)
    assert json.loads(path.read_bytes()) == {"bank_id": "other"}


def test_the_journal_and_the_plan_hold_no_secret(world: World, tmp_path: Path) -> None:
    world.write(
        "mem0.json",
        '{"api_key": "sk-very-secret", "oss": {"llm": {"config": {"api_key": "sk-deep"}}}, '
        '"host": "http://u:pass-word@h"}',
    )
    plan = world.plan("mem0", {"host": "http://u:new-word@h", "user_id": "me"})
    saved = world.providers().save(plan)
    assert isinstance(saved, Saved)
    shown = repr(plan) + repr(saved) + "\n".join(line for one in plan.files for line in one.lines)
    kept = b"".join(everything_in(tmp_path / "desk").values())
    for secret in ("sk-very-secret", "sk-deep", "pass-word", "new-word"):
        assert secret not in shown
        assert secret.encode() not in kept
    assert "•••" in shown
    assert isinstance(world.desk().undo.undo(saved.change_id), Unsupported)


def test_a_file_of_keys_is_never_left_looser(world: World) -> None:
    path = world.write("mem0.json", "{}")
    for before, after in ((0o644, 0o600), (0o600, 0o600), (0o400, 0o400)):
        path.chmod(before)
        world.save("mem0", {"user_id": f"u{before}"})
        assert path.stat().st_mode & 0o777 == after
    path.unlink()
    world.save("mem0", {"user_id": "x"})
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link(world: World, tmp_path: Path) -> None:
    far = tmp_path / "dotfiles" / "mem0.json"
    far.parent.mkdir()
    far.write_text('{"user_id": "a"}')
    (world.home.path / "mem0.json").symlink_to(far)
    world.save("mem0", {"user_id": "b"})
    assert (world.home.path / "mem0.json").is_symlink()
    assert json.loads(far.read_bytes()) == {"user_id": "b"}


def test_saving_never_activates(world: World) -> None:
    world.write("config.yaml", "memory:\n  provider: mem0 # mine\n")
    before = world.home.config.read_bytes()
    world.save("hindsight", {"bank_id": "x"})
    assert world.home.config.read_bytes() == before


def test_what_did_not_stick_is_named(world: World) -> None:
    world.write("config.yaml", "memory:\n  openviking: {use_ovcli_config: false}\n")
    world.write(".env", "OPENVIKING_ENDPOINT=http://a\n# kept\nFOREIGN='x y'\n")
    saved = world.save("openviking", {"endpoint": "http://b"})
    assert saved.did_not_stick == ()
    assert (world.home.path / ".env").read_text() == (
        "OPENVIKING_ENDPOINT=http://b\n# kept\nFOREIGN='x y'\n"
    )
    put_plugin(
        world.plugins / "mine",
        provider_code("endpoint", endpoint=', "default": "d"'),
    )
    world.write("mine.json", "{}")
    plan = world.plan("mine", {"endpoint": "x"})
    # Another place that is read first gets a value while the save is on its way.
    world.write("mine/config.json", '{"endpoint": "first"}')
    saved = world.providers().save(plan)
    assert isinstance(saved, Saved)
    assert saved.did_not_stick == (Unstuck("endpoint", "mine/config.json: endpoint"),)


def test_each_setting_of_a_section_is_one_line_of_config_yaml(world: World) -> None:
    text = "# mine\nmemory:\n  provider: byterover  # yes\n\nother: [1,   2]\n"
    world.write("config.yaml", text)
    saved = world.save("byterover", {"auto_extract": "false"})
    assert saved.files[0].lines == ("+  byterover:", "+    auto_extract: 'false'")
    assert isinstance(world.desk().undo.undo(saved.change_id), Undone)
    assert "auto_extract" not in world.home.config.read_text()
    world.write("config.yaml", "broken: [unclosed")
    assert isinstance(world.form("byterover").locked, Invalid)


def test_a_managed_value_is_not_written(world: World, tmp_path: Path) -> None:
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "config.yaml").write_text("memory:\n  byterover:\n    auto_extract: false\n")
    world.env["HERMES_MANAGED_DIR"] = str(managed)
    form = world.form("byterover")
    state = form.state("auto_extract")
    assert state is not None
    assert state.locked is not None
    assert isinstance(world.providers().plan(form, {"auto_extract": "x"}), Mistakes)


@pytest.mark.parametrize("step", ["create", "write", "fsync", "replace"])
def test_a_disk_that_refuses_leaves_everything_as_it_was(world: World, step: str) -> None:
    path = world.write(HINDSIGHT, '{"bank_id": "a"}')
    plan = world.plan("hindsight", {"bank_id": "b"})
    world.disk = replace(world.disk, fault=Faults(step=step))  # type: ignore[arg-type]
    assert isinstance(world.providers().save(plan), ReadOnly)
    assert json.loads(path.read_bytes()) == {"bank_id": "a"}
    assert sorted(os.listdir(path.parent)) == ["config.json"]
    changes = world.desk().journal.changes()
    assert changes == ()


def two_files(world: World) -> tuple[KeyChange, KeyChange]:
    """A change of two files at once."""
    world.write("one.json", '{"a": 1}')
    world.write("config.yaml", "memory:\n  two: b\n")
    file = JsonPlace(world.home.path / "one.json", (), "a")
    return (
        KeyChange("a", file, 1, 2),
        KeyChange("two", YamlPlace(("memory",), "two"), "b", "c"),
    )


INTENT = Intent("desk", "configure", "provider:two")


def test_a_refused_file_puts_the_files_before_it_back(world: World) -> None:
    changes = two_files(world)

    def refuse(step: Step, path: Path) -> None:
        if step == "replace" and path.name == "config.yaml":
            raise OSError(28, "No space left on device")

    sources = Sources(world.home, disk=Disk(fault=refuse), env=world.env)
    done = write_changes(changes, sources, journal=world.desk().journal, intent=INTENT)
    assert isinstance(done, ReadOnly)
    assert (world.home.path / "one.json").read_text() == '{"a": 1}'
    assert world.home.config.read_text() == "memory:\n  two: b\n"
    assert world.desk().journal.changes() == ()
    assert world.desk().journal.unfinished() == ()


def test_what_a_crash_left_between_two_files_is_finished(world: World) -> None:
    changes = two_files(world)
    sources = Sources(world.home, disk=world.disk, env=world.env)
    desk = world.desk()
    assert desk.journal.begin(INTENT, parts_of(changes, sources)) == 1
    (world.home.path / "one.json").write_text('{"a": 2}')
    leftover = world.write(".desk_0123.tmp", "half")
    assert len(desk.recover()) == 1
    assert world.home.config.read_text() == "memory:\n  two: c\n"
    assert not leftover.exists()
    assert isinstance(desk.undo.undo(1), Undone)
    assert (world.home.path / "one.json").read_text() == '{"a": 1}'
    assert world.home.config.read_text() == "memory:\n  two: b\n"


def test_hosts_of_honcho_are_locked_as_honcho_locks_them(world: World) -> None:
    path = world.write("honcho.json", '{"hosts": {"hermes": {"workspace": "w"}}}')
    plan = world.plan("honcho", {"workspace": "x"})
    with world.disk.locked(path, wait=0) as refused:
        assert refused is None
        held = world.providers().save(plan, wait=0)
    assert isinstance(held, Locked)
    assert isinstance(world.providers().save(plan, wait=0), Saved)


def test_a_file_that_may_not_be_read_is_not_empty(world: World) -> None:
    path = world.write(HINDSIGHT, '{"bank_id": "a"}')
    world.disk = replace(world.disk, fault=Faults(step="read", error=PermissionError(13, "no")))
    # The fault strikes at every read: what cannot be read is said, and never taken for empty.
    form = world.form("hindsight")
    assert isinstance(form.locked, Unreadable)
    assert json.loads(path.read_bytes()) == {"bank_id": "a"}
