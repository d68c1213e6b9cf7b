"""Skills as the real agent sees them: the same list, states and transitions, the same files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from store.home import HermesHome
from store.refusals import REFUSALS, Protected
from store.skills.cards import Collection
from store.skills.collecting import Heads, collect
from store.skills.curator import dry_run, read_jobs, read_state
from store.skills.desk import SkillDesk
from store.skills.index import INSTRUCTIONS
from store.skills.keeping import Kept
from store.skills.offer import Surroundings, surroundings
from tests.support.agent import Agent
from tests.support.desks import opened
from tests.support.skills import SKILL_WORKER, counted, put_skill, put_usage, skill_text, tree

LONG = "Deploys the shop to the staging machines, then asks before it goes on to production"
CONFIG = """\
skills:
  external_dirs: [~/none, "${SHELF}/shelf"]
  disabled: [switched-off, folder-off]
"""


def head(name: str, *lines: str, description: str = "Cut a release of the shop") -> str:
    more = "".join(f"{line}\n" for line in lines)
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\n# Do\n"


def hermes(*lines: str) -> tuple[str, ...]:
    return ("metadata:", "  hermes:", *(f"    {line}" for line in lines))


def make_home(path: Path) -> Path:
    """Skills of every kind, for the list of the model."""
    (path / "memories").mkdir(parents=True)
    (path / "config.yaml").write_text(CONFIG, encoding="utf-8")
    for place, text in {
        "plain": head("plain"),
        "office/alone": head("alone", description=LONG),
        "office/quoted": head("quoted", description="\"  'in quotes'  \""),
        "office/deep/er": head("er", description="每周五生成周报"),
        "none-said": "---\nname: none-said\n---\n\nx\n",
        "no-head": "# Only text\n",
        "open-head": "---\nname: open-head\ndescription: never closed\n",
        "other-name": head("Called Otherwise"),
        "bom": "\ufeff" + head("bom"),
        "crlf": head("crlf").replace("\n", "\r\n"),
        "no-yaml": "---\nname: no-yaml\ndescription: a: b: [c\n---\n\nx\n",
        "a-list": "---\n- a: b\n- c\n---\n\nx\n",
        "null-name": "---\nname:\ndescription: nobody\n---\n\nx\n",
        "number": "---\nname: 12\ndescription: 3.50\n---\n\nx\n",
        "mapping": "---\nname: {a: b}\ndescription: [one, two]\n---\n\nx\n",
        "two-lines": "---\nname: two-lines\ndescription: |\n  first\n  second\n---\n\nx\n",
        "mac": head("mac", "platforms: [macos]"),
        "windows": head("windows", "platforms: Windows"),
        "linux": head("linux", "platforms: [linux, macos]"),
        "s6": head("s6", "environments: [s6]"),
        "kanban": head("kanban", "environments: kanban"),
        "unknown-place": head("unknown-place", "environments: [orbit]"),
        "switched-off": head("switched-off"),
        "folder-off": head("by-another-name"),
        "needs-set": head("needs-set", *hermes("requires_toolsets: [terminal]")),
        "needs-tool": head("needs-tool", *hermes("requires_tools: [patch, browser_click]")),
        "instead": head("instead", *hermes("fallback_for_toolsets: [web]")),
        "instead-tool": head("instead-tool", *hermes("fallback_for_tools: [todo]")),
        "odd-metadata": head("odd-metadata", "metadata: text"),
        "x/twin": head("twin", description="the first"),
        "y/twin": head("twin", description="the second"),
        "x/again": head("twin", description="the third"),
        "node_modules/hidden": head("hidden"),
        "plain/references/old": head("old"),
        "scripts/free": head("free"),
        ".archive/gone": head("gone"),
    }.items():
        put_skill(path, place, text)
    latin = put_skill(path, "latin") / "SKILL.md"
    latin.write_bytes(head("latin").encode() + b"\xe9")
    (path / "skills" / "office" / "DESCRIPTION.md").write_text("---\ndescription: 'Work'\n---\n")
    (path / "skills" / "x" / "DESCRIPTION.md").write_text("no head\n")
    put_skill(path, "../elsewhere/linked")
    (path / "skills" / "here").symlink_to(path / "elsewhere" / "linked")
    put_skill(path / "shelf", "../from-outside", head("from-outside"))
    put_skill(path / "shelf", "../plain", head("plain", description="hidden by the own one"))
    put_skill(path / "shelf", "../office/also", head("also"))
    put_skill(path / "shelf", "../desk2/also", head("also"))
    put_skill(path / "shelf", "../s6-outside", head("s6-outside", "environments: [s6]"))
    for name in ("office", "desk2"):
        text = f"---\ndescription: outside {name}\n---\n"
        (path / "shelf" / name / "DESCRIPTION.md").write_text(text)
    (path / "skills" / "broken").mkdir()
    (path / "skills" / "broken" / "SKILL.md").symlink_to("nowhere")
    return path


@pytest.fixture
def agent_on(hermes_python: Path) -> Iterator[Callable[[Path], Agent]]:
    """Make the real agent on a home; each ends with the test."""
    agents: list[Agent] = []

    def make(home: Path) -> Agent:
        agent = Agent(hermes_python, home, worker=SKILL_WORKER, SHELF=str(home), HOME=str(home))
        agents.append(agent)
        return agent

    yield make
    for agent in agents:
        agent.__exit__(None, None, None)


def look(home: Path, tmp_path: Path, where: Surroundings | None = None) -> Collection:
    env = {"SHELF": str(home), "MEMORY_DESK_DATA_DIR": str(tmp_path / "data")}
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        settings = desk.library.settings()
        given = surroundings(
            disabled=settings.value("skills.disabled"),
            toolsets=settings.value("toolsets"),
            remembers=False,
            env=os.environ,
        )
        found = collect(
            desk.home,
            settings,
            heads=Heads(desk.disk),
            disk=desk.disk,
            env=env,
            where=given if where is None else where,
        )
    assert found is not None
    return found


def given_tools(disabled: frozenset[str], **tools: set[str]) -> Surroundings:
    here = surroundings(disabled=sorted(disabled), toolsets=[], remembers=False, env=os.environ)
    return Surroundings(
        here.platform,
        here.termux,
        here.environments,
        here.disabled,
        tools=frozenset(tools["tools"]),
        toolsets=frozenset(tools["toolsets"]),
    )


# -- the list of the model -------------------------------------------------------------------


@pytest.mark.parametrize("remembering", [False, True], ids=["cold", "from its cache"])
def test_the_list_is_the_agents_to_the_letter(
    remembering: bool, tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_home(tmp_path / "home")
    agent = agent_on(home)
    if remembering:
        agent.ask("index", cold=True)
    ours = look(home, tmp_path)
    text = agent.ask("index", cold=not remembering)["text"]
    begin = text.index("<available_skills>")
    end = text.index("</available_skills>") + len("</available_skills>")
    assert ours.index.text == text[begin:end]
    assert ours.index.chars == len(text)
    lines = [card.line for card in ours.skills if card.line is not None]
    shown = [line for line in text[begin:end].split("\n") if line.startswith("    - ")]
    assert sorted(line.split("\n")[0] for line in lines) == sorted(shown)
    assert {"    - from-outside: Cut a release of the shop"} < set(shown)
    assert not any("off" in line for line in shown)
    bare = "    - s6"
    assert (bare in shown) is remembering, "s6 has an environment that is not here"


@pytest.mark.parametrize(
    ("tools", "toolsets"),
    [
        (set(), set()),
        ({"patch", "browser_click", "todo"}, {"terminal", "web"}),
        ({"patch"}, {"terminal"}),
    ],
    ids=["none", "all", "some"],
)
def test_with_known_tools_the_list_is_the_agents(
    tools: set[str], toolsets: set[str], tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_home(tmp_path / "home")
    disabled = frozenset({"switched-off", "folder-off"})
    ours = look(home, tmp_path, given_tools(disabled, tools=tools, toolsets=toolsets))
    text = agent_on(home).ask("index", cold=True, tools=sorted(tools), toolsets=sorted(toolsets))
    begin = text["text"].index("<available_skills>")
    assert text["text"][begin:].startswith(ours.index.text)
    assert len(text["text"]) - len(ours.index.text) == INSTRUCTIONS


def test_a_home_without_skills_costs_nothing(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = tmp_path / "home"
    (home / "skills").mkdir(parents=True)
    assert agent_on(home).ask("index", cold=True)["text"] == ""
    ours = look(home, tmp_path).index
    assert (ours.text, ours.chars, ours.tokens) == ("", 0, 0)


def test_a_condition_that_is_no_list_breaks_the_list_and_is_said(
    tmp_path: Path, hermes_python: Path
) -> None:
    home = tmp_path / "home"
    put_skill(home, "odd", head("odd", *hermes("requires_tools:")))
    (card,) = look(home, tmp_path).skills
    assert [one.code for one in card.problems] == ["bad_conditions"]
    with Agent(hermes_python, home, worker=SKILL_WORKER) as agent:
        assert agent.ask("index", cold=True, tools=[]) == {"raised": "TypeError"}


# -- names, whose they are, and the curator ----------------------------------------------------


def make_library(path: Path) -> Path:
    """Skills of all owners, ages and states."""
    (path / "memories").mkdir(parents=True)
    skills = path / "skills"
    for place in (
        *(
            "fresh",
            "office/used",
            "office/old",
            "never",
            "unseen",
            "stale-one",
            "back",
            "gone-here",
        ),
        *("pinned-old", "needed", "by-hand", "bundled-old", "bundled-new", "from-hub", "plan"),
        *("viewed", "patched", "odd-state", "naive"),
    ):
        put_skill(path, place)
    put_skill(path, "folder", skill_text("other name"))
    put_skill(path, "hub-folder", skill_text("hub by path"))
    put_skill(path, ".archive/away")
    (skills / ".bundled_manifest").write_text("bundled-old:aa\nbundled-new:bb\nplan:cc\n")
    (skills / ".hub").mkdir()
    installed = {"from-hub": {"install_path": "from-hub"}, "x": {"install_path": "hub-folder"}}
    (skills / ".hub" / "lock.json").write_text(json.dumps({"installed": installed}))
    put_usage(
        path,
        fresh={"created_at": "2026-06-25T00:00:00+00:00"},
        used={"last_used_at": "2026-06-20T00:00:00+00:00", "use_count": 3},
        old={"last_used_at": "2026-02-01T00:00:00+00:00", "use_count": 3},
        never={},
        stale_one={"state": "stale", "last_viewed_at": "2026-05-20T00:00:00+00:00"},
        back={"state": "stale", "last_used_at": "2026-06-29T00:00:00+00:00", "use_count": 9},
        gone_here={"state": "archived"},
        pinned_old={"pinned": True},
        needed={},
        by_hand={"created_by": None},
        bundled_old={"created_by": None},
        from_hub={},
        plan={"created_by": None},
        viewed={"last_viewed_at": "2026-06-01T00:00:00+00:00", "view_count": 1, "use_count": 1},
        patched={"last_patched_at": "2026-04-01T00:00:00+00:00", "patch_count": 1},
        odd_state={"state": "resting", "last_used_at": "2026-05-01T00:00:00+00:00"},
        naive={"last_used_at": "2026-05-15T00:00:00", "use_count": 1, "agent_created": True},
        other__name={"use_count": 1},
        away={"state": "archived", "archived_at": "2026-05-01T00:00:00+00:00"},
    )
    (path / "cron").mkdir()
    jobs = {"jobs": [{"id": "a", "skill": "/needed", "enabled": False}, {"id": "b", "skills": []}]}
    (path / "cron" / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    return path


def test_names_owners_and_states_are_the_agents(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    theirs = agent_on(home).ask("report")
    ours = look(home, tmp_path)
    rows = {row["name"]: row for row in theirs["all"]}
    cards = {card.name: card for card in ours.skills}
    assert cards.keys() == rows.keys()
    for name, card in cards.items():
        row = rows[name]
        assert card.pinned == row["pinned"], name
        assert card.use.last_activity_at == row["last_activity_at"], name
        assert card.use.uses + card.use.views + card.use.patches == row["activity_count"], name
        owner = {"user": "agent"}.get(card.provenance, card.provenance)
        assert owner == row["provenance"], name
        if row["state"] != "resting":
            assert card.state == row["state"], name
    curated = sorted(card.name for card in ours.skills if card.curated)
    assert curated == [row["name"] for row in theirs["curated"]]
    assert [one.name for one in ours.archived] == ["away"]


RULES = {
    "defaults": "",
    "shorter": "curator: {stale_after_days: 10, archive_after_days: 40}\n",
    "no bundled": "curator: {prune_builtins: false}\n",
    "as texts": 'curator: {stale_after_days: "15", archive_after_days: many}\n',
    "never": "curator: {stale_after_days: 5000, archive_after_days: 9000}\n",
    "at once": "curator: {stale_after_days: -5, archive_after_days: 0}\n",
    "no section": "curator: off\n",
}


@pytest.mark.parametrize("now", ["2026-03-02T00:00:00+00:00", "2026-07-01T00:00:00+00:00"])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_dry_run_says_what_the_curator_does(
    rules: str, now: str, tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    (home / "config.yaml").write_text(rules, encoding="utf-8")
    at = datetime.fromisoformat(now).timestamp()
    found = look(home, tmp_path)
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        state, jobs = read_state(desk.home, disk=desk.disk), read_jobs(desk.home, disk=desk.disk)
    run = dry_run(found, state, jobs, now=at)
    counts = agent_on(home).ask("curate", now=now)
    assert {
        "checked": run.checked,
        "seeded": sum(one.move == "seed" for one in run.moves),
        "marked_stale": sum(one.move == "stale" for one in run.moves),
        "archived": sum(one.move == "archive" for one in run.moves),
        "reactivated": sum(one.move == "reactivate" for one in run.moves),
    } == counts
    after = {card.name: card for card in look(home, tmp_path).skills}
    usage = json.loads((home / "skills" / ".usage.json").read_text(encoding="utf-8"))
    wanted = {"seed": "active", "stale": "stale", "archive": "archived", "reactivate": "active"}
    for one in run.moves:
        assert usage[one.card.name]["state"] == wanted[one.move]
        assert (one.card.name in after) == (one.move != "archive")
    moved = {one.card.name for one in run.moves}
    untouched = {card.name: card.state for card in found.skills if card.name not in moved}
    assert untouched == {name: after[name].state for name in untouched}
    assert {card.name for card, _ in run.spared} == {"needed", "pinned-old"}


def test_a_count_that_is_no_number_stops_the_curator_in_both(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    put_usage(home, never={"use_count": "many"}, fresh={}, old={})
    found = look(home, tmp_path)
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        run = dry_run(found, read_state(desk.home, disk=desk.disk), frozenset(), now=1.8e9)
    assert run.stopped_by is not None
    assert run.stopped_by.name == "never"
    when = datetime.fromtimestamp(1.8e9, UTC).isoformat()
    assert agent_on(home).ask("curate", now=when) == {"raised": "ValueError"}


@pytest.mark.parametrize("hours", ["168", "1", "0"])
def test_the_next_run_is_due_when_the_agent_says(
    hours: str, tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    (home / "config.yaml").write_text(f"curator: {{interval_hours: {hours}}}\n", encoding="utf-8")
    state = {"last_run_at": "2026-06-24T00:00:00+00:00", "paused": False, "run_count": 2}
    (home / "skills" / ".curator_state").write_text(json.dumps(state), encoding="utf-8")
    found, agent = look(home, tmp_path), agent_on(home)
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        read = read_state(desk.home, disk=desk.disk)
    for now in ("2026-06-24T00:30:00+00:00", "2026-06-24T01:00:00+00:00", "2026-07-01T00:00:00Z"):
        at = datetime.fromisoformat(now).timestamp()
        run = dry_run(found, read, frozenset(), now=at)
        assert (run.at == at) == agent.ask("due", now=now)["due"], now


# -- pin, archive, restore ----------------------------------------------------------------------

Verb = tuple[str, str]
SAME: dict[str, tuple[Verb, ...]] = {
    "pin": (("pin", "fresh"),),
    "pin what has no record": (("pin", "unseen"),),
    "pin the person's own": (("pin", "by-hand"),),
    "pin again": (("pin", "pinned-old"),),
    "unpin": (("unpin", "pinned-old"),),
    "unpin what is not": (("unpin", "fresh"),),
    "archive": (("archive", "old"),),
    "archive in no category": (("archive", "fresh"),),
    "archive what has no record": (("archive", "unseen"),),
    "archive the person's own": (("archive", "by-hand"),),
    "archive a bundled one": (("archive", "bundled-old"),),
    "archive two bundled ones": (("archive", "bundled-old"), ("archive", "bundled-new")),
    "archive under another name": (("archive", "other name"),),
    "archive and restore": (("archive", "old"), ("restore", "old")),
    "restore": (("restore", "away"),),
    "restore a bundled one": (("archive", "bundled-new"), ("restore", "bundled-new")),
    "restore one of two bundled": (
        *(("archive", "bundled-old"), ("archive", "bundled-new"), ("restore", "bundled-old")),
    ),
    "around and around": (
        *(("pin", "used"), ("unpin", "used"), ("archive", "used"), ("restore", "used")),
        *(("archive", "used"), ("restore", "used"), ("pin", "used")),
    ),
}


def do(skills: SkillDesk, verb: str, name: str) -> object:
    found = skills.look()
    assert found is not None
    if verb == "restore":
        (skill,) = found.archived_as(name)
        return skills.restore(skill.folder, seen=skill.name)
    (card,) = found.meant_by(name)
    act = {"pin": skills.pin, "unpin": skills.unpin, "archive": skills.archive}[verb]
    return act(card.folder, seen=card.name)


@pytest.mark.parametrize("verbs", SAME.values(), ids=SAME)
def test_what_is_done_leaves_the_same_files(
    verbs: tuple[Verb, ...], tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    theirs = Path(shutil.copytree(home, tmp_path / "theirs", symlinks=True))
    agent = agent_on(theirs)
    for verb, name in verbs:
        assert agent.ask("command", verb=verb, name=name)["status"] == 0
    before = tree(home / "skills")
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        for verb, name in verbs:
            assert isinstance(do(desk.skill_desk, verb, name), Kept)
        # Some of its functions make what a home lacks.
        assert tree(home / "skills") == tree(theirs / "skills")
        changed = desk.journal.changes()
        assert isinstance(changed, tuple)
        for _ in changed:
            done = desk.undo.undo()
            assert not isinstance(done, REFUSALS)
            assert done.exact
    assert tree(home / "skills") == before


REFUSED = {
    "pin a bundled one": ("pin", "bundled-old"),
    "pin one of the hub": ("pin", "from-hub"),
    "unpin a bundled one": ("unpin", "bundled-old"),
    "archive a pinned one": ("archive", "pinned-old"),
    "archive the built-in": ("archive", "plan"),
    "archive one of the hub": ("archive", "from-hub"),
    "archive what the hub put elsewhere": ("archive", "hub by path"),
}


@pytest.mark.parametrize("verb", REFUSED.values(), ids=REFUSED)
def test_what_the_agent_refuses_is_refused(
    verb: Verb, tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    before = tree(home)
    assert agent_on(home).ask("command", verb=verb[0], name=verb[1])["status"] == 1
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        assert isinstance(do(desk.skill_desk, *verb), Protected)
    assert tree(home) == before


def test_bundled_ones_stay_where_the_settings_keep_them(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    put_skill(home, ".archive/bundled-gone")
    with (home / "skills" / ".bundled_manifest").open("a") as stream:
        stream.write("bundled-gone:dd\n")
    (home / "config.yaml").write_text("curator: {prune_builtins: false}\n", encoding="utf-8")
    agent = agent_on(home)
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        for verb in (("archive", "bundled-old"), ("restore", "bundled-gone")):
            assert agent.ask("command", verb=verb[0], name=verb[1])["status"] == 1
            assert isinstance(do(desk.skill_desk, *verb), Protected)


def test_a_second_of_the_same_name_gets_the_time_and_returns_as_itself(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    home = make_library(tmp_path / "home")
    put_skill(home, "away", skill_text("away", "the second one"))
    theirs = Path(shutil.copytree(home, tmp_path / "theirs", symlinks=True))
    assert agent_on(theirs).ask("command", verb="archive", name="away")["status"] == 0
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        skills = desk.skill_desk
        done = do(skills, "archive", "away")
        assert isinstance(done, Kept)
        names = [sorted(os.listdir(one / "skills" / ".archive")) for one in (home, theirs)]
        assert [len(one) for one in names] == [2, 2]
        assert [name[:-14] for name in names[0]][1:] == [name[:-14] for name in names[1]][1:]
        found = skills.look()
        assert found is not None
        second = next(one for one in found.archived if one.folder == done.folder)
        assert skills.restore(second.folder, seen="away") == Kept(
            "away", home / "skills" / "away", 2
        )
    assert "the second one" in (home / "skills" / "away" / "SKILL.md").read_text(encoding="utf-8")


# -- where we differ on purpose ------------------------------------------------------------------


def test_of_two_that_share_a_name_exactly_the_one_that_is_meant_goes(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    """The agent takes the first that the file system happens to give, and notes it for both."""
    home = tmp_path / "home"
    put_skill(home, "a/twin", skill_text("twin", "one"))
    put_skill(home, "b/twin", skill_text("twin", "two"))
    put_usage(home, twin=counted())
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        done = desk.skill_desk.archive(home / "skills" / "b" / "twin", seen="twin")
        assert isinstance(done, Kept)
        found = desk.skill_desk.look()
    assert found is not None
    assert [(card.path, card.state) for card in found.skills] == [("a/twin", "active")]
    assert "two" in (home / "skills" / ".archive" / "twin" / "SKILL.md").read_text("utf-8")
    put_skill(home, "b/twin", skill_text("twin", "two"))
    assert agent_on(home).ask("command", verb="archive", name="twin")["status"] == 0
    usage: dict[str, Any] = json.loads((home / "skills" / ".usage.json").read_text("utf-8"))
    assert usage["twin"]["state"] == "archived"


def test_a_skill_whose_folder_is_called_otherwise_is_active_again_when_restored(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    """The agent begins a second record under the folder's name, and leaves the first archived."""
    home = make_library(tmp_path / "home")
    theirs = Path(shutil.copytree(home, tmp_path / "theirs", symlinks=True))
    agent = agent_on(theirs)
    assert agent.ask("command", verb="archive", name="other name")["status"] == 0
    assert agent.ask("command", verb="restore", name="folder")["status"] == 0
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        assert isinstance(do(desk.skill_desk, "archive", "other name"), Kept)
        assert isinstance(do(desk.skill_desk, "restore", "other name"), Kept)
    usages = [
        json.loads((one / "skills" / ".usage.json").read_text("utf-8")) for one in (home, theirs)
    ]
    assert usages[0]["other name"]["state"] == "active"
    assert "folder" not in usages[0]
    assert usages[1]["other name"]["state"] == "archived"
    assert usages[1]["folder"]["state"] == "active"


def test_a_pin_where_the_agent_would_pin_nothing_is_refused(
    tmp_path: Path, agent_on: Callable[[Path], Agent]
) -> None:
    """Of a protected skill the agent says that it was pinned, and writes nothing."""
    home = make_library(tmp_path / "home")
    (home / "skills" / ".bundled_manifest").write_text("")
    before = tree(home)
    assert agent_on(home).ask("command", verb="pin", name="plan")["status"] == 0
    assert tree(home) == before
    with opened(HermesHome(home, home, "default"), tmp_path / "data") as desk:
        assert do(desk.skill_desk, "pin", "plan") == Protected("plan", "built_in")
