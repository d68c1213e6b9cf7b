"""The Skills page: what there is, one in full, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTextBrowser

from gui.widgets.texts import FileView
from tests.gui.conftest import Start
from tests.gui.skills_driver import SkillsDriver

HOSTILE = """---
name: hostile
description: <b>bold</b> <img src="http://example.com/x.png">
---
# Title

<script>alert(1)</script> ![x](http://example.com/y.png) [link](javascript:alert(1))
"""


@pytest.fixture
def skills(start: Start, hermes_home: Path) -> SkillsDriver:
    return SkillsDriver(start(hermes_home))


def test_skills_are_listed_with_their_state_and_the_cost_of_the_list(
    skills: SkillsDriver,
) -> None:
    assert "weekly-report" in skills.names()
    assert "pinned" in skills.spoken("pg-index-tuning")
    assert "stale" in skills.spoken("stale-notes")
    assert "tokens" in skills.desk.text("skills_cost")


def test_one_skill_is_shown_in_full_rendered_and_as_it_is(
    skills: SkillsDriver, hermes_home: Path
) -> None:
    skills.choose("weekly-report")
    assert skills.desk.text("skill_title") == "weekly-report"
    assert "收集提交记录" in skills.desk.find(QTextBrowser, "skill_rendered").toPlainText()
    skills.desk.click("skill_switch")
    raw = skills.desk.find(FileView, "skill_raw").text()
    assert raw == (hermes_home / "skills" / "weekly-report" / "SKILL.md").read_text("utf-8")


def test_pinning_and_its_undo(skills: SkillsDriver, hermes_home: Path) -> None:
    usage = hermes_home / "skills" / ".usage.json"
    before = usage.read_bytes()
    skills.choose("weekly-report")
    skills.act("skill_pin")
    assert json.loads(usage.read_text("utf-8"))["weekly-report"]["pinned"] is True
    assert "pinned" in skills.spoken("weekly-report")
    skills.desk.press_toast()
    skills.desk.rest()
    assert usage.read_bytes() == before


def test_a_search_and_a_kind_narrow_the_list(skills: SkillsDriver) -> None:
    skills.page.search("csv")
    assert skills.names() == ["csv-profiler"]
    skills.page.search("")
    chooser = skills.page.kinds
    chooser.setCurrentIndex(chooser.findData("stale"))
    chooser.activated.emit(chooser.currentIndex())
    assert skills.names() == ["stale-notes"]


def test_what_the_curator_would_do_is_told(skills: SkillsDriver) -> None:
    skills.desk.click("skills_curator")
    assert "curator" in skills.desk.text("fact_0")


def test_other_peoples_text_is_no_markup_and_loads_nothing(start: Start, empty_home: Path) -> None:
    folder = empty_home / "skills" / "hostile"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(HOSTILE, "utf-8")
    page = SkillsDriver(start(empty_home))
    page.choose("hostile")
    assert page.desk.text("fact_0") == '<b>bold</b> <img src="http://example.com/x.png">'
    rendered = page.desk.find(QTextBrowser, "skill_rendered")
    assert "<script>" in rendered.toPlainText()
    assert not rendered.openLinks()


def test_an_empty_page_says_what_a_skill_is(start: Start, empty_home: Path) -> None:
    page = SkillsDriver(start(empty_home))
    assert page.desk.sees("no_skills")
