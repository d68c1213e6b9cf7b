"""The cards of the Overview: how each layer stands, as values. No Qt here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.ages import age
from gui.commands.status import Glance
from gui.health import Finding
from gui.i18n import tr, trn
from gui.models.cards import Tone
from gui.provider_words import STATES
from gui.words import FILE_STATES, file_name, word
from schema.frozen import frozen
from store.home import TARGETS, Target
from store.memory.budget import approximate_tokens, percent, usage_line

if TYPE_CHECKING:
    from store.changes import Intent
    from store.desk import Desk
    from store.journal import JournalEntry
    from store.memory.state import MemoryState

REPAIRED = ("drift", "unreadable", "bom", "conflict_markers", "edge_delimiter", "crlf",
            "duplicates", "identity_comments", "invalid_utf8", "utf16")  # fmt: skip
"""Codes of findings that Repair mends."""

_OF_A_FILE = (*REPAIRED, "over_budget", "blocked_entries", "switched_off", "bad_limit")


@frozen
class Layer:
    """One card: what the layer is, how it stands, and the page that it leads to.

    `full` is how full it is in percent, None where nothing is measured.
    """

    name: str
    title: str
    line: str
    more: str = ""
    page: str = ""
    action: str = ""
    full: int | None = None
    tone: Tone = "plain"


def layers_of(
    desk: Desk, glance: Glance, entries: tuple[JournalEntry, ...], talks: list[float], now: float
) -> tuple[Layer, ...]:
    """All cards; `entries` are the changes of the journal, `talks` when conversations were."""
    files = [_file(glance.states[target], entries, now) for target in TARGETS]
    layers = (*files, _pending(glance), _skills(desk, glance, entries, now),
              _notes(glance), _sessions(glance, talks, now), _provider(glance),
              _keys(glance))  # fmt: skip
    tones = _tones(glance.health)
    return tuple(
        replace(one, tone=tones[one.name]) if one.name in tones and one.tone != "bad" else one
        for one in layers
    )


def _tones(found: Iterable[Finding]) -> dict[str, Tone]:
    """How the layers stand that have something bad or doubtful, the gravest first in `found`."""
    tones: dict[str, Tone] = {}
    for one in found:
        if one.severity != "info":
            tones.setdefault(_layer_of(one), "bad" if one.severity == "bad" else "warn")
    return tones


def _layer_of(finding: Finding) -> str:
    """The name of the layer that a finding is about, empty for the home itself."""
    area = finding.code.partition("_")[0]
    if finding.code in _OF_A_FILE:
        return target_of(finding)
    names = {"pending": "pending", "provider": "provider", "sessions": "sessions",
             "skills": "skills", "notes": "knowledge"}  # fmt: skip
    return names.get(area, "")


def _file(state: MemoryState, entries: tuple[JournalEntry, ...], now: float) -> Layer:
    title = {"memory": tr("Agent memory"), "user": tr("User profile")}[state.target]
    broken = state.problem is not None or bool(state.signals)
    if state.problem is not None or state.state == "absent":
        line, full = word(FILE_STATES, state.state), None
    else:
        line, full = usage_line(state.chars, state.limit), percent(state.chars, state.limit)
    tokens = approximate_tokens(state.snapshot.block)
    more = [
        trn("{n} entry", "{n} entries", len(state.entries)),
        tr("≈ {n:,} tokens per request", n=tokens) if tokens else "",
        _last(state.target, entries, now),
    ]
    return Layer(
        name=state.target,
        title=title,
        line=line,
        more=" · ".join(part for part in more if part),
        page="repair" if broken else "memory",
        action=tr("Open Repair") if broken else tr("Open Memory"),
        full=full,
        tone="bad" if broken else "plain",
    )


def _last(target: Target, entries: tuple[JournalEntry, ...], now: float) -> str:
    """When the file was changed last, and by whom, as far as the journal knows."""
    last = next((one for one in entries if one.intent.target in (target, "both")), None)
    return _changed(last, now)


def _changed(last: JournalEntry | None, now: float) -> str:
    if last is None:
        return ""
    who = {"desk": tr("by you"), "approval": tr("by an approval")}.get(
        who_made(last), tr("by the agent or another program")
    )
    return tr("changed {age} {who}", age=age(last.at, now), who=who)


def who_made(entry: JournalEntry) -> str:
    """Who made a change, without the origin that stands behind it."""
    return entry.intent.who.partition(":")[0]


def _pending(glance: Glance) -> Layer:
    memory, skills = glance.waiting.memory or 0, glance.waiting.skills or 0
    parts = []
    if memory:
        parts.append(trn("{n} write to memory", "{n} writes to memory", memory))
    if skills:
        parts.append(trn("{n} write to a skill", "{n} writes to skills", skills))
    return Layer(
        "pending",
        tr("Pending"),
        tr(", ").join(parts) if parts else tr("Nothing waits"),
        tr("Written by the agent, decided by you") if parts else "",
        "pending",
        tr("Decide") if parts else tr("Open Pending"),
        tone="warn" if parts else "plain",
    )


def _skills(desk: Desk, glance: Glance, entries: tuple[JournalEntry, ...], now: float) -> Layer:
    skills = glance.skills
    if skills.closed:
        return Layer("skills", tr("Skills"), tr("Cannot be read"), "", "skills", tr("Open Skills"))
    if skills.active is None:
        return Layer("skills", tr("Skills"), tr("None yet"))
    found = desk.skill_desk.look()
    tokens = found.index.tokens if found is not None else 0
    more = [
        tr("≈ {n:,} tokens per request", n=tokens) if tokens else "",
        trn("{n} stale", "{n} stale", skills.stale or 0) if skills.stale else "",
        trn("{n} archived", "{n} archived", skills.archived or 0) if skills.archived else "",
        trn("{n} pinned", "{n} pinned", skills.pinned or 0) if skills.pinned else "",
        _changed(_last_of_skills(entries), now),
    ]
    return Layer(
        "skills",
        tr("Skills"),
        trn("{n} in use", "{n} in use", skills.active),
        " · ".join(part for part in more if part),
        "skills",
        tr("Open Skills"),
    )


def _last_of_skills(entries: tuple[JournalEntry, ...]) -> JournalEntry | None:
    """The latest change of a skill, also one that took another back."""
    by_id = {one.id: one for one in entries}
    for one in entries:
        origin = one
        while origin.intent.undoes in by_id:
            origin = by_id[origin.intent.undoes]
        if _is_of_skills(origin.intent):
            return one
    return None


def _is_of_skills(intent: Intent) -> bool:
    """Whether a change is one of skills; what is approved of one names that skill."""
    if intent.action == "approve":
        return intent.target not in (*TARGETS, "both")
    return intent.target == "skills" and not intent.record


def _notes(glance: Glance) -> Layer:
    notes = glance.notes
    if not notes.folders:
        words, action = tr("No folders of notes yet"), tr("Add a folder")
        return Layer("knowledge", tr("Knowledge"), words, "", "knowledge", action)
    gone = len(notes.missing) + len(notes.closed)
    more = [
        trn("{n} folder", "{n} folders", len(notes.folders)),
        trn("{n} cannot be looked into", "{n} cannot be looked into", gone) if gone else "",
    ]
    return Layer(
        "knowledge",
        tr("Knowledge"),
        tr("Not looked through yet")
        if notes.count is None
        else trn("{n:,} note", "{n:,} notes", notes.count),
        " · ".join(part for part in more if part),
        "knowledge",
        tr("Open Knowledge"),
    )


def _sessions(glance: Glance, talks: list[float], now: float) -> Layer:
    sessions = glance.sessions
    if sessions.count is None:
        words = tr("None yet") if sessions.state == "absent" else tr("Cannot be read")
        return Layer("sessions", tr("Sessions"), words, page="sessions", action=tr("Open Sessions"))
    more = [
        trn("{n:,} message", "{n:,} messages", sessions.messages or 0),
        tr("last one {age}", age=age(max(talks), now)) if talks else "",
    ]
    return Layer(
        "sessions",
        tr("Sessions"),
        trn("{n:,} conversation", "{n:,} conversations", sessions.count),
        " · ".join(part for part in more if part),
        "sessions",
        tr("Open Sessions"),
    )


def _provider(glance: Glance) -> Layer:
    name = glance.settings.provider
    state = glance.provider
    good = state in ("active", "ready", "off", "unknown")
    return Layer(
        "provider",
        tr("External provider"),
        name or tr("None; the built-in memory alone"),
        word(STATES, state) if name else "",
        "providers",
        tr("Open Providers"),
        tone="plain" if good else "warn",
    )


def _keys(glance: Glance) -> Layer:
    kept = glance.secrets.get("set")
    count = len(kept) if isinstance(kept, list | tuple) else 0
    plain = len(glance.openly.keys)
    return Layer(
        "keys",
        tr("Keys"),
        trn("{n} in the keyring", "{n} in the keyring", count)
        if count
        else tr("None in the keyring"),
        trn("{n} in plain text", "{n} in plain text", plain) if plain else "",
        page="keys",
        action=tr("Open Keys"),
    )


def target_of(finding: Finding) -> str:
    """The file that a finding names."""
    return "user" if file_name("user") in finding.message else "memory"
