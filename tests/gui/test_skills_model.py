"""What the Skills page shows, as values."""

from __future__ import annotations

from pathlib import Path

from gui.models.skills import MOST_WATCHED, read_skills
from tests.support.desks import home_at, opened
from tests.support.skills import put_skill


def test_thousands_of_skills_are_watched_by_a_bounded_number_of_places(tmp_path: Path) -> None:
    home = home_at(tmp_path / "home")
    for n in range(1_200):
        put_skill(home.path, f"c{n % 30}/s{n}")
    with opened(home, tmp_path / "data") as desk:
        view = read_skills(desk)
    assert len(view.keys) == 1_200
    assert len(view.places) == MOST_WATCHED
    skills = home.skills
    assert {str(skills), *(str(skills / f"c{n}") for n in range(30))} < set(view.places)
