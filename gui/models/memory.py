"""What the Memory page shows, as values: read in the background, then turned into cards.

No Qt and no disk beyond what `read_memory` asks of the library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from gui.i18n import N_, sentences, tr, trn
from gui.models.cards import MORE, SHOWN, Card, Mark
from gui.threat_words import say_threat
from gui.words import (
    NOTICES,
    SIGNAL_FIXES,
    SIGNALS,
    SNAPSHOT_REASONS,
    say,
    say_memory_off,
    word,
)
from schema.frozen import frozen
from store.home import FILE_NAMES, Target
from store.refusals import Unreadable

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.state import EntryView, MemoryState
    from store.settings import MemorySettings

TITLES: dict[str, str] = {"memory": N_("Agent memory"), "user": N_("User profile")}
OTHER: dict[Target, Target] = {"memory": "user", "user": "memory"}
SWITCHES: dict[Target, str] = {
    "memory": "memory.memory_enabled",
    "user": "memory.user_profile_enabled",
}
LIMITS: dict[Target, str] = {
    "memory": "memory.memory_char_limit",
    "user": "memory.user_char_limit",
}
_TOLD_ELSEWHERE = {"duplicates", "invalid_utf8", "utf16"}
"""Notices that a card or the banner speaks of."""


@frozen
class Fix:
    """A change of config.yaml that a banner offers: `value` of `key`, or None to remove it."""

    key: str
    value: bool | int | None


@frozen
class Trouble:
    """Why the agent ignores a file, or will not write it. `editable` is whether the desk may.

    `repair`: the Repair page can help.
    """

    strong: str
    text: str
    bad: bool = False
    editable: bool = True
    action: str = ""
    fix: Fix | None = None
    repair: bool = False


@frozen
class FileView:
    """One memory file with all that its column shows."""

    state: MemoryState
    tokens: int
    trouble: Trouble | None
    asides: tuple[str, ...]

    @property
    def editable(self) -> bool:
        """Whether entries may be changed, moved or removed."""
        return self.trouble is None or self.trouble.editable

    @property
    def addable(self) -> bool:
        """Whether an entry may be added: also to a file in drift, as the agent does."""
        return self.state.state != "unreadable"


@frozen
class MemoryView:
    """Both files, and what the next session's prompt holds."""

    memory: FileView
    user: FileView

    def file(self, target: Target) -> FileView:
        """The view of one file."""
        return self.memory if target == "memory" else self.user

    def prompt(self) -> str:
        """The blocks in the order in which the agent puts them into its prompt."""
        blocks = (shortened(view.state.snapshot.block) for view in (self.memory, self.user))
        return "\n\n".join(block for block in blocks if block)

    def prompt_gaps(self) -> tuple[str, ...]:
        """Why a block is missing, for each that is."""
        return tuple(
            f"{view.state.file_name}: {word(SNAPSHOT_REASONS, view.state.snapshot.reason)}"
            for view in (self.memory, self.user)
            if view.state.snapshot.reason is not None
        )


def read_memory(desk: Desk) -> MemoryView:
    """Read both files and the settings that rule them."""
    from store.memory.budget import approximate_tokens

    settings = desk.library.settings()
    states = desk.library.load_both(settings)
    views = {}
    for target, state in states.items():
        views[target] = FileView(
            state=state,
            tokens=approximate_tokens(state.snapshot.block),
            trouble=_trouble(state, settings),
            asides=tuple(
                word(NOTICES, name) for name in state.notices if name not in _TOLD_ELSEWHERE
            ),
        )
    return MemoryView(views["memory"], views["user"])


def _trouble(state: MemoryState, settings: MemorySettings) -> Trouble | None:
    file, off = state.file_name, settings.memory_off
    if state.state == "unreadable" and state.problem is not None:
        repairable = is_broken(state)
        return Trouble(
            tr("{file} cannot be read.", file=file),
            sentences(
                say(state.problem),
                tr("Its bytes stay as they are, and every change is refused."),
            ),
            bad=True,
            editable=False,
            action=tr("Repair") if repairable else "",
            repair=repairable,
        )
    if state.limit <= 0:
        from schema.settings import HERMES_SETTINGS

        declared = HERMES_SETTINGS.field(LIMITS[state.target])
        usual = getattr(declared, "default", state.limit)
        return Trouble(
            tr("{file} cannot be updated by the agent.", file=file),
            tr(
                "{key} in config.yaml is {limit}, so nothing fits.",
                key=LIMITS[state.target],
                limit=state.limit,
            ),
            action=tr("Set it to {limit:,}", limit=usual),
            fix=Fix(LIMITS[state.target], usual),
        )
    if state.state == "drift":
        return Trouble(
            tr("{file} cannot be updated by the agent.", file=file),
            _drift_words(state),
            editable=False,
            action=tr("Repair"),
            repair=True,
        )
    if off is not None:
        keys = {"section": "memory", "agent_section": "agent"}
        key = keys.get(off.reason, "memory.nudge_interval")
        return Trouble(
            tr("The agent ignores {file}.", file=file),
            sentences(say_memory_off(off), tr("An external provider stays on.")),
            action=tr("Remove that line"),
            fix=Fix(key, None),
        )
    if not state.enabled:
        line = settings.line(SWITCHES[state.target])
        where = tr("line {line} of config.yaml", line=line) if line else "config.yaml"
        return Trouble(
            tr("The agent ignores {file}.", file=file),
            tr(
                "{key} is off ({where}). An external provider stays on.",
                key=SWITCHES[state.target],
                where=where,
            ),
            action=tr("Switch on"),
            fix=Fix(SWITCHES[state.target], True),
        )
    if state.snapshot.reason == "bad_limit":
        return Trouble(
            tr("The agent ignores {file}.", file=file),
            tr("{key} in config.yaml is no plain number.", key=LIMITS[state.target]),
            action=tr("Set it to {limit:,}", limit=state.limit),
            fix=Fix(LIMITS[state.target], state.limit),
        )
    return None


