"""Whatever a skill record holds, it is judged: no payload breaks the list or an approval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.desk import Desk
from store.home import HermesHome
from store.pending.records import Record, parse_record
from store.pending.skill_effects import effect_on_skills
from store.refusals import REFUSALS
from tests.support.desks import home_at, opened
from tests.support.skills import put_record, put_skill, skill_text, tree

NAMES = st.sampled_from(
    ["demo", "other", "fresh", "", ".", "..", "a/b", "Demo", "x" * 65, "\ud800"]
)
PATHS = st.sampled_from(
    [
        "references/guide.md",
        "references",
        "SKILL.md",
        "a/SKILL.md",
        "/SKILL.md",
        "../x",
        "references/../x",
        ".",
        "/",
    ]
) | st.sampled_from(
    [
        ".",
        "/",
        "references/../x",
        "",
        "\0",
        "scripts//x/",
        "assets/\ud800",
        "templates/" + "x" * 300,
    ]
)
TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from([skill_text("demo"), "---\nname: [\n---\n", "1. it", "\ud800", "---\n" * 3]),
    st.none(),
    st.integers(),
    st.lists(st.text(max_size=3), max_size=2),
)
ACTIONS = st.sampled_from(
    ["create", "edit", "patch", "write_file", "remove_file", "delete", "rename", "", None, 7]
)
OPERATION = st.fixed_dictionaries(
    {"action": ACTIONS},
    optional={
        "name": NAMES | st.none(),
        "content": TEXTS,
        "category": NAMES | TEXTS,
        "file_path": PATHS | TEXTS,
        "file_content": TEXTS,
        "old_string": TEXTS,
        "new_string": TEXTS,
        "replace_all": st.booleans() | st.text(max_size=3),
        "absorbed_into": NAMES | TEXTS,
    },
)
PAYLOADS = OPERATION | st.fixed_dictionaries(
    {"operations": st.lists(OPERATION, max_size=4) | TEXTS}, optional={"name": NAMES}
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> HermesHome:
    """A home that judging never changes, so all examples share it."""
    home = home_at(tmp_path_factory.mktemp("any") / "home")
    put_skill(home.path, "demo", references__guide_dot_md="one")
    put_skill(home.path, "office/other")
    return home


@pytest.fixture(scope="module")
def judge(home: HermesHome, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with opened(home, tmp_path_factory.mktemp("data")) as desk:
        yield desk


@given(payload=PAYLOADS)
def test_any_payload_is_judged_and_nothing_is_written(
    judge: Desk, home: HermesHome, payload: dict[str, Any]
) -> None:
    data = json.dumps({"id": "0000000a", "payload": payload}).encode()
    record = parse_record("0000000a.json", "0000000a", data, "skills")
    assert isinstance(record, Record)
    assert (record.skill is None) == (record.problem is not None)
    effect = effect_on_skills([record], judge.skills.plan(), home)
    assert effect.ok == (effect.refusal is None)
    assert effect.ok or isinstance(effect.refusal, REFUSALS)
    effect.unified().encode("utf-8", "backslashreplace")


@settings(max_examples=40)
@given(payloads=st.lists(PAYLOADS, min_size=1, max_size=4))
def test_any_queue_is_approved_as_far_as_it_goes_and_undone_to_the_byte(
    tmp_path_factory: pytest.TempPathFactory, payloads: list[dict[str, Any]]
) -> None:
    place = tmp_path_factory.mktemp("queue")
    home = home_at(place / "home")
    put_skill(home.path, "demo", references__guide_dot_md="one")
    put_skill(home.path, "office/other")
    (home.skills / ".usage.json").write_text("{}", encoding="utf-8")
    (home.path / "memories").mkdir(exist_ok=True)
    for number, payload in enumerate(payloads):
        put_record(home.path, f"{number:08}", **payload)
    before = tree(home.path)
    with opened(home, Path(place) / "data") as desk:
        handled = desk.queue.approve([f"{number:08}" for number in range(len(payloads))])
        assert len(handled.done) + len(handled.refused) == len(payloads)
        for _ in handled.done:
            desk.undo.undo()
    assert tree(home.path) == before
