"""What the Pending page shows, as values: the queues, what they are about, and who decides.

No Qt and no disk here; `gui/models/pending_read.py` reads and judges in the background.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from schema.frozen import field, frozen
from store.pending.records import Record, Subsystem, UnusableRecord
from store.refusals import AtOperation, NoMatch, NotFound, NotInFile, Refusal, Stale

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target
    from store.memory.state import MemoryState
    from store.skills.layout import Shelf

Item = Record | UnusableRecord
States = Mapping["Target", "MemoryState"]

MANY = 1_000
"""A queue longer than this is no everyday one."""
GATES: tuple[Subsystem, ...] = ("memory", "skills")


@frozen
class Gate:
    """Whether writes of one kind wait for approval. `managed_by`: who else decides that."""

    subsystem: Subsystem
    on: bool
    stored: object
    managed_by: str = ""

    @property
    def key(self) -> str:
        """Where it stands in config.yaml."""
        return f"{self.subsystem}.write_approval"


@frozen
class Inbox:
    """What the records of one profile are about, at one moment. `desk` is only read from.

    `profile` is empty for the home that is open. `shelf` holds the skills, None while no record
    is about one; `stamp` is another whenever a file of them is, or how they are scanned. `coming`
    names the skills that waiting records would create.
    """

    desk: Desk = field(compare=False, repr=False)
    profile: str
    states: States
    shelf: Shelf | None = None
    stamp: str = ""
    coming: frozenset[str] = frozenset()


@frozen
class Brief:
    """The effect of one record on its file, as far as its card tells it.

    Characters as the agent counts.
    """

    refusal: Refusal | None
    chars_before: int
    chars_after: int
    limit: int
    lost: int = 0
    changes: bool = True


@frozen
class SkillBrief:
    """The effect of a skill record, as far as its card tells it.

    Lines that come and go in all of its files; `chars` of the file that it leaves, of `limit`.
    `waits` if another waiting record would create the skill that it is about.
    """

    refusal: Refusal | None
    files: int = 0
    added: int = 0
    removed: int = 0
    chars: int = 0
    limit: int = 0
    description: str = ""
    waits: bool = False


AnyBrief = Brief | SkillBrief


@frozen
class PendingView:
    """All that waits at one moment, the files it is about, and who decides whether writes wait.

    `items` are all that waits by their keys: records oldest first, then what cannot be used.
    `briefs` judges records, but not the `unjudged` ones. `elsewhere` says of the keys of other
    profiles to which they belong; `everywhere` whether these were asked for. `marks` names what
    was on disk, for the watch. `at`: when it was read, UTC seconds.
    """

    items: Mapping[str, Item]
    inbox: Inbox
    elsewhere: Mapping[str, Inbox]
    everywhere: bool
    profiles: int
    unjudged: tuple[str, ...]
    briefs: Mapping[str, AnyBrief]
    stale: frozenset[str]
    gates: tuple[Gate, ...]
    config_problem: Refusal | None
    provider: str
    marks: Mapping[Path, str]
    at: float

    def gate(self, subsystem: Subsystem) -> Gate:
        """The switch of one kind of writes."""
        return self.gates[GATES.index(subsystem)]

    def inbox_of(self, key: str) -> Inbox:
        """The profile that an item belongs to."""
        return self.elsewhere.get(key, self.inbox)

    def record(self, key: str | None) -> Record | None:
        """The record of that key, None for anything else."""
        item = self.items.get(key) if key is not None else None
        return item if isinstance(item, Record) else None


@frozen
class Known:
    """What a page has on screen: its view, what is judged by now, and which cards are in view."""

    view: PendingView
    briefs: Mapping[str, AnyBrief]
    in_view: Collection[str]


def key_of(broken: UnusableRecord) -> str:
    """Name a file that is no record in the list, in a text that Qt gives back as it was."""
    return shown(broken.file)


def shown(text: str, most: int = 2_000) -> str:
    """Give what can be drawn of a text: halves of characters by their names, and not without end.

    JSON and names of files can hold such halves.
    """
    cut = text if len(text) <= most else text[:most] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()


def is_stale(brief: AnyBrief) -> bool:
    """Whether what the record was about is gone, so that it can no longer apply."""
    refusal = brief.refusal
    cause = refusal.cause if isinstance(refusal, AtOperation) else refusal
    match cause:
        case Stale() | NoMatch() | NotInFile():
            return True
        case NotFound("skill" | "skill_file"):
            return not (isinstance(brief, SkillBrief) and brief.waits)
    return False


def stale_keys(briefs: Mapping[str, AnyBrief]) -> frozenset[str]:
    """The records that can no longer apply."""
    return frozenset(key for key, brief in briefs.items() if is_stale(brief))
