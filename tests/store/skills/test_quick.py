"""The quick look at a skill finds what the card of it tells, without a whole reader of YAML."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.desk import Desk
from store.home import HermesHome
from store.overview import skills_in
from store.skills.collecting import read_head
from store.skills.front_matter import read_front_matter
from store.skills.problems import head_problems, link_problems
from store.skills.quick import _plainly, has_problem
from tests.conftest import ROOT
from tests.support.desks import home_at, opened
from tests.support.skills import put_skill

LINES = st.sampled_from(
    [
        *("name: one", "name: 1.0.0", "name: [a]", "description: Draws charts", "description: [b]"),
        *('description: "Draws, and more"', "description: Draws: charts", "description: ''"),
        *("version: 1.2.3", "tags: [a, b]", "tags: [a, [b]]", "metadata:", "  hermes:"),
        *("    tags: [x]", "---", "- a", "\tx: y", "", "allowed-tools: [a]", "description: useful"),
    ]
)


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    return home_at(tmp_path / "home")


@pytest.fixture
def desk(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    with opened(home, tmp_path / "data") as desk:
        yield desk


@given(st.lists(LINES, max_size=7), st.sampled_from(["Text", "", "See references/a.md.\n"]))
def test_the_quick_look_and_the_reader_agree(lines: list[str], body: str) -> None:
    text = "\n".join(["---", *lines, "---", body])
    quick, whole = _plainly(text), read_front_matter(text)
    if quick is not None:
        assert quick.body == whole.body
        assert list(head_problems(text, quick)) == list(head_problems(text, whole))


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: one\ndescription: Draws charts\n---\nText",
        "---\nname: one\ndescription: Draws charts\n---\nSee references/gone.md.",
        "---\nname: one\ndescription: useful\n---\nText",
        "---\nname: one\n---\nText",
        "No head",
        "",
        "---\nname: one\ntags: [one\n---\nText",
    ],
)
def test_it_finds_what_the_card_tells(desk: Desk, home: HermesHome, text: str) -> None:
    folder = put_skill(home.path, "one", text)
    head = read_head(folder, disk=desk.disk)
    told = (*head.problems, *link_problems(folder, head.links))
    grave = any(one.severity != "info" for one in told)
    assert has_problem(folder, text.encode()) == grave
    assert skills_in(home.skills, disk=desk.disk).broken == (("one",) if grave else ())


def test_bytes_that_are_no_text_are_a_problem(tmp_path: Path) -> None:
    assert has_problem(tmp_path, b"---\nname: \xff\n---\n")


def test_usual_skills_load_no_reader_of_yaml(home: HermesHome) -> None:
    text = (
        "---\nname: one\ndescription: Draws\nversion: 1.0.0\nplatforms: [linux, macos]\n---\nText"
    )
    put_skill(home.path, "one", text)
    code = (
        "import sys; from pathlib import Path; from store.files import Disk;"
        "from store.overview import skills_in;"
        "print(skills_in(Path(sys.argv[1]), disk=Disk()).active, 'yaml' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code, str(home.skills)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.split() == ["1", "False"]
