"""A person puts a skill away, and takes it back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from tests.gui.conftest import Start
from tests.gui.skills_driver import SkillsDriver


def test_a_skill_is_archived_and_restored_by_keyboard(start: Start, hermes_home: Path) -> None:
    skills = SkillsDriver(start(hermes_home))
    folder = hermes_home / "skills" / "weekly-report"
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    skills.choose("weekly-report")
    cards = skills.page.list
    cards.setFocus()
    skills.desk.keys(cards, Qt.Key.Key_Delete)
    skills.desk.rest()
    assert not folder.exists()
    assert "archived" in skills.desk.toast()
    card = cards.current_card()
    assert card is not None
    assert card.lead == "weekly-report"
    cards.setFocus()
    skills.desk.keys(cards, Qt.Key.Key_Insert)
    skills.desk.rest()
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == before
