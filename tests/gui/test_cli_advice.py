"""`advice` names what might go, why, and only what can be done."""

from __future__ import annotations

from pathlib import Path

from tests.gui.driver import write_as_agent
from tests.support.command_line import CommandLine

SAID = "Announce the tidepool release to the staging cluster in the harbour channel"


def test_an_entry_like_a_skill_is_not_to_be_merged_with_it(empty_home: Path) -> None:
    skill = empty_home / "skills" / "ops" / "tidepool-release" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: tidepool-release\ndescription: Release tidepool to the staging cluster and "
        "announce it in the harbour channel\n---\n\n# How\n\nRun it.\n",
        "utf-8",
    )
    write_as_agent(empty_home / "memories" / "MEMORY.md", "Prefers tea", SAID)
    found = CommandLine(empty_home).json("advice")["advice"]
    one = next(one for one in found if one["beside"])
    assert (one["entry"], one["beside"], one["beside_in"]) == (SAID, "tidepool-release", "skill")
    assert one["actions"] == ["delete", "to_note"]
    assert one["reason"] == "It says much the same as the skill “tidepool-release”."
