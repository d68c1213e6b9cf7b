"""Skill records that the real agent staged: approved by us, they do what the agent would do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store.home import HermesHome
from store.pending.queue import Handled
from tests.support.agent import Agent
from tests.support.desks import opened
from tests.support.skills import CONFIG, put_skill, skill_text, tree

LONG = "x" * 100_001
USAGE = (
    '{"demo": {"created_by": "agent", "patch_count": 2, "pinned": false, "view_count": 3},'
    ' "pinned": {"pinned": true}, "odd": {"patch_count": "many"}}'
)


def make_home(path: Path) -> Path:
    """Skills of every kind: in a category, with files of all sorts, pinned, odd."""
    (path / "memories").mkdir(parents=True)
    (path / "config.yaml").write_text(CONFIG, encoding="utf-8")
    put_skill(
        path,
        "demo",
        skill_text("demo", body="# Steps\n\n1. run it\n2. run it again\n\tindented\n"),
        references__guide_dot_md="one\ntwo\nthree\n",
        references__deep__er_dot_md="deep",
        scripts__run_dot_sh="#!/bin/sh\r\necho one\r\n",
        assets__logo_dot_png=b"\x89PNG\x00\xff",
        notes_dot_txt="by hand",
    )
    put_skill(path, "office/alone")
    put_skill(path, "office2/first")
    put_skill(path, "office2/second")
    put_skill(path, "pinned")
    put_skill(path, "odd")
    put_skill(path, "bom", "\ufeff" + skill_text("bom"))
    put_skill(path, "latin").joinpath("SKILL.md").write_bytes(
        skill_text("latin").encode() + b"\xe9"
    )
    put_skill(path, "demo/references/old-demo")
    put_skill(path, "node_modules/hidden")
    (path / "skills" / "office2" / "DESCRIPTION.md").write_text("---\ndescription: x\n---\n")
    (path / "skills" / ".usage.json").write_text(USAGE, encoding="utf-8")
    (path / ".skills_prompt_snapshot.json").write_text("{}", encoding="utf-8")
    return path


def create(name: str, content: str | None = None, **more: Any) -> dict[str, Any]:
    return {"action": "create", "name": name, "content": content or skill_text(name)} | more


def patch(old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"action": "patch", "name": "demo", "old_string": old, "new_string": new} | more


def write(path: str, text: str = "new text\n", name: str = "demo") -> dict[str, Any]:
    return {"action": "write_file", "name": name, "file_path": path, "file_content": text}


def remove(path: str, name: str = "demo") -> dict[str, Any]:
    return {"action": "remove_file", "name": name, "file_path": path}


def edit(name: str, content: str) -> dict[str, Any]:
    return {"action": "edit", "name": name, "content": content}


def delete(name: str, **more: Any) -> dict[str, Any]:
    return {"action": "delete", "name": name} | more


DONE: dict[str, dict[str, Any]] = {
    "create": create("fresh"),
    "create in a new category": create("fresh", category="tools"),
    "create in an old category": create("third", category="office2"),
    "create with a BOM, CRLF and Chinese": create(
        "fresh", "\ufeff" + skill_text("fresh", "测试 — “ok”", "一\r\n二\n")
    ),
    "create under another name": create("fresh", skill_text("called-else")),
    "create what is hidden elsewhere": create("hidden"),
    "edit": edit("demo", skill_text("demo", "another", "all new")),
    "edit with a BOM": edit("bom", "\ufeff" + skill_text("bom", body="new")),
    "edit a pinned one": edit("pinned", skill_text("pinned", body="new")),
    "edit with an odd count": edit("odd", skill_text("odd", body="new")),
    "edit in a category": edit("alone", skill_text("alone", body="new")),
    "patch": patch("2. run it again", "2. do not"),
    "patch away": patch("2. run it again\n", ""),
    "patch everywhere": patch("run it", "walk", replace_all=True),
    "patch by likeness": patch("  2.  run it   again", "2. stop"),
    "patch with a spelled tab": patch("2. run it again\n    indented", "2. stop\n\\tindented"),
    "patch a BOM": patch("1. it", "1. that", name="bom"),
    "patch a file": patch("two", "zwei", file_path="references/guide.md"),
    "patch a file with CRLF": patch("echo one", "echo two", file_path="scripts/run.sh"),
    "patch SKILL.md by name": patch("run it again", "run", file_path="SKILL.md"),
    "write a file": write("references/new.md"),
    "write a file in new folders": write("templates/a/b/c.txt"),
    "write an empty file": write("assets/empty", ""),
    "write over a file": write("references/guide.md", "全新\r\n"),
    "write SKILL.md": write("SKILL.md", "no front matter at all"),
    "write a skill in a skill": write("demo/SKILL.md", skill_text("inner")),
    "remove a file": remove("references/guide.md"),
    "remove a binary file": remove("assets/logo.png"),
    "remove the last file of a folder": remove("references/deep/er.md"),
    "remove SKILL.md": remove("SKILL.md"),
    "delete": delete("demo"),
    "delete the last of a category": delete("alone"),
    "delete one of a category": delete("first"),
    "delete, absorbed": delete("first", absorbed_into="demo"),
    "delete, absorbed by none": delete("first", absorbed_into=""),
    "delete what has no counts": delete("bom"),
}

REFUSED: dict[str, dict[str, Any]] = {
    "create an old name": create("demo"),
    "create a name in a category": create("alone"),
    "create without a description": create("fresh", "---\nname: fresh\n---\n\nbody"),
    "create without a name": create("fresh", "---\ndescription: x\n---\n\nbody"),
    "create without a body": create("fresh", "---\nname: f\ndescription: x\n---\n \n"),
    "create without a head": create("fresh", "just text"),
    "create with an open head": create("fresh", "---\nname: f\ndescription: x\n"),
    "create with a broken head": create("fresh", "---\nname: [\n---\n\nbody"),
    "create with a list for a head": create("fresh", "---\n- a\n---\n\nbody"),
    "create with a bad date": create("fresh", "---\nname: 2024-13-45\ndescription: x\n---\n\nb"),
    "create with a long description": create("fresh", skill_text("fresh", "d" * 1025)),
    "create what is too long": create("fresh", skill_text("fresh", body=LONG)),
    "create with capitals": create("Fresh"),
    "create with a path": create("../fresh"),
    "create with a long name": create("f" * 65),
    "create in a path": create("fresh", category="a/b"),
    "create above": create("fresh", category=".."),
    "create without text": {"action": "create", "name": "fresh"},
    "edit nothing": edit("nowhere", skill_text("nowhere")),
    "edit a supporting package": edit("old-demo", skill_text("old-demo")),
    "edit what is hidden": edit("hidden", skill_text("hidden")),
    "edit without a body": edit("demo", "---\nname: d\ndescription: x\n---\n"),
    "edit what is no UTF-8": edit("latin", skill_text("latin")),
    "patch what is not there": patch("nothing like this stands in it", "x"),
    "patch what is there twice": patch("run it", "x"),
    "patch by itself": patch("run it", "run it"),
    "patch the head away": patch("---\n\n# Steps", "# Steps"),
    "patch no text": patch("", "x"),
    "patch a file that is not there": patch("a", "b", file_path="references/none.md"),
    "patch beside the folders": patch("by hand", "x", file_path="notes.txt"),
    "patch into what is too long": patch("2. run it again", LONG),
    "patch what is no UTF-8": patch("a", "b", file_path="assets/logo.png"),
    "patch without the new text": {"action": "patch", "name": "demo", "old_string": "x"},
    "write above": write("references/../../x.md"),
    "write to the root": write("/etc/x"),
    "write beside the folders": write("notes.txt"),
    "write a folder": write("references"),
    "write over a folder": write("references/deep"),
    "write what is too long": write("references/x.md", LONG),
    "write what is no UTF-8": write("assets/logo.png"),
    "write to nothing": write("references/x.md", name="nowhere"),
    "write without text": {"action": "write_file", "name": "demo", "file_path": "references/x"},
    "remove nothing": remove("references/none.md"),
    "remove a folder": remove("references/deep"),
    "remove above": remove("../office/alone/SKILL.md"),
    "delete nothing": delete("nowhere"),
    "delete a pinned one": delete("pinned"),
    "delete, absorbed by itself": delete("demo", absorbed_into="demo"),
    "delete, absorbed by nothing": delete("demo", absorbed_into="nowhere"),
}


@pytest.fixture(scope="module")
def agent_homes(
    hermes_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Path], Agent]]:
    """Start the agent on a home once for each test; starting it takes longest."""
    place = make_home(tmp_path_factory.mktemp("agents") / "home")
    with Agent(hermes_python, place) as agent:
        # Once in its life it fills a home with what is missing.
        staged = agent.ask("stage_skill", origin="foreground", arguments=create("fresh"))
        words = ["approve", staged["pending_id"]]
        agent.ask("command", subsystem="skills", words=words)

        def on(home: Path) -> Agent:
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(home, place, symlinks=True)
            return agent

        on.place = place  # type: ignore[attr-defined]
        yield on


def both(
    home: Path, on: Any, arguments: dict[str, Any], tmp_path: Path
) -> tuple[str, Handled, Path, Path]:
    """Stage by the agent, approve in a copy by us and there by the agent; what each said."""
    agent = on(home)
    staged = agent.ask("stage_skill", origin="foreground", arguments=arguments)
    assert staged["staged"] is True
    ours = Path(shutil.copytree(on.place, tmp_path / "ours", symlinks=True))
    said = agent.ask("command", subsystem="skills", words=["approve", staged["pending_id"]])
    with opened(HermesHome(ours, ours, "default"), tmp_path / "data") as desk:
        handled = desk.queue.approve([staged["pending_id"]])
    return said["answer"], handled, on.place, ours


@pytest.mark.parametrize("arguments", DONE.values(), ids=DONE.keys())
def test_an_approved_record_leaves_what_the_agent_would_leave(
    agent_homes: Any, tmp_path: Path, arguments: dict[str, Any]
) -> None:
    home = make_home(tmp_path / "home")
    before = tree(home)
    said, handled, theirs, ours = both(home, agent_homes, arguments, tmp_path)
    assert said == "Approved 1 skills write(s)."
    assert handled.refused == ()
    assert tree(ours) == tree(theirs)
    assert tree(ours) != before
    assert list((ours / "pending" / "skills").iterdir()) == []


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED.keys())
def test_what_the_agent_refuses_is_refused_and_changes_nothing(
    agent_homes: Any, tmp_path: Path, arguments: dict[str, Any]
) -> None:
    home = make_home(tmp_path / "home")
    said, handled, _, ours = both(home, agent_homes, arguments, tmp_path)
    assert "Failed:" in said
    assert handled.done == ()
    after = tree(ours)
    assert len(list((ours / "pending" / "skills").iterdir())) == 1
    assert {key: value for key, value in after.items() if not key.startswith("pending")} == tree(
        home
    )


def test_a_review_that_creates_is_approved_as_the_agent_approves_it(
    agent_homes: Any, tmp_path: Path
) -> None:
    home = make_home(tmp_path / "home")
    agent = agent_homes(home)
    place: Path = agent_homes.place
    staged = agent.ask(
        "stage_skill", origin="background_review", arguments=create("found", category="auto")
    )
    ours = Path(shutil.copytree(place, tmp_path / "ours", symlinks=True))
    agent.ask("command", subsystem="skills", words=["approve", "all"])
    with opened(HermesHome(ours, ours, "default"), tmp_path / "data") as desk:
        assert desk.queue.load("skills").records[0].automatic
        assert len(desk.queue.approve([staged["pending_id"]]).done) == 1
    assert tree(ours) == tree(place)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_are_judged_as_the_agent_judges_them(agent_homes: Any, tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file.md").write_text("keep", encoding="utf-8")
    demo = home / "skills" / "demo"
    (demo / "references" / "out").symlink_to(outside)
    (demo / "references" / "in.md").symlink_to("guide.md")
    (home / "skills" / "linked").symlink_to(put_skill(tmp_path / "else", "linked"))
    cases = {
        "through a link": write("references/in.md", "through"),
        "out by a link": write("references/out/file.md"),
        "out by removing": remove("references/out/file.md"),
        "in a linked skill": edit("linked", skill_text("linked")),
        "away with links": delete("demo"),
    }
    for number, (name, arguments) in enumerate(cases.items()):
        place = tmp_path / str(number)
        place.mkdir()
        said, handled, theirs, ours = both(home, agent_homes, arguments, place)
        assert bool(handled.done) == said.startswith("Approved 1"), name
        left = {key: value for key, value in tree(ours).items() if not key.startswith("pending")}
        assert left == {k: v for k, v in tree(theirs).items() if not k.startswith("pending")}, name
        assert (outside / "file.md").read_text(encoding="utf-8") == "keep", name


# -- where we differ, on purpose -----------------------------------------------------------------


def twice(home: Path) -> None:
    put_skill(home, "office/demo", (home / "skills" / "demo" / "SKILL.md").read_text("utf-8"))


def called_by_another(home: Path) -> None:
    put_skill(home, "else", skill_text("demo"))


def linked_file(home: Path) -> None:
    file = home / "skills" / "demo" / "SKILL.md"
    file.rename(home / "elsewhere.md")
    file.symlink_to("../../elsewhere.md")


def damaged_counts(home: Path) -> None:
    (home / "skills" / ".usage.json").write_text("{", encoding="utf-8")


def as_it_is(home: Path) -> None:
    pass


STRICTER: dict[str, tuple[Callable[[Path], None], dict[str, Any], str]] = {
    "a name that several skills have": (twice, patch("2. run it again", "x"), "ambiguous"),
    "a name that another calls itself": (
        called_by_another,
        patch("2. run it again", "x"),
        "ambiguous",
    ),
    "a SKILL.md that is a link out": (linked_file, patch("2. run it again", "x"), "invalid"),
    "a name that ends in a line": (as_it_is, create("fresh\n"), "invalid"),
    "a deletion while counts are damaged": (damaged_counts, delete("demo"), "invalid"),
    "a new skill over a hidden one": (
        as_it_is,
        create("hidden", category="node_modules"),
        "conflict",
    ),
}


@pytest.mark.parametrize(("arrange", "arguments", "code"), STRICTER.values(), ids=STRICTER.keys())
def test_where_the_agent_goes_on_we_stop(
    agent_homes: Any,
    tmp_path: Path,
    arrange: Callable[[Path], None],
    arguments: dict[str, Any],
    code: str,
) -> None:
    home = make_home(tmp_path / "home")
    arrange(home)
    said, handled, _, ours = both(home, agent_homes, arguments, tmp_path)
    assert said == "Approved 1 skills write(s)."
    ((_, refusal),) = handled.refused
    assert refusal.code == code
    after = {key: value for key, value in tree(ours).items() if not key.startswith("pending")}
    assert after == tree(home)


def test_damaged_counts_are_written_over_by_the_agent_and_left_by_us(
    agent_homes: Any, tmp_path: Path
) -> None:
    home = make_home(tmp_path / "home")
    damaged_counts(home)
    _, handled, theirs, ours = both(home, agent_homes, patch("run it again", "x"), tmp_path)
    assert len(handled.done) == 1
    assert tree(ours)["skills/demo/SKILL.md"] == tree(theirs)["skills/demo/SKILL.md"]
    assert (ours / "skills" / ".usage.json").read_bytes() == b"{"
    assert (theirs / "skills" / ".usage.json").read_bytes() != b"{"


def test_a_file_keeps_its_mode_with_us(agent_homes: Any, tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    script = Path("skills/demo/scripts/run.sh")
    (home / script).chmod(0o755)
    arguments = patch("echo one", "echo two", file_path="scripts/run.sh")
    _, _, theirs, ours = both(home, agent_homes, arguments, tmp_path)
    assert (ours / script).read_bytes() == (theirs / script).read_bytes()
    assert (ours / script).stat().st_mode & 0o777 == 0o755
    assert (theirs / script).stat().st_mode & 0o777 == 0o600