def is_broken(state: MemoryState) -> bool:
    """Whether the file is there to be read, and is not what the agent would write."""
    problem = state.problem
    undecodable = isinstance(problem, Unreadable) and (problem.byte is not None or problem.utf16)
    return state.state == "drift" or undecodable


def _drift_words(state: MemoryState) -> str:
    whys = "; ".join(word(SIGNALS, name) for name in state.signals)
    fixes = "; ".join(word(SIGNAL_FIXES, name) for name in state.signals)
    said = tr(
        "Nothing is lost: {why}. Editing is off until the file is mended ({fix}).",
        why=whys,
        fix=fixes,
    )
    if state.chars >= state.limit:
        return said
    adding = tr("Adding still works, as it does for the agent; a copy is kept first.")
    return sentences(said, adding)


# --- Cards ------------------------------------------------------------------------------------


def row_of(entries: tuple[EntryView, ...], key: Hashable) -> int:
    """Where the entry with that key stands, -1 if it is no longer there.

    Its key is its text, and how often that text stood above it.
    """
    if not isinstance(key, tuple) or len(key) != 2:
        return -1
    rows = (row for row, entry in enumerate(entries) if entry.text == key[0])
    return next(islice(rows, max(key[1], 0), None), -1) if key[1] >= 0 else -1


def key_at(entries: tuple[EntryView, ...], row: int) -> Hashable:
    """The key of the entry in that row."""
    text = entries[row].text
    return text, sum(1 for entry in entries[:row] if entry.text == text)


def text_of(key: Hashable) -> str | None:
    """The whole text of the entry with that key; None for a card that is no entry."""
    return key[0] if isinstance(key, tuple) and len(key) == 2 else None


def keys_of(state: MemoryState, needle: str = "") -> Iterator[Hashable]:
    """The keys of all entries of a file in which `needle` stands, whatever of it is shown."""
    wanted, seen = needle.casefold(), dict[str, int]()
    for entry in state.entries:
        text = entry.text
        if wanted and wanted not in text.casefold():
            continue
        count = seen.get(text, 0)
        seen[text] = count + 1
        yield text, count


def cards_of(state: MemoryState, needle: str = "", shown: int = SHOWN) -> list[Card]:
    """Make the cards of a file; with `needle` only of the entries in which it stands.

    Of a list that nobody would read to its end the first `shown`, and one that brings more.
    """
    wanted, seen = needle.casefold(), Counter[str]()
    cards = list[Card]()
    for entry in state.entries:
        text = entry.text
        if wanted and wanted not in text.casefold():
            continue
        if len(cards) == shown:
            cards.append(_card_for_more(0 if wanted else len(state.entries) - shown))
            break
        meta = _meta(entry, state.file_name)
        cards.append(Card(key=(text, seen[text]), text=shortened(text, _MOST_ON_CARD), meta=meta))
        seen[text] += 1
    return cards


def _card_for_more(rest: int) -> Card:
    if rest:
        words = trn("{n:,} more entry; Enter shows it.", "{n:,} more; Enter shows some.", rest)
    else:
        words = tr("There are more; Enter shows some.")
    return Card(key=MORE, text=words)


_MOST_SHOWN = 20_000
_MOST_ON_CARD = 6_000
"""A card is painted whole each time, however little of it is seen."""


def shortened(text: str, most: int = _MOST_SHOWN) -> str:
    """A text as it is shown: of one that nobody would read to its end, the beginning."""
    more = len(text) - most
    if more <= most // 4:
        return text
    words = trn("… {n:,} more character", "… {n:,} more characters", more)
    return f"{text[:most].rstrip()}\n{words}"


def _meta(entry: EntryView, file: str) -> tuple[str | Mark, ...]:
    items: list[str | Mark] = [trn("{n:,} char", "{n:,} chars", entry.chars)]
    if entry.threats:
        tip = tr(
            "The agent's threat scan finds {ids} here. In its prompt it puts a placeholder in the "
            "place of this entry.",
            ids=", ".join(entry.threats),
        )
        items += [
            Mark(tr("hidden from the agent"), "bad", tip),
            ", ".join(say_threat(threat) for threat in entry.threats),
        ]
    if entry.duplicate:
        tip = tr(
            "The same entry stands above. The next write to {file} keeps the first.", file=file
        )
        items.append(Mark(tr("duplicate"), "warn", tip))
    return tuple(items)


def file_words(target: Target) -> str:
    """Name a file as people know it."""
    return tr(TITLES[target])


def file_name(target: Target) -> str:
    """MEMORY.md or USER.md."""
    return FILE_NAMES[target]
