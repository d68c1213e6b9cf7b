"""The desk's sentences about repair: what is wrong with a file, and what a proposal changes.

No Qt here: the Repair page and the command line say the same things with the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from gui.i18n import N_, tr, trn
from gui.words import excerpt, word
from store.memory.findings import (
    CopyOfBroken,
    Finding,
    NoMemory,
    NotUtf8,
    OversizeEntry,
    RoundTrip,
    WouldLose,
)

CHANGES = {
    "trimmed": N_("blank lines or spaces around it removed"),
    "edge_delimiter": N_("a § at the start or end of the file removed"),
    "delimiter_on_text_line": N_("the § on its line taken as delimiter"),
    "from_ours": N_("from this side of the conflict"),
    "from_theirs": N_("from the other side of the conflict"),
    "split_at_heading": N_("split off at a heading"),
    "split_at_rule": N_("split off at a horizontal rule"),
    "split_at_item": N_("split off as an item of a list"),
    "unbulleted": N_("bullet removed"),
    "split_at_blank_line": N_("split off at a blank line"),
    "split_at_line": N_("split off as a line"),
    "split_at_sentence": N_("split off as a sentence"),
    "split_at_length": N_("cut at the length of the budget"),
    "near_duplicate": N_("says nearly what an earlier entry says"),
}
"""What was done to a proposed entry, by `ProposedEntry.changes`."""

WHYS = {
    "duplicate": N_("stands there already"),
    "rule": N_("a rule that parted entries"),
    "conflict_marker": N_("a conflict marker"),
    "conflict_base": N_("older than both sides of the conflict"),
    "by_hand": N_("left out by hand"),
    "beyond": N_("not looked at yet"),
}
"""Why a text has no place in the proposal, by `Dropped.why`."""

KINDS = {
    "text": N_("It can hardly be meant as a memory."),
    "log": N_("It looks like a log."),
    "json": N_("It looks like data in JSON."),
    "table": N_("It looks like a table."),
    "binary": N_("It looks like no text at all."),
}
"""What a file is that is far too long, by `NoMemory.kind`."""

NOTES = {
    "bom": N_("The byte order mark at its start goes."),
    "utf16": N_("It is UTF-16 and becomes UTF-8."),
    "line_ends": N_("Its line ends become those of the agent."),
}
"""What happens to the file as a whole, by `Proposal.notes`."""


def say_note(note: str) -> str:
    """Say what a note of a proposal means for the file."""
    kind, _, encoding = note.partition(":")
    if kind == "encoding":
        return tr("It is read as {encoding} and becomes UTF-8.", encoding=encoding)
    return word(NOTES, note)


def say_surroundings(data: bytes, copies: Sequence[str]) -> list[str]:
    """Say what else is to be known: comments of a newer version, copies of other programs."""
    said = []
    if b"<!-- hermes-memory-" in data:
        said.append(
            tr("It holds comments by which a newer Hermes knows its entries; they stay with them.")
        )
    if copies:
        said.append(
            trn(
                "Beside it lies {names}, a copy of another program: see Backups.",
                "Beside it lie {names}, copies of other programs: see Backups.",
                len(copies),
                names=tr(", ").join(copies[:3]) + (" …" if len(copies) > 3 else ""),
            )
        )
    return said


def say_lines(lines: tuple[int, int] | None) -> str:
    """Say where in the file a text stands; nothing if it stands nowhere."""
    if lines is None or not lines[0]:
        return ""
    first, last = lines
    if first == last:
        return tr("line {line}", line=first)
    return tr("lines {first}–{last}", first=first, last=last)


MOST_SAID = 6
"""So many findings are said one by one."""


def say_findings(findings: Sequence[Finding]) -> list[str]:
    """Say what is wrong, a sentence or two each; of many only the first ones."""
    said = [say_finding(finding) for finding in findings[:MOST_SAID]]
    more = len(findings) - MOST_SAID
    if more > 0:
        said.append(trn("And {n:,} more of the kind.", "And {n:,} more of the kind.", more))
    return said


def say_finding(finding: Finding) -> str:
    """Say in a sentence or two what is wrong, where, and what would have come of it."""
    match finding:
        case RoundTrip(line, found, agent):
            return tr(
                "Line {line} is not as the agent would write it: it holds {found}, where the agent "
                "would put {agent}.",
                line=line,
                found=_line(found),
                agent=_line(agent),
            )
        case OversizeEntry(lines, chars, limit):
            return tr(
                "The entry in {lines} has {chars:,} characters, more than the whole budget of "
                "{limit:,}. Whatever the agent replaced or removed in it, all of it would go.",
                lines=say_lines(lines),
                chars=chars,
                limit=limit,
            )
        case WouldLose():
            return _say_loss(finding)
        case NotUtf8(byte, line, encoding):
            return tr(
                "From line {line} (byte {byte}) on it is no UTF-8, but seems to be {encoding}; "
                "the agent runs without memory as long as that is so.",
                line=line,
                byte=byte,
                encoding=encoding,
            )
        case NoMemory(chars, limit, kind):
            return tr(
                "It has {chars:,} characters, {times:,} times the budget. {kind} The agent sends "
                "all of it with every request, if the model takes it at all.",
                chars=chars,
                times=chars // limit,
                kind=word(KINDS, kind),
            )
        case CopyOfBroken(names):
            return trn(
                "{names} is a copy of the file as it is now, made when the agent refused; that "
                "both are equal does not show that the file is in order.",
                "{names} are copies of the file as it is now, made when the agent refused; that "
                "all are equal does not show that the file is in order.",
                len(names),
                names=", ".join(names),
            )
        case _:
            assert_never(finding)


def _line(text: str) -> str:
    return tr("“{text}”", text=excerpt(text)) if text.strip() else tr("nothing")


def _say_loss(loss: WouldLose) -> str:
    parts = []
    if loss.blank_lines:
        parts.append(trn("{n} blank line", "{n} blank lines", loss.blank_lines))
    if loss.marks:
        parts.append(trn("{n} line of § alone", "{n} lines of § alone", loss.marks))
    if loss.trimmed:
        lines = len(loss.trimmed)
        parts.append(trn("spaces on {n} line", "spaces on {n} lines", lines))
    if loss.duplicates:
        count = len(loss.duplicates)
        parts.append(trn("{n} repeated entry", "{n} repeated entries", count))
    return tr(
        "Had the agent written all the same, only this would have gone: {what}.",
        what=tr(", ").join(parts),
    )
