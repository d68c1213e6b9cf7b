"""What the Backups page shows: copies beside the memory files, as values. No Qt here."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from gui.ages import age, moment
from gui.i18n import tr, trn
from gui.models.cards import Card, Mark
from gui.words import say
from schema.frozen import frozen
from store.home import FILE_NAMES, TARGETS

if TYPE_CHECKING:
    from pathlib import Path

    from store.desk import Desk
    from store.home import Target
    from store.memory.backups import BackupGroup, Pruned, Restored
    from store.memory.state import Written
    from store.refusals import Refusal

SHOWN: Final = 400
"""So many entries of a copy at once; the command line shows all."""
_EXCERPT = 2_000


@frozen
class BackupsView:
    """All copies of both files, newest first, and the digests of the files as they are."""

    groups: tuple[BackupGroup, ...]
    digests: dict[Target, str]
    now: float

    @property
    def twins(self) -> int:
        """How many backups another one equals byte for byte."""
        return sum(len(one.files) - 1 for one in self.groups if one.kind == "backup" and one.sha256)

    def group(self, key: Hashable) -> BackupGroup | None:
        """The group with that key."""
        return next((one for one in self.groups if key_of(one) == key), None)


def key_of(group: BackupGroup) -> Hashable:
    """What a group is known by while its copies come and go."""
    return (group.target, group.kind, group.sha256 or group.files[0].path.name)


def read_backups(desk: Desk) -> BackupsView:
    """Look at everything that lies beside both files. Runs in the background."""
    import time

    from store.files import Content
    from store.memory.backups import list_backups

    groups = [group for target in TARGETS for group in list_backups(desk.library, target)]
    groups.sort(key=lambda group: group.files[0].at, reverse=True)
    digests: dict[Target, str] = {}
    for target in TARGETS:
        found = desk.disk.read(desk.home.memory_file(target))
        if isinstance(found, Content):
            digests[target] = found.digest
    return BackupsView(tuple(groups), digests, time.time())


# --- Cards ------------------------------------------------------------------------------------


def group_card(group: BackupGroup, now: float) -> Card:
    """One content: which copies hold it, since when, and what the file lacks of it."""
    newest = group.files[0]
    meta: list[str | Mark] = []
    if group.problem is not None:
        mark = Mark(tr("cannot be read"), "bad", say(group.problem))
    elif group.same_as_file:
        mark = Mark(tr("the file as it is now"), "ok")
    elif group.only_here:
        mark = Mark(tr("has more than the file"), "warn")
    else:
        mark = Mark(tr("nothing that the file lacks"), "ok")
    meta.append(mark)
    if group.kind == "copy":
        meta.append(
            Mark(
                tr("a copy of another program"),
                "plain",
                tr("A sync tool, an editor or a person made it; tidying up leaves it alone."),
            )
        )
    if len(group.files) > 1:
        names = "\n".join(one.path.name for one in group.files[1:])
        more = len(group.files) - 1
        meta.append(Mark(trn("{n} twin", "{n} twins", more), "plain", names))
    if group.doubt:
        meta.append(Mark(tr("read as {encoding}, a guess", encoding=group.encoding), "warn"))
    meta += [moment(newest.at)[:16], trn("{n:,} byte", "{n:,} bytes", newest.size)]
    return Card(
        key=key_of(group),
        text=_summary(group),
        lead=newest.path.name,
        lead_rest=age(newest.at, now),
        meta=tuple(meta),
    )


def _summary(group: BackupGroup) -> str:
    file = FILE_NAMES[group.target]
    if group.problem is not None:
        return say(group.problem)
    count = len(group.entries)
    if group.same_as_file:
        return trn("{n:,} entry.", "{n:,} entries.", count)
    lacking = len(group.only_here)
    if lacking:
        return trn(
            "{n:,} entry that {file} lacks.", "{n:,} entries that {file} lacks.", lacking, file=file
        )
    return trn(
        "{n:,} entry; {file} has it.", "{n:,} entries; {file} has all of them.", count, file=file
    )


def entry_cards(group: BackupGroup) -> list[Card]:
    """The entries of one content, first those that the file lacks; keys count from 0."""
    file, missing = FILE_NAMES[group.target], set(group.only_here)
    order = sorted(range(len(group.entries)), key=lambda at: group.entries[at] not in missing)
    cards = []
    for at in order[:SHOWN]:
        text = group.entries[at]
        if text in missing:
            mark = Mark(tr("not in {file}", file=file), "warn")
        else:
            mark = Mark(tr("in {file}", file=file), "ok")
        shown = text if len(text) <= _EXCERPT else text[:_EXCERPT].rstrip() + " …"
        cards.append(Card(key=at, text=shown, meta=(mark,)))
    rest = len(order) - SHOWN
    if rest > 0:
        words = trn("{n:,} more; put the copy in place of the file to see it.",
                    "{n:,} more; put the copy in place of the file to see them.", rest)  # fmt: skip
        cards.append(Card(key="more", text=words))
    return cards


# --- Changing ---------------------------------------------------------------------------------


def take_entry_back(desk: Desk, group: BackupGroup, at: int) -> tuple[Written | Refusal, Desk]:
    """Add one entry of a copy to the file. Runs in the background."""
    from store.memory.backups import take_back

    return take_back(desk.library, group.target, group.entries[at]), desk


def put_in_place(
    desk: Desk, group: BackupGroup, file: Path, digest: str
) -> tuple[Restored | Refusal, Desk]:
    """Put a whole copy in place of the file that has `digest`. Runs in the background."""
    from store.memory.backups import restore

    return restore(desk.library, group.target, file, digest=digest), desk


def tidy_up(desk: Desk) -> tuple[Pruned | Refusal, Desk]:
    """Keep one backup of each content. Runs in the background."""
    from store.memory.backups import prune

    return prune(desk.library), desk


def untidy(desk: Desk, pruned: Pruned) -> tuple[tuple[Refusal, ...], Desk]:
    """Make the twins again that tidying up removed. Runs in the background."""
    from store.memory.backups import put_back_twins

    return put_back_twins(desk.library, pruned.twins), desk
