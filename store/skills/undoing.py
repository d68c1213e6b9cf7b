"""What taking back a write to skills means where others have been at work since.

Text of a skill comes back only where it is still as the write left it. Counts of the agent go on
meanwhile, so of those only what the write itself counted is taken back.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from store.changes import Part
from store.files import Content
from store.home import HermesHome
from store.skills.owners import SUPPRESSED_FILE, read_names, write_names
from store.skills.telemetry import put_back, read_usage, write_usage
from store.trees import came_from

OWN = "skills/"
"""How the paths of all that is in the home's own folder of skills begin."""
SUPPRESSED = OWN + SUPPRESSED_FILE
"""The names that an update of the agent leaves out."""


def is_of_skills(part: Part) -> bool:
    """Whether that is a part of a write to skills; those in external folders have whole paths."""
    return part.path.startswith(OWN) or os.path.isabs(part.path)


def leads_elsewhere(home: HermesHome, part: Part) -> bool:
    """Whether a link leads out of the folder of skills by now, where nothing may be written."""
    if not part.path.startswith(OWN):
        return False
    place = home.path / part.path
    places = [place.parent if part.kind in ("link", "moved") else place]
    if part.kind == "moved":
        places.append(came_from(place, part.before or part.after or b"").parent)
    own = os.path.realpath(home.skills)
    return not all(Path(os.path.realpath(one)).is_relative_to(own) for one in places)


def folder_before(
    part: Part, seen: Content, parts: Sequence[Part], home: HermesHome
) -> bytes | None:
    """Whether the folder is to be there; one into which others have put something stays."""
    if seen.data is None or part.before is not None:
        return part.before
    ours = {Path(one.path).name for one in parts if Path(one.path).parent == Path(part.path)}
    try:
        there = set(os.listdir(home.path / part.path))
    except OSError:
        return seen.data
    return part.before if there <= ours else seen.data


def names_before(part: Part, seen: Content, newline: str) -> bytes | None:
    """The names that updates leave out, without what was done to them, and with all others."""
    before, after, now = map(read_names, (part.before, part.after, seen.data))
    return write_names(seen.data, (now - (after - before)) | (before - after), newline)


def usage_before(part: Part, seen: Content, newline: str) -> bytes | None:
    """The agent's counts without what the write counted; as they are where that cannot be told."""
    before, after, now = (read_usage(data) for data in (part.before, part.after, seen.data))
    if before is None or after is None or now is None:
        return seen.data
    data = write_usage(put_back(before, after, now), newline)
    return seen.data if data is None else data
